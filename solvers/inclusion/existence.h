// What it means that no solution was found: there is none, or rounding hides it.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// Whether theory promises a solution: for regular G, and wherever c is the image of a velocity, c ∈ Im G.
bool must_have_solution(const Inclusion& inclusion);

// Of an outcome whose combinations were all tried in vain: says so, and claims that there is no solution only where
// that can be.
void report_none(const Inclusion& inclusion, InclusionOutcome& outcome);

}  // namespace carom
