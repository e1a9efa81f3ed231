// Tangents to a normal.

#pragma once

#include <cmath>

#include "engine/linear_algebra.h"

namespace carom {

// In the plane (t, n) is right-handed: on a floor n = (0, 1) the tangent is (1, 0).
inline Eigen::Vector3d planar_tangent(const Eigen::Vector3d& n) { return {n.y(), -n.x(), 0}; }

// Two unit vectors that complete the unit vector n to a right-handed frame (t₁, t₂, n), the same ones for the same n:
// t₁ is x projected on the plane across n, or y where n is too close to x. On a floor n = (0, 0, 1) they are x and y.
inline void complete_frame(const Eigen::Vector3d& n, Eigen::Vector3d& t1, Eigen::Vector3d& t2) {
  const Eigen::Vector3d start = std::abs(n.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  t1 = (start - n.dot(start) * n).normalized();
  t2 = n.cross(t1);
}

}  // namespace carom
