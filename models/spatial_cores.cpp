// Contact in space of shapes that are cores with a radius around them. Two rods touch where their lines are nearest,
// and with the balls at their ends; all others along one normal, in the corners of the gap along it.

#include <cmath>

#include "models/contact_pairs.h"
#include "models/convex_core.h"

namespace carom {

namespace {

using Eigen::Vector3d;

// Where the touches of a pair go; points are on the cores, the normal is that from B to A.
struct Report {
  const ConvexCore &a, &b;
  Vector3d common;
  double reach;
  std::vector<Touch>& touches;

  void add(double distance, const Vector3d& normal, const Vector3d& on_a, const Vector3d& on_b, int feature) const {
    const double gap = distance - (a.radius + b.radius);
    if (gap > reach) return;
    touches.push_back({gap, normal, common + on_a - a.radius * normal, common + on_b + b.radius * normal, feature});
  }
};

// The ball at an end of one rod and the side of the other. It counts where no end of the other rod is nearer.
void add_end(const Report& report, bool of_a, int end, double tolerance) {
  const ConvexCore &core = of_a ? report.a : report.b, &other = of_a ? report.b : report.a;
  const Vector3d from = other.vertex(0), along = other.along(other.edge(0));
  const double s = along.dot(core.vertex(end) - from) / along.squaredNorm();
  if (!(s > -feature_tolerance && s < 1 + feature_tolerance)) return;
  const Vector3d foot = from + s * along, way = core.vertex(end) - foot;
  const double distance = way.norm();
  if (!(distance > tolerance)) return;
  const FeatureNames names(report.a, report.b);
  if (of_a) {
    report.add(distance, way / distance, core.vertex(end), foot, names.vertex_of_a(end));
  } else {
    report.add(distance, -way / distance, foot, core.vertex(end), names.vertex_of_b(end));
  }
}

// Rods side by side touch at both ends of their common part, whatever the small angle between them; crossed ones
// where their lines are nearest, if that is nearer than the ends are.
void add_rods(const Report& report, const Separation& separation) {
  const double tolerance = feature_tolerance * (report.a.extent + report.b.extent);
  const std::size_t begin = report.touches.size();
  for (const bool of_a : {true, false}) {
    for (const int end : {0, 1}) {
      add_end(report, of_a, end, tolerance);
      const std::vector<Touch>& touches = report.touches;
      for (std::size_t i = begin; i + 1 < touches.size(); ++i) {
        if ((touches[i].point_a - touches.back().point_a).norm() > 2 * tolerance) continue;
        report.touches.pop_back();
        break;
      }
    }
  }
  const double least = separation.distance - (report.a.radius + report.b.radius);
  for (std::size_t i = begin; i < report.touches.size(); ++i)
    if (report.touches[i].gap <= least + tolerance) return;
  report.add(separation.distance, separation.normal, separation.on_a, separation.on_b, separation.feature);
}

}  // namespace

void core_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                  std::vector<Touch>& touches) {
  static thread_local ConvexCore core_a, core_b;
  static thread_local std::vector<GapCorner> corners;
  core_a.place(a, pose_a, pose_a.origin);
  core_b.place(b, pose_b, pose_a.origin);
  const double core_reach = reach + core_a.radius + core_b.radius;
  Separation separation;
  if (!find_separation(core_a, core_b, core_reach, separation)) return;
  const Report report{core_a, core_b, pose_a.origin, reach, touches};
  if (!core_a.has_faces() && !core_b.has_faces()) return add_rods(report, separation);
  find_gap_corners(core_a, core_b, separation, core_reach, corners);
  for (const GapCorner& corner : corners)
    report.add(corner.gap, separation.normal, corner.on_a, corner.on_b, corner.feature);
}

}  // namespace carom
