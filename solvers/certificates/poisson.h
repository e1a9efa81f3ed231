// When Poisson's law in inequality form cannot create energy, and when it does what Newton's does.
//
// By Glocker 2014, eq. (105), with the work of compression and decompression,
//
//   W = −½ΔᵀGΔ − ½Λ⁻ᵀ(G − εGε)Λ⁻ + Δᵀγ⁺ + Λ⁻ᵀ(I + ε)γ°,
//
// whose last two terms are ≤ 0 for ε ≥ −1: no gain if G − εGε is positive semidefinite on the cone of admissible Λ⁻.
// (117) and (121) are sufficient for that on all of ℝⁿ; both depend on the units of the rows, which the condition
// itself does not, so each is tried as printed and with rows of unit kinetic length.
//
// The proofs of sects. 6 (no friction) and 7 (one frictional contact) are two cases of one. With a number c ≤ 1 and
// u_c = u° + cM⁻¹WΛ⁻,
//
//   |u_c|² − |u⁻|² = 2(1+c)Λ⁻ᵀγ° − (1−c²)Λ⁻ᵀGΛ⁻ ≤ 0,   |u⁺|² = u⁺·Mu_c + γ⁺ᵀ(Δ + (ε − c)Λ⁻).
//
// The last term has no positive part, so that |u⁺| ≤ |u_c| ≤ |u⁻| by Cauchy and Schwarz, if
//   unilateral rows:  γ⁺Δ = 0 and (ε_N − c)γ⁺Λ⁻ ≤ 0                                      for ε_N ≤ c,
//   friction:         −(c − ε_T)Λ_T⁻ ∈ (c − ε_T)Λ_N⁻A ⊆ (Λ_N⁺ − ε_TΛ_N⁻)A = D_T, so that
//                     γ_T⁺·(Δ_T − (c − ε_T)Λ_T⁻) ≤ 0                                      for ε_T ≤ c ≤ ε_N.
// Hence no gain with *any number* of frictional contacts as long as they share one ε_N = c, 0 ≤ ε_T ≤ c, and no
// frictionless contact or clutch has more. The inhomogeneous bar of sect. 10, whose smooth contact has more than the
// rough one, lies just outside.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/island.h"
#include "solvers/certificates/proof.h"

namespace carom {

Proof prove_poisson(const ImpactProblem& problem);
Proof prove_poisson_everywhere(const ImpactProblem& problem);  // by the coefficients alone, in every configuration
// By the absence of friction, one contact alone, or the work form, in every island: conditions that hold for all
// coefficients in a box if they do at the corners, since Λᵀ(G − εGε)Λ is concave in ε.
bool poisson_form_holds(const ImpactProblem& problem);

// The same for all coefficients between two, however many they are: (117), whose left side grows with the largest and
// falls with the least.
bool poisson_form_holds_between(const ContactIsland& island, double lowest, double highest);

std::vector<Certificate> poisson_certificates(const ImpactProblem& problem);

}  // namespace carom
