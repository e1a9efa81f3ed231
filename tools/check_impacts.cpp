#include "tools/check_impacts.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "config/law_file.h"
#include "config/scene_impact.h"
#include "solvers/certificates/system.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"
#include "tools/first_impact.h"
#include "tools/run_file/reader.h"
#include "tools/scene_overrides.h"
#include "tools/stopped.h"

namespace carom {

namespace {

struct PosedImpact {
  std::string where;
  std::optional<double> time;
  ImpactFile file;
  bool sequential_for_several = true;
  std::vector<CriticalConfiguration> configurations = {};
  std::optional<double> T_minus_taking_part = {};  // as the run recorded it
  std::string moment = {};
};

constexpr const char* mid_step = "in the middle of its step";
constexpr const char* step_begin = "at the beginning of its step";

// Laws in inclusion form see the velocities at the beginning of a step; for all others the impact is split off, and
// they see those in its middle.
const char* moment_seen_by(const LawChoice& law) {
  return make_law(law)->restitution_in_step(ContactCoefficients{}) ? step_begin : mid_step;
}

double number_of(const std::string& text, const std::string& range) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw BadInput(fmt::format("--ranges: '{}' is not a number in '{}'; write e.g. restitution=0..1", text, range));
  return value;
}

// restitution=0..1,friction=0.2..0.5
CoefficientRanges ranges_of(const std::vector<std::string>& texts) {
  CoefficientRanges ranges;
  std::set<std::string> keys_given;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const auto dots = text.find("..");
    if (equals == std::string::npos || dots == std::string::npos || dots < equals)
      throw BadInput(fmt::format("--ranges: '{}' is no range; write e.g. restitution=0..1", text));
    const std::string key = text.substr(0, equals);
    const double low = number_of(text.substr(equals + 1, dots - equals - 1), text);
    const double high = number_of(text.substr(dots + 2), text);
    if (low > high) throw BadInput(fmt::format("--ranges: '{}' ends below its beginning", text));
    if (!keys_given.insert(key).second) throw BadInput(fmt::format("--ranges: '{}' is given twice", key));
    if (key == "restitution") {
      ranges.restitution = {low, high};
    } else if (key == "tangential_restitution") {
      ranges.tangential_restitution = {low, high};
    } else if (key == "friction") {
      if (low < 0) throw BadInput("--ranges: friction must be at least 0");
      ranges.friction = {low, high};
    } else {
      const std::vector<std::string> keys = {"restitution", "tangential_restitution", "friction"};
      throw BadInput(fmt::format("--ranges: unknown coefficient '{}'{}; they are {}", key, suggestion(key, keys),
                                 fmt::join(keys, ", ")));
    }
  }
  return ranges;
}

std::vector<std::string> asked_laws(const CheckOptions& options) {
  std::vector<std::string> names;
  for (const std::string& name : options.laws) {
    if (name == "all") {
      names.clear();
      for (const LawEntry& law : impact_laws()) names.push_back(law.name);
      return names;
    }
    if (!find_law(name)) throw BadInput("--law: " + unknown_law_message(name));
    names.push_back(name);
  }
  return names;
}

// Every impact that a run has met, from the states it kept.
std::vector<PosedImpact> impacts_of_run(const CheckOptions& options) {
  const RunFileReader run(options.run);
  const Scene scene = read_scene_text(run.scene_yaml(), options.run, {settings_of(options.sets), true});
  for (const char* needed :
       {"impacts/time", "impacts/q", "impacts/u", "impacts/kinetic_before", "impacts/elements/impact"}) {
    if (!run.find(needed))
      throw BadInput(
          fmt::format("{}: holds no {}; record impacts (output.record), with this version", options.run, needed));
  }
  const std::vector<double> time = run.read("impacts/time");
  const std::vector<double> q = run.read("impacts/q");
  const std::vector<double> u = run.read("impacts/u");
  const std::vector<double> T_minus = run.read("impacts/kinetic_before");
  const std::vector<double> impact_of = run.read("impacts/elements/impact");
  const std::vector<double> element_of = run.read("impacts/elements/element");
  const std::vector<std::string> names = run.read_texts("impacts/element_names");
  const auto rows = static_cast<Index>(time.size());
  if (static_cast<Index>(q.size()) != rows * scene.q.size() || static_cast<Index>(u.size()) != rows * scene.u.size())
    throw BadInput(fmt::format("{}: its impacts are not those of its scene{}", options.run,
                               options.sets.empty() ? "" : " with what --set changes"));
  std::vector<std::vector<std::string>> contacts(time.size());
  for (std::size_t k = 0; k < std::min(impact_of.size(), element_of.size()); ++k) {
    const auto impact = static_cast<std::size_t>(impact_of[k]);
    const auto element = static_cast<std::size_t>(element_of[k]);
    if (impact < contacts.size() && element < names.size()) contacts[impact].push_back(names[element]);
  }
  std::vector<PosedImpact> list;
  for (std::size_t k = 0; k < time.size(); ++k) {
    const Vec q_k = Eigen::Map<const Vec>(q.data() + static_cast<Index>(k) * scene.q.size(), scene.q.size());
    const Vec u_k = Eigen::Map<const Vec>(u.data() + static_cast<Index>(k) * scene.u.size(), scene.u.size());
    list.push_back({fmt::format("impact {}, t = {:.6g} s", k, time[k]), time[k],
                    impact_at(scene, time[k], q_k, u_k, contacts[k], options.run), scene.sequential_for_several});
    list.back().T_minus_taking_part = T_minus[k];
    list.back().moment = moment_seen_by(scene.law);
  }
  if (list.empty()) throw BadInput(options.run + ": has no impacts");
  return list;
}

std::vector<std::string> rough_contacts(const ImpactFile& impact) {
  std::vector<std::string> names;
  for (const Element& element : impact.elements)
    if (element.contact() && element.contact()->has_friction()) names.push_back(element.name);
  return names;
}

// The first impact of a scene; the contacts that are closed initially if nothing impacts.
PosedImpact impact_of_scene(const CheckOptions& options) {
  const std::vector<Setting> settings = scene_overrides("", options.duration, "", options.sets);
  const Scene scene = options.input.scene({settings, options.fix});
  const auto posed = [&](const std::string& where, double time, const Vec& q, ImpactFile file) {
    PosedImpact impact{where, time, std::move(file), scene.sequential_for_several};
    if (time > 0) impact.moment = mid_step;
    if (options.details) impact.configurations = critical_configurations(scene, time, q, rough_contacts(impact.file));
    return impact;
  };
  try {
    FirstImpact first = first_impact(scene, options.input.name);
    return posed(fmt::format("first impact, t = {:.6g} s", first.time), first.time, first.q, std::move(first.problem));
  } catch (const BadInput& nothing_impacts) {
    try {
      return posed("closed contacts of the initial state; no impact", 0.0, scene.q,
                   initial_impact(scene, options.input.name));
    } catch (const BadInput&) {
      throw nothing_impacts;
    }
  }
}

std::vector<PosedImpact> posed_impacts(const CheckOptions& options) {
  if (!options.run.empty()) {
    if (!options.input.name.empty())
      throw BadInput("--run takes the scene from the run file; leave " + options.input.name + " out");
    return impacts_of_run(options);
  }
  if (options.input.name.empty()) throw BadInput("check needs a scene or an impact problem (YAML), or --run RUN.h5");
  if (!options.input.is_scene()) {
    // Data out of a law's range are that law's refusal, not a mistake in the file.
    ImpactFile file = options.input.impact(settings_of(options.sets), {"all"});
    return {{"", std::nullopt, std::move(file), false}};
  }
  return {impact_of_scene(options)};
}

CheckedImpact checked(const PosedImpact& posed, const std::vector<std::string>& laws, AssessmentOptions asked,
                      const std::string& file, const std::function<void(const std::string&)>& progress) {
  CheckedImpact impact;
  impact.where = posed.where;
  impact.time = posed.time;
  impact.moment = posed.moment;
  impact.file = posed.file;
  ImpactProblem problem = impact_problem(posed.file);
  if (const auto u = has_moving_joints(problem) ? velocity_at_resting_joints(problem) : std::nullopt) {
    problem.set_velocity(*u);
    impact.file.velocity = *u;
    impact.seen_from_drives = true;
  }
  impact.T_minus = problem.kinetic_energy(problem.u_minus());
  if (!impact.seen_from_drives) impact.T_minus_taking_part = posed.T_minus_taking_part;
  if (asked.certificates) impact.system = system_certificates(problem);
  asked.sequential_for_several = posed.sequential_for_several;
  std::vector<LawChoice> choices;
  for (const std::string& name : laws)
    choices.push_back(posed.file.law && posed.file.law->type == name ? *posed.file.law : LawChoice{name, {}});
  if (choices.empty() && posed.file.law) choices.push_back(*posed.file.law);
  if (choices.empty())
    throw BadInput(file + ": no law: add 'law: NAME' to the file, or --law NAME (--law all for every law)");
  for (const LawChoice& choice : choices) {
    stop_if_asked();
    asked.progress = [&](double share) {
      stop_if_asked();
      progress(fmt::format("{}worst case under {}: {:.0f} % of the search",
                           impact.where.empty() ? "" : impact.where + ": ", choice.type, 100 * std::min(1.0, share)));
    };
    impact.laws.push_back(assess(choice, problem, asked));
  }
  return impact;
}

// At the impacts and between them.
std::vector<CriticalFriction> critical_friction(const CheckOptions& options, const std::vector<PosedImpact>& impacts) {
  if (options.run.empty()) return {};
  CriticalFrictionAlong along;
  for (const PosedImpact& impact : impacts) along.add(impact.time.value_or(0), impact.file);
  const RunFileReader run(options.run);
  along.add_recorded_states(read_scene_text(run.scene_yaml(), options.run, {settings_of(options.sets), true}), run);
  return along.contacts();
}

}  // namespace

CheckedFile check_impacts(const CheckOptions& options, const std::function<void(const CheckedFile&)>& begun,
                          const std::function<void(const std::string&)>& progress) {
  const std::vector<std::string> laws = asked_laws(options);
  AssessmentOptions asked;
  asked.ranges = ranges_of(options.ranges);
  asked.certificates = options.details;
  const std::string& file = options.run.empty() ? options.input.name : options.run;
  CheckedFile result;
  const std::vector<PosedImpact> all = posed_impacts(options);
  result.warnings = all.front().file.warnings;
  result.notes = all.front().file.notes;
  begun(result);
  for (const PosedImpact& posed : all) {
    if (all.size() > 1) progress(fmt::format("impact {} of {}", result.impacts.size() + 1, all.size()));
    result.impacts.push_back(checked(posed, laws, asked, file, progress));
  }
  result.configurations = all.front().configurations;
  result.critical_friction = critical_friction(options, all);
  result.of_run = !options.run.empty();
  return result;
}

Json checked_json(const CheckedFile& checked) {
  Json json;
  json["scene"] = checked.impacts.front().file.scene;
  json["impacts"] = Json::array();
  for (const CheckedImpact& impact : checked.impacts) json["impacts"].push_back(check_json(impact));
  json["critical_friction"] = checked.of_run ? json_of(checked.critical_friction) : json_of(checked.configurations);
  return json;
}

}  // namespace carom
