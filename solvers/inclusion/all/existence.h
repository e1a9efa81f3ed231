// What it means that no solution was found: there is none, or rounding hides it.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// Whether theory promises a solution: some λ brings Gλ + c strictly inside the dual cone of the impulses,
// ξ_N > |μ∘ξ_T| at every contact. So it is wherever G is regular. False proves nothing.
bool must_have_solution(const Inclusion& inclusion);

// Of an outcome whose combinations were all tried in vain: says so, and claims that there is no solution only where
// that can be.
void report_none(const Inclusion& inclusion, InclusionOutcome& outcome);

// Leaves out candidates that miss the tolerance, and says so. If there are no others nothing was solved.
void leave_out_inexact(double tolerance, InclusionOutcome& outcome);

}  // namespace carom
