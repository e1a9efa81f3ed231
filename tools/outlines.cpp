#include "tools/outlines.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "models/drawing.h"

namespace carom {

namespace {

static_assert(std::endian::native == std::endian::little, "outlines are little-endian numbers");

using Point = Eigen::Vector3d;

struct Segment {
  DrawnPoint a, b;
};

// Lines of one shape, in the frame of its body.
class ShapeLines {
 public:
  ShapeLines(const DrawnShape& drawn, bool planar, int circle, std::vector<Segment>& segments)
      : drawn_(drawn), planar_(planar), circle_(circle), segments_(segments) {}

  void add() {
    const Shape& shape = drawn_.shape;
    switch (shape.kind) {
      case Shape::Kind::disk:
        return add_disk(shape.radius);
      case Shape::Kind::rod:
        return add_rod(shape.length / 2, shape.radius);
      case Shape::Kind::block:
        return planar_ ? add_rectangle(shape) : add_box(shape);
      case Shape::Kind::polygon:
        return add_polygon(shape.vertices);
      case Shape::Kind::cylinder:
      case Shape::Kind::polyhedron:
        return add_edges(faces_of(shape));
      case Shape::Kind::point:  // the body's own point shows it
      case Shape::Kind::plane:  // no outline of its own
      case Shape::Kind::compound:
        return;
    }
  }

 private:
  void line(const Point& a, const Point& b) {
    const auto on_body = [&](const Point& p) { return DrawnPoint{drawn_.body, drawn_.at + drawn_.rotation * p}; };
    segments_.push_back({on_body(a), on_body(b)});
  }

  // An arc about `centre` from the direction `x` on towards `y`.
  void arc(const Point& centre, const Point& x, const Point& y, double angle, int pieces) {
    const auto at = [&](int k) -> Point {
      const double phi = angle * k / pieces;
      return centre + std::cos(phi) * x + std::sin(phi) * y;
    };
    for (int k = 0; k < pieces; ++k) line(at(k), at(k + 1));
  }

  // A radius shows how a disk turns; a sphere is three great circles.
  void add_disk(double radius) {
    constexpr double turn = 2 * std::numbers::pi;
    const Point x = radius * Point::UnitX(), y = radius * Point::UnitY(), z = radius * Point::UnitZ();
    arc(Point::Zero(), x, y, turn, circle_);
    if (planar_) return line(Point::Zero(), x);
    arc(Point::Zero(), x, z, turn, circle_);
    arc(Point::Zero(), y, z, turn, circle_);
  }

  // Its axis; with a thickness, the rounded strip around it, in space once more at a right angle.
  void add_rod(double half, double radius) {
    const Point end = half * Point::UnitX();
    line(-end, end);
    if (radius <= 0) return;
    for (const Point& side : {Point(Point::UnitY()), Point(Point::UnitZ())}) {
      if (planar_ && side.z() != 0) continue;
      const Point out = radius * side;
      line(-end - out, end - out);
      line(end + out, -end + out);
      arc(end, -out, radius * Point::UnitX(), std::numbers::pi, std::max(2, circle_ / 2));
      arc(-end, out, -radius * Point::UnitX(), std::numbers::pi, std::max(2, circle_ / 2));
    }
  }

  void add_rectangle(const Shape& block) {
    for (int k = 0; k < 4; ++k) line(block_corner(block, true, k), block_corner(block, true, (k + 1) % 4));
  }

  // Corners whose numbers differ in one bit share an edge.
  void add_box(const Shape& block) {
    for (int k = 0; k < 8; ++k) {
      for (const int axis : {1, 2, 4}) {
        if ((k & axis) == 0) line(block_corner(block, false, k), block_corner(block, false, k | axis));
      }
    }
  }

  void add_polygon(const std::vector<Eigen::Vector2d>& vertices) {
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const Eigen::Vector2d &a = vertices[k], &b = vertices[(k + 1) % vertices.size()];
      line({a.x(), a.y(), 0}, {b.x(), b.y(), 0});
    }
  }

  void add_edges(const Polytope& polytope) {
    const auto at = [&](int k) { return polytope.vertices[static_cast<std::size_t>(k)]; };
    for (const Polytope::Edge& edge : polytope.edges) line(at(edge.from), at(edge.to));
  }

  const DrawnShape& drawn_;
  bool planar_;
  int circle_;
  std::vector<Segment>& segments_;
};

bool is_plane(const DrawnShape& drawn) { return drawn.shape.kind == Shape::Kind::plane; }

// A plane takes as many segments wherever it is: a line, or the sides of a square.
constexpr std::int64_t segments_of_plane(bool planar) { return planar ? 1 : 4; }

// All but planes, which are as wide as the motion.
std::vector<Segment> fixed_lines(const Drawing& drawing, bool planar, std::size_t bodies) {
  constexpr std::size_t pieces_of_all = 200'000;  // circles of a great many bodies are coarse
  const int circle = static_cast<int>(std::clamp<std::size_t>(pieces_of_all / std::max<std::size_t>(1, bodies), 6, 32));
  std::vector<Segment> segments;
  for (const DrawnShape& drawn : drawing.shapes) ShapeLines(drawn, planar, circle, segments).add();
  for (const DrawnLine& drawn : drawing.lines) segments.push_back({drawn.a, drawn.b});
  return segments;
}

Eigen::Isometry3d placed(const System& system, const Vec& q, Index body, Index size) {
  double pose[7];
  system.pose(q, body, pose);
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
  if (size == 3) {
    place.linear() = Eigen::AngleAxisd(pose[2], Point::UnitZ()).toRotationMatrix();
    place.translation() = Point(pose[0], pose[1], 0);
  } else {
    place.linear() = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized().toRotationMatrix();
    place.translation() = Point(pose[0], pose[1], pose[2]);
  }
  return place;
}

// Poses of all bodies; the world is the last.
std::vector<Eigen::Isometry3d> places_of(const System& system, const Vec& q) {
  const PoseLayout layout = system.poses();
  std::vector<Eigen::Isometry3d> places;
  for (std::size_t body = 0; body < layout.bodies.size(); ++body)
    places.push_back(placed(system, q, static_cast<Index>(body), layout.size));
  places.push_back(Eigen::Isometry3d::Identity());
  return places;
}

const Eigen::Isometry3d& place_of(const std::vector<Eigen::Isometry3d>& places, Index body) {
  return body == in_world ? places.back() : places[static_cast<std::size_t>(body)];
}

// How a pose moves: ẋ = dx(q ⊕ su)/ds of its origin and ω̂ = ṘRᵀ at s = 0, as central differences, since a system says
// where its bodies are in its own coordinates and not how fast. Their error is far below single precision.
class Velocities {
 public:
  Velocities(const System& system, const MovingState& state)
      : step_(1e-5 / std::max(1.0, state.u.size() ? state.u.cwiseAbs().maxCoeff() : 0)) {
    Vec q;
    system.move(state.q, step_ * state.u, q);
    after_ = places_of(system, q);
    system.move(state.q, -step_ * state.u, q);
    before_ = places_of(system, q);
  }
  Point of(std::size_t body) const { return (after_[body].translation() - before_[body].translation()) / (2 * step_); }
  Point of_rotation(std::size_t body) const {
    const Eigen::Matrix3d turn = after_[body].linear() * before_[body].linear().transpose();
    return Point(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)) / (4 * step_);
  }

 private:
  double step_;
  std::vector<Eigen::Isometry3d> after_, before_;
};

Eigen::AlignedBox3d extent_of(const System& system, const std::vector<Segment>& segments,
                              const std::vector<MovingState>& frames) {
  Eigen::AlignedBox3d box;
  for (const MovingState& state : frames) {
    const std::vector<Eigen::Isometry3d> places = places_of(system, state.q);
    for (std::size_t body = 0; body + 1 < places.size(); ++body) box.extend(places[body].translation());
    for (const Segment& segment : segments) {
      for (const DrawnPoint* end : {&segment.a, &segment.b}) box.extend(place_of(places, end->body) * end->at);
    }
  }
  return box;
}

// A plane near the motion: across the middle of its extent, and as wide.
void add_plane(const DrawnShape& plane, bool planar, const Eigen::AlignedBox3d& extent,
               std::vector<Segment>& segments) {
  const Point normal = plane.rotation * plane.shape.normal.normalized();
  const Point centre = plane.body == in_world ? Point(extent.center()) : Point(plane.at);
  const Point middle = centre - normal.dot(centre - plane.at) * normal;
  const double half = 0.6 * std::max(extent.diagonal().norm(), 1e-9);
  const auto line = [&](const Point& a, const Point& b) { segments.push_back({{plane.body, a}, {plane.body, b}}); };
  const Point u = planar ? Point(-normal.y(), normal.x(), 0) : Point(normal.unitOrthogonal());
  if (planar) return line(middle - half * u, middle + half * u);
  const Point v = normal.cross(u);
  const Point corners[] = {middle + half * (u + v), middle + half * (v - u), middle - half * (u + v),
                           middle + half * (u - v)};
  for (std::size_t k = 0; k < 4; ++k) line(corners[k], corners[(k + 1) % 4]);
}

// Those that move before those of bodies that stand alike in all frames. Returns how many move.
std::int64_t sort_out_staying(const System& system, const std::vector<MovingState>& frames,
                              std::vector<Segment>& segments) {
  std::vector<bool> stays(system.poses().bodies.size() + 1, true);  // the world is the last
  std::vector<Eigen::Isometry3d> first;
  for (const MovingState& state : frames) {
    const std::vector<Eigen::Isometry3d> places = places_of(system, state.q);
    if (first.empty()) first = places;
    for (std::size_t body = 0; body < places.size(); ++body)
      stays[body] = stays[body] && places[body].matrix() == first[body].matrix();
  }
  const auto stands = [&](const DrawnPoint& point) {
    return point.body == in_world || stays[static_cast<std::size_t>(point.body)];
  };
  const auto staying = std::stable_partition(segments.begin(), segments.end(), [&](const Segment& segment) {
    return !stands(segment.a) || !stands(segment.b);
  });
  return staying - segments.begin();
}

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &value, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

void append(std::string& bytes, const Point& point) {
  for (const double x : point) append(bytes, static_cast<float>(x));
}

void append(std::string& bytes, const Segment& segment, const std::vector<Eigen::Isometry3d>& places) {
  for (const DrawnPoint* end : {&segment.a, &segment.b}) append(bytes, Point(place_of(places, end->body) * end->at));
}

}  // namespace

std::int64_t outline_bytes_a_frame(const System& system) {
  const PoseLayout layout = system.poses();
  const Drawing drawing = drawing_of(system);
  const bool planar = layout.size == 3;
  MovingOutlines outlines;
  outlines.bodies = static_cast<std::int64_t>(layout.bodies.size());
  outlines.moving = static_cast<std::int64_t>(fixed_lines(drawing, planar, layout.bodies.size()).size()) +
                    segments_of_plane(planar) * std::count_if(drawing.shapes.begin(), drawing.shapes.end(), is_plane);
  return outlines.frame_bytes();
}

MovingOutlines outlines_of(const System& system, const std::vector<MovingState>& frames) {
  const PoseLayout layout = system.poses();
  const Drawing drawing = drawing_of(system);
  const bool planar = layout.size == 3;
  std::vector<Segment> segments = fixed_lines(drawing, planar, layout.bodies.size());
  const Eigen::AlignedBox3d extent = extent_of(system, segments, frames);
  for (const DrawnShape& drawn : drawing.shapes) {
    if (is_plane(drawn)) add_plane(drawn, planar, extent, segments);
  }
  MovingOutlines outlines;
  outlines.moving = sort_out_staying(system, frames, segments);
  outlines.staying = static_cast<std::int64_t>(segments.size()) - outlines.moving;
  const auto staying = segments.begin() + outlines.moving;
  outlines.bodies = static_cast<std::int64_t>(layout.bodies.size());
  for (const Segment& segment : segments)
    append(outlines.bytes, static_cast<std::int32_t>(segment.a.body == segment.b.body ? segment.a.body : in_world));
  if (!frames.empty()) {
    const std::vector<Eigen::Isometry3d> places = places_of(system, frames.front().q);
    std::for_each(staying, segments.end(), [&](const Segment& segment) { append(outlines.bytes, segment, places); });
  }
  for (const MovingState& state : frames) {
    const std::vector<Eigen::Isometry3d> places = places_of(system, state.q);
    std::for_each(segments.begin(), staying, [&](const Segment& segment) { append(outlines.bytes, segment, places); });
    const Velocities velocities(system, state);
    for (std::size_t body = 0; body < layout.bodies.size(); ++body) append(outlines.bytes, velocities.of(body));
    for (std::size_t body = 0; body < layout.bodies.size(); ++body)
      append(outlines.bytes, Point(places[body].linear().col(0)));
    for (std::size_t body = 0; body < layout.bodies.size(); ++body)
      append(outlines.bytes, velocities.of_rotation(body));
  }
  return outlines;
}

}  // namespace carom
