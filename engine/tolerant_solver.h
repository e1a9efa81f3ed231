// The solver of a run. With more than `few_rows` rows it asks for no more than integrator.accuracy. If the solver stops
// short, its nearest impulses count as the solution within integrator.tolerance, unless the search was exhaustive: then
// there is no solution. Impulses out of all proportion to what drives them are one to the last digit or not at all: a
// body wedged between contacts has such near misses, of any energy.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/inclusion.h"

namespace carom {

// Of impulses that a run may go on with, counted and told: nearer ones tell where the bodies go, and what they miss is
// in the ledger.
inline constexpr double coarsest_residual = 1e-3;

class TolerantSolver final : public InclusionSolver {
 public:
  TolerantSolver(const InclusionSolver& solver, double accuracy, double tolerance)
      : solver_(solver), accuracy_(std::min(accuracy, tolerance)), tolerance_(tolerance) {}

  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    Demand eased = demand;
    if (inclusion.c.size() > few_rows) eased.tolerance = std::max(demand.tolerance, accuracy_);
    solver_.solve_into(inclusion, eased, outcome);
    accept_nearest(outcome);
    refuse_out_of_proportion(inclusion, outcome);
  }

 private:
  static constexpr Index few_rows = 24;                 // eight contacts in space
  static constexpr double out_of_all_proportion = 1e8;  // masses that differ by a million ask for 10⁶

  void accept_nearest(InclusionOutcome& outcome) const {
    if (outcome.status != InclusionOutcome::Status::unsolved || outcome.exhaustive) return;
    if (!outcome.nearest || !(outcome.nearest->residual <= tolerance_)) return;
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.clear();
    outcome.solutions.push_back(std::move(*outcome.nearest));
    outcome.nearest.reset();
    outcome.reason.clear();
  }

  static void refuse_out_of_proportion(const Inclusion& inclusion, InclusionOutcome& outcome) {
    const bool had_some = !outcome.solutions.empty();
    std::erase_if(outcome.solutions, [&](const InclusionSolution& solution) {
      return solution.residual > residual_tolerance && is_out_of_proportion(inclusion, solution.Lambda);
    });
    if (!had_some || !outcome.solutions.empty()) return;
    outcome.status = InclusionOutcome::Status::unsolved;
    outcome.reason = "only impulses that are too large for a meaningful result come near a solution";
  }

  static bool is_out_of_proportion(const Inclusion& inclusion, const Vec& Lambda) {
    double drive = 0, answer = 0;  // squared, as energies
    for (Index i = 0; i < inclusion.c.size(); ++i) {
      drive = std::max(drive, inclusion.c(i) * inclusion.c(i) * inclusion.r(i));
      answer = std::max(answer, Lambda(i) * Lambda(i) / inclusion.r(i));
    }
    return drive > 0 && answer > out_of_all_proportion * out_of_all_proportion * drive;
  }

  const InclusionSolver& solver_;
  double accuracy_, tolerance_;
};

}  // namespace carom
