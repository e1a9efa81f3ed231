#include "tests/scenes/run_scene.h"

#include "config/scene_run.h"

namespace carom::testing {

namespace {

class ImpactList final : public Recorder {
 public:
  explicit ImpactList(std::vector<ImpactRecord>& impacts) : impacts_(impacts) {}
  void sample(const Sample&) override {}
  void impact(const ImpactRecord& impact) override {
    impacts_.push_back(impact);
    impacts_.back().q = impacts_.back().u = nullptr;  // the stepper's own, gone with the step
  }

 private:
  std::vector<ImpactRecord>& impacts_;
};

}  // namespace

SceneRunResult run(const Scene& scene, const std::function<void(const Sample&)>& each) {
  SceneRunResult result;
  SceneRun run(scene, [&](const std::string& note) { result.notes.push_back(note); });
  ImpactList list(result.impacts);
  Simulation& simulation = run.simulation();
  run.start();
  while (!simulation.finished()) {
    simulation.step(&list);
    if (each) each(simulation.sample());
  }
  result.end = simulation.state();
  result.counts = simulation.counts();
  return result;
}

SceneRunResult run_text(const std::string& yaml, const std::function<void(const Sample&)>& each) {
  return run(read_scene_text(yaml, "scene"), each);
}

Motion motion_of(const std::string& yaml, const std::vector<Setting>& overrides) {
  SceneOptions options;
  options.overrides = overrides;
  Motion motion{read_scene_text(yaml, "scene", options), {}, {}};
  motion.moments.push_back({0, motion.scene.q, motion.scene.u, {}, {}});
  motion.impacts =
      run(motion.scene, [&](const Sample& sample) {
        motion.moments.push_back(
            {sample.time, *sample.q, *sample.u, sample.energy, {sample.contacts.begin(), sample.contacts.end()}});
      }).impacts;
  return motion;
}

}  // namespace carom::testing
