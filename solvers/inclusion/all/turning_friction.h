// How the equations of sliding contacts change as their friction turns.
//
// The other rows of a mode keep what they hold: of friction that changes by q at the sliding contacts, two rows each,
// they leave the slip ξ_T = ξ₀ + Sq and the normal impulses R = R₀ + Nq. As the angles turn by d from φ₀,
//
//   q_j = −R_j (e(φ_j) − e₀_j),   f_j = e'(φ_j)·ξ_T_j,   J = ∂f/∂d,
//
// and J = J₀ + Σ d_m J_m up to a second order that is bounded here: with |e − e₀| ≤ |d|, |e − e₀ − d e₀'| ≤ d²/2 and
// the norms ν of the blocks of N follow |R − R₀| ≤ ρ, |∂R/∂d| ≤ τ and what depends on them.

#pragma once

#include <optional>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct TurningFriction {
  Mat S;        // 2m × 2m
  Mat N;        // m × 2m
  Vec phi;      // φ₀
  Vec R;        // R₀
  Vec slip;     // ξ₀, 2m
  Vec delta;    // |d| ≤ δ
  Vec R_error;  // of R₀ and ξ₀, by contact: what rounding may have changed
  Vec slip_error;
};

// J₀, J_m and the bounds, in every entry: |J − J₀ − Σ d_m J_m| ≤ second_order, |J − J₀| ≤ first_order.
struct JacobianBounds {
  Mat J;
  std::vector<Mat> derivative;
  Mat first_order, second_order;
};

// With E ≥ 0: the solution z of (I − E)z = b > 0 if the spectral radius of E is below one, else nothing.
std::optional<Vec> contraction_bound(const Mat& E, const Vec& b);

// Nothing if the normal impulses have no bound.
std::optional<JacobianBounds> bound_jacobian(const TurningFriction& friction);

}  // namespace carom
