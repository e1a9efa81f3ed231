// Contact in the plane. Every bounded shape is a convex core, a polygon of one (point, disk), two (rod) or more
// vertices, with a radius around it; its gap is that of the cores less the radii.
//
// Two cores A and B: the origin's distance from the boundary of the Minkowski difference A − B is their distance, or
// their depth if it lies inside. Each edge of A − B belongs to a face of one core and the vertex of the other that is
// lowest above it, the support; so the face with the largest signed distance of its support (the separation) is
//   – the face of least depth if the cores overlap;
//   – the nearest face if the support is above it, between its ends;
//   – otherwise beside the nearest vertices: those are the support and the end of the face it is beyond.
// [1] G. van den Bergen, Collision Detection in Interactive 3D Environments, 2004, ch. 4: Minkowski differences.
// [2] E. Catto, Contact Manifolds, Game Developers Conference 2007: reference face, clipping of the incident one.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "models/contact_pairs.h"

namespace carom {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

class Core {
 public:
  Core(const Shape& shape, const Placement& pose)
      : origin(pose.origin.head<2>()), rotation(pose.rotation.topLeftCorner<2, 2>()) {
    set_vertices(shape);
    for (const Vector2d& vertex : vertices) extent = std::max(extent, vertex.norm());
  }
  Core(const Core&) = delete;  // `vertices` may look into the core itself
  Core& operator=(const Core&) = delete;

  int size() const { return static_cast<int>(vertices.size()); }
  Vector2d at(const Vector2d& local) const { return origin + rotation * local; }
  int after(int i) const { return i + 1 < size() ? i + 1 : 0; }
  int before(int i) const { return i > 0 ? i - 1 : size() - 1; }
  const Vector2d& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }  // in the body's frame

  Vector2d origin;
  Matrix2d rotation;
  double radius = 0;  // around the core
  double extent = 0;  // of the core from its origin
  std::span<const Vector2d> vertices;

 private:
  void set_vertices(const Shape& shape) {
    if (shape.kind == Shape::Kind::polygon) {
      vertices = shape.vertices;
      return;
    }
    std::size_t count = 1;
    if (shape.kind == Shape::Kind::block) {
      count = own_.size();
      for (std::size_t i = 0; i < count; ++i) own_[i] = block_corner(shape, true, static_cast<int>(i)).head<2>();
    } else {
      radius = shape.radius;
      own_[0].setZero();
      if (shape.kind == Shape::Kind::rod) {
        count = 2;
        own_[0].x() = -shape.length / 2;
        own_[1] = -own_[0];
      }
    }
    vertices = std::span(own_).first(count);
  }

  std::array<Vector2d, 4> own_;
};

// A face of one core and the vertex of the other that is lowest above it. A rod has two faces, one on each side.
struct Face {
  int edge = -1;  // from the vertex of this number to the next; −1: the core has no face
  int support = 0;
  double separation = -HUGE_VAL;
};

// The frame of one core seen from another: differences of positions come first, so that bodies far from the world's
// origin lose no digits.
struct RelativePose {
  Matrix2d rotation;
  Vector2d translation;

  RelativePose(const Core& of, const Core& from)
      : rotation(from.rotation.transpose() * of.rotation),
        translation(from.rotation.transpose() * (of.origin - from.origin)) {}
  Vector2d at(const Vector2d& local) const { return rotation * local + translation; }
};

// Coordinates along a face and above it, with the start of the face as origin.
struct FaceFrame {
  Vector2d start, along, normal;
  double length = 0;

  FaceFrame(const Core& core, int edge) : start(core.vertex(edge)), along(core.vertex(core.after(edge)) - start) {
    length = along.norm();
    along /= length;
    normal = {along.y(), -along.x()};
  }
  Vector2d of(const Vector2d& p) const { return {along.dot(p - start), normal.dot(p - start)}; }
  Vector2d direction(const Vector2d& v) const { return v.x() * along + v.y() * normal; }
  Vector2d point(const Vector2d& p) const { return start + direction(p); }
};

int lowest_vertex(const Core& core, const Vector2d& up) {
  int lowest = 0;
  double height = up.dot(core.vertex(0));
  for (int i = 1; i < core.size(); ++i) {
    const double candidate = up.dot(core.vertex(i));
    if (candidate >= height) continue;
    lowest = i;
    height = candidate;
  }
  return lowest;
}

Face widest_face(const Core& core, const Core& other) {
  Face widest;
  if (core.size() < 2) return widest;
  const RelativePose pose(other, core);
  for (int edge = 0; edge < core.size(); ++edge) {
    const FaceFrame frame(core, edge);
    if (frame.length == 0) continue;
    const int support = lowest_vertex(other, pose.rotation.transpose() * frame.normal);
    const double separation = frame.of(pose.at(other.vertex(support))).y();
    if (separation > widest.separation) widest = {edge, support, separation};
  }
  return widest;
}

Vector3d in_space(const Vector2d& v) { return {v.x(), v.y(), 0}; }

// Where the touches of a pair go.
struct PlanarReport {
  const Core &a, &b;
  double reach;
  std::vector<Touch>& touches;

  // What a disk or a point touches, it touches at one point.
  int feature(const Core& core, int vertex) const {
    if (a.size() == 1 || b.size() == 1) return 0;
    return &core == &a ? vertex : a.size() + vertex;
  }

  // Points on the cores and the normal from the first of them to the second.
  void add(const Core& from, const Vector2d& on_from, const Core& to, const Vector2d& on_to, const Vector2d& normal,
           double distance, int named) const {
    const double gap = distance - (a.radius + b.radius);
    if (gap > reach) return;
    const Vector3d point_from = in_space(on_from + from.radius * normal);
    const Vector3d point_to = in_space(on_to - to.radius * normal);
    if (&to == &a) {
      touches.push_back({gap, in_space(normal), point_to, point_from, named});
    } else {
      touches.push_back({gap, in_space(-normal), point_from, point_to, named});
    }
  }
};

// The touches of a face of one core, the reference, with the edge of the other that faces it, the incident one: both
// ends of the part of the edge that is above the face, however far, so that faces on each other always have two; or
// the nearest vertices, if those are not on the face. One of the cores names the points: by the end of its edge or
// face that is on the point's side, whether the point is this end or where the other core ends before it. So a name
// stays while bodies slide on each other. When the incident core stands on a corner, it names them: as it rolls on, the
// edge beyond the corner becomes the incident one, and the corner changes sides.
class Manifold {
 public:
  Manifold(const PlanarReport& report, const Core& reference, const Face& face, const Core& incident, const Core& naming)
      : report_(report),
        reference_(reference),
        incident_(incident),
        face_(face),
        frame_(reference, face.edge),
        pose_(incident, reference),
        tolerance_(feature_tolerance * (reference.extent + incident.extent)),
        support_(edge_point(face.support)),
        other_(edge_point(less_steep_neighbour())),
        reference_names_(&naming == &reference && !on_a_corner()) {}

  void add() const {
    const bool left = support_.at.x() < -tolerance_;
    const bool right = support_.at.x() > frame_.length + tolerance_;
    if ((left || right) && face_.separation > -tolerance_) {
      const EdgePoint nearest = nearest_on_edge(left ? 0 : frame_.length);
      // Not at an end of the incident edge: its face is the nearest, and the reference one only preferred to it.
      if (nearest.vertex >= 0 || !above_face()) {
        add_nearest(nearest, left);
        if (above_face()) add_end(!left);
        return;
      }
    }
    if (above_face()) {
      add_end(true);
      add_end(false);
    } else {
      add_above(support_.at, feature_of(support_));
    }
  }

 private:
  // In the frame of the face. `vertex` is −1 inside the edge.
  struct EdgePoint {
    Vector2d at;
    int vertex;
  };

  EdgePoint edge_point(int vertex) const { return {frame_.of(pose_.at(incident_.vertex(vertex))), vertex}; }
  int feature_of(const EdgePoint& point) const { return report_.feature(incident_, point.vertex); }
  int feature_of_face_end(bool left) const {
    return report_.feature(reference_, left ? face_.edge : reference_.after(face_.edge));
  }

  // The other end of the incident edge: of the two edges at the support the one nearer to parallel; of two alike the
  // following one.
  int less_steep_neighbour() const {
    const int before = incident_.before(face_.support);
    const int after = incident_.after(face_.support);
    return steepness(before) < steepness(after) - feature_tolerance ? before : after;
  }
  double steepness(int neighbour) const {
    const Vector2d edge = edge_point(neighbour).at - support_.at;
    const double length = edge.norm();
    return length > 0 ? edge.y() / length : HUGE_VAL;
  }

  // Half way from lying on one edge to where both edges at the support are alike.
  bool on_a_corner() const {
    const int before = incident_.before(face_.support);
    const int after = incident_.after(face_.support);
    return before != after && steepness(other_.vertex) > 0.5 * steepness(other_.vertex == before ? after : before);
  }

  // Whether a part of the incident edge is above the face.
  bool above_face() const {
    const double low = std::min(support_.at.x(), other_.at.x());
    const double high = std::max(support_.at.x(), other_.at.x());
    return std::min(high, frame_.length) - std::max(low, 0.0) > tolerance_;
  }

  EdgePoint nearest_on_edge(double x) const {
    const Vector2d edge = other_.at - support_.at;
    const double along = edge.dot(Vector2d(x, 0) - support_.at);
    if (along <= 0) return support_;
    if (along >= edge.squaredNorm()) return other_;
    return {support_.at + along / edge.squaredNorm() * edge, -1};
  }

  void add_nearest(const EdgePoint& nearest, bool left) const {
    const Vector2d start(left ? 0 : frame_.length, 0);
    const Vector2d way = nearest.at - start;
    const double distance = way.norm();
    const EdgePoint& named = nearest.vertex >= 0 ? nearest : support_;
    const int feature = reference_names_ ? feature_of_face_end(left) : feature_of(named);
    add_touch(start, nearest.at, way / distance, distance, feature);
  }

  // One end of the part above the face: where the incident edge ends or where the face does.
  void add_end(bool left) const {
    const bool support_is_left = support_.at.x() < other_.at.x();
    const EdgePoint& end = support_is_left == left ? support_ : other_;
    const double limit = left ? 0 : frame_.length;
    const bool clipped = left ? end.at.x() < -tolerance_ : end.at.x() > limit + tolerance_;
    const int feature = reference_names_ ? feature_of_face_end(left) : feature_of(end);
    add_above(clipped ? on_edge_above(limit) : end.at, feature);
  }

  Vector2d on_edge_above(double x) const {
    const Vector2d edge = other_.at - support_.at;
    return {x, support_.at.y() + (x - support_.at.x()) / edge.x() * edge.y()};
  }

  void add_above(const Vector2d& at, int feature) const {
    add_touch({at.x(), 0}, at, Vector2d::UnitY(), at.y(), feature);
  }

  // Points and normal in the frame of the face.
  void add_touch(const Vector2d& on_reference, const Vector2d& on_incident, const Vector2d& normal, double distance,
                 int feature) const {
    const auto in_world = [&](const Vector2d& p) { return reference_.at(frame_.point(p)); };
    report_.add(reference_, in_world(on_reference), incident_, in_world(on_incident),
                reference_.rotation * frame_.direction(normal), distance, feature);
  }

  const PlanarReport& report_;
  const Core &reference_, &incident_;
  Face face_;
  FaceFrame frame_;
  RelativePose pose_;
  double tolerance_;
  EdgePoint support_, other_;
  bool reference_names_;
};

// Cores without faces: the centre of A and that of B, with what is round them.
void add_centres(const Vector2d& on_a, double radius_a, const Vector2d& on_b, double radius_b, double reach,
                 std::vector<Touch>& touches) {
  const Vector2d way = on_a - on_b;
  const double distance = way.norm();
  const double gap = distance - (radius_a + radius_b);
  if (gap > reach) return;
  const Vector2d normal = distance > no_direction ? Vector2d(way / distance) : Vector2d::UnitY();
  touches.push_back({gap, in_space(normal), in_space(on_a - radius_a * normal), in_space(on_b + radius_b * normal), 0});
}

// The order of two cores does not depend on which of them is called A. The first names the points; the second keeps
// the reference face where both have one that is as good. Among cores with as many vertices the first is the upper
// one, along a direction in which nothing is stacked or lined up, so that it stays so.
bool goes_first(const Core& core, const Core& other) {
  if (core.size() != other.size()) return core.size() < other.size();
  const Vector2d skew(0.382, 1);
  return skew.dot(core.origin - other.origin) > 0;
}

void add_core_touches(const PlanarReport& report) {
  const bool b_first = goes_first(report.b, report.a);
  const Core& first = b_first ? report.b : report.a;
  const Core& second = b_first ? report.a : report.b;
  const Face on_first = widest_face(first, second);
  const Face on_second = widest_face(second, first);
  const double widest = std::max(on_first.separation, on_second.separation);
  if (widest - first.radius - second.radius > report.reach) return;
  if (on_first.edge < 0 && on_second.edge < 0) {
    const Core &a = report.a, &b = report.b;
    add_centres(a.at(a.vertex(0)), a.radius, b.at(b.vertex(0)), b.radius, report.reach, report.touches);
  } else if (on_first.separation > on_second.separation + feature_tolerance * (first.extent + second.extent)) {
    Manifold(report, first, on_first, second, first).add();
  } else {
    Manifold(report, second, on_second, first, first).add();
  }
}

// A plane is met by both ends of a rod, and of a polygon by its two lowest vertices, which are neighbours. Heights
// that differ by rounding are taken as equal: the vertex with the lower number is the lower one.
class CoreOnPlane {
 public:
  CoreOnPlane(const Core& core, const Shape& plane, const Placement& pose)
      : core_(core),
        normal_((pose.rotation * plane.normal).head<2>()),
        up_(core.rotation.transpose() * normal_),
        height_(normal_.dot(core.origin - pose.origin.head<2>())),
        tolerance_(feature_tolerance * core.extent) {}

  void add(bool core_is_a, double reach, std::vector<Touch>& touches) const {
    if (core_.size() <= 2) {
      for (int vertex = 0; vertex < core_.size(); ++vertex) add_vertex(vertex, core_is_a, reach, touches);
      return;
    }
    int lowest = 0;
    for (int vertex = 1; vertex < core_.size(); ++vertex) lowest = lower(lowest, vertex);
    const int second = lower(core_.before(lowest), core_.after(lowest));
    add_vertex(std::min(lowest, second), core_is_a, reach, touches);
    add_vertex(std::max(lowest, second), core_is_a, reach, touches);
  }

 private:
  double height(int vertex) const { return height_ + up_.dot(core_.vertex(vertex)); }

  int lower(int i, int j) const {
    const double difference = height(i) - height(j);
    if (std::abs(difference) <= tolerance_) return std::min(i, j);
    return difference < 0 ? i : j;
  }

  void add_vertex(int vertex, bool core_is_a, double reach, std::vector<Touch>& touches) const {
    const double gap = height(vertex) - core_.radius;
    if (gap > reach) return;
    const Vector3d normal = in_space(normal_);
    const Vector3d centre = in_space(core_.at(core_.vertex(vertex)));
    const Vector3d on_core = centre - core_.radius * normal;
    const Vector3d on_plane = on_core - gap * normal;
    if (core_is_a) {
      touches.push_back({gap, normal, on_core, on_plane, vertex});
    } else {
      touches.push_back({gap, -normal, on_plane, on_core, vertex});
    }
  }

  const Core& core_;
  Vector2d normal_;
  Vector2d up_;  // the normal in the core's frame
  double height_;
  double tolerance_;
};

// A core that is its origin, however it is turned.
bool is_centre(const Shape& shape) { return shape.kind == Shape::Kind::point || shape.kind == Shape::Kind::disk; }

}  // namespace

void planar_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                    std::vector<Touch>& touches) {
  if (b.kind == Shape::Kind::plane) {
    CoreOnPlane(Core(a, pose_a), b, pose_b).add(true, reach, touches);
  } else if (a.kind == Shape::Kind::plane) {
    CoreOnPlane(Core(b, pose_b), a, pose_a).add(false, reach, touches);
  } else if (is_centre(a) && is_centre(b)) {
    add_centres(pose_a.origin.head<2>(), a.radius, pose_b.origin.head<2>(), b.radius, reach, touches);
  } else {
    const Core core_a(a, pose_a);
    const Core core_b(b, pose_b);
    add_core_touches({core_a, core_b, reach, touches});
  }
}

}  // namespace carom
