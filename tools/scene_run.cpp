#include "tools/scene_run.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/diagnostics.h"
#include "solvers/certificates/assessment.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/step_solver.h"
#include "solvers/laws/list.h"
#include "tools/version.h"

namespace carom {

namespace {

// Two values for one thing: which was meant cannot be guessed.
void refuse_second_value(const std::string& option, const std::vector<std::string>& keys,
                         const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('='));
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      throw BadInput(fmt::format("{} and --set {} both give {}; leave one out", option, set, keys.front()));
  }
}

}  // namespace

std::vector<Setting> scene_overrides(const std::string& law, const std::string& duration, const std::string& step,
                                     const std::vector<std::string>& sets) {
  std::vector<Setting> list;
  const auto add = [&](const std::string& option, const std::string& value, const std::vector<std::string>& keys) {
    if (value.empty()) return;
    refuse_second_value(option, keys, sets);
    list.emplace_back(keys.front() + "=" + value, option + " " + value);
  };
  add("--law", law, {"law", "law.type"});
  add("--duration", duration, {"integrator.duration", "integrator"});
  add("--step", step, {"integrator.step", "integrator"});
  for (Setting& setting : settings_of(sets)) list.push_back(std::move(setting));
  return list;
}

SceneRun::SceneRun(Scene scene, std::function<void(const std::string&)> note) : scene_(std::move(scene)) {
  const SolverEntry* solver = find_solver(scene_.solver);
  if (!find_law(scene_.law.type)) throw BadInput(scene_.name + ": no law: add 'law: NAME' to the scene, or --law NAME");
  if (!solver) throw BadInput(scene_.name + ": unknown solver '" + scene_.solver + "'");
  law_ = make_law(law_of_run(scene_));
  const std::optional<LawChoice> in_turn = one_at_a_time(scene_.law);
  if (scene_.sequential_for_several && in_turn) several_ = make_law(*in_turn);
  solver_ = solver_for_steps(solver->make());
  simulation_ =
      std::make_unique<Simulation>(*scene_.system, *law_, several_.get(), *solver_, scene_.integrator, std::move(note));
}

std::int64_t SceneRun::sample_count() const { return scene_.integrator.step_count() / scene_.output.every + 2; }

RunDescription SceneRun::description() const {
  RunDescription description;
  description.scene = scene_.name;
  description.law = scene_.law.type;
  description.scene_yaml = scene_.effective_yaml;
  description.step = scene_.integrator.step;
  description.theta = scene_.integrator.theta;
  description.duration = scene_.integrator.duration;
  description.every = scene_.output.every;
  description.expected_samples = sample_count();
  description.facts = {
      {"carom_version", version()}, {"compiler", compiler()}, {"flags", compiler_flags()}, {"solver", scene_.solver}};
  return description;
}

RunSelection SceneRun::selection() const {
  const OutputOptions& output = scene_.output;
  return {output.state, output.poses, output.energy, output.contacts, output.impacts, output.contact_names};
}

}  // namespace carom
