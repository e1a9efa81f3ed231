#include "models/convex_core.h"

#include <cmath>

namespace carom {

namespace {

using Eigen::Vector3d;

const Polytope& form_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::block:
      return unit_cube();
    case Shape::Kind::rod:
    case Shape::Kind::cylinder:
      return unit_segment();
    case Shape::Kind::polyhedron:
      return *shape.polytope;
    default:
      return unit_point();
  }
}

Vector3d scale_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::block) return shape.size / 2;
  if (shape.kind == Shape::Kind::rod || shape.kind == Shape::Kind::cylinder) return {shape.length / 2, 1, 1};
  return Vector3d::Ones();
}

}  // namespace

void ConvexCore::place(const Shape& shape, const Placement& pose, const Vector3d& common) {
  centre = pose.origin - common;
  radius = shape.kind == Shape::Kind::block ? 0 : shape.radius;
  has_flat_ends = shape.kind == Shape::Kind::cylinder;
  place_form(form_of(shape), scale_of(shape), pose.rotation);
}

// Turned about its axis so that a side points there; where all sides are as far, it stays as the body is.
void ConvexCore::place_prism(const Shape& cylinder, const Placement& pose, const Vector3d& common,
                             const Vector3d& towards) {
  centre = pose.origin - common;
  radius = 0;
  has_flat_ends = false;
  const Vector3d local = pose.rotation.transpose() * towards;
  const bool has_side = local.tail<2>().norm() > 1e-9 * local.norm();
  const double angle = has_side ? std::atan2(local.z(), local.y()) : 0;
  place_form(unit_prism(), {cylinder.length / 2, cylinder.radius, cylinder.radius},
             pose.rotation * Eigen::AngleAxisd(angle, Vector3d::UnitX()).toRotationMatrix());
}

void ConvexCore::place_form(const Polytope& of, const Vector3d& scale, const Eigen::Matrix3d& rotation) {
  form = &of;
  extent = 0;
  vertices.clear();
  for (const Vector3d& v : form->vertices) {
    const Vector3d local = v.cwiseProduct(scale);
    extent = std::max(extent, local.norm());
    vertices.push_back(centre + rotation * local);
  }
  normals.clear();
  for (const Polytope::Face& face : form->faces) normals.push_back(rotation * face.normal);
}

}  // namespace carom
