// A law as the map u⁻ → u⁺ (Winandy & Leine 2016, sects. 2 and 6): continuous? Non-expansive in the kinetic metric,
// which is the same as maximal monotone in −Λ ∈ H(γ̄)? Cyclically monotone, which is the same as having a dissipation
// function?
//
// Proven for frictionless contacts under one ε (projections on a cone), searched for otherwise. The search is
// adversarial but finite: a counterexample is one, "none found" is no proof.
//
//   expansion      a segment between two velocities is halved again and again, each time into the half that is
//                  stretched more; by the triangle inequality the stretching never falls on the way. Where its ends
//                  stay apart however short it gets, the map jumps.
//   cycles         Σ yᵢ·(xᵢ₊₁ − xᵢ) ≤ 0 with x = ½(u⁺ + u⁻), y = M(u⁻ − u⁺) for all cycles among sampled velocities (a
//                  lattice of contact velocities and random ones), by longest paths (Floyd & Warshall).

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"

namespace carom {

// Three certificates, each with a counterexample in its words and figures where one was found.
std::vector<Certificate> map_certificates(const LawChoice& law, const ImpactProblem& problem);

// A cycle of velocities before the impact, with its sum.
struct Cycle {
  double sum = 0;  // positive: not cyclically monotone
  std::vector<Vec> u_minus;
  std::size_t tried = 0;  // velocities among which cycles were looked for
};
Cycle gaining_cycle(const LawChoice& law, const ImpactProblem& problem);

}  // namespace carom
