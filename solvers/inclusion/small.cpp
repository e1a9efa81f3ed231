#include "solvers/inclusion/small.h"

#include <algorithm>
#include <string>
#include <utility>

#include "solvers/inclusion/all_modes.h"
#include "solvers/inclusion/enumerate.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/velocity_newton.h"

namespace carom {

bool is_planar(const Inclusion& inclusion) {
  return std::none_of(inclusion.sets.begin(), inclusion.sets.end(),
                      [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; });
}

namespace {

InclusionOutcome solved(const char* solver, int iterations, InclusionSolution solution) {
  InclusionOutcome outcome;
  outcome.status = InclusionOutcome::Status::solved;
  outcome.solver = solver;
  outcome.iterations = iterations;
  outcome.solutions.push_back(std::move(solution));
  return outcome;
}

}  // namespace

SmallSolver::SmallSolver()
    : lemke_(find_solver("lemke")->make()),
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
  if (near.residual <= inclusion.tolerance) return solved("newton", 1, std::move(near));
  // A block that lands on its corners has more contacts than freedom, which sweeps mind and this does not.
  if (!is_planar(inclusion) && inclusion.G->has_white_rows()) {
    const Attempt attempt = solve_by_velocity_newton(inclusion, start);
    if (attempt.residual <= inclusion.tolerance)
      return solved("newton", attempt.iterations, with_residual(inclusion, attempt.Lambda));
  }
  return first_answer(inclusion, {is_planar(inclusion) ? lemke_.get() : nullptr, sweeps_.get(),
                                  combinations(inclusion) <= affordable_combinations ? enumerate_.get() : nullptr});
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
