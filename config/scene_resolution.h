// Whether the step of a scene is short enough for its springs.

#pragma once

#include "config/diagnostics.h"
#include "config/scene.h"

namespace carom {

// A warning if the fastest oscillation in the initial pose is faster than the step can follow.
void check_resolution(const Scene& scene, Place place, Diagnostics& diagnostics);

}  // namespace carom
