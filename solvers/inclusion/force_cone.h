// The force set of one contact as a convex set in space, C = {x : x_N ≥ 0, |x_T| ≤ x_N + o}, with μ scaled into the
// tangential coordinates: projection on it, and the projection's derivative.

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

struct ConeProjection {
  Eigen::Vector3d point;
  Eigen::Matrix3d derivative;  // symmetric, eigenvalues in [0, 1]
};

// The same with a radius that does not follow x_N: C = {x : x_N ≥ 0, |x_T| ≤ R}.
ConeProjection cylinder_projection(const Eigen::Vector3d& x, double radius);

// `offset` o ≥ 0. Without tangents x_T is zero, and the set is the half line x_N ≥ 0.
ConeProjection cone_projection(const Eigen::Vector3d& x, double offset);

}  // namespace carom
