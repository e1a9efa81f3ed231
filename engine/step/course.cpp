#include "engine/step/course.h"

#include <algorithm>
#include <cmath>

namespace carom {

// How much the contact turns under the velocity within the step, on a curved path: W̃ᵀu − W(q_k)ᵀu.
double Course::turning_of(const ActiveContact& active) const {
  if (posed.gamma_begin.size() == 0) return 0;  // directions are fixed
  double turned = 0;
  for (Index k = 0; k < active.rows(); ++k) {
    const double straight_on = step.at_begin(active, k, step.departure.u);
    turned = std::max(turned, std::abs(posed.gamma_begin(active.row + k) - straight_on));
  }
  return turned;
}

// A stack's bodies fall alike, and push each other all the same: what the forces do to either counts.
double Course::pushed_by_forces(Index row) const {
  const Departure& departure = step.departure;
  double sum = 0;
  for (const Rows::Entry& entry : step.rows.W[row])
    sum += std::abs(entry.value * (departure.u_free(entry.column) - departure.u(entry.column)));
  return sum;
}

// No faster than its path turns, or than rounding makes of the velocities.
bool Course::hardly_opens(const ActiveContact& active) const {
  const double opening = end.gamma()(active.row);
  if (opening <= posed.force_speed(active.row) + turning_of(active)) return true;
  return opening <= rounded_speed(step.rows.W[active.row], end.u());
}

// Where nothing is restituted a contact that carries an impulse is closed, unless it opens by more than all of that
// impulse could have done: what solvers leave on open contacts is no impulse.
bool Course::is_sustained(const ActiveContact& active) const {
  const double opening = end.gamma()(active.row);
  if (opening <= largest_opening_at_rest(posed, impulses.Lambda, active.row) || hardly_opens(active)) return true;
  return !step.departure.restitutes && opening <= posed.own_compliance(active.row) * impulses.Lambda(active.row);
}

bool Course::jumps(const ActiveContact& active) const {
  const bool law_has_told = active.impacts && step.departure.impacts_are_resolved;
  if (!(impulses.Lambda(active.row) > 0) || law_has_told) return false;
  double jump = 0;
  double speed = 0;
  for (Index row = active.row; row < active.end_row(); ++row) {
    jump = std::max(jump, std::abs(end.gamma()(row) - posed.at_begin(row)));
    speed = std::max(speed, std::abs(posed.at_begin(row)));
  }
  if (!(jump > end.jump_speed() && jump > 0.5 * speed)) return false;
  return jump > end.jump_speed() + many_steps * turning_of(active);
}

bool Course::something_jams() const {
  return end.something_jumps() && std::any_of(step.active.contacts.begin(), step.active.contacts.end(),
                                              [&](const ActiveContact& active) { return jumps(active); });
}

bool Course::collides(const ActiveContact& active) const {
  return active.impacts && !step.departure.impacts_are_resolved &&
         -posed.gamma_k(active.row) > 2 * (posed.force_speed(active.row) + turning_of(active));
}

double Course::work_of(Index first_row, Index rows) const {
  double twice = 0;
  for (Index row = first_row; row < first_row + rows; ++row)
    twice += impulses.Lambda(row) * (posed.gamma_k(row) + end.gamma()(row));
  return 0.5 * twice;
}

State state_of(const ActiveContact& active, const PosedStep& posed, const Vec& Lambda, const Vec& gamma_end) {
  if (!(Lambda(active.row) > 0)) return State::open;
  if (active.tangents == 0) return State::closed;
  double slip = 0;
  double scale = 0;
  for (Index row = active.row + 1; row < active.end_row(); ++row) {
    slip = std::max(slip, std::abs(gamma_end(row) + posed.epsilon(row) * posed.gamma_k(row)));
    scale = std::max({scale, std::abs(posed.at_begin(row)), std::abs(gamma_end(row)),
                      posed.own_compliance(row) * std::abs(Lambda(row))});
  }
  return slip > 1e-9 * scale ? State::slip : State::stick;
}

}  // namespace carom
