// Along a unit vector n from B to A two convex bodies are apart by
//
//   s(n) = min over A of n·a − max over B of n·b,
//
// at most by their distance, which it is for the best n; of bodies in each other the best n is the way out. Where the
// feature of A that touches is a point, a line or a rim, and that of B likewise, the n that is best for the two is a
// zero of the gradient w − s n, w = a(n) − b(n), in the directions that keep it across the lines. A rim of radius R
// about the axis e has its extreme point where t = n − (n·e)e points to, which turns with n by R/|t| about e: so
//
//   ∇²s = −(R_A/|t_A|) b_A b_Aᵀ − (R_B/|t_B|) b_B b_Bᵀ,   b = e × t/|t|,
//
// and on the sphere of unit vectors the Hessian is that minus s times the identity. What is best for two features is
// only taken as far as it is good for the whole bodies: whatever n is, s(n) is known exactly.

#include "models/rims.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/contact_pairs.h"
#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double no_side = 1e-12;  // of a direction across an axis: less than that, and a rim has no extreme point

bool is_cylinder(const CoredShape& of) { return of.shape.kind == Shape::Kind::cylinder; }
Vector3d axis_of(const CoredShape& of) { return of.pose.rotation.col(0); }

// The point of a circle about an axis that is farthest along d.
Vector3d farthest_on_rim(const Vector3d& centre, const Vector3d& axis, double radius, const Vector3d& d) {
  Vector3d across = d - d.dot(axis) * axis;
  across -= across.dot(axis) * axis;  // what rounding has left of d along the axis counts where little is left across
  const double length = across.norm();
  return length > no_side ? Vector3d(centre + radius / length * across) : centre;
}

// The point of a shape that is farthest along d.
Vector3d farthest(const CoredShape& of, const Vector3d& common, const Vector3d& d) {
  if (is_cylinder(of)) {
    const Vector3d axis = axis_of(of);
    const Vector3d end = (d.dot(axis) < 0 ? -1 : 1) * of.shape.length / 2 * axis;
    return farthest_on_rim(of.pose.origin - common + end, axis, of.shape.radius, d);
  }
  const auto& vertices = of.core.vertices;
  const auto best = std::max_element(vertices.begin(), vertices.end(),
                                     [&](const Vector3d& v, const Vector3d& w) { return d.dot(v) < d.dot(w); });
  return *best + of.core.radius * d;
}

// What of a shape may touch.
struct Feature {
  enum class Kind { point, line, rim };

  Kind kind = Kind::point;
  Vector3d at = Vector3d::Zero();      // a point of the line, the centre of the rim
  Vector3d along = Vector3d::UnitX();  // of the line, or the axis of the rim
  double radius = 0;                   // of the rim
  double offset = 0;                   // of the surface from a point or a line

  Vector3d farthest_along(const Vector3d& d) const {
    return kind == Kind::rim ? farthest_on_rim(at, along, radius, d) : at;
  }
};

// The features of a shape near a point of its core, and the normals of its faces there.
class Nearby {
 public:
  Nearby(const CoredShape& of, const Vector3d& common, const Vector3d& point, double close) {
    if (is_cylinder(of)) {
      add_cylinder(of, common);
      return;
    }
    const ConvexCore& core = of.core;
    for (const Vector3d& v : core.vertices)
      if ((v - point).norm() <= close)
        features_.push_back({Feature::Kind::point, v, Vector3d::UnitX(), 0, core.radius});
    for (int i = 0; i < core.edge_count(); ++i) {
      const Polytope::Edge& edge = core.edge(i);
      const Vector3d from = core.vertex(edge.from), along = core.along(edge);
      const double s = std::clamp(along.dot(point - from) / along.squaredNorm(), 0.0, 1.0);
      if ((from + s * along - point).norm() > close) continue;
      features_.push_back({Feature::Kind::line, from, along.normalized(), 0, core.radius});
      for (const int face : {edge.left, edge.right})
        if (face >= 0) normals_.push_back(core.normal(face));
    }
  }

  const std::vector<Feature>& features() const { return features_; }
  const std::vector<Vector3d>& normals() const { return normals_; }

 private:
  // Along a normal across the axis its side is a line, whose distance from the axis is always the same.
  void add_cylinder(const CoredShape& of, const Vector3d& common) {
    const Vector3d axis = axis_of(of), centre = of.pose.origin - common;
    features_.push_back({Feature::Kind::line, centre, axis, 0, of.shape.radius});
    for (const double side : {-1.0, 1.0}) {
      features_.push_back({Feature::Kind::rim, centre + side * of.shape.length / 2 * axis, axis, of.shape.radius});
      normals_.push_back(side * axis);
    }
  }

  std::vector<Feature> features_;
  std::vector<Vector3d> normals_;
};

bool are_crossed(const Feature& a, const Feature& b) {
  constexpr double parallel = 1e-9;
  const bool are_lines = a.kind == Feature::Kind::line && b.kind == Feature::Kind::line;
  return are_lines && a.along.cross(b.along).norm() > parallel;
}

// The directions in which n may turn: across it and across the lines.
int turns_of(const Vector3d& n, const Feature& a, const Feature& b, Vector3d (&turns)[2]) {
  const bool line_a = a.kind == Feature::Kind::line, line_b = b.kind == Feature::Kind::line;
  if (line_a || line_b) {
    turns[0] = n.cross(line_a ? a.along : b.along).normalized();
    return 1;
  }
  complete_frame(n, turns[0], turns[1]);
  return 2;
}

// How an extreme point of a rim turns with n.
void add_turning(const Feature& rim, const Vector3d& n, const Vector3d (&turns)[2], int count, Eigen::Matrix2d& H) {
  if (rim.kind != Feature::Kind::rim) return;
  const Vector3d across = n - n.dot(rim.along) * rim.along;
  const double length = across.norm();
  if (!(length > no_side)) return;
  const Vector3d b = rim.along.cross(across / length);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) H(i, j) -= rim.radius / length * b.dot(turns[i]) * b.dot(turns[j]);
}

// Newton's way to the n that is best for two features; a step that is no gain is halved.
Vector3d best_normal(const Feature& a, const Feature& b, Vector3d n) {
  constexpr int most_steps = 100, most_halvings = 30;
  constexpr double longest = 0.3, shortest = 1e-15;  // of a step, in radians
  if (are_crossed(a, b)) {
    const Vector3d across = a.along.cross(b.along).normalized();
    return (across.dot(n) < 0 ? -1 : 1) * across;
  }
  for (const Feature* of : {&b, &a})
    if (of->kind == Feature::Kind::line) n -= n.dot(of->along) * of->along;
  if (!(n.norm() > no_side)) return Vector3d::Zero();
  n.normalize();
  const auto apart = [&](const Vector3d& along) -> Vector3d {
    return a.farthest_along(-along) - b.farthest_along(along);
  };
  for (int step = 0; step < most_steps; ++step) {
    Vector3d turns[2];
    const int count = turns_of(n, a, b, turns);
    const Vector3d w = apart(n);
    const double s = n.dot(w);
    const Eigen::Vector2d g(w.dot(turns[0]), count == 2 ? w.dot(turns[1]) : 0);
    Eigen::Matrix2d H = -s * Eigen::Matrix2d::Identity();
    if (count == 1) H(1, 1) = -1;
    add_turning(a, n, turns, count, H);
    add_turning(b, n, turns, count, H);
    const bool is_maximum = H(0, 0) < 0 && H.determinant() > 0;
    Eigen::Vector2d way =
        is_maximum ? Eigen::Vector2d(-H.inverse() * g) : Eigen::Vector2d(longest * g.stableNormalized());
    if (way.norm() > longest) way *= longest / way.norm();
    if (!(way.norm() > shortest)) return n;
    Vector3d next = n;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, way /= 2) {
      next = (n + way(0) * turns[0] + (count == 2 ? way(1) * turns[1] : Vector3d(Vector3d::Zero()))).normalized();
      if (next.dot(apart(next)) >= s) break;
    }
    if (halvings == most_halvings) return n;
    n = next;
  }
  return n;
}

class RimSearch {
 public:
  RimSearch(const CoredShape& a, const CoredShape& b, const Vector3d& common) : a_(a), b_(b), common_(common) {}

  RimSeparation find(const Separation& near) {
    // As far as the prisms may be wrong about where they touch.
    const double close = 4 * std::sqrt(out_of_prism(a_) * a_.shape.radius + out_of_prism(b_) * b_.shape.radius);
    const Nearby near_a(a_, common_, near.on_a, close), near_b(b_, common_, near.on_b, close);
    best_ = {apart(near.normal), near.normal, near.on_a - a_.core.radius * near.normal,
             near.on_b + b_.core.radius * near.normal};
    for (const Vector3d& n : near_a.normals()) try_face(-n, true);
    for (const Vector3d& n : near_b.normals()) try_face(n, false);
    for (const Feature& a : near_a.features())
      for (const Feature& b : near_b.features()) try_features(a, b, near.normal);
    return best_;
  }

 private:
  // What is no better but for rounding is not taken: lines come before the rims that they end in.
  bool is_better(const Vector3d& n, double s) const {
    return n.norm() > 0.5 && s > best_.gap + 1e-14 * (a_.core.extent + b_.core.extent);
  }
  double apart(const Vector3d& n) const { return n.dot(farthest(a_, common_, -n)) - n.dot(farthest(b_, common_, n)); }

  // Of a face: what the other shape has lowest above it.
  void try_face(const Vector3d& n, bool of_a) {
    const double s = apart(n);
    if (!is_better(n, s)) return;
    const Vector3d on_a = farthest(a_, common_, -n), on_b = farthest(b_, common_, n);
    best_ = of_a ? RimSeparation{s, n, on_b + s * n, on_b} : RimSeparation{s, n, on_a, on_a - s * n};
  }

  // A point and a rim have their own extreme point, but a rim along its axis, where all of its end is as far.
  static bool has_point(const Feature& of, const Vector3d& n) {
    return of.kind == Feature::Kind::point || (of.kind == Feature::Kind::rim && of.along.cross(n).norm() > 1e-9);
  }

  void try_features(const Feature& a, const Feature& b, const Vector3d& start) {
    const Vector3d n = best_normal(a, b, start);
    const double s = n.norm() > 0.5 ? apart(n) : -HUGE_VAL;
    if (!is_better(n, s)) return;
    Vector3d on_a = a.farthest_along(-n) - a.offset * n;
    const Vector3d on_b = b.farthest_along(n) + b.offset * n;
    const bool of_a = has_point(a, n), of_b = has_point(b, n);
    // Two points are above each other, or the way to the best normal has not ended.
    if (of_a && of_b && (on_a - on_b - s * n).norm() > 1e-8 * (a_.core.extent + b_.core.extent)) return;
    // Where the lines pass each other: w is n and something along both.
    if (are_crossed(a, b)) {
      const Vector3d other = n.cross(b.along);
      on_a += other.dot(on_b - on_a) / other.dot(a.along) * a.along;
    }
    best_ = of_b && !of_a ? RimSeparation{s, n, on_b + s * n, on_b} : RimSeparation{s, n, on_a, on_a - s * n};
  }

  const CoredShape &a_, &b_;
  Vector3d common_;
  RimSeparation best_{-HUGE_VAL};
};

}  // namespace

double out_of_prism(const CoredShape& of) {
  return is_cylinder(of) ? of.shape.radius * (1 - std::cos(std::numbers::pi / prism_sides)) : 0;
}

RimSeparation separation_at_rims(const CoredShape& a, const CoredShape& b, const Vector3d& common,
                                 const Separation& near) {
  return RimSearch(a, b, common).find(near);
}

}  // namespace carom
