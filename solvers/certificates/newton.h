// When Newton's law in inequality form cannot create energy.
//
// With ξ = γ⁺ + εγ⁻ = GΛ + (I + ε)γ⁻ the work of the impact is
//
//   W = ½Λᵀ(γ⁺ + γ⁻) = Σ ξᵢ·Λᵢ/(1+εᵢ) − ½ΛᵀSΛ,   S = ½(δG + Gδ),   δᵢ = (1−εᵢ)/(1+εᵢ)
//
// (−1 < ε). ξᵢ·Λᵢ ≤ 0 since 0 lies in every force set, so W ≤ 0 if S is positive semidefinite on the cone of admissible
// impulses (Brogliato 2012, eq. 49, is the frictionless case). For one common ε ≤ 1 that is (1−ε)/(1+ε)·G: Moreau's
// law, with friction too. Where G is regular the condition is also necessary: every Λ in the cone solves the impact
// from γ⁻ = −(I+ε)⁻¹GΛ, in which ξ = 0 and W = −½ΛᵀSΛ. A violating Λ therefore is a counterexample.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/island.h"
#include "solvers/certificates/proof.h"

namespace carom {

Proof prove_newton(const ImpactProblem& problem);
Proof prove_newton_everywhere(const ImpactProblem& problem);  // by the coefficients alone, in every configuration
// By the work form in every island, whatever else may prove it: a condition that holds for all coefficients in a box if
// it does at the corners, since S is affine in δ.
bool newton_form_holds(const ImpactProblem& problem);

// The same for all coefficients between two, however many they are. δx makes an angle of at most arcsin s₁ with x, s₁ =
// (δ_max − δ_min)/(δ_max + δ_min), and Gx one of at most arcsin s₂, s₂ = (λ_max − λ_min)/(λ_max + λ_min), so that
// xᵀδGx ≥ 0 if these add up to no more than π/2: s₁² + s₂² ≤ 1.
bool newton_form_holds_between(const ContactIsland& island, double lowest, double highest);

std::vector<Certificate> newton_certificates(const ImpactProblem& problem);

}  // namespace carom
