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
  std::vector<std::string> notes;
};

// `each` sees the state after every step.
SceneRunResult run(const Scene& scene, const std::function<void(const Sample&)>& each = {});
SceneRunResult run_text(const std::string& yaml, const std::function<void(const Sample&)>& each = {});

// A whole motion, from its start on, a moment a step.
struct Moment {
  double time = 0;
  Vec q, u;
  EnergyLedger energy;
  std::vector<ContactSample> contacts;
};
struct Motion {
  Scene scene;
  std::vector<Moment> moments;
  std::vector<ImpactRecord> impacts;

  const Moment& start() const { return moments.front(); }
  const Moment& end() const { return moments.back(); }
};
Motion motion_of(const std::string& yaml, const std::vector<Setting>& overrides = {});

}  // namespace carom::testing
