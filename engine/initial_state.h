// What a user has given of a state to start from, and the state near it that meets joints and contacts.

#pragma once

#include <vector>

#include "engine/system.h"

namespace carom {

// By coordinates of velocity; empty: nothing.
struct GivenState {
  std::vector<bool> positions, velocities;
};

enum class Projection { impossible, of_the_rest, of_everything };

// Onto the joints with the least motion in the kinetic metric, and out of penetrations along the contacts' normals.
// What is given stays as it is if the rest alone can meet them.
Projection project_initial_state(const System& system, Vec& q, Vec& u, const GivenState& given);

}  // namespace carom
