// carom check: what is guaranteed of a law before anything runs. Of a raw problem, of the first impact of a scene, or
// of every impact of a run.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include "config/file_kind.h"
#include "config/law_file.h"
#include "config/scene.h"
#include "config/scene_impact.h"
#include "solvers/certificates/system.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"
#include "tools/check_report.h"
#include "tools/command_line.h"
#include "tools/critical_configuration.h"
#include "tools/critical_friction.h"
#include "tools/first_impact.h"
#include "tools/progress.h"
#include "tools/run_file/reader.h"
#include "tools/scene_overrides.h"
#include "tools/table.h"

namespace carom {

namespace {

struct Options {
  std::string file;
  std::string run;
  std::string duration;
  std::vector<std::string> laws;
  std::vector<std::string> sets;
  std::vector<std::string> ranges;
  bool verbose = false;
  bool json = false;
  bool strict = false;
  bool fix = false;
};

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

std::vector<std::string> asked_laws(const Options& options) {
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
std::vector<PosedImpact> impacts_of_run(const Options& options) {
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
PosedImpact impact_of_scene(const Options& options) {
  const std::vector<Setting> settings = scene_overrides("", options.duration, "", options.sets);
  const Scene scene = read_scene(options.file, {settings, options.fix});
  const auto posed = [&](const std::string& where, double time, const Vec& q, ImpactFile file) {
    PosedImpact impact{where, time, std::move(file), scene.sequential_for_several};
    if (time > 0) impact.moment = mid_step;
    if (options.verbose || options.json)
      impact.configurations = critical_configurations(scene, time, q, rough_contacts(impact.file));
    return impact;
  };
  try {
    FirstImpact first = first_impact(scene, options.file);
    return posed(fmt::format("first impact, t = {:.6g} s", first.time), first.time, first.q, std::move(first.problem));
  } catch (const BadInput& nothing_impacts) {
    try {
      return posed("closed contacts of the initial state; no impact", 0.0, scene.q,
                   initial_impact(scene, options.file));
    } catch (const BadInput&) {
      throw nothing_impacts;
    }
  }
}

std::vector<PosedImpact> posed_impacts(const Options& options) {
  if (!options.run.empty()) {
    if (!options.file.empty())
      throw BadInput("--run takes the scene from the run file; leave " + options.file + " out");
    return impacts_of_run(options);
  }
  if (options.file.empty()) throw BadInput("check needs a scene or an impact problem (YAML), or --run RUN.h5");
  if (!is_scene_file(options.file)) {
    // Data out of a law's range are that law's refusal, not a mistake in the file.
    ImpactFile file = read_impact_file(options.file, settings_of(options.sets), {"all"});
    return {{"", std::nullopt, std::move(file), false}};
  }
  return {impact_of_scene(options)};
}

CheckedImpact checked(const PosedImpact& posed, const std::vector<std::string>& laws, AssessmentOptions asked,
                      const std::string& file, StatusLine& status) {
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
    asked.progress = [&](double share) {
      status.show(fmt::format("{}worst case under {}: {:.0f} % of the search",
                              impact.where.empty() ? "" : impact.where + ": ", choice.type,
                              100 * std::min(1.0, share)));
    };
    impact.laws.push_back(assess(choice, problem, asked));
  }
  return impact;
}

// The law that the file names, or all that are asked for if it is not among them; within the ranges, where they are
// given. A law that has no solution here guarantees nothing of this impact.
bool own_law_is_guaranteed(const CheckedImpact& impact) {
  const auto is_own = [&](const LawAssessment& law) { return impact.file.law && impact.file.law->type == law.law; };
  const bool named = std::any_of(impact.laws.begin(), impact.laws.end(), is_own);
  for (const LawAssessment& law : impact.laws) {
    const bool sound = law.guaranteed() && law.here && law.here->kinematic.holds && law.here->kinetic.holds;
    if ((!named || is_own(law)) && !(sound && (!law.within || law.within->proven))) return false;
  }
  return true;
}

// Of many impacts: those at which a law creates energy or has no solution.
std::string exceptions(const std::vector<CheckedImpact>& impacts) {
  constexpr std::size_t most = 20;
  std::string text;
  std::size_t told = 0, more = 0;
  for (const CheckedImpact& impact : impacts) {
    if (!goes_wrong(impact)) continue;
    if (told == most) {
      ++more;
      continue;
    }
    text += check_text(impact, false);
    ++told;
  }
  if (more > 0) text += fmt::format("... and {} more like these: --json has all\n", more);
  return text.empty() ? "" : text + "\n";
}

// Of many impacts: how many are guaranteed by law, and where it is missed most.
std::string run_summary(const std::vector<CheckedImpact>& impacts) {
  const ImpactFile& file = impacts.front().file;
  std::string text =
      fmt::format("{}   {} impacts, t = {:.6g} to {:.6g} s\n", file.about.empty() ? file.scene : file.about,
                  impacts.size(), impacts.front().time.value_or(0), impacts.back().time.value_or(0));
  for (std::size_t l = 0; l < impacts.front().laws.size(); ++l) {
    std::size_t guaranteed = 0, creating = 0, unsolved = 0, refused = 0;
    double created = 0;
    std::set<std::string> theorems, obstacles;
    const CheckedImpact* most = nullptr;
    for (const CheckedImpact& impact : impacts) {
      const LawAssessment& law = impact.laws[l];
      guaranteed += law.guaranteed();
      if (law.guaranteed()) theorems.insert(law.proof.theorem);
      if (law.standing == LawAssessment::Standing::not_guaranteed) obstacles.insert(law.proof.obstacle);
      refused += law.standing == LawAssessment::Standing::refused;
      unsolved += !law.unsolved.empty();
      if (!law.here || law.here->energetic.holds) continue;
      ++creating;
      if (law.here->work > created) most = &impact;
      created = std::max(created, law.here->work);
    }
    std::string line =
        fmt::format("{}: guaranteed at {} of {} impacts", impacts.front().laws[l].law, guaranteed, impacts.size());
    if (!theorems.empty()) line += fmt::format(", {}", fmt::join(theorems, "; "));
    if (!obstacles.empty())
      line += fmt::format("; not at {} ({}{})", impacts.size() - guaranteed - refused, *obstacles.begin(),
                          obstacles.size() > 1 ? fmt::format("; and {} other reasons", obstacles.size() - 1) : "");
    if (most)
      line += fmt::format("; {} {} energy, most at t = {:.6g} s ({} J)", creating, creating == 1 ? "creates" : "create",
                          most->time.value_or(0), figure(created));
    if (unsolved > 0) line += fmt::format("; {} {} no solution", unsolved, unsolved == 1 ? "has" : "have");
    if (refused > 0) line += fmt::format("; not applicable at {}", refused);
    text += wrapped(line, page_width(), "  ", "    ");
  }
  return text;
}

// At the impacts and between them.
std::vector<CriticalFriction> critical_friction(const Options& options, const std::vector<PosedImpact>& impacts) {
  if (options.run.empty()) return {};
  CriticalFrictionAlong along;
  for (const PosedImpact& impact : impacts) along.add(impact.time.value_or(0), impact.file);
  const RunFileReader run(options.run);
  along.add_recorded_states(read_scene_text(run.scene_yaml(), options.run, {settings_of(options.sets), true}), run);
  return along.contacts();
}

int run(const Options& options) {
  const std::vector<std::string> laws = asked_laws(options);
  AssessmentOptions asked;
  asked.ranges = ranges_of(options.ranges);
  asked.certificates = options.verbose || options.json;
  const std::string& file = options.run.empty() ? options.file : options.run;
  std::vector<CheckedImpact> impacts;
  const std::vector<PosedImpact> all = posed_impacts(options);
  StatusLine status(false);
  for (const PosedImpact& posed : all) {
    if (all.size() > 1) status.show(fmt::format("impact {} of {}", impacts.size() + 1, all.size()));
    if (impacts.empty()) {
      for (const std::string& warning : posed.file.warnings) std::cerr << "warning: " << warning << '\n';
      for (const std::string& note : posed.file.notes) std::cerr << "note: " << note << '\n';
    }
    impacts.push_back(checked(posed, laws, asked, file, status));
  }
  status.clear();
  if (options.json) {
    Json json;
    json["scene"] = impacts.front().file.scene;
    json["impacts"] = Json::array();
    for (const CheckedImpact& impact : impacts) json["impacts"].push_back(check_json(impact));
    json["critical_friction"] =
        options.run.empty() ? json_of(all.front().configurations) : json_of(critical_friction(options, all));
    std::cout << dump(json);
  } else {
    if (impacts.size() == 1 || options.verbose)
      for (const CheckedImpact& impact : impacts) std::cout << check_text(impact, options.verbose);
    if (impacts.size() > 1) std::cout << (options.verbose ? "\n" : exceptions(impacts)) << run_summary(impacts);
    std::cout << text_of(all.front().configurations) << text_of(critical_friction(options, all));
  }
  const bool guaranteed = std::all_of(impacts.begin(), impacts.end(), own_law_is_guaranteed);
  return options.strict && !guaranteed ? negative_verdict : done;
}

}  // namespace

Subcommand check_subcommand() {
  return {
      "check", "what is guaranteed of a law before anything runs: energy, solutions, friction", [](CommandLine& line) {
        auto options = std::make_shared<Options>();
        line.positional("FILE", options->file, "scene, or raw impact problem (YAML)", false);
        line.list("--law", options->laws, "laws to check, a,b,c or all (default: the file's)");
        line.repeated("--set", options->sets, "override a value of the file: key=value");
        line.option("--duration", options->duration, "scene: how many seconds to search for the first impact");
        line.option("--run", options->run, "check every impact of a run (RUN.h5)");
        line.list("--ranges", options->ranges, "coefficients of the worst case, e.g. restitution=0..1,friction=0..0.5");
        line.flag("--verbose", options->verbose, "every condition with its source and figures");
        line.flag("--json", options->json, "print JSON");
        line.flag("--fix", options->fix, "scene: project the initial state onto joints and contacts");
        line.flag("--strict", options->strict,
                  "exit 3 if the file's own law (if it is not among those checked: any of them) is not guaranteed, "
                  "has no solution, or leaves a contact approaching or an impulse outside its set here; with --ranges, "
                  "within them");
        return [options] { return run(*options); };
      }};
}

}  // namespace carom
