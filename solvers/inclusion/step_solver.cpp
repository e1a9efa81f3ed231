#include "solvers/inclusion/step_solver.h"

#include <algorithm>
#include <utility>

namespace carom {

namespace {

constexpr std::ptrdiff_t most_discs = 1;

bool search_is_long(const Inclusion& inclusion, const Demand& demand) {
  const auto is_disc = [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; };
  return demand.every && std::count_if(inclusion.sets.begin(), inclusion.sets.end(), is_disc) > most_discs;
}

class StepSolver final : public InclusionSolver {
 public:
  explicit StepSolver(std::unique_ptr<InclusionSolver> solver) : solver_(std::move(solver)) {}

  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    Demand eased = demand;
    if (search_is_long(inclusion, demand)) eased.every = false;
    solver_->solve_into(inclusion, eased, outcome);
  }
  std::unique_ptr<InclusionFollower> follower() const override { return solver_->follower(); }
  bool takes_joints() const override { return solver_->takes_joints(); }

 private:
  std::unique_ptr<InclusionSolver> solver_;
};

}  // namespace

std::unique_ptr<InclusionSolver> solver_for_steps(std::unique_ptr<InclusionSolver> solver) {
  return std::make_unique<StepSolver>(std::move(solver));
}

}  // namespace carom
