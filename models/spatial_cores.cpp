// Contact in space of shapes that are cores with a radius around them. Two rods touch where their lines are nearest,
// and with the balls at their ends; all others along one normal, in the corners of the gap along it.
//
// A cylinder touches with its side as the rod of its axis does: along a normal across the axis both have the same
// points. Along any other it touches with an end. There a prism in it stands for it, whose side is the farthest one
// along the normal; the normal itself is that of the round rim (rims.h).

#include <cmath>

#include "models/contact_pairs.h"
#include "models/convex_core.h"
#include "models/rims.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double across = 1e-9;        // of a normal to an axis, as a cosine
constexpr double side_by_side = 1e-3;  // the ends of cylinders at a larger angle (rad) are no balls
constexpr int turns = 2;               // of a prism towards the normal, which it knows roughly

// Where the touches of a pair go; points are on the cores, the normal is that from B to A.
struct CoreReport {
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
void add_end(const CoreReport& report, bool of_a, int end, double tolerance) {
  const ConvexCore &core = of_a ? report.a : report.b, &other = of_a ? report.b : report.a;
  const Vector3d from = other.vertex(0), along = other.along(other.edge(0));
  const double s = along.dot(core.vertex(end) - from) / along.squaredNorm();
  if (!(s > -feature_tolerance && s < 1 + feature_tolerance)) return;
  const Vector3d foot = from + s * along, way = core.vertex(end) - foot;
  const double distance = way.norm();
  if (!(distance > tolerance)) return;
  if (core.has_flat_ends && std::abs(way.dot(core.along(core.edge(0)))) > side_by_side * distance * core.extent) return;
  const FeatureNames names(report.a, report.b);
  if (of_a) {
    report.add(distance, way / distance, core.vertex(end), foot, names.vertex_of_a(end));
  } else {
    report.add(distance, -way / distance, foot, core.vertex(end), names.vertex_of_b(end));
  }
}

// Rods side by side touch at both ends of their common part, whatever the small angle between them; crossed ones
// where their lines are nearest, if that is nearer than the ends are.
void add_rods(const CoreReport& report, const Separation& separation) {
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

// A shape of a pair, as the core that stands for it.
struct Part {
  const Shape& shape;
  const Placement& pose;
  ConvexCore& core;
  bool is_prism = false;

  // Places a cylinder as it touches along `towards`, the normal out of it. True if that is another core than before.
  bool turn(const Vector3d& towards, const Vector3d& common) {
    if (shape.kind != Shape::Kind::cylinder) return false;
    const Vector3d axis = pose.rotation.col(0);
    if (!is_prism && std::abs(axis.dot(towards)) <= across) return false;
    if (is_prism && axis.cross(towards).norm() <= across)
      return false;  // out of an end: no side is farther than others
    is_prism = true;
    core.place_prism(shape, pose, common, towards);
    return true;
  }
  // As a prism even where its side may be what touches: of one deep in another, an end can be the way out.
  void show_ends(const Vector3d& towards, const Vector3d& common) {
    if (shape.kind != Shape::Kind::cylinder || is_prism) return;
    is_prism = true;
    core.place_prism(shape, pose, common, towards);
  }
  // Once the normal is known: as its side touches, if that does.
  void settle(const Vector3d& towards, const Vector3d& common) {
    if (is_prism && std::abs(pose.rotation.col(0).dot(towards)) <= across) {
      is_prism = false;
      core.place(shape, pose, common);
    } else {
      turn(towards, common);
    }
  }
  // Of a prism: a point of the rim is an end of the side that points there.
  int corner_at(const Vector3d& point) const {
    for (int i = 0; is_prism && i < 2; ++i)
      if ((core.vertex(i) - point).norm() <= 1e-9 * core.extent) return i;
    return -1;
  }
  bool is_rod_of_cylinder() const { return shape.kind == Shape::Kind::cylinder && !is_prism; }
  double out_of_core() const { return is_prism ? out_of_prism({shape, pose, core}) : 0; }
};

// The round rims in place of the prisms.
void separate_at_rims(Part& a, Part& b, const Vector3d& common, Separation& separation) {
  const CoredShape of_a{a.shape, a.pose, a.core, a.is_prism}, of_b{b.shape, b.pose, b.core, b.is_prism};
  const RimSeparation found = separation_at_rims(of_a, of_b, common, separation);
  a.settle(-found.normal, common);
  b.settle(found.normal, common);
  const FeatureNames names(a.core, b.core);
  if (const int corner = a.corner_at(found.on_a); corner >= 0) {
    separation.feature = names.vertex_of_a(corner);
  } else if (const int other = b.corner_at(found.on_b); other >= 0) {
    separation.feature = names.vertex_of_b(other);
  }
  separation.distance = found.gap + a.core.radius + b.core.radius;
  separation.normal = found.normal;
  separation.on_a = found.on_a + a.core.radius * found.normal;
  separation.on_b = found.on_b - b.core.radius * found.normal;
}

// The cores of two shapes and what separates them. False if that is more than reach.
bool find_cores(Part& a, Part& b, double reach, Separation& separation) {
  const Vector3d& common = a.pose.origin;
  a.core.place(a.shape, a.pose, common);
  b.core.place(b.shape, b.pose, common);
  Vector3d before = Vector3d::Zero();
  for (int turn = 0; turn <= turns; ++turn) {
    const double inside = a.out_of_core() + b.out_of_core();
    if (!find_separation(a.core, b.core, reach + inside + a.core.radius + b.core.radius, separation)) return false;
    if (separation.normal == before) break;
    before = separation.normal;
    const bool a_turns = a.turn(-before, common), b_turns = b.turn(before, common);
    if (!a_turns && !b_turns) break;
  }
  if (separation.distance < a.core.radius + b.core.radius && (a.is_rod_of_cylinder() || b.is_rod_of_cylinder())) {
    a.show_ends(-separation.normal, common);
    b.show_ends(separation.normal, common);
    find_separation(a.core, b.core, HUGE_VAL, separation);
  }
  if (a.is_prism || b.is_prism) separate_at_rims(a, b, common, separation);
  return separation.distance <= reach + a.core.radius + b.core.radius;
}

}  // namespace

void core_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                  std::vector<Touch>& touches) {
  static thread_local ConvexCore core_a, core_b;
  static thread_local std::vector<GapCorner> corners;
  Part part_a{a, pose_a, core_a}, part_b{b, pose_b, core_b};
  Separation separation;
  if (!find_cores(part_a, part_b, reach, separation)) return;
  const CoreReport report{core_a, core_b, pose_a.origin, reach, touches};
  if (core_a.is_segment() && core_b.is_segment()) return add_rods(report, separation);
  find_gap_corners(core_a, core_b, separation, reach + core_a.radius + core_b.radius, corners);
  for (const GapCorner& corner : corners)
    report.add(corner.gap, separation.normal, corner.on_a, corner.on_b, corner.feature);
}

}  // namespace carom
