// Nearest points of cones of impulses, and the least point that they and an affine space have in common.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

// x_N ≥ 0, x_T ∈ (x_N + offset)E with the semi-axes μ of E; without tangents a half-line.
struct ImpulseCone {
  Index normal = 0;
  Index tangent = 0;  // first row
  Index tangents = 0;
  Eigen::Vector2d mu = Eigen::Vector2d::Ones();
  double offset = 0;
};

// The nearest point of the cones to x.
Vec nearest_in_cones(const Vec& x, const std::vector<ImpulseCone>& cones);

// The least x with Eᵀx = b in the cones, E having orthonormal columns; rows in no cone are free. Where there is none,
// whatever the method came to: Eᵀx ≠ b.
Vec least_in_cones(const Mat& E, const Vec& b, const std::vector<ImpulseCone>& cones);

}  // namespace carom
