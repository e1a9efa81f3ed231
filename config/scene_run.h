// A scene made ready to step: its law, the law of several contacts, its solver and the simulation. Whoever steps a
// scene makes its run here, so that what is tested is what runs.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "config/scene.h"
#include "engine/simulation.h"

namespace carom {

class SceneRun {
 public:
  // BadInput where the scene's law or solver is unknown. Notes of the simulation go to `note`.
  explicit SceneRun(Scene scene, std::function<void(const std::string&)> note = {});

  void start() { simulation_->start(scene_.q, scene_.u); }

  const Scene& scene() const { return scene_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

 private:
  Scene scene_;
  std::unique_ptr<ImpactLaw> law_, several_;
  std::unique_ptr<InclusionSolver> solver_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace carom
