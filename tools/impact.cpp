// carom impact: one impact, by one law or several: of a raw problem, or the one that a scene begins with.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "config/impact_file.h"
#include "config/law_file.h"
#include "config/scene.h"
#include "config/scene_impact.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tools/command_line.h"
#include "tools/impact_report.h"

namespace carom {

namespace {

struct Options {
  std::string file;
  std::vector<std::string> laws;
  std::vector<std::string> sets;
  std::string solver;
  bool all_solutions = false;
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

// The laws asked for on the command line, else the file's. A law that the file configures keeps its parameters.
std::vector<LawChoice> choose_laws(const Options& options, const ImpactFile& file) {
  if (options.laws.empty()) {
    if (!file.law)
      throw BadInput(options.file + ": no law: add 'law: NAME' to the file, or --law NAME (--law all for every law)");
    return {*file.law};
  }
  std::vector<LawChoice> choices;
  for (const std::string& name : options.laws)
    choices.push_back(file.law && file.law->type == name ? *file.law : LawChoice{name, {}});
  return choices;
}

void check_law_names(const std::vector<std::string>& names) {
  std::string complaint;
  for (const std::string& name : names) {
    if (name != "all" && !find_law(name))
      complaint += (complaint.empty() ? "" : "\n") + ("--law: " + unknown_law_message(name));
  }
  if (!complaint.empty()) throw BadInput(complaint);
}

// For --law all, data out of a law's range are that law's refusal, not a mistake in the file.
LawOutcome resolve(const LawChoice& choice, const ImpactProblem& problem, const InclusionSolver& solver) {
  for (const LawComplaint& complaint : check_data(choice, problem.elements(), &problem)) {
    if (complaint.warning) continue;
    const std::string where = complaint.element ? problem.elements()[*complaint.element].name : complaint.key;
    return LawOutcome::refused(fmt::format("'{}': {}", where, complaint.message));
  }
  return make_law(choice)->resolve(problem, solver);
}

// A raw problem, or the impact that a scene begins with.
ImpactFile read_problem(const Options& options, bool all_laws) {
  if (is_scene_file(options.file))
    return initial_impact(read_scene(options.file, {options.sets, options.fix}), options.file);
  return read_impact_file(options.file, options.sets, all_laws ? std::vector<std::string>{"all"} : options.laws);
}

int run(Options options) {
  const bool all_laws = std::find(options.laws.begin(), options.laws.end(), "all") != options.laws.end();
  check_law_names(options.laws);
  if (all_laws) {
    options.laws.clear();
    for (const LawEntry& law : impact_laws()) options.laws.push_back(law.name);
  }
  const std::unique_ptr<InclusionSolver> solver = choose_solver(options);
  const ImpactFile file = read_problem(options, all_laws);
  for (const std::string& warning : file.warnings) std::cerr << "warning: " << warning << '\n';
  const std::vector<LawChoice> laws = choose_laws(options, file);
  const ImpactProblem problem(file.mass, file.velocity, file.elements);

  std::vector<LawAnswer> answers;
  std::string refusals;
  std::string failures;
  bool consistent = true;
  for (const LawChoice& choice : laws) {
    LawAnswer answer{choice.type, resolve(choice, problem, *solver)};
    const auto line = [&] {
      const bool named = answer.outcome.reason.rfind(choice.type, 0) == 0;
      return fmt::format("{}: {}{}\n", options.file, named ? "" : choice.type + ": ", answer.outcome.reason);
    };
    if (answer.outcome.status == LawOutcome::Status::refused) refusals += line();
    if (answer.outcome.status == LawOutcome::Status::failed) failures += line();
    for (const ImpactResult& result : answer.outcome.results) {
      if (!result.u_plus.allFinite() || !std::isfinite(result.T_plus)) {
        answer.outcome = LawOutcome::failed("the result is not a finite number");
        failures += line();
        break;
      }
      consistent = consistent && is_consistent(result);
    }
    answers.push_back(std::move(answer));
  }
  if (!all_laws && !refusals.empty()) {
    std::cerr << refusals << failures;
    return bad_usage;
  }
  if (!all_laws && answers.size() == 1 && !failures.empty()) {
    std::cerr << failures;
    return failed_running;
  }
  if (options.json || !all_laws) std::cerr << refusals << failures;
  if (options.json) {
    std::cout << dump(impact_json(file, answers, options.all_solutions));
  } else {
    std::cout << impact_table(file, problem, answers, options.all_solutions);
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
            line.option("--solver", options->solver, "inclusion solver: auto, enumerate, lemke, gauss-seidel");
            line.flag("--all-solutions", options->all_solutions, "every solution, not only the first");
            line.flag("--json", options->json, "print JSON");
            line.flag("--fix", options->fix, "scene: move the initial state onto joints and out of penetrations");
            line.flag("--strict", options->strict, "exit 3 if a result is inconsistent");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
