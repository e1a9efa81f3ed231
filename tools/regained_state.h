// What a killed run no longer tells: the impulses that its closed contacts carried, from which the next solve starts.

#pragma once

#include <functional>
#include <optional>

#include "config/scene.h"
#include "engine/simulation.h"
#include "tools/run_file/reader.h"

namespace carom {

// The latest sample of the file at which no contact was near, or the start: from there the same steps lead to the same
// bits, with the impulses. None if that is too far before the last step to be worth it.
std::optional<SimulationState> state_to_repeat_from(const Scene& scene, const RunFileReader& file, std::int64_t last);

enum class Regained {
  yes,
  no,  // the steps lead elsewhere (another machine or version)
  stopped
};

// Brings the simulation from the earlier state to the last one, with the impulses there. Unless it says yes, the
// simulation is still to be resumed. `watch` is called a few times a second.
Regained regain_state(Simulation& simulation, const SimulationState& earlier, const SimulationState& last,
                      const std::function<void()>& watch);

}  // namespace carom
