#include "solvers/inclusion/force_cone.h"

#include <algorithm>

namespace carom {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

ConeProjection inside(const Vector3d& x) { return {x, Eigen::Matrix3d::Identity()}; }

// On the mantle |x_T| = x_N + o the nearest point has the mean of both as its radius.
ConeProjection on_mantle(const Vector3d& x, double length, double offset) {
  const double radius = 0.5 * (length + x(0) + offset);
  const Vector2d e = x.tail<2>() / length;
  ConeProjection projection;
  projection.point << radius - offset, radius * e;
  projection.derivative(0, 0) = 0.5;
  projection.derivative.topRightCorner<1, 2>() = 0.5 * e.transpose();
  projection.derivative.bottomLeftCorner<2, 1>() = 0.5 * e;
  projection.derivative.bottomRightCorner<2, 2>() =
      0.5 * e * e.transpose() + radius / length * (Matrix2d::Identity() - e * e.transpose());
  return projection;
}

}  // namespace

ConeProjection cylinder_projection(const Vector3d& x, double radius) {
  const double length = x.tail<2>().norm();
  ConeProjection projection = inside(x);
  if (!(x(0) > 0)) {
    projection.point(0) = 0;
    projection.derivative(0, 0) = 0;
  }
  if (length <= radius) return projection;
  const Vector2d e = x.tail<2>() / length;
  projection.point.tail<2>() = radius * e;
  projection.derivative.bottomRightCorner<2, 2>() = radius / length * (Matrix2d::Identity() - e * e.transpose());
  return projection;
}

ConeProjection cone_projection(const Vector3d& x, double offset) {
  const double length = x.tail<2>().norm();
  const double height = x(0) + offset;  // above the apex
  if (x(0) >= 0 && length <= height) return inside(x);
  if (length > height && 0.5 * (length + height) > offset) return on_mantle(x, length, offset);
  // Below the base x_N = 0: the nearest point is on it.
  ConeProjection on_base = cylinder_projection({0, x(1), x(2)}, offset);
  on_base.derivative(0, 0) = 0;
  return on_base;
}

}  // namespace carom
