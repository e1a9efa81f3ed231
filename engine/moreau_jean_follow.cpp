// What answers to the impulses of a step in contact: forces, lever arms and joints, followed in passes over its
// inclusion.

#include <algorithm>
#include <cmath>

#include "engine/moreau_jean.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr int most_passes = 50;  // of forces and inclusion in turn
constexpr double slow = 0.5;     // corrections of a step whose contacts swing: one of them is about to jam

double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }  // not a number if one is none

}  // namespace

// Forces that depend on position and velocity answer to the impulses beyond what A knows, and the lever arms of
// contacts turn with the bodies: Newton's method on
//
//   M(q_θ)(v − u_k − Δ) = hF(q_θ, u_θ) + W̄Λ + Bλ,   Δ the jump of a split impact,
//
// with the inclusion, along W̃, solved anew in each pass. W̄ = ½(W(q_k) + W̃) where lever arms turn: what is closed at
// either end of a step, W(q_k)ᵀu_k = W̃ᵀv = 0, then does the work ¼Λᵀ(W̃ − W(q_k))ᵀ(u_k − v), of third order in h. Along
// W̃ alone it would be of second, and a top on its tip would lose its spin. Points and disks, whose normals pass through
// their centres, are left as the classical step has them.
void MoreauJean::follow(const SimulationState& state) {
  if (something_swings_) {
    if (!swinging_fails_ && passes_agree(state)) {
      see_end_of_step();
      if (!something_jams()) return;
    }
    leave_swinging(state);
    if (constant_) return;
  }
  if (passes_agree(state)) return;
  if (!velocity_.allFinite()) fail_diverged(state.time, velocity_);
  fail(state.time, "the step in contact does not converge; a smaller integrator.step may help");
}

// u_free_ as the forces see the velocity that the step is expected to end with, the first of the passes, and with what
// the impulses of the step before, which are near those of this one, do along W̄ and not along W̃.
void MoreauJean::expect_end(const SimulationState& state) {
  go_within(state, velocity_);
  find_imbalance(state.time + theta_ * h_, q_theta_, state.u, velocity_);
  if (something_swings_) add_turning(imbalance_);
  end_response_.respond(imbalance_);
  for (Index i = 0; i < n_; ++i) u_free_(i) = velocity_(i) + imbalance_(i);
  u_followed_ = velocity_;
  if (!u_free_.allFinite()) fail_diverged(state.time, u_free_);
}

// u_free_ with what the impulses of the step before do along W̄ and not along W̃, where it is that of a whole flight.
void MoreauJean::expect_swinging() {
  u_straight_ = u_free_;
  find_turning();
  for (Index i = 0; i < n_; ++i) u_free_(i) += imbalance_(i);
}

// imbalance_ = A⁻¹(W̄ − W̃)Λ, on the joints.
void MoreauJean::find_turning() {
  imbalance_.setZero(n_);
  add_turning(imbalance_);
  turn_joint_reactions();
  end_response_.respond(imbalance_);
}

// momentum += (W̄ − W̃)Λ = ½(W(q_k) − W̃)Λ of what swings.
void MoreauJean::add_turning(Vec& momentum) const {
  for (const Active& active : active_) {
    if (!active.swings) continue;
    const Index own = contacts_.points[active.point].first_row;
    for (Index k = 0; k < active.rows(); ++k) {
      const double half = 0.5 * Lambda_(active.row + k);
      contacts_.W.add_to(momentum, own + k, half);
      W_.add_to(momentum, active.row + k, -half);
    }
  }
}

// Impulses along W̃ alone, where a contact jams, or the directions of both ends of the step contradict each other.
void MoreauJean::leave_swinging(const SimulationState& state) {
  something_swings_ = swinging_fails_ = false;
  for (Active& active : active_) {
    active.swings = false;
    for (Index k = 0; k < active.rows(); ++k) Lambda_(active.row + k) = active.impulse(k);
  }
  if (follows_forces()) {
    predict_velocity(state);
    expect_end(state);
  } else {
    u_free_ = u_straight_;
  }
  solve_step(state, true);
}

// What an inclusion misses, or answers in more than one way within its accuracy, no pass can take back: where
// corrections no longer fall below what they were and are not larger than that, forces and impulses agree as well as
// they can.
bool MoreauJean::passes_agree(const SimulationState& state) {
  double scale_of_flight = 0, first_change = 0;
  const Vec& u_straight = something_swings_ ? u_straight_ : u_free_;
  const bool first_pass_is_done = follows_forces();
  const Vec& u_flight = first_pass_is_done ? u_free_ : u_flight_;
  for (Index i = 0; i < n_; ++i) {
    const double u = state.u(i);
    scale_of_flight = std::max(scale_of_flight, std::abs(u));
    if (constant_) continue;
    scale_of_flight = std::max(scale_of_flight, std::abs(u_flight(i) - u));
    if (first_pass_is_done) {
      first_change = std::max(first_change, std::abs(velocity_(i) - u_followed_(i)));
    } else {
      u_jumped_(i) = u + (u_straight(i) - u_flight(i));
    }
  }
  double last = first_pass_is_done ? first_change : HUGE_VAL;
  double least = last;
  for (int pass = 0; pass < most_passes; ++pass) {
    find_correction(state);
    double correction = 0, speed = scale_of_flight;
    for (Index i = 0; i < n_; ++i) {
      correction = larger(correction, std::abs(imbalance_(i)));
      speed = larger(speed, std::abs(velocity_(i)));
      u_free_(i) += imbalance_(i);
    }
    if (!(correction <= 1e6 * speed)) return false;
    solve_step(state, false);
    if (swinging_fails_) return false;
    // If it shrinks on as it did, the next one is:
    const double next = std::isfinite(last) ? correction * std::min(1.0, correction / last) : correction;
    const double agreed = std::max(1e-9, solved_residual_) * speed;
    if (next <= 1e-15 * speed || (correction <= agreed && correction > 0.5 * least)) return true;
    if (something_swings_ && correction > slow * last && correction > agreed) return false;
    last = correction;
    least = std::min(least, correction);
  }
  return false;
}

// imbalance_: of the free velocity, by what forces and impulses leave of the momentum.
void MoreauJean::find_correction(const SimulationState& state) {
  if (constant_) {
    find_turning();
    for (Index i = 0; i < n_; ++i) imbalance_(i) += u_straight_(i) - u_free_(i);
    return;
  }
  go_within(state, velocity_);
  find_imbalance(state.time + theta_ * h_, q_theta_, follows_forces() ? state.u : u_jumped_, velocity_);
  if (joints_ > 0) imbalance_ += joint_impulse_;
  add_impulses(imbalance_, 1);
  turn_joint_reactions();
  end_response_.respond(imbalance_);
}

// Joints answer to the impulses of contacts that go on along ½(B(q_k) + B̃), too.
void MoreauJean::turn_joint_reactions() {
  const bool is_split = !in_inclusion_form_ && !islands_.empty();  // and the joints are known where the impact was
  if (!something_swings_ || joints_ == 0 || is_split) return;
  column_.setZero(n_);
  for (const Active& active : active_)
    if (active.swings) add_impulse(active, 1, column_);
  end_response_.respond(column_);
  joint_reaction_.resize(joints_);
  end_response_.find_joint_impulses(joint_reaction_);
  for (Index j = 0; j < joints_; ++j) {
    B_.add_to(imbalance_, j, 0.5 * joint_reaction_(j));
    B_end_.add_to(imbalance_, j, -0.5 * joint_reaction_(j));
  }
}

// momentum += factor·W̄Λ.
void MoreauJean::add_impulses(Vec& momentum, double factor) const {
  for (const Active& active : active_) add_impulse(active, factor, momentum);
  for (Index i = clutch_row_; i < W_.count(); ++i) W_.add_to(momentum, i, factor * Lambda_(i));
}

void MoreauJean::add_impulse(const Active& active, double factor, Vec& momentum) const {
  const Index own = contacts_.points[active.point].first_row;
  for (Index k = 0; k < active.rows(); ++k) {
    const double impulse = factor * Lambda_(active.row + k);
    const double at_beginning = active.swings ? 0.5 * impulse : 0;
    if (active.swings) contacts_.W.add_to(momentum, own + k, at_beginning);
    W_.add_to(momentum, active.row + k, impulse - at_beginning);
  }
}

}  // namespace carom
