// The `initial:` part of a scene.

#pragma once

#include <algorithm>

#include "config/scene_draft.h"
#include "engine/initial_state.h"

namespace carom {

// Poses given by body, put into the draft before its bodies are placed.
void read_initial_poses(const Node& initial, SceneDraft& draft);

// Which entries of q and of u a file gives.
struct GivenCoordinates {
  std::vector<bool> q, u;

  bool any_position() const { return std::find(q.begin(), q.end(), true) != q.end(); }
};

// Coordinates given by name or as the lists q and u, put into the state. Entries that name bodies of the draft have
// been read already.
GivenCoordinates read_initial_coordinates(const Node& initial, const SceneDraft& draft, const System& system, Vec& q,
                                          Vec& u);

// A warning where coordinates differ from what bodies say of themselves: the coordinates count.
void warn_of_contradictions(const Node& initial, const SceneDraft& draft, const Assembly& bodies,
                            const GivenCoordinates& given, const Vec& q, const Vec& u);

// What is given by bodies of the draft (none of a closed-form model) and by coordinates. A body without joints stands
// as it does, whether the file says so or leaves it to the defaults; one with joints leaves open what it does not say.
GivenState given_state(const SceneDraft& draft, const GivenCoordinates& coordinates, const System& system);

}  // namespace carom
