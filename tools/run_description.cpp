#include "tools/run_description.h"

#include "solvers/inclusion/added_solvers.h"
#include "solvers/laws/added_laws.h"
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
  if (const std::string& origin = law_list().origin_of(scene.law.type); !origin.empty())
    description.facts.emplace_back("law_from", origin);
  if (const std::string& origin = solver_list().origin_of(scene.solver); !origin.empty())
    description.facts.emplace_back("solver_from", origin);
  return description;
}

RunSelection selection_of(const Scene& scene) {
  const OutputOptions& output = scene.output;
  return {output.state, output.poses, output.energy, output.contacts, output.impacts, output.contact_names};
}

}  // namespace carom
