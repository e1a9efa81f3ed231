#include "solvers/laws/inclusion_form.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/inclusion/least_impulses.h"

namespace carom {

namespace {

constexpr Index largest_shared = 200;  // rows; beyond, redundant contacts keep the impulses that the solver gave them

}  // namespace

Inclusion pose(const ImpactProblem& problem, Vec c, const Vec& offset) {
  Inclusion inclusion;
  inclusion.G = &problem.G();
  inclusion.c = std::move(c);
  inclusion.r = problem.compliance().cwiseInverse();
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.row_count(i) == 0) continue;
    const Index row = problem.first_row(i);
    const Contact* contact = problem.elements()[i].contact();
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();
    if (contact) friction.head(contact->friction.size()) = contact->friction;
    add_contact_sets(friction, contact ? contact->friction.size() : 0, row, offset(row), inclusion.sets);
  }
  return inclusion;
}

Inclusion pose(const ImpactProblem& problem, Vec c) { return pose(problem, std::move(c), Vec::Zero(problem.rows())); }

CanonicalSolution canonical(const Inclusion& inclusion, const InclusionSolution& solution) {
  if (inclusion.c.size() > largest_shared) return {solution, Mat(inclusion.c.size(), 0)};
  LeastImpulses least = least_impulses(inclusion, solution.Lambda);
  if (least.others.cols() == 0 || !least.found) return {solution, std::move(least.others)};
  return {with_residual(inclusion, std::move(least.Lambda)), std::move(least.others)};
}

Vec restitution_by_rows(const ImpactProblem& problem) {
  Vec epsilon(problem.rows());
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Index row = problem.first_row(i);
    if (const Contact* contact = problem.elements()[i].contact()) {
      epsilon(row) = contact->restitution;
      epsilon.segment(row + 1, problem.row_count(i) - 1).setConstant(contact->tangential_restitution);
    } else if (const Clutch* clutch = problem.elements()[i].clutch()) {
      epsilon(row) = clutch->restitution;
    }
  }
  return epsilon;
}

std::vector<State> states_of(const ImpactProblem& problem, const Vec& Lambda, const Vec& xi) {
  const Vec unit = problem.compliance();
  double speed = 0;  // the largest velocity in the impact, in the units of √(impulse·velocity)
  double impulse = 0;
  for (Index k = 0; k < problem.rows(); ++k) {
    speed = std::max(
        {speed, std::abs(problem.gamma_minus()(k)) / std::sqrt(unit(k)), std::abs(xi(k)) / std::sqrt(unit(k))});
    impulse = std::max(impulse, std::abs(Lambda(k)) * std::sqrt(unit(k)));
  }
  std::vector<State> states;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    State state = State::open;
    double transmitted = 0;
    double sliding = 0;
    for (Index k = problem.first_row(i); k < problem.first_row(i) + problem.row_count(i); ++k) {
      transmitted = std::max(transmitted, std::abs(Lambda(k)) * std::sqrt(unit(k)));
      if (k > problem.first_row(i)) sliding = std::max(sliding, std::abs(xi(k)) / std::sqrt(unit(k)));
    }
    if (transmitted > rounding * impulse) {
      const Contact* contact = problem.elements()[i].contact();
      state = !contact || !contact->has_friction() ? State::closed
              : sliding > 100 * rounding * speed   ? State::slip
                                                   : State::stick;
    }
    states.push_back(state);
  }
  return states;
}

void order_results(const ImpactProblem& problem, std::vector<ImpactResult>& results) {
  const auto distance = [&](const ImpactResult& a, const ImpactResult& b) {
    return problem.to_white(a.u_plus - b.u_plus).norm();
  };
  std::vector<ImpactResult> distinct;
  for (ImpactResult& result : results) {
    const double scale = problem.to_white(result.u_minus).norm() + problem.to_white(result.u_plus).norm();
    const bool known = std::any_of(distinct.begin(), distinct.end(),
                                   [&](const ImpactResult& other) { return distance(result, other) <= 1e-8 * scale; });
    if (!known) distinct.push_back(std::move(result));
  }
  std::stable_sort(distinct.begin(), distinct.end(),
                   [](const ImpactResult& a, const ImpactResult& b) { return a.T_plus < b.T_plus; });
  for (ImpactResult& result : distinct) {
    result.solver.solutions = static_cast<int>(distinct.size());
    if (distinct.size() > 1 && !result.solver.note.empty())
      result.solver.note =
          fmt::format("{} results were found, the most dissipative first; {}", distinct.size(), result.solver.note);
  }
  results = std::move(distinct);
}

bool is_balanced(const ImpactResult& result) {
  return std::abs(result.work - (result.T_plus - result.T_minus)) <= 1e-7 * (result.T_minus + result.T_plus);
}

LawOutcome without_solution(const InclusionOutcome& outcome, const std::string& phase) {
  const std::string reason = phase.empty() ? outcome.reason : phase + ": " + outcome.reason;
  return outcome.status == InclusionOutcome::Status::unsuited ? LawOutcome::refused(reason)
                                                              : LawOutcome::failed(reason);
}

LawOutcome resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon) {
  const Vec& gamma_minus = problem.gamma_minus();
  const Inclusion inclusion = pose(problem, gamma_minus + epsilon.cwiseProduct(gamma_minus));
  const InclusionOutcome outcome = solver.solve(inclusion);
  if (outcome.status != InclusionOutcome::Status::solved) return without_solution(outcome, "");
  LawOutcome law;
  for (const InclusionSolution& found : outcome.solutions) {
    const InclusionSolution solution = canonical(inclusion, found).solution;
    Jump jump;
    jump.Lambda = solution.Lambda;
    jump.states = states_of(problem, solution.Lambda, solution.xi);
    jump.solver = {outcome.solver, outcome.iterations, solution.residual, 1, outcome.note};
    ImpactResult result = complete(problem, jump);
    if (is_balanced(result)) law.results.push_back(std::move(result));
  }
  if (law.results.empty())
    return LawOutcome::failed("the impulses are too large for a meaningful result (friction nearly locks the impact)");
  order_results(problem, law.results);
  return law;
}

}  // namespace carom
