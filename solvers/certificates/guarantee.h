// What is guaranteed of a law in a given system: that it creates no energy from any velocity, by which theorem.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/proof.h"

namespace carom {

// Only theorems, no search. The law's coefficients are in its range; a law that nothing is known about is not proven.
Proof prove(const LawChoice& law, const ImpactProblem& problem);

// By the elements' coefficients alone, so that it holds in every configuration of the system that has no other
// elements.
Proof prove_everywhere(const LawChoice& law, const ImpactProblem& problem);

// The conditions that speak about the law, met or not.
std::vector<Certificate> certificates_of(const LawChoice& law, const ImpactProblem& problem);

}  // namespace carom
