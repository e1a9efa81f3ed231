// The `initial:` part of a scene.

#pragma once

#include "config/scene_draft.h"
#include "engine/system.h"

namespace carom {

// Poses given by body, put into the draft before its bodies are placed.
void read_initial_poses(const Node& initial, SceneDraft& draft);

// Coordinates given by name or as the lists q and u, put into the state. Entries that name bodies of the draft have
// been read already. Returns whether positions were among them.
bool read_initial_coordinates(const Node& initial, const SceneDraft& draft, const System& system, Vec& q, Vec& u);

}  // namespace carom
