// The distance of two cores, or minus their depth: the largest over all unit vectors n from B to A of
//
//   s(n) = min over A of n·a − max over B of n·b.
//
// Of cores that overlap it is found among the facets of A − B: the normals of their faces and the common perpendiculars
// of two edges whose arcs cross on the sphere of normals. Of cores apart, nearest vertices may be between.
// [1] S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996: faces and pairs of edges.
// [2] D. Gregorius, The Separating Axis Test between Convex Polyhedra, Game Developers Conference 2013: arcs of
// normals.

#include <cmath>

#include "models/contact_pairs.h"
#include "models/convex_core.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double rounding = 1e-14;  // of what a product of coordinates comes to

double clamped(double s) { return std::clamp(s, 0.0, 1.0); }

// With d = a₀ − b₀: the s in [0, 1] at which the lines are nearest, then the nearest t, then s again if t was cut.
struct Along {
  double s, t;
};
Along nearest_along(const Vector3d& a0, const Vector3d& a, const Vector3d& b0, const Vector3d& b) {
  const Vector3d d = a0 - b0;
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double determinant = aa * bb - ab * ab;
  double s = determinant > 1e-22 * aa * bb ? clamped((ab * b.dot(d) - bb * a.dot(d)) / determinant) : 0;
  double t = (b.dot(d) + s * ab) / bb;
  if (t < 0 || t > 1) {
    t = clamped(t);
    s = clamped((t * ab - a.dot(d)) / aa);
  }
  return {s, t};
}

class Search {
 public:
  Search(const ConvexCore& a, const ConvexCore& b)
      : a_(a), b_(b), names_(a, b), tolerance_(feature_tolerance * (a.extent + b.extent)) {}

  bool find(double reach, Separation& found) {
    found = {-HUGE_VAL};  // two cores without faces have no facet
    if (a_.has_faces() || b_.has_faces()) {
      find_widest_face();
      if (widest_ > reach) return false;
      find_crossing_edges();
      found = crossing_.distance > widest_ ? crossing_ : face_separation();
      if (found.distance <= tolerance_) return true;
    }
    find_nearest(found);
    if (nearest_.distance > reach) return false;
    if (nearest_.distance <= found.distance + tolerance_) return true;
    nearest_.normal = direction_between(nearest_);
    found = nearest_;
    return true;
  }

 private:
  // ---- faces

  // Of faces as good as each other the one with the lowest number of B is taken, or of A where B is the upper of the
  // two: always the same, whichever core is called A.
  void find_widest_face() {
    const bool b_first = upper_is_a();
    const auto try_faces = [&](const ConvexCore& core, const ConvexCore& other, bool of_a) {
      for (int f = 0; f < core.face_count(); ++f) {
        const double s = other.lowest(core.normal(f)) - core.offset(f);
        if (!(s > widest_ + (widest_ == -HUGE_VAL ? 0 : tolerance_))) continue;
        widest_ = s;
        face_ = f;
        face_of_a_ = of_a;
      }
    };
    if (b_first) try_faces(b_, a_, false);
    try_faces(a_, b_, true);
    if (!b_first) try_faces(b_, a_, false);
  }

  bool upper_is_a() const {
    const Vector3d skew(0.382, 0.231, 1);  // along which nothing is stacked or lined up
    return skew.dot(a_.centre - b_.centre) > 0;
  }

  Separation face_separation() const {
    const ConvexCore &core = face_of_a_ ? a_ : b_, &other = face_of_a_ ? b_ : a_;
    const Vector3d& up = core.normal(face_);
    int lowest = 0;
    for (int i = 1; i < other.vertex_count(); ++i)
      if (up.dot(other.vertex(i)) < up.dot(other.vertex(lowest)) - tolerance_) lowest = i;
    const Vector3d above = other.vertex(lowest), below = above - widest_ * up;
    if (face_of_a_) return {widest_, -up, below, above, names_.vertex_of_b(lowest)};
    return {widest_, up, above, below, names_.vertex_of_a(lowest)};
  }

  // ---- edges on edges

  // Whether the two edges make a facet of A − B: the arc of normals at the one crosses that of the other, turned round.
  // A segment has all normals across it.
  bool arcs_cross(const Polytope::Edge& i, const Vector3d& a, const Polytope::Edge& j, const Vector3d& b) const {
    const double left_b = j.left < 0 ? 0 : b_.normal(j.left).dot(a),
                 right_b = j.left < 0 ? 0 : b_.normal(j.right).dot(a);
    if (j.left >= 0 && !(left_b * right_b < 0)) return false;
    if (i.left < 0) return true;
    const double left_a = a_.normal(i.left).dot(b), right_a = a_.normal(i.right).dot(b);
    if (!(left_a * right_a < 0)) return false;
    return j.left < 0 || left_b * right_a < 0;
  }

  // Edges nearly parallel know their perpendicular badly: they are taken where they are wider apart by more than that.
  void find_crossing_edges() {
    crossing_.distance = -HUGE_VAL;
    for (int i = 0; i < a_.edge_count(); ++i) {
      const Polytope::Edge& edge_a = a_.edge(i);
      const Vector3d a = a_.along(edge_a);
      for (int j = 0; j < b_.edge_count(); ++j) {
        const Polytope::Edge& edge_b = b_.edge(j);
        const Vector3d b = b_.along(edge_b);
        if (!arcs_cross(edge_a, a, edge_b, b)) continue;
        const Vector3d across = a.cross(b);
        const double length = across.norm(), sizes = a.norm() * b.norm();
        if (!(length > rounding * sizes)) continue;
        const Vector3d n = (points_to_a(edge_a, edge_b, across) ? 1 : -1) / length * across;
        const double s = n.dot(a_.vertex(edge_a.from) - b_.vertex(edge_b.from));
        const double doubt = tolerance_ + rounding * (a_.extent + b_.extent) * sizes / length;
        if (!(s > widest_ + doubt && s > crossing_.distance)) continue;
        const Along at = nearest_along(a_.vertex(edge_a.from), a, b_.vertex(edge_b.from), b);
        crossing_ = {s, n, a_.vertex(edge_a.from) + at.s * a, b_.vertex(edge_b.from) + at.t * b, names_.edges(i, j)};
      }
    }
  }

  bool points_to_a(const Polytope::Edge& i, const Polytope::Edge& j, const Vector3d& across) const {
    if (j.left >= 0) return across.dot(b_.normal(j.left) + b_.normal(j.right)) > 0;
    return across.dot(a_.normal(i.left) + a_.normal(i.right)) < 0;
  }

  // ---- cores apart

  void take(const Vector3d& on_a, const Vector3d& on_b, int feature) {
    const double distance = (on_a - on_b).norm();
    if (!(distance < nearest_.distance)) return;
    nearest_ = {distance, Vector3d::UnitX(), on_a, on_b, feature};
  }

  // What is farther apart along the normal of the widest facet than the nearest points are is no nearer.
  void find_nearest(const Separation& widest) {
    nearest_.distance = HUGE_VAL;
    up_ = widest.distance > -HUGE_VAL ? widest.normal : Vector3d(Vector3d::Zero());
    low_a_ = a_.lowest(up_);
    high_b_ = -b_.lowest(-up_);
    for (int i = 0; i < a_.vertex_count(); ++i)
      if (up_.dot(a_.vertex(i)) - high_b_ < nearest_.distance) take_above_faces(b_, a_, i, false);
    for (int i = 0; i < b_.vertex_count(); ++i)
      if (low_a_ - up_.dot(b_.vertex(i)) < nearest_.distance) take_above_faces(a_, b_, i, true);
    if (a_.edge_count() == 0 && b_.edge_count() == 0) take(a_.vertex(0), b_.vertex(0), names_.vertex_of_a(0));
    for (int i = 0; i < a_.edge_count(); ++i) take_edges(i);
    for (int j = 0; a_.edge_count() == 0 && j < b_.edge_count(); ++j) take_beside(b_, j, a_.vertex(0), true);
    for (int i = 0; b_.edge_count() == 0 && i < a_.edge_count(); ++i) take_beside(a_, i, b_.vertex(0), false);
  }

  // A vertex above the inside of a face.
  void take_above_faces(const ConvexCore& core, const ConvexCore& other, int vertex, bool core_is_a) {
    const Vector3d& v = other.vertex(vertex);
    for (int f = 0; f < core.face_count(); ++f) {
      const Vector3d& up = core.normal(f);
      const double height = up.dot(v) - core.offset(f);
      if (!(height > 0 && height < nearest_.distance) || !is_above(core, f, v)) continue;
      const Vector3d below = v - height * up;
      if (core_is_a) {
        take(below, v, names_.vertex_of_b(vertex));
      } else {
        take(v, below, names_.vertex_of_a(vertex));
      }
    }
  }

  static bool is_above(const ConvexCore& core, int face, const Vector3d& point) {
    const std::vector<int>& corners = core.corners(face);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vector3d& from = core.vertex(corners[i]);
      const Vector3d& to = core.vertex(corners[(i + 1) % corners.size()]);
      if ((to - from).cross(point - from).dot(core.normal(face)) < 0) return false;
    }
    return true;
  }

  void take_edges(int i) {
    const Polytope::Edge& edge_a = a_.edge(i);
    const Vector3d &from = a_.vertex(edge_a.from), a = a_.along(edge_a);
    const double height = std::min(up_.dot(from), up_.dot(a_.vertex(edge_a.to)));
    if (height - high_b_ >= nearest_.distance) return;
    for (int j = 0; j < b_.edge_count(); ++j) {
      const Polytope::Edge& edge_b = b_.edge(j);
      if (height - std::max(up_.dot(b_.vertex(edge_b.from)), up_.dot(b_.vertex(edge_b.to))) >= nearest_.distance)
        continue;
      const Vector3d b = b_.along(edge_b);
      const Along at = nearest_along(from, a, b_.vertex(edge_b.from), b);
      const int vertex_a = end_at(edge_a, at.s), vertex_b = end_at(edge_b, at.t);
      take(from + at.s * a, b_.vertex(edge_b.from) + at.t * b,
           vertex_a >= 0   ? names_.vertex_of_a(vertex_a)
           : vertex_b >= 0 ? names_.vertex_of_b(vertex_b)
                           : names_.edges(i, j));
    }
  }

  static int end_at(const Polytope::Edge& edge, double s) {
    return s <= feature_tolerance ? edge.from : s >= 1 - feature_tolerance ? edge.to : -1;
  }

  // A single vertex beside an edge of the other core.
  void take_beside(const ConvexCore& core, int i, const Vector3d& point, bool point_is_a) {
    const Polytope::Edge& edge = core.edge(i);
    const Vector3d along = core.along(edge);
    const Vector3d at =
        core.vertex(edge.from) + clamped(along.dot(point - core.vertex(edge.from)) / along.squaredNorm()) * along;
    if (point_is_a) {
      take(point, at, names_.vertex_of_a(0));
    } else {
      take(at, point, names_.vertex_of_b(0));
    }
  }

  // Segments that meet part along their common perpendicular.
  Vector3d direction_between(const Separation& points) const {
    if (points.distance > no_direction) return (points.on_a - points.on_b) / points.distance;
    const Vector3d way = a_.centre - b_.centre;
    Vector3d across = Vector3d::Zero();
    if (a_.edge_count() == 1 && b_.edge_count() == 1) across = a_.along(a_.edge(0)).cross(b_.along(b_.edge(0)));
    if (!(across.norm() > 1e-8 * a_.extent * b_.extent)) {
      const Vector3d along = a_.edge_count() == 1   ? a_.along(a_.edge(0))
                             : b_.edge_count() == 1 ? b_.along(b_.edge(0))
                                                    : Vector3d(Vector3d::UnitX());
      across = along.unitOrthogonal();
    }
    return (across.dot(way) < 0 ? -1 : 1) * across.normalized();
  }

  const ConvexCore &a_, &b_;
  FeatureNames names_;
  double tolerance_;
  double widest_ = -HUGE_VAL;  // of the faces
  int face_ = -1;
  bool face_of_a_ = false;
  Separation crossing_, nearest_{-HUGE_VAL};
  Vector3d up_;
  double low_a_ = 0, high_b_ = 0;
};

}  // namespace

bool find_separation(const ConvexCore& a, const ConvexCore& b, double reach, Separation& separation) {
  return Search(a, b).find(reach, separation);
}

}  // namespace carom
