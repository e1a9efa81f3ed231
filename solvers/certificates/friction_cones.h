// Whether a quadratic form is nonnegative on all impulses that contacts and clutches can carry, with discs and ellipses
// of friction as they are and any number of contacts. Sufficient, not necessary: with Lagrange's multipliers τ, ν ≥ 0
//
//   ΛᵀSΛ = ΛᵀPΛ + Σ τ_k (Λ_N² − (Λ_1/μ_1)² − (Λ_2/μ_2)²)_k + Σ ν_kl Λ_Nk Λ_Nl,
//
// and every term is nonnegative if P is positive semidefinite. The multipliers are looked for by raising the least
// eigenvalue of P, a concave function of them, along its supergradient: the friction cones and pairs of normals that
// its eigenvector leaves. For one cone they exist whenever the form is positive on it (S-lemma).

#pragma once

#include <vector>

#include "solvers/certificates/island.h"

namespace carom {

// The corners of the octagon that encloses an ellipse of friction with the semi-axes μ.
std::vector<Eigen::Vector2d> octagon_around(const Eigen::Vector2d& mu);

bool nonnegative_by_multipliers(const Mat& S, const ContactIsland& island);

// The proofs that take no time: on all of ℝⁿ; by multipliers where a polyhedral cone is too large to decide on, or only
// encloses friction.
bool is_nonnegative_in_short(const Mat& S, const ContactIsland& island);

}  // namespace carom
