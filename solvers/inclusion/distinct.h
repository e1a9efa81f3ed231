// When two solutions that a solver found are one.

#pragma once

#include "engine/inclusion.h"

namespace carom {

inline constexpr double accept_residual = 1e-10;  // a candidate at the seam of two modes misses by rounding only

// |ξ_a − ξ_b| is rounding, relative to what drives the problem.
bool have_same_velocities(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b);

// Of solutions with the same velocities: the clearly smaller residual, then the smaller impulses.
bool is_better(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b);

}  // namespace carom
