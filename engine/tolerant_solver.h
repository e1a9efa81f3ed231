// The solver of a run. With more than `few_rows` rows it asks for no more than integrator.accuracy. If the solver stops
// short, its nearest impulses count as the solution within integrator.tolerance, unless the search was exhaustive: then
// there is no solution.

#pragma once

#include <algorithm>
#include <utility>

#include "engine/inclusion.h"

namespace carom {

class TolerantSolver final : public InclusionSolver {
 public:
  TolerantSolver(const InclusionSolver& solver, double accuracy, double tolerance)
      : solver_(solver), accuracy_(std::min(accuracy, tolerance)), tolerance_(tolerance) {}

  InclusionOutcome solve(const Inclusion& inclusion) const override {
    InclusionOutcome outcome;
    solve_into(inclusion, outcome);
    return outcome;
  }
  void solve_into(const Inclusion& inclusion, InclusionOutcome& outcome) const override {
    if (inclusion.c.size() > few_rows && inclusion.tolerance < accuracy_) {
      Inclusion eased = inclusion;
      eased.tolerance = accuracy_;
      solver_.solve_into(eased, outcome);
    } else {
      solver_.solve_into(inclusion, outcome);
    }
    accept_nearest(outcome);
  }

 private:
  static constexpr Index few_rows = 24;  // eight contacts in space

  void accept_nearest(InclusionOutcome& outcome) const {
    if (outcome.status != InclusionOutcome::Status::unsolved || outcome.exhaustive) return;
    if (!outcome.nearest || !(outcome.nearest->residual <= tolerance_)) return;
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.assign(1, std::move(*outcome.nearest));
    outcome.nearest.reset();
    outcome.reason.clear();
  }

  const InclusionSolver& solver_;
  double accuracy_, tolerance_;
};

}  // namespace carom
