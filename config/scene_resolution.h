// Whether the step of a scene is short enough for its springs and dampers.

#pragma once

#include "config/diagnostics.h"
#include "config/scene.h"

namespace carom {

// Warnings if the fastest oscillation in the initial pose is faster than the step can follow, or a motion damped so
// strongly that its velocity would alternate from step to step.
void check_resolution(const Scene& scene, Place place, Diagnostics& diagnostics);

}  // namespace carom
