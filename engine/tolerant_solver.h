// A solver for the steps and impacts of a run. It is asked for what an inclusion asks; where rounding does not let it get there,
// as with many contacts that share their impulses in many ways, the nearest impulses count as the solution if their
// residual is within what the run tolerates of its steps. The solution tells its residual. Where every possibility was
// tried there is no solution, and none near one is taken for it.

#pragma once

#include <utility>

#include "engine/inclusion.h"

namespace carom {

class TolerantSolver final : public InclusionSolver {
 public:
  TolerantSolver(const InclusionSolver& solver, double tolerance) : solver_(solver), tolerance_(tolerance) {}

  InclusionOutcome solve(const Inclusion& inclusion) const override {
    InclusionOutcome outcome;
    solve_into(inclusion, outcome);
    return outcome;
  }
  void solve_into(const Inclusion& inclusion, InclusionOutcome& outcome) const override {
    solver_.solve_into(inclusion, outcome);
    accept_nearest(outcome);
  }

 private:
  void accept_nearest(InclusionOutcome& outcome) const {
    if (outcome.status != InclusionOutcome::Status::unsolved || outcome.exhaustive) return;
    if (!outcome.nearest || !(outcome.nearest->residual <= tolerance_)) return;
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.assign(1, std::move(*outcome.nearest));
    outcome.nearest.reset();
    outcome.reason.clear();
  }

  const InclusionSolver& solver_;
  double tolerance_;
};

}  // namespace carom
