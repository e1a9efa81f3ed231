// Force sets: the reservoirs C of negative impulses −Λ that elements provide (Glocker 2013, 2014).
//
//   unilateral   ℝ₀⁻
//   line         R μ [−1, 1]                              planar Coulomb friction
//   ellipse      R {x : (x₁/μ₁)² + (x₂/μ₂)² ≤ 1}           orthotropic friction; a disc if μ₁ = μ₂
//   bilateral    ℝ
//
// Friction scales with the normal impulse, R = Λ_N + offset. The offset is zero in every law but Poisson's
// decompression, whose set D = (Λ_N⁺ − ε_TΛ_N⁻)A keeps its size where the normal impulse Δ_N vanishes.
// Bilateral constraints are eliminated before an inclusion is posed. Only the joints of a step with many contacts stay
// in it, with rows of their own, and only solvers that say so are asked: eliminating them would couple all contacts.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct ForceSet {
  enum class Shape { unilateral, line, ellipse, bilateral };

  Shape shape = Shape::unilateral;
  Index row = 0;          // first row of Λ and ξ that belongs to this set
  Index normal_row = -1;  // friction: row of the normal impulse that scales it
  Eigen::Matrix<double, 2, 1, Eigen::DontAlign> friction = Eigen::Vector2d::Zero();  // long chains read many sets
  double offset = 0;

  Index size() const { return shape == Shape::ellipse ? 2 : 1; }
  bool is_friction() const { return shape == Shape::line || shape == Shape::ellipse; }
  double radius(const Vec& Lambda) const { return std::max(0.0, Lambda(normal_row) + offset); }
};

// The sets of one contact: its normal, and friction along its tangents (the rows after the normal's). Orthotropic
// friction with one vanishing coefficient is friction along the other tangent only.
void add_contact_sets(const Eigen::Vector2d& friction, Index tangents, Index normal_row, double offset,
                      std::vector<ForceSet>& sets);

// Nearest point of the ellipse with the given semi-axes (either may be zero).
Eigen::Vector2d project_on_ellipse(const Eigen::Vector2d& point, const Eigen::Vector2d& semi_axes);

// prox_C(x) for one set; `Lambda` supplies the normal impulse that scales a friction set.
Eigen::Vector2d project(const ForceSet& set, const Eigen::Vector2d& x, const Vec& Lambda);

// The rows of one set, padded with a zero where the set is scalar.
Eigen::Vector2d rows_of(const ForceSet& set, const Vec& v);
void set_rows_of(const ForceSet& set, const Eigen::Vector2d& value, Vec& v);

}  // namespace carom
