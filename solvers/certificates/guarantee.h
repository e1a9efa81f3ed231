// What is guaranteed of a law in a given system: that it creates no energy from any velocity, by which theorem.

#pragma once

#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/coefficient_ranges.h"
#include "solvers/certificates/proof.h"

namespace carom {

// Only theorems, no search. The law's coefficients are in its range; a law that nothing is known about is not proven.
Proof prove(const LawChoice& law, const ImpactProblem& problem);

// By the elements' coefficients alone, so that it holds in every configuration of the system that has no other
// elements.
Proof prove_everywhere(const LawChoice& law, const ImpactProblem& problem);

// For all coefficients within ranges, every contact's for itself. The conditions that are used hold in the whole box if
// they hold at its corners with the most friction: work forms (newton.h, poisson.h) are affine or concave in the
// coefficients of restitution, cones of impulses grow with friction, and bounds on single coefficients are monotone.
// Where more than ten of them vary in one island, corners are too many: a bound on their spread has to do.
Proof prove_within(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges);

// The conditions that speak about the law, met or not.
std::vector<Certificate> certificates_of(const LawChoice& law, const ImpactProblem& problem);

}  // namespace carom
