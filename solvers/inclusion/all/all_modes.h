// Every solution of a few planar contacts and clutches, by solving the equations of all their modes. The whole of it
// stays on the stack: a single impact of a small system costs less than the memory that a general solver would ask for.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// False, and the outcome says nothing, if the inclusion is none of a few planar elements, the equations of one of its
// modes are nearly singular (then it takes a solver that knows redundant contacts), or rounding hides the solution that
// there must be. The list is complete otherwise.
bool solve_all_modes(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

}  // namespace carom
