#include "models/convex_core.h"

namespace carom {

namespace {

using Eigen::Vector3d;

const Polytope& form_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::block:
      return unit_cube();
    case Shape::Kind::rod:
      return unit_segment();
    default:
      return unit_point();
  }
}

Vector3d scale_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::block) return shape.size / 2;
  if (shape.kind == Shape::Kind::rod) return {shape.length / 2, 1, 1};
  return Vector3d::Ones();
}

}  // namespace

void ConvexCore::place(const Shape& shape, const Placement& pose, const Vector3d& common) {
  form = &form_of(shape);
  radius = form->faces.empty() ? shape.radius : 0;
  centre = pose.origin - common;
  const Vector3d scale = scale_of(shape);
  extent = 0;
  vertices.clear();
  for (const Vector3d& v : form->vertices) {
    const Vector3d local = v.cwiseProduct(scale);
    extent = std::max(extent, local.norm());
    vertices.push_back(centre + pose.rotation * local);
  }
  normals.clear();
  for (const Polytope::Face& face : form->faces) normals.push_back(pose.rotation * face.normal);
}

}  // namespace carom
