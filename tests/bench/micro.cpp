// Micro-benchmarks of the parts: laws, inclusion solvers, projections, contact detection, recording.

#include <benchmark/benchmark.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "engine/force_set.h"
#include "engine/recorder.h"
#include "models/broad_phase.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resolve.h"
#include "tests/bench/problems.h"
#include "tests/bench/scenes.h"
#include "tests/support/large_problem.h"
#include "tools/run_file/run_file.h"

namespace {

using namespace carom;
using namespace carom::bench;

void law_on(benchmark::State& state, const std::string& name, const ImpactProblem& problem) {
  const auto law = make_law({name, {}});
  const auto solver = find_solver("auto")->make();
  for (auto _ : state) {
    const LawOutcome outcome = law->resolve(problem, *solver);
    if (outcome.results.empty()) return state.SkipWithError(outcome.reason.c_str());
    benchmark::DoNotOptimize(outcome.results.front().work);
  }
}

void posing_kane(benchmark::State& state) {
  const ImpactProblem problem = kane_impact();
  for (auto _ : state) {
    const ImpactProblem again = ImpactProblem::on_manifold(problem.M(), problem.u_minus(), problem.elements());
    benchmark::DoNotOptimize(again.gamma_minus());
  }
}

void solve(benchmark::State& state, const std::string& name, const testing::LargeProblem& problem) {
  const auto solver = find_solver(name)->make();
  for (auto _ : state) {
    const InclusionOutcome outcome = solver->solve(problem.inclusion, problem.demand);
    if (outcome.status != InclusionOutcome::Status::solved) return state.SkipWithError(outcome.reason.c_str());
    benchmark::DoNotOptimize(outcome.solutions.front().residual);
  }
}

void solver_on_chain(benchmark::State& state, const std::string& name) {
  testing::LargeProblem chain;
  const Index balls = state.range(0);
  testing::make_chain(Vec::Ones(balls), Vec::LinSpaced(balls, 0, -1), true, chain);
  chain.demand.every = false;
  solve(state, name, chain);
  state.SetComplexityN(balls);
}

void solver_on_pile(benchmark::State& state, const std::string& name) {
  testing::LargeProblem pile;
  testing::PileOptions options;
  options.columns = options.layers = static_cast<int>(state.range(0));
  options.noise = 0.1;
  testing::make_pile(options, pile);
  pile.demand.every = false;
  pile.demand.tolerance = 1e-8;
  solve(state, name, pile);
}

void projection_on_disc(benchmark::State& state) {
  Eigen::Vector2d point(3, 4);
  for (auto _ : state) {
    benchmark::DoNotOptimize(point);
    benchmark::DoNotOptimize(project_on_ellipse(point, {0.5, 0.5}));
  }
}

void projection_on_ellipse(benchmark::State& state) {
  Eigen::Vector2d point(3, 4);
  for (auto _ : state) {
    benchmark::DoNotOptimize(point);
    benchmark::DoNotOptimize(project_on_ellipse(point, {0.5, 0.2}));
  }
}

void natural_residual_of_pile(benchmark::State& state) {
  testing::LargeProblem pile;
  testing::make_pile({}, pile);
  const Vec Lambda = Vec::Ones(pile.inclusion.c.size());
  for (auto _ : state) benchmark::DoNotOptimize(natural_residual(pile.inclusion, Lambda));
}

// A loose square lattice that moved a little since the last time, as in a step.
void broad_phase(benchmark::State& state) {
  const Index side = state.range(0);
  std::vector<Box> boxes;
  for (Index i = 0; i < side * side; ++i) {
    const Eigen::Vector3d centre(0.2 * static_cast<double>(i % side), 0.2 * static_cast<double>(i / side), 0);
    boxes.push_back({centre.array() - 0.101, centre.array() + 0.101});
  }
  BroadPhase phase;
  for (auto _ : state) benchmark::DoNotOptimize(phase.pairs(boxes).size());
  state.SetComplexityN(side * side);
}

void contacts_of_pile(benchmark::State& state) {
  const Stepper stepper(pile_scene(falling_pile(static_cast<int>(state.range(0))), 1e-6));
  Contacts contacts;
  for (auto _ : state) {
    contacts.clear();
    stepper.scene().system->contacts(stepper.scene().q, stepper.scene().u, 1e-3, contacts);
    benchmark::DoNotOptimize(contacts.points.size());
  }
  state.SetComplexityN(state.range(0));
}

void recorded_row(benchmark::State& state) {
  Stepper stepper(resting_chain_scene(6));
  const auto path = std::filesystem::temp_directory_path() / fmt::format("carom-micro-{}.h5", ::getpid());
  RunFileOptions options;
  options.overwrite = Overwrite::file_and_part;
  {
    RunFile file(path.string(), options);
    RunDescription description;
    description.scene = description.law = "benchmark";
    RunSelection selection;
    selection.poses = selection.contacts = selection.impacts = false;
    RunFileWriter& writer = file.add_run("/", description, *stepper.scene().system, 1, selection);
    file.start();
    const Sample sample = stepper.simulation().sample();
    for (auto _ : state) writer.sample(sample);
    RunEnd end;
    end.status = "complete";
    writer.finish(std::move(end));
    file.finish();
  }
  std::filesystem::remove(path);
}

// Only what lies in the law's domain is timed.
bool resolves(const std::string& name, const ImpactProblem& problem) {
  const LawOutcome outcome = resolve({name, {}}, problem, *find_solver("auto")->make());
  return outcome.status == LawOutcome::Status::resolved;
}

void register_laws() {
  for (const LawEntry& law : impact_laws()) {
    const std::string name = law.name;
    if (resolves(name, kane_impact()))
      benchmark::RegisterBenchmark(("law/" + name + "/kane").c_str(),
                                   [name](auto& s) { law_on(s, name, kane_impact()); });
    if (resolves(name, touching_balls(3)))
      benchmark::RegisterBenchmark(("law/" + name + "/balls").c_str(),
                                   [name](auto& s) { law_on(s, name, touching_balls(static_cast<int>(s.range(0)))); })
          ->Arg(3)
          ->Arg(10);
  }
  benchmark::RegisterBenchmark("posing an impact/kane", posing_kane);
}

void register_solvers() {
  for (const std::string name : {"semismooth", "gauss-seidel", "auto"})
    benchmark::RegisterBenchmark(("solver/" + name + "/chain").c_str(), [name](auto& s) { solver_on_chain(s, name); })
        ->Arg(10)
        ->Arg(name == "gauss-seidel" ? 30 : 1000);
  for (const std::string name : {"semismooth", "auto"})
    benchmark::RegisterBenchmark(("solver/" + name + "/pile").c_str(), [name](auto& s) { solver_on_pile(s, name); })
        ->Arg(3)
        ->Arg(10)
        ->Unit(benchmark::kMillisecond);
}

void register_parts() {
  benchmark::RegisterBenchmark("projection/disc", projection_on_disc);
  benchmark::RegisterBenchmark("projection/ellipse", projection_on_ellipse);
  benchmark::RegisterBenchmark("natural residual/pile of 100", natural_residual_of_pile);
  benchmark::RegisterBenchmark("broad phase/lattice", broad_phase)->Arg(10)->Arg(30)->Arg(100)->Complexity();
  benchmark::RegisterBenchmark("contacts/pile", contacts_of_pile)->Arg(100)->Arg(1000)->Arg(10000)->Complexity();
  benchmark::RegisterBenchmark("recorder/row of 20 numbers", recorded_row);
}

}  // namespace

int main(int count, char** arguments) {
  register_laws();
  register_solvers();
  register_parts();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
