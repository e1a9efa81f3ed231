// What a killed run no longer tells: the impulses that its closed contacts carried, from which the next solve starts.

#pragma once

#include "config/scene.h"
#include "engine/simulation.h"
#include "tools/run_file/reader.h"

namespace carom {

// Brings the simulation to the last sample of the file, with the impulses there: from the latest sample at which no
// contact was near, or from the start, the same steps lead to the same bits. False if that is too far back to be worth
// it, or if the steps lead elsewhere (another machine or version): the simulation is then to be resumed without them.
bool regain_state(Simulation& simulation, const Scene& scene, const RunFileReader& file, const SimulationState& last);

}  // namespace carom
