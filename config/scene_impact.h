// The impact that a scene begins with: its contacts that are closed in the initial state, with joints and clutches,
// as a raw impact problem.

#pragma once

#include "config/impact_file.h"
#include "config/scene.h"

namespace carom {

// BadInput with a sentence if no contact is closed, if a motion is prescribed, or if the system is too large for a
// dense problem. `file` is for messages.
ImpactFile initial_impact(const Scene& scene, const std::string& file);

}  // namespace carom
