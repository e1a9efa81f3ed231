// Whether bodies can follow the motions that a scene prescribes.

#pragma once

#include "config/diagnostics.h"
#include "config/scene_draft.h"

namespace carom {

// A mistake for every prescribed motion that jumps before `duration`: no finite velocity takes a body over a jump, and
// the smaller the step the more energy it would cost.
void check_motions(const SceneDraft& draft, double duration, Diagnostics& diagnostics);

}  // namespace carom
