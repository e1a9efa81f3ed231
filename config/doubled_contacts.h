// Contacts that a scene gives twice: each would hold and brake the bodies as if it were the only one.

#pragma once

#include "config/scene_draft.h"

namespace carom {

// Named contacts where the same meets the same, however they are written.
void refuse_doubled_contacts(const SceneDraft& draft, Diagnostics& diagnostics);

// Named contacts with a plane of the world that is also a body among those which collide.
void refuse_doubled_planes(const SceneDraft& draft, Diagnostics& diagnostics);

}  // namespace carom
