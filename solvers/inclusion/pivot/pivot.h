// The door of this room: from mode to mode.

#pragma once

#include "solvers/inclusion/pivot/active_set.h"

namespace carom {

// One solution by complementary pivoting; planar friction as a linear complementarity problem.
void solve_by_lemke(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

}  // namespace carom
