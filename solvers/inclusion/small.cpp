#include "solvers/inclusion/small.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>
#include <utility>

#include "solvers/inclusion/all/all_modes.h"
#include "solvers/inclusion/all/enumerate.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/path/velocity_newton.h"

namespace carom {

bool is_planar(const Inclusion& inclusion) {
  return std::none_of(inclusion.sets.begin(), inclusion.sets.end(),
                      [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; });
}

bool has_joints(const Inclusion& inclusion) {
  return std::any_of(inclusion.sets.begin(), inclusion.sets.end(),
                     [](const ForceSet& set) { return set.shape == ForceSet::Shape::bilateral; });
}

namespace {

constexpr double few_for_one = 64;  // three planar contacts

InclusionOutcome solved(const char* solver, int iterations, InclusionSolution solution) {
  InclusionOutcome outcome;
  outcome.status = InclusionOutcome::Status::solved;
  outcome.solver = solver;
  outcome.iterations = iterations;
  outcome.solutions.push_back(std::move(solution));
  return outcome;
}

// No solver that one can ask for by name: a part of auto.
constexpr const char* velocity_newton = "auto: newton on velocities";

class VelocityNewtonSolver final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    const bool started = inclusion.start.size() == inclusion.c.size();
    const Attempt attempt =
        solve_by_velocity_newton(inclusion, started ? inclusion.start : Vec::Zero(inclusion.c.size()));
    InclusionSolution end = with_residual(inclusion, attempt.Lambda);
    if (end.residual <= inclusion.tolerance) return solved(velocity_newton, attempt.iterations, std::move(end));
    InclusionOutcome outcome;
    outcome.solver = velocity_newton;
    outcome.iterations = attempt.iterations;
    outcome.reason = not_converged("newton on the velocities", end.residual, attempt.iterations);
    outcome.nearest = std::move(end);
    return outcome;
  }
};

}  // namespace

SmallSolver::SmallSolver()
    : velocity_newton_(std::make_unique<VelocityNewtonSolver>()),
      lemke_(find_solver("lemke")->make()),
      homotopy_(find_solver("homotopy")->make()),
      sweeps_(find_solver("gauss-seidel")->make()),
      enumerate_(find_solver("enumerate")->make()) {}

bool SmallSolver::solve_at_once(const Inclusion& inclusion, InclusionOutcome& outcome) const {
  const bool single = inclusion.sets.size() == 1 || (inclusion.sets.size() == 2 && inclusion.sets[1].normal_row >= 0);
  return single && solve_all_modes(inclusion, outcome) && outcome.solutions.size() == 1 &&
         outcome.solutions.front().residual <= inclusion.tolerance;
}

InclusionOutcome SmallSolver::solve(const Inclusion& inclusion) const {
  const Vec start = inclusion.start.size() == inclusion.c.size() ? inclusion.start : Vec::Zero(inclusion.c.size());
  InclusionSolution near = with_residual(inclusion, polish(inclusion, start));
  if (near.residual <= inclusion.tolerance) return solved("auto: start", 1, std::move(near));
  // Blocks that land on their corners have more contacts than freedom, on which pivots may end and which sweeps mind;
  // Newton's method on the velocities does not.
  const bool planar = is_planar(inclusion);
  const bool newton = planar ? suits_velocity_newton(*inclusion.G) : inclusion.G->has_white_rows();
  // Where elements nearly lock each other sweeps take thousands of rounds; a few modes are tried at once.
  const double count = combinations(inclusion);
  const InclusionSolver* before = planar && count <= few_for_one ? enumerate_.get() : nullptr;
  const InclusionSolver* after = !before && count <= affordable_combinations ? enumerate_.get() : nullptr;
  return first_answer(inclusion, {planar ? lemke_.get() : nullptr, before, newton ? velocity_newton_.get() : nullptr,
                                  planar ? nullptr : homotopy_.get(), sweeps_.get(), after});
}

InclusionOutcome first_answer(const Inclusion& inclusion, std::initializer_list<const InclusionSolver*> solvers) {
  InclusionOutcome outcome;
  std::string reasons;
  std::optional<InclusionSolution> nearest;
  for (const InclusionSolver* solver : solvers) {
    if (!solver) continue;
    outcome = solver->solve(inclusion);
    if (outcome.nearest && (!nearest || outcome.nearest->residual < nearest->residual)) nearest = outcome.nearest;
    if (outcome.status == InclusionOutcome::Status::solved || outcome.exhaustive) return outcome;
    reasons += (reasons.empty() ? "" : "; ") + outcome.reason;
  }
  outcome.reason = reasons;
  outcome.nearest = std::move(nearest);
  return outcome;
}

}  // namespace carom
