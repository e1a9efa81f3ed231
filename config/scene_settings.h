// What a scene says beside its system: name, law, solver, integrator, output.

#pragma once

#include "config/scene.h"
#include "config/spec_reader.h"

namespace carom {

void read_settings(SpecReader& root, Scene& scene);

}  // namespace carom
