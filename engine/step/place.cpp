#include "engine/step/place.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/joint_directions.h"
#include "engine/step_failure.h"

namespace carom {

void Place::begin(double t, const Vec& q) {
  if (!setting_.mass_is_constant) {
    setting_.system.mass(q, own_mass_);
    if (!own_mass_.factor()) fail(t, "the mass matrix is not positive definite");
  }
  manifold_.set_mass(M(), nullptr, 0, 0);
  find_joints(t, q);
  block_has_joints_.assign(static_cast<std::size_t>(M().block_count()), false);
  for (Index j = 0; j < setting_.joints; ++j)
    for (const Rows::Entry& entry : B_[j])
      block_has_joints_[static_cast<std::size_t>(M().block_of(entry.column))] = true;
  find_clutches(q);
}

void Place::find_joints(double t, const Vec& q) {
  if (setting_.joints == 0) return;
  direct_joints(setting_.system, t, q, B_, b_);
  manifold_.set_joints(B_);
}

void Place::find_clutches(const Vec& q) {
  clutches_.W.clear();
  clutches_.restitution.clear();
  setting_.system.clutches(q, clutches_);
}

void Place::evaluate_anew(double t, const Vec& q, const Vec& u) {
  if (!setting_.mass_is_constant) {
    setting_.system.mass(q, own_mass_);
    if (!own_mass_.factor()) {
      if (!q.allFinite()) forces_.fail_diverged(t, u);
      fail(t, "the mass matrix is not positive definite where the step leads; a smaller integrator.step may help");
    }
  }
  find_joints(t, q);
  if (!setting_.fixed_directions) find_clutches(q);
}

void Place::project(double t, Vec& q, const Vec& u) {
  if (setting_.geometric_joints == 0) return;
  gap_.resize(setting_.geometric_joints);
  double last = HUGE_VAL;
  for (int iteration = 0; iteration < 20; ++iteration) {
    setting_.system.joint_gaps(t, q, gap_);
    const double off = setting_.lengths.largest_part(gap_, B_, q);
    if (off <= 1e-15 || (off <= 1e-11 && off >= 0.5 * last)) return;
    last = off;
    miss_.setZero(setting_.joints);
    miss_.head(setting_.geometric_joints) = -gap_;
    manifold_.shift(miss_, shift_);
    setting_.system.move(q, shift_, q);
    evaluate(t, q, u);
  }
  if (!(last <= 1e-10)) fail(t, fmt::format("joints cannot be closed: {:.2g} off after projection", largest(gap_)));
}

void Place::find_contacts(const SimulationState& state) {
  carom::find_contacts(setting_, state.q, state.u, *contacts_);
  ++found_;
}

void Place::take_contacts(Place& before, const SimulationState& state) {
  std::swap(contacts_, before.contacts_);
  found_ = before.found_;
  if (setting_.fixed_directions) return setting_.system.contact_gaps(state.q, *contacts_);
  if (!setting_.system.finds_again(*contacts_, state.q, state.u, setting_.search_time)) find_contacts(state);
}

bool Place::has_joints(Rows::Row direction) const {
  return std::any_of(direction.begin(), direction.end(), [&](const Rows::Entry& entry) {
    return block_has_joints_[static_cast<std::size_t>(M().block_of(entry.column))];
  });
}

}  // namespace carom
