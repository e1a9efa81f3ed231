// Whether bodies can follow the motions that a scene prescribes, and the steps what drives it.

#pragma once

#include "config/diagnostics.h"
#include "config/scene_draft.h"
#include "engine/simulation.h"

namespace carom {

// A mistake for every prescribed motion that jumps before the end: no finite velocity takes a body over a jump, and the
// smaller the step the more energy it would cost. Likewise for motions and forces with a pole, which steps could pass
// by; where they have no value a run stops by itself. A warning for those that go back and forth within a few steps.
void check_motions(const SceneDraft& draft, const IntegratorOptions& integrator, Diagnostics& diagnostics);

}  // namespace carom
