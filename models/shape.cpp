#include "models/shape.h"

#include <array>
#include <numbers>
#include <stdexcept>

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct NamedPoint {
  std::string name;
  Vector3d at;
};

// With v_i × v_{i+1} twice the area of the triangle (0, v_i, v_{i+1}):
//   ∫r² dA / ∫dA = Σ (v_i × v_{i+1}) (v_i² + v_i·v_{i+1} + v_{i+1}²) / 6 Σ (v_i × v_{i+1})
double doubled_area(const std::vector<Vector2d>& v) {
  double twice_area = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vector2d& q = v[(i + 1) % v.size()];
    twice_area += v[i].x() * q.y() - v[i].y() * q.x();
  }
  return twice_area;
}

double polygon_gyration(const std::vector<Vector2d>& v) {
  double moment = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vector2d& p = v[i];
    const Vector2d& q = v[(i + 1) % v.size()];
    const double cross = p.x() * q.y() - p.y() * q.x();
    moment += cross * (p.squaredNorm() + p.dot(q) + q.squaredNorm());
  }
  return moment / (6 * doubled_area(v));
}

// The points farthest out along the axes: left and right along x; in the plane bottom and top along y, in space
// front and back along y and bottom and top along z.
void add_extremes(const Vector3d& half, bool planar, std::vector<NamedPoint>& points) {
  const Vector3d x = half.x() * Vector3d::UnitX();
  const Vector3d y = half.y() * Vector3d::UnitY();
  const Vector3d z = half.z() * Vector3d::UnitZ();
  const Vector3d up = planar ? y : z;
  points.insert(points.end(), {{"top", up}, {"bottom", -up}, {"left", -x}, {"right", x}});
  if (!planar) points.insert(points.end(), {{"front", -y}, {"back", y}});
}

void add_corners(const Shape& block, bool planar, std::vector<NamedPoint>& points) {
  static constexpr std::array<const char*, 4> planar_names = {"bottom-left", "bottom-right", "top-right", "top-left"};
  for (int i = 0; i < block_corners(planar); ++i) {
    const Vector3d at = block_corner(block, planar, i);
    std::string name = "corner";
    for (int axis = 0; axis < 3; ++axis) name += (i >> axis) & 1 ? '+' : '-';
    points.push_back({planar ? planar_names[static_cast<std::size_t>(i)] : name, at});
  }
}

std::vector<NamedPoint> points_of(const Shape& shape, bool planar) {
  std::vector<NamedPoint> points = {{"centre", Vector3d::Zero()}};
  switch (shape.kind) {
    case Shape::Kind::point:
    case Shape::Kind::plane:
      break;
    case Shape::Kind::disk:
      add_extremes(Vector3d::Constant(shape.radius), planar, points);
      break;
    case Shape::Kind::rod:
    case Shape::Kind::cylinder:
      points.push_back({"start", -shape.length / 2 * Vector3d::UnitX()});
      points.push_back({"end", shape.length / 2 * Vector3d::UnitX()});
      break;
    case Shape::Kind::block:
      add_corners(shape, planar, points);
      add_extremes(shape.size / 2, planar, points);
      break;
    case Shape::Kind::polygon:
      for (std::size_t i = 0; i < shape.vertices.size(); ++i)
        points.push_back({"vertex-" + std::to_string(i + 1), {shape.vertices[i].x(), shape.vertices[i].y(), 0}});
      break;
    case Shape::Kind::polyhedron:
      for (std::size_t i = 0; i < shape.polytope->vertices.size(); ++i)
        points.push_back({"vertex-" + std::to_string(i + 1), shape.polytope->vertices[i]});
      break;
    case Shape::Kind::compound:
      points.front().at = centroid_of(shape);
      for (const ShapePart& part : *shape.parts)
        for (const NamedPoint& point : points_of(part.shape, planar))
          points.push_back({part.name + "." + point.name, part.at + part.rotation * point.at});
      break;
  }
  return points;
}

// Steiner: per unit of mass a displacement by d adds |d|²I − ddᵀ.
Eigen::Matrix3d displaced(const Vector3d& d) {
  return d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose();
}

}  // namespace

int block_corners(bool planar) { return planar ? 4 : 8; }

Vector3d block_corner(const Shape& block, bool planar, int number) {
  const Vector3d half = block.size / 2;
  if (planar) {
    const double x = number == 1 || number == 2 ? half.x() : -half.x();
    return {x, number >= 2 ? half.y() : -half.y(), 0};
  }
  return {number & 1 ? half.x() : -half.x(), number & 2 ? half.y() : -half.y(), number & 4 ? half.z() : -half.z()};
}

Shape disk_shape(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::disk;
  shape.radius = radius;
  return shape;
}

Shape rod_shape(double length) {
  Shape shape;
  shape.kind = Shape::Kind::rod;
  shape.length = length;
  return shape;
}

Shape block_shape(double width, double height) {
  Shape shape;
  shape.kind = Shape::Kind::block;
  shape.size = {width, height, 0};
  return shape;
}

Shape compound_shape(std::vector<ShapePart> parts) {
  Shape shape;
  shape.kind = Shape::Kind::compound;
  shape.parts = std::make_shared<const std::vector<ShapePart>>(std::move(parts));
  return shape;
}

Vector3d centroid_of(const Shape& shape) {
  Vector3d centroid = Vector3d::Zero();
  if (shape.kind == Shape::Kind::compound)
    for (const ShapePart& part : *shape.parts) centroid += part.share * part.at;
  return centroid;
}

double planar_gyration(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::disk:
      return shape.radius * shape.radius / 2;
    case Shape::Kind::rod:
      return (shape.length * shape.length + 4 * shape.radius * shape.radius) / 12;
    case Shape::Kind::block:
      return shape.size.head<2>().squaredNorm() / 12;
    case Shape::Kind::polygon:
      return polygon_gyration(shape.vertices);
    case Shape::Kind::cylinder:
    case Shape::Kind::polyhedron:
      throw std::invalid_argument("a cylinder and a polyhedron are spatial shapes: they have no inertia in the plane");
    case Shape::Kind::compound: {
      double gyration = 0;
      const Vector3d centre = centroid_of(shape);
      for (const ShapePart& part : *shape.parts)
        gyration += part.share * (planar_gyration(part.shape) + (part.at - centre).squaredNorm());
      return gyration;
    }
    case Shape::Kind::point:
    case Shape::Kind::plane:
      break;
  }
  return 0;
}

Eigen::Matrix3d spatial_gyration(const Shape& shape) {
  const auto diagonal = [](const Vector3d& moments) -> Eigen::Matrix3d { return moments.asDiagonal(); };
  switch (shape.kind) {
    case Shape::Kind::disk:
      return diagonal(Vector3d::Constant(0.4 * shape.radius * shape.radius));
    case Shape::Kind::rod:
    case Shape::Kind::cylinder: {
      const double square = shape.radius * shape.radius;
      const double across = (shape.length * shape.length + 3 * square) / 12;
      return diagonal({square / 2, across, across});
    }
    case Shape::Kind::block: {
      const Vector3d square = shape.size.cwiseAbs2() / 12;
      return diagonal(Vector3d::Constant(square.sum()) - square);
    }
    case Shape::Kind::polyhedron:
      return solid_of(*shape.polytope).gyration;
    case Shape::Kind::polygon:
      throw std::invalid_argument("a polygon is a planar shape: it has no inertia in space");
    case Shape::Kind::compound: {
      Eigen::Matrix3d gyration = Eigen::Matrix3d::Zero();
      const Vector3d centre = centroid_of(shape);
      for (const ShapePart& part : *shape.parts)
        gyration += part.share * (part.rotation * spatial_gyration(part.shape) * part.rotation.transpose() +
                                  displaced(part.at - centre));
      return gyration;
    }
    case Shape::Kind::point:
    case Shape::Kind::plane:
      break;
  }
  return Eigen::Matrix3d::Zero();
}

double content_of(const Shape& shape, bool planar) {
  const double r = shape.radius;
  switch (shape.kind) {
    case Shape::Kind::disk:
      return planar ? std::numbers::pi * r * r : 4 * std::numbers::pi / 3 * r * r * r;
    case Shape::Kind::rod:
      return shape.length * (planar ? 2 * r : std::numbers::pi * r * r);
    case Shape::Kind::block:
      return planar ? shape.size.head<2>().prod() : shape.size.prod();
    case Shape::Kind::polygon:
      return planar ? doubled_area(shape.vertices) / 2 : 0;
    case Shape::Kind::cylinder:
      return planar ? 0 : shape.length * std::numbers::pi * r * r;
    case Shape::Kind::polyhedron:
      return planar ? 0 : solid_of(*shape.polytope).volume;
    case Shape::Kind::compound: {
      double content = 0;
      for (const ShapePart& part : *shape.parts) content += content_of(part.shape, planar);
      return content;
    }
    case Shape::Kind::point:
    case Shape::Kind::plane:
      break;
  }
  return 0;
}

Polytope faces_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::polyhedron) return *shape.polytope;
  const bool is_block = shape.kind == Shape::Kind::block;
  if (!is_block && shape.kind != Shape::Kind::cylinder) return {};
  const Vector3d scale = is_block ? Vector3d(shape.size / 2) : Vector3d(shape.length / 2, shape.radius, shape.radius);
  Polytope faces = is_block ? unit_cube() : unit_prism();
  for (Vector3d& vertex : faces.vertices) vertex = vertex.cwiseProduct(scale);
  return faces;
}

std::vector<std::string> named_points(const Shape& shape, bool planar) {
  std::vector<std::string> names;
  for (const NamedPoint& point : points_of(shape, planar)) names.push_back(point.name);
  return names;
}

bool find_point(const Shape& shape, bool planar, const std::string& name, Vector3d& at) {
  for (const NamedPoint& point : points_of(shape, planar)) {
    if (point.name != name) continue;
    at = point.at;
    return true;
  }
  return false;
}

}  // namespace carom
