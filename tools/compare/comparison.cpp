#include "tools/compare/comparison.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/diagnostics.h"
#include "tools/compare/compare_report.h"
#include "tools/first_impact.h"
#include "tools/law_names.h"
#include "tools/scene_overrides.h"
#include "tools/version.h"

namespace carom {

using Subject = ComparedSubject;

namespace {

Matching matching_named(const std::string& word) {
  if (word == "restitution") return Matching::restitution;
  if (word == "energy") return Matching::energy;
  throw BadInput(
      fmt::format("--match: '{}' is neither restitution (the same coefficient) nor energy (the same work)", word));
}

// The law that the others are compared with: named, or the file's own, or the first.
std::string choose_reference(const CompareOptions& options, const std::optional<LawChoice>& of_file,
                             std::vector<std::string>& laws) {
  const auto is_compared = [&](const std::string& name) {
    return std::find(laws.begin(), laws.end(), name) != laws.end();
  };
  if (options.reference.empty()) return of_file && is_compared(of_file->type) ? of_file->type : laws.front();
  laws_named("--reference", {options.reference});
  if (!is_compared(options.reference)) laws.insert(laws.begin(), options.reference);
  return options.reference;
}

void check_options_of_impact(const CompareOptions& options) {
  if (!options.duration.empty() || !options.step.empty() || options.fix)
    throw BadInput(options.input.name + ": is a single impact, without time: leave --duration, --step and --fix out");
}

std::vector<Setting> chosen_settings(const CompareOptions& options) {
  return scene_overrides("", options.duration, options.step, options.sets);
}

// The scene as it is, with another law where that is asked for. What belongs to the scene under `law:` stays.
Scene scene_with(const CompareOptions& options, const Scene& base, const std::string& law,
                 std::optional<double> restitution) {
  std::vector<Setting> list = chosen_settings(options);
  if (law != base.law.type) {
    list.emplace_back(
        fmt::format("law={{type: {}, several: {}}}", law, base.sequential_for_several ? "sequential" : "refuse"),
        "law " + law);
    if (!restitution) restitution = base.common_restitution;
  }
  if (restitution)
    list.emplace_back(fmt::format("law.restitution={:.17g}", *restitution),
                      fmt::format("restitution {:g}", *restitution));
  return options.input.scene({list, options.fix});
}

// Why a law has no coefficient to go through time with, where energy is matched; empty: it has, or needs none.
std::string why_unmatched(const Subject& subject, const ComparedImpact& impact, std::size_t law) {
  if (!impact.reference_work || subject.laws[law] == subject.reference) return {};
  switch (impact.matches[law].outcome) {
    case EnergyMatch::Outcome::matched:
    case EnergyMatch::Outcome::no_coefficient:
      return {};
    case EnergyMatch::Outcome::none:
      return "not matched: " + impact.answers[law].unmatched;
    case EnergyMatch::Outcome::not_applicable:
      break;
  }
  return "not matched: the law has no answer to the first impact";
}

std::vector<LawScene> scenes_of(const CompareOptions& options, const Subject& subject, const ComparedImpact* impact) {
  std::vector<LawScene> scenes;
  for (std::size_t i = 0; i < subject.laws.size(); ++i) {
    LawScene law{.law = subject.laws[i], .scene = {}};
    if (impact) law.why_not = why_unmatched(subject, *impact, i);
    if (impact && impact->reference_work) law.restitution = impact->matches[i].restitution;
    if (law.why_not.empty()) {
      try {
        law.scene = scene_with(options, *subject.scene, law.law, law.restitution);
      } catch (const BadInput& e) {
        law.why_not = e.what();  // its coefficients are outside the law's range
      }
    }
    scenes.push_back(std::move(law));
  }
  return scenes;
}

CollectionDescription description(const Subject& subject, const ComparedImpact* impact) {
  CollectionDescription about;
  about.attributes = {{"carom_version", version()},
                      {"scene", subject.name},
                      {"reference", subject.reference},
                      {"match", subject.matching == Matching::energy ? "energy" : "restitution"}};
  about.documents = {{"impact_json", dump(impact ? compared_impact_json(*impact) : Json())},
                     {"match_json", dump(match_json(impact, subject.laws, subject.reference, subject.matching))}};
  return about;
}

// The impact of the file or scene; why there is none, if it is not asked for alone.
std::optional<ComparedImpact> impact_of(const CompareOptions& options, const Subject& subject, std::string& why_not) {
  if (subject.problem)
    return compare_impact(0, *subject.problem, subject.laws, subject.reference, subject.matching, "auto");
  std::optional<FirstImpact> first;
  try {
    first = first_impact(*subject.scene, options.input.name);
  } catch (const BadInput& e) {
    if (options.impact_only || subject.matching == Matching::energy) throw;
    why_not = e.what();
  } catch (const SimulationFailure& e) {
    if (options.impact_only || subject.matching == Matching::energy) throw;
    why_not = e.what();
  }
  if (!first) return std::nullopt;
  return compare_impact(first->time, std::move(first->problem), subject.laws, subject.reference, subject.matching,
                        subject.scene->solver);
}

}  // namespace

bool Comparison::was_interrupted() const {
  return std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return run.status == "interrupted"; });
}

ComparedSubject read_subject(const CompareOptions& options) {
  Subject subject;
  subject.matching = matching_named(options.match);
  subject.laws = laws_named("--laws", options.laws);
  if (subject.laws.empty()) throw BadInput("--laws names no law");
  if (options.input.is_scene()) {
    subject.scene = options.input.scene({chosen_settings(options), options.fix});
    subject.name = subject.scene->name;
  } else {
    check_options_of_impact(options);
    subject.problem = options.input.impact(settings_of(options.sets), {"all"});
    subject.name = subject.problem->scene;
  }
  const std::optional<LawChoice> law = subject.scene ? subject.scene->law : subject.problem->law;
  subject.reference = choose_reference(options, law, subject.laws);
  return subject;
}

Comparison compare_at_impact(const CompareOptions& options, ComparedSubject subject) {
  Comparison comparison;
  comparison.subject = std::move(subject);
  comparison.impact = impact_of(options, comparison.subject, comparison.no_impact);
  comparison.through_time = comparison.subject.scene && !options.impact_only;
  return comparison;
}

std::string compare_through_time(const CompareOptions& options, const ComparedRuns& how, Comparison& comparison) {
  const Subject& subject = comparison.subject;
  std::vector<LawScene> scenes;
  if (comparison.through_time) scenes = scenes_of(options, subject, comparison.at_impact());
  std::optional<RunFile> file;
  if (!how.path.empty()) {
    file.emplace(how.path, RunFileOptions{how.overwrite, subject.scene ? subject.scene->output.compression : 0});
    file->describe(description(subject, comparison.at_impact()));
  }
  if (comparison.through_time) {
    const IntegratorOptions& integrator = subject.scene->integrator;
    Progress progress(how.quiet, 0, integrator.step_count(), integrator.duration);
    comparison.runs =
        compare_runs(std::move(scenes), subject.reference, file ? &*file : nullptr, how.path, how.workers, progress);
  }
  return file ? file->finish(comparison.was_interrupted() ? "interrupted" : "complete") : "";
}

Json comparison_json(const Comparison& comparison) {
  const Subject& subject = comparison.subject;
  Json json = {{"scene", subject.name}};
  json["impact"] = comparison.impact ? compared_impact_json(*comparison.impact) : Json();
  json["match"] = match_json(comparison.at_impact(), subject.laws, subject.reference, subject.matching);
  json["runs"] = comparison.through_time ? runs_json(*subject.scene, comparison.runs) : Json::array();
  return json;
}

std::string comparison_text(const Comparison& comparison) {
  const Subject& subject = comparison.subject;
  std::string text;
  if (const ComparedImpact* impact = comparison.at_impact()) {
    if (impact->time > 0) text += fmt::format("First impact at t = {:.6g} s\n", impact->time);
    text += comparison_table(impact->file, impact->problem, impact->answers) + match_text(*impact, subject.reference);
  } else {
    text += fmt::format("{}   no impact to compare: {}\n", subject.name, comparison.no_impact);
  }
  if (comparison.through_time) text += "\n" + runs_table(*subject.scene, comparison.runs, subject.reference);
  return text;
}

}  // namespace carom
