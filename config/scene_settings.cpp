#include "config/scene_settings.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/law_file.h"
#include "config/quantity.h"
#include "solvers/inclusion/list.h"

namespace carom {

namespace {

constexpr double most_steps = 1e9;

void read_heading(SpecReader& root, Scene& scene) {
  if (root.has("scene")) scene.name = root.get("scene")->name().value_or(scene.name);
  if (root.has("about")) scene.about = root.word("about").value_or("");
}

void read_several(const Node& law, Scene& scene) {
  MapReader map(law);
  const auto node = map.get("several");
  if (!node) return;
  const std::string word = node->is_scalar() ? node->text() : "";
  if (word != "sequential" && word != "refuse") return node->error("must be sequential or refuse");
  scene.sequential_for_several = word == "sequential";
}

// A law with a parameter of this name (moreau) has read it as its own.
void read_common_restitution(const Node& law, Scene& scene) {
  MapReader map(law);
  const auto node = map.get("restitution");
  if (node && !scene.law.parameters.has("restitution")) scene.common_restitution = read_quantity(*node, Unit::plain);
}

// One of the list as it is now: plug-ins add to it.
std::string read_solver(const Node& node, const std::string& otherwise) {
  const auto name = node.word();
  if (!name || find_solver(*name)) return name.value_or(otherwise);
  std::vector<std::string> names;
  for (const SolverEntry& solver : inclusion_solvers()) names.push_back(solver.name);
  node.error(
      fmt::format("unknown solver '{}'{}; choose from {}", *name, suggestion(*name, names), fmt::join(names, ", ")));
  return otherwise;
}

void read_law_part(SpecReader& root, Scene& scene) {
  scene.law.type = "newton";
  if (const auto law = root.get("law")) {
    scene.law = read_law(*law, {"several", "restitution"}).value_or(LawChoice{});  // of a misread one nothing follows
    scene.law_place = law->diagnostics().text_of(place_in_law(law, "type"));
    if (law->is_map()) read_several(*law, scene);
    if (law->is_map()) read_common_restitution(*law, scene);
  }
  if (const auto solver = root.get("solver")) scene.solver = read_solver(*solver, scene.solver);
}

// What is wrong between step and duration is wrong with the one that an option gives.
Node given_by_option(SpecReader& map, const Node& otherwise) {
  for (const char* key : {"step", "duration"}) {
    if (map.has(key) && map.get(key)->place().option > 0) return *map.get(key);
  }
  return otherwise;
}

// A run has at least one step, and ends with a whole one.
void check_steps(SpecReader& map, const IntegratorOptions& options) {
  const Node node = given_by_option(map, map.node());
  if (!(options.duration / options.step <= most_steps)) {
    node.error(
        fmt::format("a duration of {:g} s in steps of {:g} s is more than {:g} steps; a larger 'step' or a "
                    "shorter 'duration' makes fewer",
                    options.duration, options.step, most_steps));
  } else if (options.step > options.duration * (1 + 1e-9)) {
    const Node given = given_by_option(map, *map.get(map.has("step") ? "step" : "duration"));
    given.error(
        fmt::format("a step of {:g} s is longer than the run of {:g} s: a 'step' of at most that, or a longer "
                    "'duration'",
                    options.step, options.duration));
  } else if (const double end = static_cast<double>(options.step_count()) * options.step;
             end > options.duration * (1 + 1e-6)) {
    node.warning(fmt::format("a duration of {:g} s is no whole number of steps of {:g} s: the run ends at t = {:g} s",
                             options.duration, options.step, end));
  }
}

void read_integrator(SpecReader& root, Scene& scene) {
  const auto node = root.get("integrator");
  if (!node) return;
  SpecReader map(*node, map_spec("integrator"));
  IntegratorOptions& options = scene.integrator;
  options.scheme = map.word("scheme").value_or(options.scheme);
  options.theta = map.number("theta").value_or(options.theta);
  const auto step = map.number("step"), duration = map.number("duration");
  options.step = step.value_or(options.step);
  options.duration = duration.value_or(options.duration);
  options.capture_speed = map.number("capture_speed").value_or(options.capture_speed);
  options.accuracy = map.number("accuracy").value_or(options.accuracy);
  options.tolerance = map.number("tolerance").value_or(options.tolerance);
  if (map.has("directions")) options.classical_directions = map.word("directions").value_or("") == "classical";
  if (map.has("on_failure")) options.warn_on_failure = map.word("on_failure").value_or("") == "warn";
  if (map.has("on_inconsistent")) options.stop_on_inconsistent = map.word("on_inconsistent").value_or("") == "stop";
  if (step.has_value() == map.has("step") && duration.has_value() == map.has("duration")) check_steps(map, options);
  map.finish();
}

void read_output(SpecReader& root, Scene& scene) {
  const auto node = root.get("output");
  if (!node) return;
  SpecReader map(*node, map_spec("output"));
  OutputOptions& output = scene.output;
  output.every = map.integer("every").value_or(1);
  output.compression = static_cast<int>(map.integer("compression").value_or(0));
  if (const auto record = map.names("record")) {
    const auto has = [&](const char* word) { return std::find(record->begin(), record->end(), word) != record->end(); };
    output.state = has("state");
    output.poses = has("poses");
    output.energy = has("energy");
    output.contacts = has("contacts");
    output.impacts = has("impacts");
  }
  output.contact_names = map.names("contacts").value_or(std::vector<std::string>{});
  map.finish();
}

}  // namespace

void read_settings(SpecReader& root, Scene& scene) {
  read_heading(root, scene);
  read_law_part(root, scene);
  read_integrator(root, scene);
  read_output(root, scene);
}

}  // namespace carom
