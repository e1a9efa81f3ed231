#include "engine/step/impulses.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/hidden_directions.h"
#include "engine/jamming.h"
#include "engine/residual_up_to.h"

namespace carom {

namespace {

constexpr Index few_rows = 4;  // following their impulses costs no more than to look whether they are still right
constexpr double steps_to_last = 1e4;       // that kept impulses of many contacts are to do for
constexpr std::size_t most_enumerated = 8;  // contacts whose solutions are all looked for

// With one ε in all rows c is an image of Wᵀ, and planar friction has a solution; with an ε along normals alone it need
// not: a body that friction holds between its contacts cannot leave them.
bool differ_within_contacts(const Inclusion& inclusion, const Vec& epsilon) {
  return std::any_of(inclusion.sets.begin(), inclusion.sets.end(), [&](const ForceSet& set) {
    return set.is_friction() && epsilon(set.row) != epsilon(set.normal_row);
  });
}

constexpr const char* wedged =
    "; friction holds bodies between contacts that restitution asks to open: with restitution 0, or by a law that "
    "splits impacts off the step, there is a solution";

}  // namespace

Impulses::Impulses(const StepSetting& setting, const InclusionSolver& solver, const TolerantSolver& tolerant,
                   StepInclusion& inclusion, EndOfStep& end, IslandImpact& impact, const StepForces& forces,
                   Notices& notices)
    : setting_(setting),
      solver_(solver),
      tolerant_solver_(tolerant),
      inclusion_(inclusion),
      end_(end),
      impact_(impact),
      forces_(forces),
      notices_(notices),
      follower_(solver.follower()) {}

void Impulses::start(const ContactStep& step, const PosedStep& posed) {
  if (step.active.version != 0 && step.active.version == started_for_) return;  // all go on: they are as they were
  started_for_ = step.active.version;
  const Index rows = step.rows.W.count();
  Vec& Lambda = found_.Lambda;
  Lambda.resize(rows + posed.joint_rows);
  start_again(step);
  for (Index i = step.rows.clutch_row; i < rows; ++i) Lambda(i) = 0;
  if (posed.joint_rows == 0) return;
  response_.setZero(setting_.n);
  for (Index j = 0; j < rows; ++j) step.rows.W.add_to(response_, j, Lambda(j));
  step.departure.response->A.respond(response_);
  step.departure.response->A.find_joint_impulses(Lambda.tail(posed.joint_rows));
}

void Impulses::start_again(const ContactStep& step) {
  for (const ActiveContact& active : step.active.contacts)
    for (Index k = 0; k < active.rows(); ++k) found_.Lambda(active.row + k) = active.impulse(k);
}

void Impulses::go_back_to(const ContactStep& step, const StepImpulses& earlier) {
  found_ = earlier;
  inclusion_.set_free_velocity(step, false);
  end_.reach(step, found_.Lambda);
}

// A pass that is not the first of a step has changed c: its impulses are no longer the ones they were. Nor are those of
// a few contacts under forces that change, or of one row: following them costs no more than to look whether they are.
bool Impulses::solve(const ContactStep& step, PosedStep& posed, bool anew) {
  inclusion_.set_free_velocity(step, anew);
  const bool may_stay = anew && step.rows.W.count() > (setting_.constant ? 1 : few_rows);
  const Kept kept = may_stay || !follower_ ? look_at_kept(step, posed) : Kept::none;
  if (kept == Kept::with_velocities) return true;
  const bool solved = kept == Kept::impulses || follow(step, posed);
  end_.reach(step, found_.Lambda);
  return solved;
}

// A contact at rest carries the same from step to step: then there is nothing to solve. Of many rough ones the
// velocities tell that their impulses lead to, which are wanted anyway. Of many smooth ones what rounding left in the
// velocities is to be taken back in nearly every step: looking first whether it is would cost more than doing it.
Impulses::Kept Impulses::look_at_kept(const ContactStep& step, PosedStep& posed) {
  found_.iterations = 0;
  found_.solutions = 1;
  if (step.rows.W.count() <= Delassus::largest_dense || posed.joint_rows > 0) {
    const double enough = std::min(setting_.options.tolerance, residual_tolerance);
    found_.residual = residual_up_to(enough, posed.inclusion, found_.Lambda);
    return found_.residual <= enough ? Kept::impulses : Kept::none;
  }
  if (posed.inclusion.frictionless) return Kept::none;
  const double enough = std::min(setting_.options.tolerance, setting_.options.accuracy);
  end_.keep(step, found_.Lambda);
  end_.look(step, posed, found_.Lambda);
  xi_.resize(step.rows.W.count());
  for (Index i = 0; i < xi_.size(); ++i) xi_(i) = posed.xi(i, end_.gamma()(i));
  found_.residual = residual_up_to(enough, posed.inclusion, found_.Lambda, xi_);
  if (!(found_.residual <= enough)) return Kept::none;
  if (found_.residual <= enough / (2 * steps_to_last) || they_last(step, posed, enough)) return Kept::with_velocities;
  return find_lasting(posed) ? Kept::impulses : Kept::with_velocities;
}

// Impulses that are near enough for this step change the velocities by γ_{k+1} − γ_k, and by as much in every further
// step that keeps them. Where this adds up to more than is asked for they will have to be found anew, such that they
// take back the velocity too that has come together by then; kept for another step they would bring it up again, with
// the other sign, and so on for ever: a pile would never come to rest. So they are kept where they will do for many
// steps, and found anew before they are wrong where they will not. Where something moves they will not anyway: the
// contacts turn.
bool Impulses::they_last(const ContactStep& step, const PosedStep& posed, double enough) {
  if (!(steps_to_last * setting_.h * setting_.lengths.largest_part(step.departure.u) <= enough)) return true;
  for (Index i = 0; i < xi_.size(); ++i)
    if (posed.own_compliance(i) > 0) xi_(i) += steps_to_last * (end_.gamma()(i) - posed.at_begin(i));
  return residual_up_to(enough, posed.inclusion, found_.Lambda, xi_) <= enough;
}

// From impulses that are near enough already to those that leave the velocities as they are, as near as the solver
// comes. If it comes no nearer they stay.
bool Impulses::find_lasting(PosedStep& posed) {
  start_from_found(0);
  const InclusionOutcome outcome = tolerant_solver_.solve(posed.inclusion, demand_);
  if (outcome.status != InclusionOutcome::Status::solved) return false;
  if (!(outcome.solutions.front().residual <= demand_.tolerance)) return false;
  found_.iterations = outcome.iterations;
  take(outcome.solutions.front());
  return true;
}

void Impulses::start_from_found(double wanted_part) {
  start_ = found_.Lambda;
  demand_ = {.tolerance = std::min(setting_.options.accuracy, setting_.options.tolerance),
             .wanted_part = wanted_part,
             .every = false,
             .start = &start_};
}

void Impulses::take(const InclusionSolution& solution) {
  found_.Lambda = solution.Lambda;
  found_.residual = solution.residual;
}

bool Impulses::follow(const ContactStep& step, PosedStep& posed) {
  Inclusion& inclusion = posed.inclusion;
  found_.solutions = 1;
  start_from_found(usually_wanted);
  if (follower_) {
    if (const auto followed = follower_->follow(inclusion, demand_, found_.Lambda)) {
      found_.iterations = followed->iterations;
      found_.residual = followed->residual;
      return leave_sliding_that_cannot_last(step, posed);
    }
    found_.Lambda = start_;
  }
  if (found_.Lambda.size() > Delassus::largest_dense) {  // of many rows a solver would hand back what is near enough
    found_.residual = natural_residual(inclusion, found_.Lambda);
    if (found_.residual <= demand_.tolerance) return leave_sliding_that_cannot_last(step, posed);
  }
  return ask_solver(step, posed);
}

bool Impulses::ask_solver(const ContactStep& step, PosedStep& posed) {
  Inclusion& inclusion = posed.inclusion;
  const double t = step.state.time;
  if (!inclusion.c.allFinite()) forces_.fail_diverged(t, step.departure.u_free);
  const auto is_solved = [](const InclusionOutcome& o) { return o.status == InclusionOutcome::Status::solved; };
  InclusionOutcome outcome = tolerant_solver_.solve(inclusion, demand_);
  if (!is_solved(outcome) && posed.joint_rows > 0) {
    inclusion_.eliminate_joints(step, found_.Lambda);
    start_ = found_.Lambda;
    outcome = tolerant_solver_.solve(inclusion, demand_);
  }
  if (!is_solved(outcome) && inclusion_.leave_restitution_to_impacts(step))
    outcome = tolerant_solver_.solve(inclusion, demand_);
  found_.iterations = outcome.iterations;
  if (start_is_nearer(posed, outcome)) return true;
  found_.solutions = static_cast<int>(outcome.solutions.size());
  if (!is_solved(outcome)) {
    if (step.active.something_swings) return false;
    if (!outcome.exhaustive && outcome.nearest && outcome.nearest->residual <= coarsest_residual) {
      take(*outcome.nearest);
    } else {
      refuse(step, posed, outcome);
    }
    return true;
  }
  take(outcome.solutions.front());
  if (found_.residual > demand_.tolerance)
    notices_.tell_once("accuracy", fmt::format("from t = {:.4g} s on some steps end with a residual above {:g} "
                                               "(integrator.accuracy), within {:g} (integrator.tolerance)",
                                               t, demand_.tolerance, setting_.options.tolerance));
  return leave_sliding_that_cannot_last(step, posed);
}

// Λ as the solver was given it, if that is a solution and its answer is none or no nearer.
bool Impulses::start_is_nearer(const PosedStep& posed, const InclusionOutcome& outcome) {
  const double of_start = natural_residual(posed.inclusion, found_.Lambda);
  if (!(of_start <= demand_.tolerance)) return false;
  if (!outcome.solutions.empty() && outcome.solutions.front().residual < of_start) return false;
  found_.residual = of_start;
  return true;
}

// No solution was found: the run ends, or goes on with the impulses that come nearest.
void Impulses::refuse(const ContactStep& step, const PosedStep& posed, const InclusionOutcome& outcome) {
  const std::vector<ActiveContact>& contacts = step.active.contacts;
  const std::string contact = contacts.empty()
                                  ? std::string("a clutch")
                                  : "'" + setting_.system.contact_name(step.point(contacts.front()).key) + "'";
  const std::string others = contacts.size() > 1 ? fmt::format(" and {} more", contacts.size() - 1) : "";
  const std::string advice =
      outcome.exhaustive || !outcome.nearest
          ? (differ_within_contacts(posed.inclusion, posed.epsilon) ? wedged : "")
          : fmt::format(
                "; with the nearest impulses they break contact and friction by {:.2g} of what drives them, and "
                "from {:g} on a step means nothing: a smaller integrator.step may help",
                outcome.nearest->residual, coarsest_residual);
  notices_.fail_or_warn(step.state.time, "contact without solution",
                        fmt::format("contact at {}{}: {}{}", contact, others, why_unsolved(step, outcome), advice));
  found_.residual = natural_residual(posed.inclusion, found_.Lambda);
  if (outcome.nearest && outcome.nearest->residual < found_.residual) take(*outcome.nearest);
}

// The reason that `carom impact` would give for the same contacts.
std::string Impulses::why_unsolved(const ContactStep& step, const InclusionOutcome& outcome) {
  if (!outcome.exhaustive || !step.departure.islands) return outcome.reason;
  for (const StepIsland& island : *step.departure.islands) {
    impact_.pose(island, step.elements(), step.departure.u);
    if (masses_hide_directions(impact_.problem())) return hidden_by_masses;
  }
  return outcome.reason;
}

bool Impulses::leave_sliding_that_cannot_last(const ContactStep& step, PosedStep& posed) {
  const std::vector<ActiveContact>& contacts = step.active.contacts;
  if (contacts.size() > most_enumerated) return true;
  const Index row = row_that_slides_against_itself(posed.inclusion, found_.Lambda);
  if (row < 0) return true;
  if (step.active.something_swings) return false;
  const auto active = std::find_if(contacts.begin(), contacts.end(),
                                   [&](const ActiveContact& candidate) { return candidate.row == row; });
  demand_.every = true;
  const InclusionOutcome all = solver_.solve(posed.inclusion, demand_);
  const InclusionSolution* lasting =
      lasting_solution(posed.inclusion, all.solutions, row, active->impulse(0) > found_.Lambda(row));
  if (!lasting) return true;
  take(*lasting);
  found_.solutions = static_cast<int>(all.solutions.size());
  return true;
}

}  // namespace carom
