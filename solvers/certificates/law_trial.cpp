#include "solvers/certificates/law_trial.h"

#include <algorithm>
#include <cmath>

#include "solvers/certificates/search_effort.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

// The default solver, asked for all solutions or told that one will do, and counted.
class CountedSolver final : public InclusionSolver {
 public:
  CountedSolver(bool every, double beside, double& units) : every_(every), beside_(beside), units_(units) {}

  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    Demand asked = demand;
    asked.every = demand.every && every_;
    solver_->solve_into(inclusion, asked, outcome);
    units_ += beside_ + inclusion_units(inclusion.c.size()) * (is_spatial(inclusion) ? times_in_space : 1) +
              (every_ ? units_of_branch : units_of_iteration) * static_cast<double>(outcome.iterations);
    if (outcome.status != InclusionOutcome::Status::solved) units_ += units_of_failure;
  }

 private:
  static bool is_spatial(const Inclusion& inclusion) {
    return std::any_of(inclusion.sets.begin(), inclusion.sets.end(),
                       [](const ForceSet& set) { return set.size() > 1; });
  }

  bool every_;
  double beside_;  // units that the law takes for every inclusion
  double& units_;
  std::unique_ptr<InclusionSolver> solver_ = find_solver("auto")->make();
};

// Of a law that solves no inclusion: springs, or paths of one contact at a time in many orders.
double path_units(const LawChoice& law, const ImpactProblem& problem) {
  double contacts = 0;
  bool spatial = false;
  for (const Element& element : problem.elements()) {
    contacts += element.bilateral() ? 0 : 1;
    spatial = spatial || (element.contact() && element.contact()->tangent.rows() == 2);
  }
  if (form_of(law) == LawForm::springs) return units_of_springs * contacts;
  return (spatial ? units_of_spatial_path : units_of_path) * std::max(1.0, contacts * contacts * contacts);
}

// Of a law that lets contacts collide in turn, one inclusion a collision.
double collision_units(const LawChoice& law) { return find_law(law.type)->is_combinator() ? units_of_collision : 0; }

}  // namespace

LawTrial::LawTrial(const LawChoice& law, const ImpactProblem& problem)
    : problem_(problem),
      units_of_path_(path_units(law, problem)),
      law_(make_law(law)),
      every_solution_(std::make_unique<CountedSolver>(true, collision_units(law), units_)),
      one_solution_(std::make_unique<CountedSolver>(false, collision_units(law), units_)) {
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (!problem.elements()[i].bilateral()) colliding_.push_back(i);
}

LawOutcome LawTrial::outcome(const Vec& u_minus, Solutions wanted) const {
  const double before = units_;
  LawOutcome outcome = law_->resolve(problem_.subproblem(colliding_, u_minus),
                                     wanted == Solutions::every ? *every_solution_ : *one_solution_);
  if (units_ == before) units_ += units_of_path_;  // a law that solves no inclusion
  return outcome;
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
