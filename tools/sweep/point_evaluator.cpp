#include "tools/sweep/point_evaluator.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

#include "config/scene_run.h"
#include "engine/impact_problem.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/resolve.h"
#include "tools/first_impact.h"
#include "tools/stepping.h"

namespace carom {

namespace {

// Extremes and end of quantities, over the start and every step.
class QuantityWatch final : public Recorder {
 public:
  void add(const LoggedQuantity& quantity) { watched_.push_back({quantity}); }
  void sample(const Sample& sample) override {
    for (Watched& w : watched_) {
      w.end = w.quantity(sample);
      w.smallest = std::min(w.smallest, w.end);
      w.largest = std::max(w.largest, w.end);
    }
  }
  void impact(const ImpactRecord&) override {}

  struct Watched {
    LoggedQuantity quantity;
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    double end = missing;
  };
  const std::vector<Watched>& watched() const { return watched_; }

 private:
  std::vector<Watched> watched_;
};

// Mistakes come one a line.
std::string one_line(const std::string& lines) {
  std::string text = lines;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
  return text;
}

double count_of(MeasureKind kind, const Simulation& simulation) {
  const SimulationCounts& counts = simulation.counts();
  switch (kind) {
    case MeasureKind::impacts:
      return static_cast<double>(counts.impacts);
    case MeasureKind::inconsistent_impacts:
      return static_cast<double>(counts.inconsistent);
    case MeasureKind::created_energy_of_run:
      return counts.energy_created;
    default:
      return simulation.state().time;
  }
}

}  // namespace

PointEvaluator::PointEvaluator(const SweepFile& sweep, const std::vector<Measurement>& measurements)
    : sweep_(sweep), measurements_(measurements), scene_(sweep.scene.copy()) {
  for (const Measurement& m : measurements) (m.spec->of_run ? wants_run_ : wants_impact_) = true;
}

const PointResult& PointEvaluator::evaluate(std::size_t point) {
  result_.status = PointStatus::ok;
  result_.reason.clear();
  result_.stopped = false;
  result_.values.assign(measurements_.size(), missing);
  try {
    sweep_.set_point(point, scene_);
    if (sweep_.raw) {
      const ImpactFile problem = read_impact_file(scene_, {});
      measure_impact(0, problem, solver_called("auto"), nullptr);
    } else {
      measure_scene(read_scene(scene_));
    }
  } catch (const BadInput& e) {
    set_status(PointStatus::refused, one_line(e.what()));
  } catch (const std::exception& e) {
    set_status(PointStatus::failed, one_line(e.what()));
  }
  return result_;
}

void PointEvaluator::set_status(PointStatus status, const std::string& reason) {
  if (result_.status != PointStatus::ok) return;
  result_.status = status;
  result_.reason = reason;
}

const InclusionSolver& PointEvaluator::solver_called(const std::string& name) {
  std::unique_ptr<InclusionSolver>& solver = solvers_[name];
  if (!solver) solver = find_solver(name)->make();
  return *solver;
}

void PointEvaluator::measure_scene(const Scene& scene) {
  if (wants_impact_) {
    try {
      const std::optional<FirstImpact> impact = find_first_impact(scene, scene.name);
      if (impact) {
        measure_impact(impact->time, impact->problem, solver_called(scene.solver), scene.system.get());
      } else {
        set_status(PointStatus::no_impact, fmt::format("no impact within {:.6g} s", scene.integrator.duration));
      }
    } catch (const BadInput& e) {
      set_status(PointStatus::refused, one_line(e.what()));
    }
  }
  if (wants_run_) measure_run(scene);
}

void PointEvaluator::measure_impact(double time, const ImpactFile& file, const InclusionSolver& solver,
                                    const System* system) {
  if (!file.law)
    return set_status(PointStatus::refused, file.scene + ": no law: add 'law: NAME' to the file, or vary it");
  const ImpactProblem problem = impact_problem(file);
  const LawOutcome outcome = resolve(*file.law, problem, solver);
  if (outcome.status != LawOutcome::Status::resolved) {
    const bool refused = outcome.status == LawOutcome::Status::refused;
    return set_status(refused ? PointStatus::refused : PointStatus::failed, one_line(outcome.reason));
  }
  const ResolvedImpact impact{time, &problem.elements(), &outcome.results.front()};
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    if (!measurements_[i].spec->of_run) result_.values[i] = value_of(measurements_[i], impact, system);
  }
}

void PointEvaluator::measure_run(const Scene& scene) {
  SceneRun run(scene);
  QuantityWatch watch;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    if (measurements_[i].spec->argument != "quantity") continue;
    if (const auto quantity = LoggedQuantity::find(measurements_[i].argument, *run.scene().system)) {
      watch.add(*quantity);
      places.push_back(i);
    }
  }
  Simulation& simulation = run.simulation();
  run.start();
  watch.sample(simulation.sample());
  const SteppingEnd end = step_to_end(simulation, watch, 1, {});
  result_.stopped = end.reason == SteppingEnd::Reason::stopped;
  if (end.reason == SteppingEnd::Reason::failed) set_status(PointStatus::failed, one_line(end.why));
  if (end.reason != SteppingEnd::Reason::complete) return;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    const MeasureSpec& spec = *measurements_[i].spec;
    if (spec.of_run && spec.argument.empty()) result_.values[i] = count_of(spec.kind, simulation);
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    const QuantityWatch::Watched& w = watch.watched()[k];
    const MeasureKind kind = measurements_[places[k]].spec->kind;
    result_.values[places[k]] = kind == MeasureKind::smallest  ? w.smallest
                                : kind == MeasureKind::largest ? w.largest
                                                               : w.end;
  }
}

}  // namespace carom
