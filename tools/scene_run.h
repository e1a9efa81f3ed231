// A scene made ready to run: its law, its solver and the simulation, with what the run file says about it.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/scene.h"
#include "engine/simulation.h"
#include "tools/run_file/run_file.h"

namespace carom {

// What options of the command line change in a scene; empty texts change nothing. BadInput where
// --set gives one of these values too.
std::vector<Setting> scene_overrides(const std::string& law, const std::string& duration, const std::string& step,
                                     const std::vector<std::string>& sets);

class SceneRun {
 public:
  SceneRun(Scene scene, std::function<void(const std::string&)> note);

  const Scene& scene() const { return scene_; }
  Simulation& simulation() { return *simulation_; }

  RunDescription description() const;
  RunSelection selection() const;
  int contact_size() const { return carom::contact_size(*scene_.system, scene_.q, scene_.u); }
  std::int64_t sample_count() const;  // of the whole run, with those at its start and end

 private:
  Scene scene_;
  std::unique_ptr<ImpactLaw> law_, several_;
  std::unique_ptr<InclusionSolver> solver_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace carom
