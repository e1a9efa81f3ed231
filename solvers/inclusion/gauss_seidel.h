// One solution by projected Gauss–Seidel sweeps, for any friction set.

#pragma once

#include "engine/inclusion.h"

namespace carom {

void solve_by_sweeps(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

}  // namespace carom
