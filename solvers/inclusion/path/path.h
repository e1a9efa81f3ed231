// The door of this room: large and hard problems.

#pragma once

#include "solvers/inclusion/path/contact_directions.h"

namespace carom {

// One solution by Newton's method on the natural map: without friction by active sets, with it in the space of
// velocities and along paths.
void solve_semismooth(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

// One solution of few contacts at the end of a path from smooth friction.
void solve_by_homotopy(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

}  // namespace carom
