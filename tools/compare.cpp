// carom compare: a scene by several laws, side by side: at its first impact and through time.

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/file_kind.h"
#include "config/scene.h"
#include "tools/command_line.h"
#include "tools/compare/compare_impact.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/compare_runs.h"
#include "tools/destinations.h"
#include "tools/first_impact.h"
#include "tools/law_names.h"
#include "tools/report/report.h"
#include "tools/run_file/destination.h"
#include "tools/scene_overrides.h"
#include "tools/stepping.h"
#include "tools/version.h"
#include "tools/workers.h"

namespace carom {

namespace {

struct Options {
  std::string file;
  std::vector<std::string> laws = {"all"};
  std::vector<std::string> sets;
  std::string match = "restitution";
  std::string reference;
  std::string output;
  std::string report;
  std::string duration;
  std::string step;
  std::string jobs;
  bool impact_only = false;
  bool json = false;
  bool quiet = false;
  bool force = false;
  bool fix = false;

  Overwrite overwrite() const { return force ? Overwrite::file_and_part : Overwrite::nothing; }
};

// What is compared: a scene, or a raw problem.
struct Subject {
  std::optional<Scene> scene;
  std::optional<ImpactFile> problem;
  std::string name;
  std::vector<std::string> laws;
  std::string reference;
  Matching matching = Matching::restitution;
};

Matching matching_named(const std::string& word) {
  if (word == "restitution") return Matching::restitution;
  if (word == "energy") return Matching::energy;
  throw BadInput(
      fmt::format("--match: '{}' is neither restitution (the same coefficient) nor energy (the same work)", word));
}

// The law that the others are compared with: named, or the file's own, or the first.
std::string choose_reference(const Options& options, const std::optional<LawChoice>& of_file,
                             std::vector<std::string>& laws) {
  const auto is_compared = [&](const std::string& name) {
    return std::find(laws.begin(), laws.end(), name) != laws.end();
  };
  if (options.reference.empty()) return of_file && is_compared(of_file->type) ? of_file->type : laws.front();
  laws_named("--reference", {options.reference});
  if (!is_compared(options.reference)) laws.insert(laws.begin(), options.reference);
  return options.reference;
}

void check_options_of_impact(const Options& options) {
  if (!options.duration.empty() || !options.step.empty() || options.fix)
    throw BadInput(options.file + ": is a single impact, without time: leave --duration, --step and --fix out");
}

std::vector<Setting> overrides(const Options& options) {
  return scene_overrides("", options.duration, options.step, options.sets);
}

// The scene as it is, with another law where that is asked for. What belongs to the scene under `law:` stays.
Scene scene_with(const Options& options, const Scene& base, const std::string& law, std::optional<double> restitution) {
  std::vector<Setting> list = overrides(options);
  if (law != base.law.type) {
    list.emplace_back(
        fmt::format("law={{type: {}, several: {}}}", law, base.sequential_for_several ? "sequential" : "refuse"),
        "law " + law);
    if (!restitution) restitution = base.common_restitution;
  }
  if (restitution)
    list.emplace_back(fmt::format("law.restitution={:.17g}", *restitution),
                      fmt::format("restitution {:g}", *restitution));
  return read_scene(options.file, {list, options.fix});
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

std::vector<LawScene> scenes_of(const Options& options, const Subject& subject, const ComparedImpact* impact) {
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
std::optional<ComparedImpact> impact_of(const Options& options, const Subject& subject, std::string& why_not) {
  if (subject.problem)
    return compare_impact(0, *subject.problem, subject.laws, subject.reference, subject.matching, "auto");
  std::optional<FirstImpact> first;
  try {
    first = first_impact(*subject.scene, options.file);
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

Subject read_subject(const Options& options) {
  Subject subject;
  subject.matching = matching_named(options.match);
  subject.laws = laws_named("--laws", options.laws);
  if (subject.laws.empty()) throw BadInput("--laws names no law");
  if (is_scene_file(options.file)) {
    subject.scene = read_scene(options.file, {overrides(options), options.fix});
    subject.name = subject.scene->name;
  } else {
    check_options_of_impact(options);
    subject.problem = read_impact_file(options.file, settings_of(options.sets), {"all"});
    subject.name = subject.problem->scene;
  }
  for (const std::string& warning : subject.scene ? subject.scene->warnings : subject.problem->warnings)
    std::cerr << "warning: " << warning << '\n';
  for (const std::string& note : subject.scene ? subject.scene->notes : subject.problem->notes)
    std::cerr << "note: " << note << '\n';
  const std::optional<LawChoice> law = subject.scene ? subject.scene->law : subject.problem->law;
  subject.reference = choose_reference(options, law, subject.laws);
  return subject;
}

struct Comparison {
  Subject subject;
  std::optional<ComparedImpact> impact;
  std::string no_impact;  // why
  bool through_time = false;
  std::vector<ComparedRun> runs;

  const ComparedImpact* at_impact() const { return impact ? &*impact : nullptr; }
  bool was_interrupted() const {
    return std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return run.status == "interrupted"; });
  }
};

// The runs, into a file if there is a path.
void step(const Options& options, std::size_t workers, const std::string& path, Comparison& comparison) {
  const Subject& subject = comparison.subject;
  std::vector<LawScene> scenes;
  if (comparison.through_time) scenes = scenes_of(options, subject, comparison.at_impact());
  const StopSignals signals;
  std::optional<RunFile> file;
  if (!path.empty()) {
    file.emplace(path, RunFileOptions{options.overwrite(), subject.scene ? subject.scene->output.compression : 0});
    file->describe(description(subject, comparison.at_impact()));
  }
  if (comparison.through_time) {
    const IntegratorOptions& integrator = subject.scene->integrator;
    Progress progress(options.quiet, 0, integrator.step_count(), integrator.duration);
    comparison.runs =
        compare_runs(std::move(scenes), subject.reference, file ? &*file : nullptr, path, workers, progress);
  }
  if (!file) return;
  const std::string note = file->finish(comparison.was_interrupted() ? "interrupted" : "complete");
  if (!note.empty()) std::cerr << "warning: " << note << '\n';
}

Json to_json(const Comparison& comparison) {
  const Subject& subject = comparison.subject;
  Json json = {{"scene", subject.name}};
  json["impact"] = comparison.impact ? compared_impact_json(*comparison.impact) : Json();
  json["match"] = match_json(comparison.at_impact(), subject.laws, subject.reference, subject.matching);
  json["runs"] = comparison.through_time ? runs_json(*subject.scene, comparison.runs) : Json::array();
  return json;
}

std::string to_text(const Comparison& comparison) {
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

// The file that a report is made of, if nobody asked for it.
class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / fmt::format("carom-compare-{}.h5", ::getpid())) {}
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
    std::filesystem::remove(path_.string() + ".part", error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

int run(const Options& options) {
  const std::size_t workers = workers_named(options.jobs);
  Comparison comparison;
  comparison.subject = read_subject(options);
  std::optional<TemporaryFile> temporary;
  if (options.output.empty() && !options.report.empty()) temporary.emplace();
  const std::string path = temporary ? temporary->path() : options.output;
  check_destinations({options.file}, {path, options.report});
  if (!path.empty()) check_destination(path, options.overwrite());
  if (!options.report.empty()) check_file_destination(options.report, options.force);
  comparison.impact = impact_of(options, comparison.subject, comparison.no_impact);
  comparison.through_time = comparison.subject.scene && !options.impact_only;
  step(options, workers, path, comparison);

  std::cout << (options.json ? dump(to_json(comparison)) : to_text(comparison));
  const bool talks = !options.json && !options.quiet;
  if (!options.output.empty() && talks) std::cout << fmt::format("\n  file    {}\n", path);
  if (!options.report.empty()) {
    write_report(path, options.report, options.force, temporary ? options.file : path);
    if (talks) std::cout << fmt::format("{}  report  {}\n", options.output.empty() ? "\n" : "", options.report);
  }
  if (!comparison.was_interrupted()) return done;
  std::cerr << "interrupted" << (options.output.empty() ? "" : ": the runs until then are in " + path) << '\n';
  return interrupted;
}

}  // namespace

Subcommand compare_subcommand() {
  return {"compare", "one scene by several laws, side by side: at its first impact and through time",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("FILE", options->file, "scene, or raw impact problem (YAML)", true);
            line.list("--laws", options->laws, "laws to compare, a,b,c or all (default)");
            line.repeated("--set", options->sets, "override a value of the file: key=value");
            line.flag("--impact-only", options->impact_only, "only the impact, nothing through time");
            line.option("--match", options->match,
                        "restitution: the same coefficient for every law (default); energy: for each law the one that "
                        "does the reference's work at the impact");
            line.option("--reference", options->reference,
                        "the law that others are compared with (default: the file's)");
            line.flag("--json", options->json, "print JSON");
            line.option("-o,--output", options->output, "file with one run per law (HDF5)");
            line.option("--report", options->report, "page with the motion, the energy and every impact (HTML)");
            line.option("--duration", options->duration, "seconds to simulate (integrator.duration)");
            line.option("--step", options->step, "step size in seconds (integrator.step)");
            line.option("-j,--jobs", options->jobs, "laws stepped at the same time (default: one per core)");
            line.flag("--force", options->force, "overwrite an existing file");
            line.flag("--fix", options->fix, "scene: project the initial state onto joints and contacts");
            line.flag("--quiet", options->quiet, "no progress, no file name");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
