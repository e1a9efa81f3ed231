// Whether G = WᵀM⁻¹W, which squares them, has lost directions to rounding that were given as independent: then that no
// solution was found proves nothing.

#pragma once

#include "engine/impact_problem.h"

namespace carom {

bool masses_hide_directions(const ImpactProblem& problem);

inline constexpr const char* hidden_by_masses =
    "no solution was found, which proves nothing: the masses differ so much that independent directions are not so in "
    "WᵀM⁻¹W, up to rounding";

}  // namespace carom
