// Follows one solution from step to step, as the automatic solver does it where nothing else is asked: active sets
// without friction, the mode that the last impulses point to with it.

#pragma once

#include <memory>

#include "engine/inclusion.h"

namespace carom {

std::unique_ptr<InclusionFollower> make_follower();

}  // namespace carom
