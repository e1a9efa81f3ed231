#include "engine/step/flight.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/joint_directions.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr int most_flight_iterations = 80;

// An iteration has settled when its correction is at rounding level, or no longer shrinks from a small size. What
// rounds is the velocity, the change a step makes in it, and positions divided by h where joints are closed.
class Settling {
 public:
  Settling(double speed, double rounded_off) : speed_(speed), rounded_off_(rounded_off) {}

  bool settled(double correction) {
    first_ = std::max(first_, correction);
    const double scale = std::max(speed_, first_);
    const bool stalled = correction > 0.5 * last_ && correction <= std::max(1e-9 * scale, 1e4 * rounded_off_);
    // If it shrinks on as it did, the next one is:
    const double next = std::isfinite(last_) ? correction * std::min(1.0, correction / last_) : correction;
    last_ = correction;
    constexpr double to_rounding = std::numeric_limits<double>::epsilon();
    return next <= std::max(to_rounding * scale, 0.1 * rounded_off_) || stalled;
  }
  bool diverged() const { return !std::isfinite(last_) || last_ > 1e6 * std::max(speed_, first_); }

 private:
  double speed_, rounded_off_;
  double first_ = 0;
  double last_ = HUGE_VAL;
};

// v += change; how much the largest is. Not a number if one of them is none.
double add(const Vec& change, Vec& v) {
  double most = 0;
  for (Index i = 0; i < v.size(); ++i) {
    const double size = std::abs(change(i));
    if (!(size <= most) && !std::isnan(most)) most = size;
    v(i) += change(i);
  }
  return most;
}

}  // namespace

void Flight::find_response(const Place& begin, const SimulationState& state) {
  response_ = &begin.manifold();
  if (setting_.constant) return;
  gradient_.clear();
  setting_.system.force_gradient(state.time, state.q, state.u, gradient_);
  if (gradient_.empty()) return;
  const double by_speed = setting_.h * setting_.theta;
  if (!stiff_.set_mass(begin.M(), &gradient_, by_speed, setting_.h * setting_.h * setting_.theta * setting_.theta))
    fail(state.time, "mass and stiffness together are not positive definite");
  stiff_.set_joints(begin.B());
  response_ = &stiff_;
}

EndResponse& Flight::end_response(const MassMatrix& M, double t_end) {
  const bool is_stiff = response_ == &stiff_;
  end_.A.set_mass(M, is_stiff ? &gradient_ : nullptr, setting_.h * setting_.theta,
                  setting_.h * setting_.h * setting_.theta * setting_.theta);
  changes_ += 1;
  end_.version = setting_.mass_is_constant && !is_stiff && setting_.joints == 0 ? 0 : changes_;
  if (setting_.joints == 0) return end_;
  direct_joints(setting_.system, t_end, flown_.q, end_.B, end_.b);
  end_.A.set_joints(end_.B);
  return end_;
}

void Flight::predict(const Place& begin, const SimulationState& state, std::span<const ActiveContact> active, Vec& u) {
  u = state.u;
  if (setting_.mass_is_constant || setting_.joints > 0) return;
  Vec& change = forces_.impulse(state.time, state.q, state.u);
  const Contacts& contacts = begin.contacts();
  for (const ActiveContact& contact : active)
    for (Index k = 0; k < contact.rows(); ++k)
      contacts.W.add_to(change, contacts.points[contact.point].first_row + k, contact.impulse(k));
  response_->solve_free(change);
  add(change, u);
}

Flown& Flight::fly(const Place& begin, const SimulationState& state) {
  if (setting_.steady) return fly_steadily(begin, state);
  find_response(begin, state);
  Vec& v = flown_.u;
  predict(begin, state, {}, v);
  const bool jointed = setting_.joints > 0;
  if (jointed) {
    flown_.u_kicked = state.u;                 // with the kick M⁻¹Bλ at the beginning of the step
    flown_.joint_impulse.setZero(setting_.n);  // Bλ
  }
  const Vec& u = jointed ? flown_.u_kicked : state.u;
  // Where joints are closed speeds are told as parts of the system a second, in which positions round alike.
  const LengthScale& lengths = setting_.lengths;
  const double rounded_off = jointed ? 4e-16 * lengths.of_gaps(state.q) / (lengths.size() * setting_.h) : 0.0;
  const auto speed_of = [&](const Vec& w) { return jointed ? lengths.largest_part(w) : largest(w); };
  Settling settling(std::max(speed_of(state.u), speed_of(v)), rounded_off);
  for (int iteration = 0;; ++iteration) {
    Vec& delta = forces_.imbalance(state, begin.M(), u, u, v);
    response_->solve_free(delta);
    if (jointed) close_joints(begin, state, delta);
    const double most = add(delta, v);
    if (settling.settled(jointed ? lengths.largest_part(delta) : most)) break;
    if (iteration == most_flight_iterations || settling.diverged()) fail_to_converge(state.time);
  }
  setting_.system.move(state.q, forces_.displacement(u, v, 1), flown_.q);
  if (setting_.geometric_joints > 0) refuse_what_contradicts(setting_.t_end, begin.B());
  return flown_;
}

// Under constant forces every flight changes the velocity by the same.
Flown& Flight::fly_steadily(const Place& begin, const SimulationState& state) {
  response_ = &begin.manifold();
  const double h = setting_.h, theta = setting_.theta;
  flown_.u.resize(setting_.n);  // who asked before may have kept its storage
  displacement_.resize(setting_.n);
  for (Index i = 0; i < setting_.n; ++i) {
    const double u = state.u(i), v = u + forces_.steady_change()(i);
    flown_.u(i) = v;
    displacement_(i) = h * ((1 - theta) * u + theta * v);
  }
  setting_.system.move(state.q, displacement_, flown_.q);
  return flown_;
}

// dv = A⁻¹(B dλ − R): the part along the joints is set by what the end of the step misses.
void Flight::close_joints(const Place& begin, const SimulationState& state, Vec& delta) {
  find_joint_misses(state);
  if (!miss_.allFinite()) {
    const auto first = std::find_if(miss_.begin(), miss_.end(), [](double x) { return !std::isfinite(x); });
    fail(setting_.t_end, fmt::format("the joint or motion '{}' is not finite: is its expression defined there?",
                                     setting_.system.joint_name(first - miss_.begin())));
  }
  for (Index j = 0; j < setting_.joints; ++j) miss_(j) += setting_.theta * begin.B().dot(j, delta);
  miss_ = -miss_;
  response_->shift(miss_, shift_);
  delta += shift_;
  response_->multiply(shift_, residual_);
  flown_.joint_impulse += residual_;
  kick_ = flown_.joint_impulse;
  begin.M().solve_in_place(kick_);
  flown_.u_kicked = state.u + kick_;
}

// By how much the joints fail at the end of the step (geometric ones, over h) and within it (kinematic ones).
void Flight::find_joint_misses(const SimulationState& state) {
  const Index joints = setting_.joints, geometric = setting_.geometric_joints;
  displacement_ = setting_.h * forces_.u_theta();
  setting_.system.move(state.q, displacement_, flown_.q);
  gap_.resize(geometric);
  setting_.system.joint_gaps(setting_.t_end, flown_.q, gap_);
  miss_.resize(joints);
  miss_.head(geometric) = gap_ / setting_.h;
  if (joints == geometric) return;
  direct_joints(setting_.system, state.time + setting_.theta * setting_.h, forces_.q_theta(), B_theta_, b_theta_);
  for (Index j = geometric; j < joints; ++j) miss_(j) = B_theta_.dot(j, forces_.u_theta()) - b_theta_(j);
}

void Flight::fail_to_converge(double t) const {
  if (!flown_.u.allFinite()) forces_.fail_diverged(t, flown_.u);
  const char* const unless =
      setting_.joints > 0 ? ", unless the joints are in a singular pose (a linkage stretched out)" : "";
  fail(t, fmt::format("the implicit step does not converge; a smaller integrator.step may help{}", unless));
}

// Joints and motions that cannot all be met: the elimination leaves the later ones out as redundant, and they stay
// open. What the last pass of the flight found open it may have closed since.
void Flight::refuse_what_contradicts(double t, const Rows& B) {
  constexpr double open = 1e-9;  // a part of the system's lengths
  const LengthScale& lengths = setting_.lengths;
  if (lengths.largest_part(gap_, B, flown_.q) <= open) return;
  setting_.system.joint_gaps(t, flown_.q, gap_);
  if (lengths.largest_part(gap_, B, flown_.q) <= open) return;
  Index worst = 0;
  gap_.cwiseAbs().maxCoeff(&worst);
  fail(t, fmt::format("'{}' stays open by {:.4g} {}: other joints or prescribed motions contradict it",
                      setting_.system.joint_name(worst), std::abs(gap_(worst)),
                      lengths.is_length(B[worst]) ? "m" : "rad"));
}

}  // namespace carom
