// The matrix of the law `restitution-matrix` as it acts on kinetic quasi-velocities, for those who judge it.

#pragma once

#include <optional>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// v⁺ = −ℰv⁻ with v = (Nᵀṽ, Tᵀṽ), ṽ the velocity in white coordinates.
struct KineticRestitution {
  Mat N;               // unit normals of the active contacts, a column each
  Mat T;               // orthonormal motions that move no active contact's gap
  Mat nn, nt, tn, tt;  // in the kinetic metric, whatever metric they were given in
};

// `active`: positions among the problem's contacts. None if a block does not have the size that these contacts need.
std::optional<KineticRestitution> kinetic_restitution(const Parameters& parameters, const ImpactProblem& problem,
                                                      const std::vector<Index>& active);

}  // namespace carom
