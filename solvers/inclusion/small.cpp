#include "solvers/inclusion/small.h"

#include <algorithm>
#include <string>
#include <utility>

#include "solvers/inclusion/enumerate.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"

namespace carom {

bool is_planar(const Inclusion& inclusion) {
  return std::none_of(inclusion.sets.begin(), inclusion.sets.end(),
                      [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; });
}

SmallSolver::SmallSolver()
    : lemke_(find_solver("lemke")->make()),
      sweeps_(find_solver("gauss-seidel")->make()),
      enumerate_(find_solver("enumerate")->make()) {}

InclusionOutcome SmallSolver::solve(const Inclusion& inclusion) const {
  const bool started = inclusion.start.size() == inclusion.c.size();
  InclusionSolution near =
      with_residual(inclusion, polish(inclusion, started ? inclusion.start : Vec::Zero(inclusion.c.size())));
  if (near.residual <= inclusion.tolerance) {
    InclusionOutcome outcome;
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solver = "newton";
    outcome.iterations = 1;
    outcome.solutions.push_back(std::move(near));
    return outcome;
  }
  return first_answer(inclusion, {is_planar(inclusion) ? lemke_.get() : nullptr, sweeps_.get(),
                                  combinations(inclusion) <= affordable_combinations ? enumerate_.get() : nullptr});
}

InclusionOutcome first_answer(const Inclusion& inclusion, std::initializer_list<const InclusionSolver*> solvers) {
  InclusionOutcome outcome;
  std::string reasons;
  for (const InclusionSolver* solver : solvers) {
    if (!solver) continue;
    outcome = solver->solve(inclusion);
    if (outcome.status == InclusionOutcome::Status::solved || outcome.exhaustive) return outcome;
    reasons += (reasons.empty() ? "" : "; ") + outcome.reason;
  }
  outcome.reason = reasons;
  return outcome;
}

}  // namespace carom
