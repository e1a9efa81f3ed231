// A scene stepped to its end, with what a test asks of it.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/scene.h"

namespace carom::testing {

struct SceneRunResult {
  SimulationState end;
  SimulationCounts counts;
  std::vector<ImpactRecord> impacts;
};

// `each` sees the state after every step.
SceneRunResult run(const Scene& scene, const std::function<void(const Sample&)>& each = {});
SceneRunResult run_text(const std::string& yaml, const std::function<void(const Sample&)>& each = {});

}  // namespace carom::testing
