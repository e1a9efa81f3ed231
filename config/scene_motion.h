// Whether bodies can follow the motions that a scene prescribes, and the steps what drives it.

#pragma once

#include "config/diagnostics.h"
#include "config/scene_draft.h"
#include "engine/simulation.h"

namespace carom {

// A mistake for every prescribed motion that jumps before `duration`: no finite velocity takes a body over a jump, and
// the smaller the step the more energy it would cost. A warning for motions and forces that go back and forth within a
// few steps; a force has the place of all `forces`.
void check_motions(const SceneDraft& draft, const IntegratorOptions& integrator, Place forces,
                   Diagnostics& diagnostics);

}  // namespace carom
