#include "models/bounding_box.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

using Eigen::Vector3d;
using Kind = Shape::Kind;

// A plane bounds its half-space where it faces along an axis; otherwise its box is everything.
Box box_of_plane(const Shape& plane, const Placement& frame) {
  Box box{Vector3d::Constant(-HUGE_VAL), Vector3d::Constant(HUGE_VAL)};
  const Vector3d n = frame.rotation * plane.normal;
  for (int k = 0; k < 3; ++k) {
    if (n(k) == 1) box.high(k) = frame.origin(k);
    if (n(k) == -1) box.low(k) = frame.origin(k);
  }
  return box;
}

Box box_about(const Vector3d& centre, const Vector3d& half) { return {centre - half, centre + half}; }

Box box_of_polygon(const Shape& polygon, const Placement& frame) {
  Box box{frame.origin, frame.origin};
  for (const Eigen::Vector2d& vertex : polygon.vertices) {
    const Vector3d corner = frame.at({vertex.x(), vertex.y(), 0});
    box.low = box.low.cwiseMin(corner);
    box.high = box.high.cwiseMax(corner);
  }
  return box;
}

Box box_of_polyhedron(const Shape& polyhedron, const Placement& frame) {
  Box box{frame.origin, frame.origin};
  for (const Vector3d& vertex : polyhedron.polytope->vertices) {
    const Vector3d corner = frame.at(vertex);
    box.low = box.low.cwiseMin(corner);
    box.high = box.high.cwiseMax(corner);
  }
  return box;
}

// Along a unit vector e a disk across the axis a reaches as far as its radius times √(1 − (a·e)²).
Box box_of_cylinder(const Shape& cylinder, const Placement& frame) {
  const Vector3d axis = frame.rotation.col(0);
  const Vector3d across = (1 - axis.array().square()).cwiseMax(0).sqrt();
  return box_about(frame.origin, cylinder.length / 2 * axis.cwiseAbs() + cylinder.radius * across);
}

Box box_of_parts(const std::vector<ShapePart>& parts, const Placement& frame) {
  Box box{Vector3d::Constant(HUGE_VAL), Vector3d::Constant(-HUGE_VAL)};
  for (const ShapePart& part : parts) {
    const Box own = bounding_box(part.shape, {frame.at(part.at), frame.rotation * part.rotation});
    box.low = box.low.cwiseMin(own.low);
    box.high = box.high.cwiseMax(own.high);
  }
  return box;
}

}  // namespace

Box bounding_box(const Shape& shape, const Placement& frame) {
  switch (shape.kind) {
    case Kind::disk:
      return box_about(frame.origin, Vector3d::Constant(shape.radius));
    case Kind::rod:
      return box_about(frame.origin,
                       (frame.rotation.col(0) * (shape.length / 2)).cwiseAbs() + Vector3d::Constant(shape.radius));
    case Kind::block:
      return box_about(frame.origin, frame.rotation.cwiseAbs() * shape.size / 2);
    case Kind::polygon:
      return box_of_polygon(shape, frame);
    case Kind::plane:
      return box_of_plane(shape, frame);
    case Kind::cylinder:
      return box_of_cylinder(shape, frame);
    case Kind::polyhedron:
      return box_of_polyhedron(shape, frame);
    case Kind::compound:
      return box_of_parts(*shape.parts, frame);
    case Kind::point:
      break;
  }
  return box_about(frame.origin, Vector3d::Zero());
}

double extent_of(const Shape& shape) {
  switch (shape.kind) {
    case Kind::disk:
      return shape.radius;
    case Kind::rod:
      return shape.length / 2 + shape.radius;
    case Kind::block:
      return shape.size.norm() / 2;
    case Kind::polygon: {
      double extent = 0;
      for (const Eigen::Vector2d& vertex : shape.vertices) extent = std::max(extent, vertex.norm());
      return extent;
    }
    case Kind::cylinder:
      return std::hypot(shape.length / 2, shape.radius);
    case Kind::polyhedron: {
      double extent = 0;
      for (const Vector3d& vertex : shape.polytope->vertices) extent = std::max(extent, vertex.norm());
      return extent;
    }
    case Kind::compound: {
      double extent = 0;
      for (const ShapePart& part : *shape.parts) extent = std::max(extent, part.at.norm() + extent_of(part.shape));
      return extent;
    }
    case Kind::point:
    case Kind::plane:
      break;
  }
  return 0;
}

double half_thickness_of(const Shape& shape, bool planar) {
  switch (shape.kind) {
    case Kind::disk:
      return shape.radius;
    case Kind::rod:
      return shape.radius > 0 ? shape.radius : shape.length / 2;
    case Kind::block:
      return 0.5 * shape.size.head(planar ? 2 : 3).minCoeff();
    case Kind::polygon: {
      double least = HUGE_VAL;
      for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
        const Eigen::Vector2d& from = shape.vertices[i];
        const Eigen::Vector2d along = shape.vertices[(i + 1) % shape.vertices.size()] - from;
        least = std::min(least, (from.x() * along.y() - from.y() * along.x()) / along.norm());
      }
      return least;
    }
    case Kind::cylinder:
      return std::min(shape.length / 2, shape.radius);
    case Kind::polyhedron: {
      double least = HUGE_VAL;
      for (const Polytope::Face& face : shape.polytope->faces)
        least = std::min(least, face.normal.dot(shape.polytope->vertices[static_cast<std::size_t>(face.corners[0])]));
      return least;
    }
    case Kind::compound: {
      double least = HUGE_VAL;
      for (const ShapePart& part : *shape.parts)
        if (const double own = half_thickness_of(part.shape, planar); own > 0) least = std::min(least, own);
      return std::isfinite(least) ? least : 0;
    }
    case Kind::point:
    case Kind::plane:
      break;
  }
  return 0;
}

}  // namespace carom
