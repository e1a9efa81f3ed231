// Contact of rods and blocks in space. A rod is the segment of its core with its radius around it, a block its own
// core; numbers of vertices have bit 0, 1, 2 set where x, y, z is positive, and a rod has the first bit only.
//
// Both cores are symmetric about their centres, so along a unit vector n from B to A they are apart by
//
//   s(n) = n·(c_A − c_B) − r_A(n) − r_B(n),    r(n) = Σ half_k |a_k·n|
//
// and their distance, or minus their depth, is the largest s there is. If they overlap, it is found among the normals
// of faces and the common perpendiculars of edges (the facets of A − B); if they do not, nearest vertices may be
// between. A face that is as near as anything is the reference: the face of the other core that looks at it, or the
// other rod, is cut off at its sides, and what remains stands above it, at most four points of it.
// [1] S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996: the 15 directions.
// [2] I. Sutherland, G. Hodgman, Reentrant polygon clipping, Comm. ACM 17 (1974).

#include <algorithm>
#include <array>
#include <cmath>

#include "models/contact_pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double nearly_parallel = 1e-3;  // edges at a smaller angle (rad) also touch where they end
constexpr int manifold_features = 1024;   // of a reference face of A; then of B
constexpr int edge_features = 2048;       // and then of edges on edges

double sign_of(double x) { return x < 0 ? -1 : 1; }

// About an origin that both cores share, so that bodies far from the world's lose no digits.
class Core {
 public:
  Core(const Shape& shape, const Placement& pose, const Vector3d& common)
      : is_block(shape.kind == Shape::Kind::block),
        half(is_block ? Vector3d(shape.size / 2) : Vector3d(shape.length / 2, 0, 0)),
        radius(is_block ? 0 : shape.radius),
        centre(pose.origin - common),
        axes(pose.rotation) {}

  int dimensions() const { return is_block ? 3 : 1; }
  int vertex_count() const { return is_block ? 8 : 2; }
  Vector3d axis(int k) const { return axes.col(k); }
  Vector3d vertex(int number) const {
    Vector3d local = half;
    for (int k = 0; k < 3; ++k) {
      if (!((number >> k) & 1)) local(k) = -local(k);
    }
    return centre + axes * local;
  }
  double reach(const Vector3d& n) const { return (axes.transpose() * n).cwiseAbs().dot(half); }
  int support(const Vector3d& direction) const {
    int number = 0;
    for (int k = 0; k < dimensions(); ++k) {
      if (axis(k).dot(direction) > 0) number |= 1 << k;
    }
    return number;
  }

  bool is_block;
  Vector3d half;
  double radius;
  Vector3d centre;
  Eigen::Matrix3d axes;
};

constexpr int edge_lines = 24;
int edge_line(int vertex, int axis) { return 8 * axis + (vertex & ~(1 << axis)); }

// An edge from one vertex along an axis.
struct Edge {
  Vector3d start, along;  // `along` has its length
  int line, first_vertex, last_vertex;
  Edge(const Core& core, int vertex, int axis)
      : start(core.vertex(vertex & ~(1 << axis))),
        along(2 * core.half(axis) * core.axis(axis)),
        line(edge_line(vertex, axis)),
        first_vertex(vertex & ~(1 << axis)),
        last_vertex(vertex | 1 << axis) {}
  Vector3d at(double s) const { return start + s * along; }
};

// A point is called after what touches in it, so that no other one has its name where it jumps from one pair of corners
// or edges to another. A corner has the same name as above a face.
struct NearestPoints {
  Vector3d on_a, on_b;
  int feature = 0;
};
int feature_of_vertex(bool of_a, int vertex) { return of_a ? manifold_features + vertex : vertex; }
int feature_of_edges(const Edge& a, const Edge& b) { return edge_features + 3 * (edge_lines * a.line + b.line); }

// The corner of a block in which an edge ends at s; none on the way, or of a rod, whose nearest point moves on along
// it.
int vertex_at(const Core& core, const Edge& edge, double s, double tolerance) {
  if (!core.is_block) return -1;
  const double length = edge.along.norm();
  if (s * length <= tolerance) return edge.first_vertex;
  return (1 - s) * length <= tolerance ? edge.last_vertex : -1;
}

double clamped(double s) { return std::clamp(s, 0.0, 1.0); }

// With d = a₀ − b₀: the s in [0, 1] at which the lines are nearest, then the nearest t, then s again if t was cut.
struct Along {
  double s, t;
};
Along nearest_along(const Edge& a, const Edge& b) {
  const Vector3d d = a.start - b.start;
  const double aa = a.along.squaredNorm(), bb = b.along.squaredNorm(), ab = a.along.dot(b.along);
  const double determinant = aa * bb - ab * ab;
  double s = determinant > 1e-22 * aa * bb ? clamped((ab * b.along.dot(d) - bb * a.along.dot(d)) / determinant) : 0;
  double t = (b.along.dot(d) + s * ab) / bb;
  if (t < 0 || t > 1) {
    t = clamped(t);
    s = clamped((t * ab - a.along.dot(d)) / aa);
  }
  return {s, t};
}

Vector3d nearest_on_block(const Core& block, const Vector3d& p) {
  const Vector3d local = block.axes.transpose() * (p - block.centre);
  return block.centre + block.axes * local.cwiseMax(-block.half).cwiseMin(block.half);
}

// Where the touches of a pair go; points are on the cores, the normal is that from B to A.
struct Report {
  const Core &a, &b;
  Vector3d common;
  double reach;
  std::vector<Touch>& touches;

  void add(double distance, const Vector3d& normal, const Vector3d& on_a, const Vector3d& on_b, int feature) const {
    const double gap = distance - (a.radius + b.radius);
    if (gap > reach) return;
    touches.push_back({gap, normal, common + on_a - a.radius * normal, common + on_b + b.radius * normal, feature});
  }
};

// ---- a face and what stands above it

// Lines that a corner of an outline is on: edges of the incident core, and then the faces of the reference one that
// cut.
constexpr int lines = edge_lines + 6;
int side_line(int axis, double sense) { return edge_lines + 2 * axis + (sense > 0 ? 1 : 0); }

// A corner of the outline in the frame of the reference core. A vertex of the incident core is named by its number, so
// that the name stays as the core rolls over it to its next face; a crossing by the lines that meet there: no other one
// has the same two in this order.
struct Corner {
  Vector3d at;
  int before, after;
  int vertex = -1;

  int name() const { return vertex >= 0 ? vertex : 8 + lines * before + after; }
};

// At most four corners and one more for each side that cuts.
struct Outline {
  std::array<Corner, 12> corners;
  int size = 0;
  bool closed = true;  // a face; a rod is open

  void add(const Corner& corner) { corners[static_cast<std::size_t>(size++)] = corner; }
  const Corner& operator[](int i) const { return corners[static_cast<std::size_t>(i)]; }
};

class FaceManifold {
 public:
  // `sense` tells on which side of the reference core the other is, along the axis.
  FaceManifold(const Core& reference, int axis, double sense, const Core& incident)
      : reference_(reference),
        incident_(incident),
        axis_(axis),
        sense_(sense),
        tolerance_(feature_tolerance * (reference.half.norm() + incident.half.norm())),
        outline_(incident_outline()) {
    for (int side = 0; side < 4; ++side) cut((axis_ + 1 + side / 2) % 3, side % 2 == 0 ? 1 : -1);
    keep_four();
  }

  bool empty() const { return outline_.size == 0; }
  double least_height() const {
    double least = HUGE_VAL;
    for (int i = 0; i < outline_.size; ++i) least = std::min(least, height(outline_[i]));
    return least;
  }

  void add_to(const Report& report) const {
    const bool reference_is_a = &reference_ == &report.a;
    const Vector3d up = sense_ * reference_.axis(axis_);  // from the reference core to the other
    for (int i = 0; i < outline_.size; ++i) {
      const Vector3d above = reference_.centre + reference_.axes * outline_[i].at;
      const double h = height(outline_[i]);
      const Vector3d below = above - h * up;
      if (reference_is_a) {
        report.add(h, -up, below, above, outline_[i].name());
      } else {
        report.add(h, up, above, below, manifold_features + outline_[i].name());
      }
    }
  }

 private:
  double height(const Corner& corner) const { return sense_ * corner.at(axis_) - reference_.half(axis_); }

  void add_vertex(int vertex, int before, int after, Outline& outline) const {
    outline.add({reference_.axes.transpose() * (incident_.vertex(vertex) - reference_.centre), before, after, vertex});
  }

  // The face of the incident core that looks at the reference face most.
  Outline incident_outline() const {
    Outline outline;
    if (!incident_.is_block) {
      outline.closed = false;
      add_vertex(0, edge_line(0, 0), edge_line(0, 0), outline);
      add_vertex(1, edge_line(1, 0), edge_line(1, 0), outline);
      return outline;
    }
    const Vector3d seen = incident_.axes.transpose() * (sense_ * reference_.axis(axis_));
    int facing = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::abs(seen(k)) > std::abs(seen(facing)) + feature_tolerance) facing = k;
    }
    const int fixed = seen(facing) > 0 ? 0 : 1 << facing;
    const int axis_p = (facing + 1) % 3, axis_q = (facing + 2) % 3;
    const std::array<int, 4> around = {fixed, fixed | 1 << axis_p, fixed | 1 << axis_p | 1 << axis_q,
                                       fixed | 1 << axis_q};
    for (std::size_t i = 0; i < 4; ++i) {
      const int along_p = edge_line(around[i], axis_p), along_q = edge_line(around[i], axis_q);
      const bool comes_along_q = i % 2 == 0;
      add_vertex(around[i], comes_along_q ? along_q : along_p, comes_along_q ? along_p : along_q, outline);
    }
    return outline;
  }

  // What is on the inner side of one side of the reference face: sense·x_k ≤ half_k.
  void cut(int k, double sense) {
    const int side = side_line(k, sense);
    const auto inside = [&](const Corner& corner) { return reference_.half(k) - sense * corner.at(k); };
    Outline rest;
    rest.closed = outline_.closed;
    for (int i = 0; i < outline_.size; ++i) {
      const Corner& from = outline_[i];
      const bool from_in = inside(from) >= -tolerance_;
      if (from_in) rest.add(from);
      if (i + 1 == outline_.size && !outline_.closed) break;
      const Corner& to = outline_[(i + 1) % outline_.size];
      const bool to_in = inside(to) >= -tolerance_;
      if (from_in == to_in || std::abs(inside(from_in ? from : to)) <= tolerance_) continue;  // on the side already
      const Vector3d crossing = from.at + inside(from) / (inside(from) - inside(to)) * (to.at - from.at);
      if (from_in) rest.add({crossing, from.after, side});
      if (to_in) rest.add({crossing, side, from.after});
    }
    outline_ = rest;
  }

  // The lowest point, the one farthest from it, and the two farthest from their line on either side.
  void keep_four() {
    if (outline_.size <= 4) return;
    const int p = (axis_ + 1) % 3, q = (axis_ + 2) % 3;
    const auto flat = [&](int i) { return Eigen::Vector2d(outline_[i].at(p), outline_[i].at(q)); };
    const auto best_of = [&](auto&& value) {
      int best = 0;
      for (int i = 1; i < outline_.size; ++i) {
        if (value(i) > value(best) + tolerance_) best = i;
      }
      return best;
    };
    const int lowest = best_of([&](int i) { return -height(outline_[i]); });
    const int farthest = best_of([&](int i) { return (flat(i) - flat(lowest)).norm(); });
    const Eigen::Vector2d line = (flat(farthest) - flat(lowest)).normalized();
    const auto beside = [&](int i) {
      const Eigen::Vector2d arm = flat(i) - flat(lowest);
      return line.x() * arm.y() - line.y() * arm.x();
    };
    const int left = best_of(beside), right = best_of([&](int i) { return -beside(i); });
    Outline four;
    for (int i = 0; i < outline_.size; ++i) {
      if (i == lowest || i == farthest || i == left || i == right) four.add(outline_[i]);
    }
    outline_ = four;
  }

  const Core &reference_, &incident_;
  int axis_;
  double sense_;
  double tolerance_;
  Outline outline_;
};

// ---- directions

// The largest s(n) among the faces' normals of one core, or among the common perpendiculars of edges.
struct Separation {
  double value = -HUGE_VAL;
  Vector3d normal = Vector3d::UnitX();  // from B to A
  int axis_a = 0, axis_b = 0;
};

class Pair {
 public:
  explicit Pair(const Report& report)
      : report_(report),
        a_(report.a),
        b_(report.b),
        way_(a_.centre - b_.centre),
        tolerance_(feature_tolerance * (a_.half.norm() + b_.half.norm())) {}

  void add_touches() const {
    if (!a_.is_block && !b_.is_block) return add_nearest();  // segments do not overlap
    const Separation on_a = widest_face(a_), on_b = widest_face(b_), crossed = widest_crossing();
    const double widest = std::max({on_a.value, on_b.value, crossed.value});
    if (widest - a_.radius - b_.radius > report_.reach) return;
    const double face = std::max(on_a.value, on_b.value);
    if (face >= widest - tolerance_) {
      // Of two faces as good as each other the reference is always the same, whichever core is called A.
      const bool reference_is_a =
          on_a.value > on_b.value + tolerance_ || (on_a.value >= on_b.value - tolerance_ && a_goes_first());
      if (add_manifold(reference_is_a, reference_is_a ? on_a : on_b, face)) return;
    }
    if (widest <= tolerance_ && crossed.value > -HUGE_VAL) {
      const NearestPoints nearest = nearest_on_edges(Edge(a_, a_.support(-crossed.normal), crossed.axis_a),
                                                     Edge(b_, b_.support(crossed.normal), crossed.axis_b));
      report_.add(crossed.value, crossed.normal, nearest.on_a, nearest.on_b, nearest.feature);
    } else {
      add_nearest();
    }
  }

 private:
  double separation(const Vector3d& n) const { return n.dot(way_) - a_.reach(n) - b_.reach(n); }

  Separation widest_face(const Core& core) const {
    Separation widest;
    for (int k = 0; core.is_block && k < 3; ++k) {
      const Vector3d n = sign_of(core.axis(k).dot(way_)) * core.axis(k);
      const double s = separation(n);
      if (s > widest.value + tolerance_) widest = {s, n, k, k};
    }
    return widest;
  }

  Separation widest_crossing() const {
    Separation widest;
    for (int i = 0; i < a_.dimensions(); ++i) {
      for (int j = 0; j < b_.dimensions(); ++j) {
        const Vector3d across = a_.axis(i).cross(b_.axis(j));
        const double length = across.norm();
        if (length < 1e-8) continue;  // parallel edges have no crossing
        const Vector3d n = sign_of(across.dot(way_)) / length * across;
        const double s = separation(n);
        if (s > widest.value) widest = {s, n, i, j};
      }
    }
    return widest;
  }

  bool a_goes_first() const {
    const Vector3d skew(0.382, 0.231, 1);  // along which nothing is stacked or lined up
    return skew.dot(way_) < 0;
  }

  // False if nothing stands above the face where the cores are nearest.
  bool add_manifold(bool reference_is_a, const Separation& face, double distance) const {
    const Core &reference = reference_is_a ? a_ : b_, &incident = reference_is_a ? b_ : a_;
    const double along = reference.axis(face.axis_a).dot(face.normal);  // ±1, from B to A
    const FaceManifold manifold(reference, face.axis_a, reference_is_a ? -along : along, incident);
    if (manifold.empty() || manifold.least_height() > distance + 2 * tolerance_) return false;
    manifold.add_to(report_);
    return true;
  }

  NearestPoints nearest_on_edges(const Edge& a, const Edge& b) const {
    const Along along = nearest_along(a, b);
    const int vertex_a = vertex_at(a_, a, along.s, tolerance_), vertex_b = vertex_at(b_, b, along.t, tolerance_);
    const int feature = vertex_a >= 0   ? feature_of_vertex(true, vertex_a)
                        : vertex_b >= 0 ? feature_of_vertex(false, vertex_b)
                                        : feature_of_edges(a, b);
    return {a.at(along.s), b.at(along.t), feature};
  }

  // Cores apart whose nearest points are on edges or vertices; or rods whose segments meet.
  void add_nearest() const {
    NearestPoints nearest{a_.centre, b_.centre, 0};
    double least = HUGE_VAL;
    int edge_a = -1, edge_b = -1, axis_a = 0, axis_b = 0;
    const auto take = [&](const NearestPoints& points) {
      const double distance = (points.on_a - points.on_b).norm();
      if (distance >= least) return false;
      least = distance;
      nearest = points;
      edge_a = -1;
      return true;
    };
    for (int i = 0; i < a_.dimensions(); ++i) {
      for (int v = 0; v < a_.vertex_count(); ++v) {
        if ((v >> i) & 1) continue;
        for (int j = 0; j < b_.dimensions(); ++j) {
          for (int w = 0; w < b_.vertex_count(); ++w) {
            if ((w >> j) & 1 || !take(nearest_on_edges(Edge(a_, v, i), Edge(b_, w, j)))) continue;
            edge_a = v;
            edge_b = w;
            axis_a = i;
            axis_b = j;
          }
        }
      }
    }
    for (int v = 0; b_.is_block && v < a_.vertex_count(); ++v)
      take({a_.vertex(v), nearest_on_block(b_, a_.vertex(v)), feature_of_vertex(true, v)});
    for (int w = 0; a_.is_block && w < b_.vertex_count(); ++w)
      take({nearest_on_block(a_, b_.vertex(w)), b_.vertex(w), feature_of_vertex(false, w)});
    const Vector3d normal = normal_between(nearest, least);
    if (edge_a >= 0 && add_alongside(Edge(a_, edge_a, axis_a), Edge(b_, edge_b, axis_b), normal)) return;
    report_.add(least, normal, nearest.on_a, nearest.on_b, nearest.feature);
  }

  // Segments that meet part along their common perpendicular.
  Vector3d normal_between(const NearestPoints& nearest, double distance) const {
    if (distance > no_direction) return (nearest.on_a - nearest.on_b) / distance;
    const Vector3d across = a_.axis(0).cross(b_.axis(0));
    if (across.norm() > 1e-8) return sign_of(across.dot(way_)) * across.normalized();
    return a_.axis(1);
  }

  // Both ends of the part along which two nearly parallel edges run beside each other. True if that is all: edges that
  // are not quite parallel also have their nearest points.
  bool add_alongside(const Edge& a, const Edge& b, const Vector3d& normal) const {
    const double length_a = a.along.norm(), length_b = b.along.norm();
    const Vector3d u = a.along / length_a, v = b.along / length_b;
    const double angle = u.cross(v).norm();
    if (angle > nearly_parallel) return false;
    const double from = u.dot(b.start - a.start), to = from + u.dot(b.along);
    const double low = std::max(0.0, std::min(from, to)), high = std::min(length_a, std::max(from, to));
    if (high - low <= tolerance_) return false;
    for (const double s : {low, high}) {
      const Vector3d on_a = a.start + s * u;
      const double along_b = std::clamp(v.dot(on_a - b.start), 0.0, length_b);
      const double distance = normal.dot(on_a - (b.start + along_b * v));
      report_.add(distance, normal, on_a, on_a - distance * normal, feature_of_edges(a, b) + (s == low ? 1 : 2));
    }
    return angle * (high - low) <= tolerance_;
  }

  const Report& report_;
  const Core &a_, &b_;
  Vector3d way_;
  double tolerance_;
};

}  // namespace

void core_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                  std::vector<Touch>& touches) {
  const Core core_a(a, pose_a, pose_a.origin), core_b(b, pose_b, pose_a.origin);
  const Report report{core_a, core_b, pose_a.origin, reach, touches};
  Pair(report).add_touches();
}

}  // namespace carom
