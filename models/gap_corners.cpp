// The contact points of two cores along one normal n. Seen along n, the lower side of A and the upper side of B have a
// common shadow, and above each point x of it a gap
//
//   g(x) = lowest point of A above x − highest point of B below it,
//
// a convex function, linear between its corners: A stays clear of B, as far as the motion of a step is linear, if it
// does at those. They are
//   – vertices of A above a face of B,
//   – vertices of B below a face of A,
//   – and crossings of an edge of A with one of B:
// on two faces that lie on each other all corners of their common part, however they are tilted; of an edge on a face
// both ends; of crossing edges and of a corner on a face one. The least gap is the distance along n.

#include <array>
#include <cmath>

#include "models/contact_pairs.h"
#include "models/convex_core.h"
#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Faces at a smaller angle to n (rad) are walls: all their gaps are above one line.
constexpr double wall = 1e-6;

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// A core in coordinates across n and along it.
class Side {
 public:
  // `sense`: +1 for the upper side of a core, −1 for its lower one.
  void see(const ConvexCore& core, const Eigen::Matrix3d& frame, double sense, double tolerance) {
    core_ = &core;
    sense_ = sense;
    tolerance_ = tolerance;
    seen_.clear();
    for (const Vector3d& v : core.vertices) seen_.push_back(frame.transpose() * v);
    is_on_side_.assign(seen_.size(), !core.has_faces());
    facing_.clear();
    for (int f = 0; f < core.face_count(); ++f) {
      const Vector3d normal = frame.transpose() * core.normal(f);
      if (!(sense * normal.z() > wall)) continue;
      facing_.push_back({f, normal});
      for (const int v : core.corners(f)) is_on_side_[static_cast<std::size_t>(v)] = true;
    }
  }

  int vertex_count() const { return core_->vertex_count(); }
  const Vector3d& vertex(int i) const { return seen_[static_cast<std::size_t>(i)]; }
  bool has_vertex(int i) const { return is_on_side_[static_cast<std::size_t>(i)]; }
  bool has_edge(const Polytope::Edge& edge) const { return edge.left < 0 || faces(edge.left) || faces(edge.right); }

  // Whether the shadow of this side has the point, and how high the side is there. Of faces that share a border on
  // which the point is, the least steep one tells it best.
  bool height_at(const Vector2d& x, double& height) const {
    if (facing_.empty()) return height_on_edge(x, height);
    double flattest = 0;
    for (const Facing& facing : facing_) {
      if (std::abs(facing.normal.z()) <= flattest || !is_in_shadow(facing.face, x)) continue;
      flattest = std::abs(facing.normal.z());
      const Vector3d& corner = vertex(core_->corners(facing.face).front());
      height = corner.z() - facing.normal.head<2>().dot(x - corner.head<2>()) / facing.normal.z();
    }
    return flattest > 0;
  }

 private:
  struct Facing {
    int face;
    Vector3d normal;
  };

  bool faces(int face) const {
    return std::any_of(facing_.begin(), facing_.end(), [&](const Facing& facing) { return facing.face == face; });
  }

  bool is_in_shadow(int face, const Vector2d& x) const {
    const std::vector<int>& corners = core_->corners(face);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vector2d from = vertex(corners[i]).head<2>(), to = vertex(corners[(i + 1) % corners.size()]).head<2>();
      if (sense_ * cross(to - from, x - from) < -tolerance_ * (to - from).norm()) return false;
    }
    return true;
  }

  // A core without faces is its own shadow: a segment or a point.
  bool height_on_edge(const Vector2d& x, double& height) const {
    const Vector3d from = vertex(0), along = vertex(vertex_count() - 1) - from;
    const double length = along.head<2>().norm();
    const double s = length > tolerance_ ? (x - from.head<2>()).dot(along.head<2>()) / (length * length) : 0;
    if (s * length < -tolerance_ || (s - 1) * length > tolerance_) return false;
    if ((from.head<2>() + s * along.head<2>() - x).norm() > tolerance_) return false;
    height = from.z() + s * along.z();
    return true;
  }

  const ConvexCore* core_ = nullptr;
  double sense_ = 1, tolerance_ = 0;
  std::vector<Vector3d> seen_;
  std::vector<bool> is_on_side_;
  std::vector<Facing> facing_;
};

class Corners {
 public:
  Corners(const ConvexCore& a, const ConvexCore& b, const Separation& separation, double reach,
          std::vector<GapCorner>& corners)
      : a_(a),
        b_(b),
        names_(a, b),
        separation_(separation),
        reach_(reach),
        tolerance_(feature_tolerance * (a.extent + b.extent)),
        corners_(corners) {
    Vector3d t1, t2;
    complete_frame(separation.normal, t1, t2);
    frame_ << t1, t2, separation.normal;
    lower_.see(a, frame_, -1, tolerance_);
    upper_.see(b, frame_, 1, tolerance_);
    low_a_ = a.lowest(separation.normal);
    high_b_ = -b.lowest(-separation.normal);
  }

  void find() {
    corners_.clear();
    for (int i = 0; i < a_.vertex_count(); ++i)
      if (is_within(lower_, i)) add_vertex_of_a(i);
    const std::size_t of_a = corners_.size();
    for (int j = 0; j < b_.vertex_count(); ++j)
      if (is_within(upper_, j)) add_vertex_of_b(j, of_a);
    for (int i = 0; i < a_.edge_count(); ++i)
      if (is_within(lower_, a_.edge(i))) add_crossings(i);
    add_nearest();
  }

 private:
  // Nothing of a side counts that is farther from the other core than reach.
  bool is_within(const Side& side, int vertex) const {
    const double z = side.vertex(vertex).z();
    return side.has_vertex(vertex) && (&side == &lower_ ? z - high_b_ : low_a_ - z) <= reach_;
  }
  bool is_within(const Side& side, const Polytope::Edge& edge) const {
    const double from = side.vertex(edge.from).z(), to = side.vertex(edge.to).z();
    return side.has_edge(edge) &&
           (&side == &lower_ ? std::min(from, to) - high_b_ : low_a_ - std::max(from, to)) <= reach_;
  }

  void add(double gap, const Vector3d& on_a, const Vector3d& on_b, int feature) {
    if (gap <= reach_) corners_.push_back({gap, on_a, on_b, feature});
  }

  void add_vertex_of_a(int i) {
    const Vector3d& v = lower_.vertex(i);
    double height = 0;
    if (!upper_.height_at(v.head<2>(), height)) return;
    const double gap = v.z() - height;
    add(gap, a_.vertex(i), a_.vertex(i) - gap * separation_.normal, names_.vertex_of_a(i));
  }

  // Vertices above each other are called after that of A.
  void add_vertex_of_b(int j, std::size_t of_a) {
    const Vector3d& v = upper_.vertex(j);
    double height = 0;
    if (!lower_.height_at(v.head<2>(), height)) return;
    const double gap = height - v.z();
    const Vector3d above = b_.vertex(j) + gap * separation_.normal;
    for (std::size_t k = 0; k < of_a; ++k)
      if ((corners_[k].on_a - above).norm() <= 2 * tolerance_) return;
    add(gap, above, b_.vertex(j), names_.vertex_of_b(j));
  }

  // Edges that cross; where one only comes up to the other, its vertex has been found.
  void add_crossings(int i) {
    const Polytope::Edge& edge_a = a_.edge(i);
    const Vector3d& a0 = lower_.vertex(edge_a.from);
    const Vector3d a = lower_.vertex(edge_a.to) - a0;
    for (int j = 0; j < b_.edge_count(); ++j) {
      const Polytope::Edge& edge_b = b_.edge(j);
      if (!is_within(upper_, edge_b)) continue;
      const Vector3d& b0 = upper_.vertex(edge_b.from);
      const Vector3d b = upper_.vertex(edge_b.to) - b0;
      double s = 0, t = 0;
      if (!part_at(a0, a, b0, b, s) || !part_at(b0, b, a0, a, t)) continue;
      const double gap = a0.z() + s * a.z() - (b0.z() + t * b.z());
      const Vector3d on_a = a_.vertex(edge_a.from) + s * a_.along(edge_a);
      add(gap, on_a, on_a - gap * separation_.normal, names_.edges(i, j));
    }
  }

  // Where an edge crosses the line of another one, if its ends are on both sides of it.
  bool part_at(const Vector3d& from, const Vector3d& along, const Vector3d& line, const Vector3d& direction,
               double& part) const {
    const double off = tolerance_ * direction.head<2>().norm();
    const double begin = cross(direction.head<2>(), (from - line).head<2>());
    const double end = begin + cross(direction.head<2>(), along.head<2>());
    if (!((begin < -off && end > off) || (begin > off && end < -off))) return false;
    part = begin / (begin - end);
    return true;
  }

  void add_nearest() {
    for (const GapCorner& corner : corners_)
      if (corner.gap <= separation_.distance + 4 * tolerance_) return;
    add(separation_.distance, separation_.on_a, separation_.on_b, separation_.feature);
  }

  const ConvexCore &a_, &b_;
  FeatureNames names_;
  const Separation& separation_;
  double reach_, tolerance_;
  std::vector<GapCorner>& corners_;
  Eigen::Matrix3d frame_;
  static thread_local Side lower_, upper_;  // their storage is kept
  double low_a_ = 0, high_b_ = 0;
};

thread_local Side Corners::lower_;
thread_local Side Corners::upper_;

}  // namespace

void find_gap_corners(const ConvexCore& a, const ConvexCore& b, const Separation& separation, double reach,
                      std::vector<GapCorner>& corners) {
  Corners(a, b, separation, reach, corners).find();
}

}  // namespace carom
