#include "solvers/laws/inclusion_form.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/hidden_directions.h"
#include "solvers/inclusion/all/all.h"
#include "solvers/inclusion/share/share.h"

namespace carom {

namespace {

constexpr Index largest_shared = 200;  // rows; beyond, redundant contacts keep the impulses that the solver gave them

// The elements' work is the change of kinetic energy: false where huge impulses have rounded the velocities away.
bool is_balanced(const ImpactProblem& problem, const Vec& Lambda, const ImpactResult& result) {
  const double tolerance = 1e-7 * (result.T_minus + result.T_plus);
  const double rest = result.T_plus - result.T_minus - result.work;
  if (std::abs(rest) <= tolerance) return true;
  if (!problem.has_bilaterals()) return false;
  // A motion that is prescribed works too: by the part of W that the manifold takes.
  const Vec on_manifold = problem.white_directions().transpose() * problem.to_white(problem.u_minus());
  return std::abs(rest - Lambda.dot(on_manifold - problem.gamma_minus())) <= tolerance;
}

// Two phases that each have samples of a continuum have their products.
void thin_samples(const ImpactProblem& problem, std::vector<ImpactResult>& results) {
  const bool samples =
      std::any_of(results.begin(), results.end(), [](const ImpactResult& result) { return result.solver.samples; });
  if (!samples) return;
  std::vector<Vec> velocities;
  velocities.reserve(results.size());
  for (const ImpactResult& result : results) velocities.push_back(problem.to_white(result.u_plus));
  std::vector<ImpactResult> thinned;
  for (std::size_t i : spread(velocities, listed_samples)) thinned.push_back(std::move(results[i]));
  results = std::move(thinned);
}

// There is no impact then; friction may allow for one all the same, a jam.
bool nothing_approaches(const ImpactProblem& problem) {
  const double none = rounding * largest(problem.gamma_minus());
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (problem.row_count(i) > 0 && problem.gamma_minus()(problem.first_row(i)) < -none) return false;
  return true;
}

bool acts(const ImpactProblem& problem, const ImpactResult& result) {
  for (std::size_t i = 0; i < result.elements.size(); ++i)
    if (problem.row_count(i) > 0 && result.elements[i].state != State::open) return true;
  return false;
}

// Results that end with the same velocities are one; the most dissipative comes first, but for one without impulses
// where nothing approaches. Others, of less account, follow.
void order_results(const ImpactProblem& problem, std::vector<ImpactResult>& results, std::vector<ImpactResult> others) {
  const bool none_needed = nothing_approaches(problem);
  const auto comes_first = [&](const ImpactResult& a, const ImpactResult& b) {
    const bool a_acts = none_needed && acts(problem, a), b_acts = none_needed && acts(problem, b);
    return a_acts != b_acts ? b_acts : a.T_plus < b.T_plus;
  };
  std::vector<ImpactResult> distinct;
  for (std::vector<ImpactResult>* group : {&results, &others}) {
    std::vector<ImpactResult> fresh;
    for (ImpactResult& result : *group) {
      const auto is_same = [&](const ImpactResult& other) { return end_alike(problem, result, other); };
      const bool known =
          std::any_of(distinct.begin(), distinct.end(), is_same) || std::any_of(fresh.begin(), fresh.end(), is_same);
      if (!known) fresh.push_back(std::move(result));
    }
    std::stable_sort(fresh.begin(), fresh.end(), comes_first);
    thin_samples(problem, fresh);
    std::move(fresh.begin(), fresh.end(), std::back_inserter(distinct));
  }
  for (ImpactResult& result : distinct) {
    result.solver.solutions = static_cast<int>(distinct.size());
    if (distinct.size() > 1 && !result.solver.note.empty())
      result.solver.note =
          fmt::format("{} results were found{}; {}", distinct.size(),
                      others.empty() && !none_needed ? ", the most dissipative first" : "", result.solver.note);
  }
  results = std::move(distinct);
}

}  // namespace

void pose(const ImpactProblem& problem, Inclusion& inclusion) {
  inclusion.G = &problem.G();
  inclusion.r = problem.compliance().cwiseInverse();
  inclusion.sets.clear();
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.row_count(i) == 0) continue;
    const Index row = problem.first_row(i);
    const Contact* contact = problem.elements()[i].contact();
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();
    const Index tangents = contact ? contact->friction.size() : 0;
    for (Index k = 0; k < tangents; ++k) friction(k) = contact->friction(k);
    add_contact_sets(friction, tangents, row, 0, inclusion.sets);
  }
}

void pose(const ImpactProblem& problem, const Vec& offset, Inclusion& inclusion) {
  pose(problem, inclusion);
  for (ForceSet& set : inclusion.sets)
    if (set.normal_row >= 0) set.offset = offset(set.normal_row);
}

Inclusion pose(const ImpactProblem& problem, Vec c) {
  Inclusion inclusion;
  pose(problem, inclusion);
  inclusion.c = std::move(c);
  return inclusion;
}

Mat make_canonical(const Inclusion& inclusion, InclusionSolution& solution) {
  if (inclusion.c.size() > largest_shared || velocities_determine_impulses(inclusion))
    return Mat(inclusion.c.size(), 0);
  LeastImpulses least = least_impulses(inclusion, solution.Lambda);
  if (least.others.cols() == 0 || !least.found) return std::move(least.others);
  InclusionSolution shared = with_residual(inclusion, std::move(least.Lambda));
  if (shared.residual <= std::max(residual_tolerance, solution.residual)) solution = std::move(shared);
  return std::move(least.others);
}

bool end_alike(const ImpactProblem& problem, const ImpactResult& a, const ImpactResult& b) {
  const double scale = problem.to_white(a.u_minus).norm() + problem.to_white(a.u_plus).norm();
  return problem.to_white(a.u_plus - b.u_plus).norm() <= 1e-8 * scale;
}

std::string too_large(const ImpactProblem& problem) {
  const bool large_restitution = largest(restitution_by_rows(problem)) > 1 / rounding;
  return fmt::format(
      "the impulses are too large for a meaningful result ({})",
      large_restitution ? "a coefficient of restitution is too large" : "friction nearly locks the impact");
}

void restitution_by_rows(const ImpactProblem& problem, Vec& epsilon) {
  epsilon.resize(problem.rows());
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    const Index row = problem.first_row(i);
    if (const Contact* contact = problem.elements()[i].contact()) {
      epsilon(row) = contact->restitution;
      epsilon.segment(row + 1, problem.row_count(i) - 1).setConstant(contact->tangential_restitution);
    } else if (const Clutch* clutch = problem.elements()[i].clutch()) {
      epsilon(row) = clutch->restitution;
    }
  }
}

Vec restitution_by_rows(const ImpactProblem& problem) {
  Vec epsilon;
  restitution_by_rows(problem, epsilon);
  return epsilon;
}

void name_states(const ImpactProblem& problem, const Vec& Lambda, const Vec& xi, std::vector<State>& states) {
  // Velocities and impulses as energies, γ²/(wᵀM⁻¹w) and Λ²wᵀM⁻¹w: what is small to all is none.
  const Vec& unit = problem.compliance();
  const auto of_velocity = [&](double velocity, Index row) { return velocity * (velocity / unit(row)); };
  const auto of_impulse = [&](Index row) { return Lambda(row) * (Lambda(row) * unit(row)); };
  constexpr double none = rounding * rounding, at_rest = 1e4 * none;
  double velocities = 0, impulses = 0;  // the largest
  for (Index k = 0; k < problem.rows(); ++k) {
    velocities = std::max({velocities, of_velocity(problem.gamma_minus()(k), k), of_velocity(xi(k), k)});
    impulses = std::max(impulses, of_impulse(k));
  }
  states.assign(problem.elements().size(), State::open);
  for (std::size_t i = 0; i < states.size(); ++i) {
    double transmitted = 0, sliding = 0;
    for (Index k = problem.first_row(i); k < problem.first_row(i) + problem.row_count(i); ++k) {
      transmitted = std::max(transmitted, of_impulse(k));
      if (k > problem.first_row(i)) sliding = std::max(sliding, of_velocity(xi(k), k));
    }
    if (!(transmitted > none * std::max(impulses, velocities))) continue;
    const Contact* contact = problem.elements()[i].contact();
    states[i] = !contact || !contact->has_friction() ? State::closed
                : sliding > at_rest * velocities     ? State::slip
                                                     : State::stick;
  }
}

void tell(const InclusionOutcome& answer, int iterations, double residual, SolverReport& report) {
  report.name = answer.solver;
  report.iterations = iterations;
  report.residual = residual;
  report.solutions = 1;
}

void add_result(const ImpactProblem& problem, LawOutcome& outcome, std::size_t& count) {
  if (outcome.results.size() == count) outcome.results.emplace_back();
  complete(problem, outcome.scratch.jump, outcome.results[count]);
  if (is_balanced(problem, outcome.scratch.jump.Lambda, outcome.results[count])) ++count;
}

void finish_results(const ImpactProblem& problem, LawOutcome& outcome, std::size_t count,
                    std::vector<ImpactResult> others) {
  outcome.status = LawOutcome::Status::resolved;
  outcome.reason.clear();
  outcome.results.resize(count);
  if (count + others.size() > 1) order_results(problem, outcome.results, std::move(others));
}

void end_without_solution(const ImpactProblem& problem, const InclusionOutcome& answer, const std::string& phase,
                          LawOutcome& outcome) {
  const bool unsuited = answer.status == InclusionOutcome::Status::unsuited;
  const bool lost = !unsuited && answer.exhaustive && masses_hide_directions(problem);
  const std::string reason = lost ? hidden_by_masses : answer.reason;
  const std::string whole = phase.empty() ? reason : phase + ": " + reason;
  unsuited ? outcome.refuse(whole) : outcome.fail(whole);
}

LawOutcome resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon) {
  LawOutcome outcome;
  resolve_single_inclusion(problem, solver, epsilon, outcome);
  return outcome;
}

void resolve_single_inclusion(const ImpactProblem& problem, const InclusionSolver& solver, const Vec& epsilon,
                              LawOutcome& outcome) {
  auto& [inclusion, answer] = outcome.scratch.compression;
  Jump& jump = outcome.scratch.jump;
  jump.compression.reset();
  jump.work.reset();
  jump.routh.reset();
  const Vec& gamma_minus = problem.gamma_minus();
  pose(problem, inclusion);
  inclusion.c = gamma_minus + epsilon.cwiseProduct(gamma_minus);
  solver.solve_into(inclusion, {}, answer);
  if (answer.status != InclusionOutcome::Status::solved) return end_without_solution(problem, answer, "", outcome);
  std::size_t count = 0;
  for (InclusionSolution& solution : answer.solutions) {
    make_canonical(inclusion, solution);
    jump.Lambda = solution.Lambda;
    name_states(problem, solution.Lambda, solution.xi, jump.states);
    tell(answer, answer.iterations, solution.residual, jump.solver);
    jump.solver.note = answer.note;
    jump.solver.samples = answer.samples;
    add_result(problem, outcome, count);
  }
  if (count == 0) return outcome.fail(too_large(problem));
  finish_results(problem, outcome, count);
}

}  // namespace carom
