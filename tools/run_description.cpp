#include "tools/run_description.h"

#include "tools/version.h"

namespace carom {

std::int64_t sample_count(const Scene& scene) { return scene.integrator.step_count() / scene.output.every + 2; }

int contact_size(const Scene& scene) { return contact_size(*scene.system, scene.q, scene.u); }

RunDescription description_of(const Scene& scene) {
  RunDescription description;
  description.scene = scene.name;
  description.law = scene.law.type;
  description.scene_yaml = scene.effective_yaml;
  description.step = scene.integrator.step;
  description.theta = scene.integrator.theta;
  description.duration = scene.integrator.duration;
  description.every = scene.output.every;
  description.expected_samples = sample_count(scene);
  description.facts = {
      {"carom_version", version()}, {"compiler", compiler()}, {"flags", compiler_flags()}, {"solver", scene.solver}};
  return description;
}

RunSelection selection_of(const Scene& scene) {
  const OutputOptions& output = scene.output;
  return {output.state, output.poses, output.energy, output.contacts, output.impacts, output.contact_names};
}

}  // namespace carom
