#include "solvers/certificates/law_trial.h"

#include <algorithm>
#include <cmath>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

namespace carom {

LawTrial::LawTrial(const LawChoice& law, const ImpactProblem& problem)
    : problem_(problem), law_(make_law(law)), solver_(find_solver("auto")->make()) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (!problem.elements()[i].bilateral()) colliding_.push_back(i);
}

LawOutcome LawTrial::outcome(const Vec& u_minus) const {
  return law_->resolve(problem_.subproblem(colliding_, u_minus), *solver_);
}

double LawTrial::gain(const Vec& u_minus) const {
  double largest_gain = -HUGE_VAL;
  for (const ImpactResult& result : outcome(u_minus).results) {
    if (result.T_minus > 0 && std::isfinite(result.T_plus))
      largest_gain = std::max(largest_gain, (result.T_plus - result.T_minus) / result.T_minus);
  }
  return largest_gain;
}

std::optional<Vec> LawTrial::after(const Vec& u_minus) const {
  const LawOutcome result = outcome(u_minus);
  if (result.results.empty() || !result.results.front().u_plus.allFinite()) return std::nullopt;
  return result.results.front().u_plus;
}

int affordable_trials(const LawChoice& law, const ImpactProblem& problem) {
  std::size_t elements = 0;
  bool spatial = false;
  for (const Element& element : problem.elements()) {
    elements += !element.bilateral();
    spatial =
        spatial || (element.contact() && element.contact()->has_friction() && element.contact()->tangent.rows() == 2);
  }
  if (elements > 40) return 0;
  if (law.type == "compliant") return elements <= 2 ? 400 : elements <= 4 ? 100 : 0;
  if (law.type == "sequential") return spatial || elements > 4 ? 60 : elements > 2 ? 600 : 3000;
  if (elements > 6) return 120;
  return spatial || elements > 3 ? 1500 : 6000;
}

Vec with_energy_of(const ImpactProblem& problem, const Vec& u) {
  const double own = problem.kinetic_energy(problem.u_minus());
  const double energy = problem.kinetic_energy(u);
  return energy > 0 ? Vec(std::sqrt((own > 0 ? own : 1.0) / energy) * u) : u;
}

}  // namespace carom
