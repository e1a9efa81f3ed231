#include "solvers/certificates/law_trial.h"

#include <algorithm>
#include <cmath>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

// The default solver, told that one solution will do.
class OneSolution final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    Inclusion posed = inclusion;
    posed.every = false;
    return solver_->solve(posed);
  }

 private:
  std::unique_ptr<InclusionSolver> solver_ = find_solver("auto")->make();
};

}  // namespace

LawTrial::LawTrial(const LawChoice& law, const ImpactProblem& problem)
    : problem_(problem),
      law_(make_law(law)),
      every_solution_(find_solver("auto")->make()),
      one_solution_(std::make_unique<OneSolution>()) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (!problem.elements()[i].bilateral()) colliding_.push_back(i);
}

LawOutcome LawTrial::outcome(const Vec& u_minus, Solutions wanted) const {
  return law_->resolve(problem_.subproblem(colliding_, u_minus),
                       wanted == Solutions::every ? *every_solution_ : *one_solution_);
}

double LawTrial::gain(const Vec& u_minus, Solutions wanted) const {
  double largest_gain = -HUGE_VAL;
  for (const ImpactResult& result : outcome(u_minus, wanted).results) {
    if (result.T_minus > 0 && std::isfinite(result.T_plus))
      largest_gain = std::max(largest_gain, (result.T_plus - result.T_minus) / result.T_minus);
  }
  return largest_gain;
}

std::optional<Vec> LawTrial::after(const Vec& u_minus, Solutions wanted) const {
  const LawOutcome result = outcome(u_minus, wanted);
  if (result.results.empty() || !result.results.front().u_plus.allFinite()) return std::nullopt;
  return result.results.front().u_plus;
}

Vec with_energy_of(const ImpactProblem& problem, const Vec& u) {
  const double own = problem.kinetic_energy(problem.u_minus());
  const double energy = problem.kinetic_energy(u);
  return energy > 0 ? Vec(std::sqrt((own > 0 ? own : 1.0) / energy) * u) : u;
}

}  // namespace carom
