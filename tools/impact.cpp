// carom impact: one impact, by one law or several: of a raw problem, or the one that a scene begins with.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "config/file_kind.h"
#include "config/impact_file.h"
#include "config/scene.h"
#include "config/scene_impact.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/resolve.h"
#include "tools/command_line.h"
#include "tools/impact_report.h"
#include "tools/law_names.h"
#include "tools/log.h"

namespace carom {

namespace {

struct Options {
  std::string file;
  std::vector<std::string> laws;
  std::vector<std::string> sets;
  std::string solver;
  bool all_solutions = false;
  bool verbose = false;
  bool json = false;
  bool strict = false;
  bool fix = false;
};

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : inclusion_solvers()) names.push_back(entry.name);
  return names;
}

std::unique_ptr<InclusionSolver> choose_solver(const Options& options) {
  const std::string name = !options.solver.empty() ? options.solver : options.all_solutions ? "enumerate" : "auto";
  const SolverEntry* entry = find_solver(name);
  if (!entry) {
    throw BadInput(fmt::format("--solver: unknown solver '{}'{}; the solvers are {}", name,
                               suggestion(name, solver_names()), fmt::join(solver_names(), ", ")));
  }
  if (options.all_solutions && name != "enumerate")
    throw BadInput("--all-solutions needs the solver that finds them all: enumerate");
  return entry->make();
}

// The laws asked for on the command line, else the file's.
std::vector<LawChoice> choose_laws(const Options& options, const ImpactFile& file) {
  if (options.laws.empty()) return {*file.law};
  std::vector<LawChoice> choices;
  for (const std::string& name : options.laws) choices.push_back(law_choice(name, file.law));
  return choices;
}

// Where what a law says belongs: where the law is named, at the element that it speaks of if the command line names the
// law, or to the file that it is applied to.
std::string place_of_words(const std::string& words, const Options& options, const ImpactFile& file) {
  if (options.laws.empty() && !file.law_place.empty()) return file.law_place;
  for (std::size_t i = 0; i < file.element_places.size(); ++i)
    if (words.find("'" + file.elements[i].name + "'") != std::string::npos) return file.element_places[i];
  return options.file;
}

// A raw problem, or the impact that a scene begins with.
// Data outside the domain of one of several laws are no mistake of the file: that law is not applicable.
ImpactFile read_problem(const Options& options) {
  if (is_scene_file(options.file))
    return initial_impact(read_scene(options.file, {settings_of(options.sets), options.fix}), options.file);
  return read_impact_file(options.file, settings_of(options.sets),
                          options.laws.size() > 1 ? std::vector<std::string>{"all"} : options.laws);
}

// Friction that jams can have a solution with impulses all the same.
bool nothing_is_transmitted(const std::vector<LawAnswer>& answers) {
  return std::all_of(answers.begin(), answers.end(), [](const LawAnswer& answer) {
    const auto& results = answer.outcome.results;
    return results.empty() || std::all_of(results.front().elements.begin(), results.front().elements.end(),
                                          [](const ElementResult& element) { return element.Lambda.isZero(0); });
  });
}

std::string nothing_approaches(const Options& options, const std::vector<LawAnswer>& answers) {
  std::string text = "  nothing approaches here";
  if (nothing_is_transmitted(answers)) text += ", so nothing collides";
  if (is_scene_file(options.file)) text += "; use carom compare or check for the first impact reached";
  return text;
}

void tell_all(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) tell_error(error);
}

int run(Options options) {
  const bool all_laws = names_all_laws(options.laws);
  options.laws = laws_named("--law", options.laws);
  const std::unique_ptr<InclusionSolver> solver = choose_solver(options);
  const ImpactFile file = read_problem(options);
  for (const std::string& warning : file.warnings) tell_warning(warning);
  for (const std::string& note : file.notes) tell_note(note);
  const std::vector<LawChoice> laws = choose_laws(options, file);
  const ImpactProblem problem = impact_problem(file);

  std::vector<LawAnswer> answers;
  std::vector<std::string> refusals, failures;
  bool consistent = true;
  for (const LawChoice& choice : laws) {
    LawAnswer answer{choice.type, resolve(choice, problem, *solver)};
    const auto line = [&] {
      const bool named = answer.outcome.reason.rfind(choice.type, 0) == 0;
      return fmt::format("{}: {}{}", place_of_words(answer.outcome.reason, options, file),
                         named ? "" : choice.type + ": ", answer.outcome.reason);
    };
    if (answer.outcome.status == LawOutcome::Status::refused) refusals.push_back(line());
    if (answer.outcome.status == LawOutcome::Status::failed) failures.push_back(line());
    for (const ImpactResult& result : answer.outcome.results) consistent = consistent && is_consistent(result);
    answers.push_back(std::move(answer));
  }
  const bool none_applies = std::all_of(answers.begin(), answers.end(), [](const LawAnswer& answer) {
    return answer.outcome.status == LawOutcome::Status::refused;
  });
  if (none_applies) {
    tell_all(refusals);
    return bad_usage;
  }
  if (!all_laws && answers.size() == 1 && !failures.empty()) {
    tell_all(failures);
    return failed_running;
  }
  if (options.json) tell_all(refusals);
  if (options.json || !all_laws) tell_all(failures);
  if (options.json) {
    for (const std::string& note : impact_notes(answers, options.all_solutions)) tell_note(note);
    std::cout << dump(impact_json(file, problem, answers, options.all_solutions));
  } else {
    std::cout << impact_table(file, problem, answers, options.all_solutions);
    if (options.verbose) std::cout << impact_details(problem, answers, options.all_solutions);
  }
  if (!approaches(problem)) {
    const std::string why = nothing_approaches(options, answers);
    options.json ? tell_note(why) : static_cast<void>(std::cout << why << '\n');
  }
  if (!all_laws && !failures.empty()) return failed_running;
  return options.strict && !consistent ? negative_verdict : done;
}

}  // namespace

Subcommand impact_subcommand() {
  return {"impact", "resolve one impact, by one law or several, with a verdict", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("FILE", options->file, "scene, or raw impact problem (YAML)", true);
            line.list("--law", options->laws, "laws to compare, a,b,c or all (default: the file's)");
            line.repeated("--set", options->sets,
                          "override a value of the file: key=value, e.g. impact.elements.tip.friction=0.2");
            line.option("--solver", options->solver,
                        fmt::format("inclusion solver: {}", fmt::join(solver_names(), ", ")));
            line.flag("--all-solutions", options->all_solutions, "every solution, not only the first");
            line.flag("--verbose", options->verbose,
                      "also M, W, G, G⁻¹, u°, T°, the work of each phase, quasi-velocities, equivalent coefficients");
            line.flag("--json", options->json, "print JSON, with all of that");
            line.flag("--fix", options->fix, "scene: project the initial state onto joints and contacts");
            line.flag("--strict", options->strict, "exit 3 if a result is inconsistent");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
