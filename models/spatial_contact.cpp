// Contact in space: vertices with a radius around them (point, sphere, the ends of a rod, the corners of a block or a
// polyhedron, of the prism in a cylinder that has its lowest side) on a plane, and a point or sphere on the nearest
// point of a sphere, rod or block. spatial_cores.cpp has all others.

#include <algorithm>

#include "models/contact_pairs.h"
#include "models/convex_core.h"

namespace carom {

namespace {

using Eigen::Vector3d;
using Kind = Shape::Kind;

// The nearest point of a shape's core to a point, seen in the shape's frame.
struct Nearest {
  Vector3d at;
  Vector3d normal;  // from there to the point
  double distance;  // along the normal; negative inside a block
};

Nearest nearest_from(const Vector3d& at, const Vector3d& point, const Vector3d& normal_if_same) {
  const Vector3d way = point - at;
  const double distance = way.norm();
  return {at, distance > no_direction ? Vector3d(way / distance) : normal_if_same, distance};
}

Nearest nearest_on_rod(const Shape& rod, const Vector3d& point) {
  const double along = std::clamp(point.x(), -rod.length / 2, rod.length / 2);
  return nearest_from(along * Vector3d::UnitX(), point, Vector3d::UnitY());
}

// Outside: the point moved into the block along each axis. Inside: the face of least depth.
Nearest nearest_on_block(const Shape& block, const Vector3d& point) {
  const Vector3d half = block.size / 2;
  const Vector3d moved_in = point.cwiseMax(-half).cwiseMin(half);
  if ((point - moved_in).norm() > feature_tolerance * half.norm())
    return nearest_from(moved_in, point, Vector3d::UnitX());
  const Vector3d above = point.cwiseAbs() - half;
  Index axis = 0;
  const double distance = above.maxCoeff(&axis);
  Nearest nearest = {point, Vector3d::Zero(), distance};
  nearest.normal(axis) = point(axis) < 0 ? -1 : 1;
  nearest.at -= distance * nearest.normal;
  return nearest;
}

Nearest nearest_on(const Shape& shape, const Vector3d& point) {
  if (shape.kind == Kind::block) return nearest_on_block(shape, point);
  if (shape.kind == Kind::rod) return nearest_on_rod(shape, point);
  return nearest_from(Vector3d::Zero(), point, Vector3d::UnitY());
}

double radius_of(const Shape& shape) { return shape.kind == Kind::block ? 0 : shape.radius; }

Touch with_roles_swapped(const Touch& touch) {
  return {touch.gap, -touch.normal, touch.point_b, touch.point_a, touch.feature};
}

bool is_ball(const Shape& shape) { return shape.kind == Kind::point || shape.kind == Kind::disk; }

// A ball (point or sphere) as A on a sphere, rod or block as B.
Touch ball_on(const Shape& ball, const Vector3d& centre, const Shape& other, const Placement& pose) {
  // A sphere looks the same in every frame; the world's loses no digits.
  const Placement frame = is_ball(other) ? Placement{pose.origin, Eigen::Matrix3d::Identity()} : pose;
  const Nearest nearest = nearest_on(other, frame.rotation.transpose() * (centre - frame.origin));
  const Vector3d normal = frame.rotation * nearest.normal;
  Touch touch;
  touch.gap = nearest.distance - (ball.radius + radius_of(other));
  touch.normal = normal;
  touch.point_a = centre - ball.radius * normal;
  touch.point_b = frame.at(nearest.at) + radius_of(other) * normal;
  return touch;
}

// The vertices of a bounded shape on a plane.
void add_vertices_on_plane(const Shape& shape, const Placement& pose, const Shape& plane, const Placement& plane_pose,
                           bool shape_is_a, double reach, std::vector<Touch>& touches) {
  static thread_local ConvexCore core;
  const Vector3d normal = plane_pose.rotation * plane.normal;
  if (shape.kind == Kind::cylinder) {
    core.place_prism(shape, pose, pose.origin, -normal);
  } else {
    core.place(shape, pose, pose.origin);
  }
  for (int i = 0; i < core.vertex_count(); ++i) {
    Touch touch;
    touch.gap = normal.dot(pose.origin - plane_pose.origin) + normal.dot(core.vertex(i)) - core.radius;
    if (touch.gap > reach) continue;
    touch.normal = normal;
    touch.point_a = pose.origin + core.vertex(i) - core.radius * normal;
    touch.point_b = touch.point_a - touch.gap * normal;
    touch.feature = i;
    touches.push_back(shape_is_a ? touch : with_roles_swapped(touch));
  }
}

bool is_cylinder_or_polyhedron(const Shape& shape) {
  return shape.kind == Kind::cylinder || shape.kind == Kind::polyhedron;
}

}  // namespace

void spatial_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                     std::vector<Touch>& touches) {
  const auto add = [&](const Touch& touch, bool swapped) {
    if (touch.gap <= reach) touches.push_back(swapped ? with_roles_swapped(touch) : touch);
  };
  if (b.kind == Kind::plane) {
    add_vertices_on_plane(a, pose_a, b, pose_b, true, reach, touches);
  } else if (a.kind == Kind::plane) {
    add_vertices_on_plane(b, pose_b, a, pose_a, false, reach, touches);
  } else if (is_cylinder_or_polyhedron(a) || is_cylinder_or_polyhedron(b)) {
    core_touches(a, pose_a, b, pose_b, reach, touches);
  } else if (is_ball(a)) {
    add(ball_on(a, pose_a.origin, b, pose_b), false);
  } else if (!is_ball(b)) {
    core_touches(a, pose_a, b, pose_b, reach, touches);
  } else {
    add(ball_on(b, pose_b.origin, a, pose_a), true);
  }
}

}  // namespace carom
