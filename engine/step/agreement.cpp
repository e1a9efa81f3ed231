#include "engine/step/agreement.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/step/course.h"
#include "engine/step/mean_directions.h"

namespace carom {

namespace {

constexpr int most_passes = 50;  // of forces and inclusion in turn
constexpr double slow = 0.5;     // corrections of a step whose contacts swing: one of them is about to jam

double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }  // not a number if one is none

}  // namespace

void Agreement::find(const ContactStep& step, PosedStep& posed) {
  expect(step);
  const bool solved = impulses_.solve(step, posed, true);
  if (step.active.something_swings) {
    if (solved && passes_agree(step, posed)) {
      end_.look(step, posed, impulses_.found().Lambda);
      if (!Course{step, posed, impulses_.found(), end_}.something_jams()) return;
    }
    leave_swinging(step, posed);
  }
  if (setting_.constant || passes_agree(step, posed)) return;
  if (!end_.u().allFinite() || !std::isfinite(best_.missed)) forces_.fail_diverged(step.state.time, end_.u());
  go_on_with_best(step);
}

void Agreement::go_on_with_best(const ContactStep& step) {
  step.departure.u_free = best_.u_free;
  impulses_.go_back_to(step, best_.impulses);
  if (best_.missed <= setting_.options.tolerance) return;
  const double t = step.state.time;
  const std::string how_far =
      fmt::format("forces and impulses do not agree, by {:.2g} of the velocities; a smaller integrator.step may help",
                  best_.missed);
  if (best_.missed <= coarsest_residual) {
    notices_.go_on(t, "agreement", "in some steps in contact " + how_far);
  } else {
    notices_.fail_or_warn(t, "agreement", "the step in contact does not converge: " + how_far);
  }
}

// u_free with what the impulses of the step before, which are near those of this one, do to it.
void Agreement::expect(const ContactStep& step) {
  if (meets_forces(step)) return expect_end(step);
  if (!step.active.something_swings) return;
  Vec& u_free = step.departure.u_free;
  u_straight_ = u_free;
  const Vec& turned = turning(step);
  for (Index i = 0; i < setting_.n; ++i) u_free(i) += turned(i);
}

// As the forces see the velocity that the step is expected to end with: the first of the passes.
void Agreement::expect_end(const ContactStep& step) {
  Vec& v = end_.u();
  flight_.predict(step.begin, step.state, step.active.contacts, v);
  Vec& change = forces_.imbalance(step.state, step.begin.M(), step.state.u, step.state.u, v);
  if (step.active.something_swings) add_turning(step, impulses_.found().Lambda, change);
  step.departure.response->A.respond(change);
  Vec& u_free = step.departure.u_free;
  u_free.resize(setting_.n);
  for (Index i = 0; i < setting_.n; ++i) u_free(i) = v(i) + change(i);
  u_followed_ = v;
  if (!u_free.allFinite()) forces_.fail_diverged(step.state.time, u_free);
}

// A⁻¹(W̄ − W̃)Λ, on the joints.
const Vec& Agreement::turning(const ContactStep& step) {
  turning_.setZero(setting_.n);
  add_turning(step, impulses_.found().Lambda, turning_);
  turn_joint_reactions(step, turning_);
  step.departure.response->A.respond(turning_);
  return turning_;
}

// Impulses along W̃ alone, where a contact jams, or the directions of both ends of the step contradict each other.
void Agreement::leave_swinging(const ContactStep& step, PosedStep& posed) {
  step.active.something_swings = false;
  for (ActiveContact& active : step.active.contacts) active.swings = false;
  impulses_.start_again(step);
  if (meets_forces(step)) {
    expect_end(step);
  } else {
    step.departure.u_free = u_straight_;
  }
  impulses_.solve(step, posed, true);
}

// What an inclusion misses, or answers in more than one way within its accuracy, no pass can take back: where
// corrections no longer fall below what they were and are not larger than that, forces and impulses agree as well as
// they can.
bool Agreement::passes_agree(const ContactStep& step, PosedStep& posed) {
  double scale_of_flight = 0;
  double last = begin_passes(step, scale_of_flight), least = last;
  best_.missed = HUGE_VAL;
  for (int pass = 0; pass < most_passes; ++pass) {
    const Vec& change = correction(step);
    double size = 0, speed = scale_of_flight;
    for (Index i = 0; i < setting_.n; ++i) {
      size = larger(size, std::abs(change(i)));
      speed = larger(speed, std::abs(end_.u()(i)));
    }
    keep_if_best(size / speed, step);
    for (Index i = 0; i < setting_.n; ++i) step.departure.u_free(i) += change(i);
    if (!(size <= 1e6 * speed)) return false;
    if (!impulses_.solve(step, posed, false)) return false;
    // If it shrinks on as it did, the next one is:
    const double next = std::isfinite(last) ? size * std::min(1.0, size / last) : size;
    const double agreed = std::max(1e-9, impulses_.found().residual) * speed;
    if (next <= 1e-15 * speed || (size <= agreed && size > 0.5 * least)) return true;
    if (step.active.something_swings && size > slow * last && size > agreed) return false;
    last = size;
    least = std::min(least, size);
  }
  return false;
}

void Agreement::keep_if_best(double missed, const ContactStep& step) {
  if (!(missed < best_.missed)) return;
  best_.missed = missed;
  best_.u_free = step.departure.u_free;
  best_.impulses = impulses_.found();
}

// How much the pass before them changed, if there was one; and the speed that corrections are measured by.
double Agreement::begin_passes(const ContactStep& step, double& speed) {
  const Departure& departure = step.departure;
  const bool first_is_done = meets_forces(step);
  const Vec& u_straight = step.active.something_swings ? u_straight_ : departure.u_free;
  const Vec& u_flight = first_is_done ? departure.u_free : departure.u_flight;
  double changed = 0;
  if (!setting_.constant && !first_is_done) u_jumped_.resize(setting_.n);
  for (Index i = 0; i < setting_.n; ++i) {
    const double u = step.state.u(i);
    speed = std::max(speed, std::abs(u));
    if (setting_.constant) continue;
    speed = std::max(speed, std::abs(u_flight(i) - u));
    if (first_is_done) {
      changed = std::max(changed, std::abs(end_.u()(i) - u_followed_(i)));
    } else {
      u_jumped_(i) = u + (u_straight(i) - u_flight(i));
    }
  }
  return first_is_done ? changed : HUGE_VAL;
}

// Of the free velocity, by what forces and impulses leave of the momentum.
const Vec& Agreement::correction(const ContactStep& step) {
  const Departure& departure = step.departure;
  if (setting_.constant) {
    turning(step);
    for (Index i = 0; i < setting_.n; ++i) turning_(i) += u_straight_(i) - departure.u_free(i);
    return turning_;
  }
  const bool jointed = setting_.joints > 0;
  Vec& change = forces_.imbalance(step.state, step.begin.M(), jointed ? flight_.flown().u_kicked : step.state.u,
                                  meets_forces(step) ? step.state.u : u_jumped_, end_.u());
  if (jointed) change += flight_.flown().joint_impulse;
  add_impulses(step, impulses_.found().Lambda, 1, change);
  turn_joint_reactions(step, change);
  departure.response->A.respond(change);
  return change;
}

// Joints answer to the impulses of contacts that go on along ½(B(q_k) + B̃), too. Where an impact was split off they
// are known at its place alone.
void Agreement::turn_joint_reactions(const ContactStep& step, Vec& momentum) {
  const bool is_split = step.departure.place != &step.begin;
  if (!step.active.something_swings || setting_.joints == 0 || is_split) return;
  EndResponse& response = *step.departure.response;
  pushed_.setZero(setting_.n);
  for (const ActiveContact& active : step.active.contacts)
    if (active.swings) add_impulse(step, active, impulses_.found().Lambda, 1, pushed_);
  response.A.respond(pushed_);
  joint_reaction_.resize(setting_.joints);
  response.A.find_joint_impulses(joint_reaction_);
  for (Index j = 0; j < setting_.joints; ++j) {
    step.begin.B().add_to(momentum, j, 0.5 * joint_reaction_(j));
    response.B.add_to(momentum, j, -0.5 * joint_reaction_(j));
  }
}

}  // namespace carom
