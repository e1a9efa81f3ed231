// A solver for the steps and impacts of a run. It is asked for what an inclusion asks, but where contacts are many for
// no more than the run asks of its steps: the last digits of impulses that contacts share in many ways take most of the
// time. Where rounding does not let it get there, the nearest impulses count as the solution if their residual is
// within what the run tolerates of its steps. The solution tells its residual. Where every possibility was tried there
// is no solution, and none near one is taken for it.

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
