// The matrix of the law `restitution-matrix` as it acts on kinetic quasi-velocities, for those who judge it.

#pragma once

#include <optional>

#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// v⁺ = −ℰv⁻ with v = (Nᵀṽ, Tᵀṽ), ṽ the velocity in white coordinates.
struct KineticRestitution {
  Mat N;               // unit normals of the contacts, a column each
  Mat T;               // orthonormal motions that move no contact's gap
  Mat nn, nt, tn, tt;  // in the kinetic metric, whatever metric they were given in
};

// None if a block does not have the size that the contacts need, or joints leave a contact no freedom.
std::optional<KineticRestitution> kinetic_restitution(const Parameters& parameters, const ImpactProblem& problem);

}  // namespace carom
