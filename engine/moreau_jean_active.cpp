// Which contacts take part in a step.

#include <algorithm>
#include <cmath>

#include "engine/moreau_jean.h"

namespace carom {

// What rounding makes of w·u: no approach.
double MoreauJean::approach_tolerance(Index row, const Vec& u) const {
  double sum = 0;
  for (const Rows::Entry& entry : contacts_.W[row]) sum += std::abs(entry.value * u(entry.column));
  return rounding * sum;
}

void MoreauJean::select_active(const SimulationState& state) {
  active_.clear();
  // A contact at rest stays active although its gap is rounded; the allowance is far below any motion of a step.
  gap_allowance_ = 1e-11 * (1 + largest(state.q));
  const auto end = state.impulses.end();
  auto remembered = state.impulses.begin();
  for (std::size_t i = 0; i < contacts_.points.size(); ++i) {
    const ContactPoint& point = contacts_.points[i];
    if (remembered == end || remembered->key != point.key) {
      remembered = std::lower_bound(state.impulses.begin(), end, point.key,
                                    [](const auto& impulse, std::uint64_t key) { return impulse.key < key; });
    }
    const SimulationState::Impulse* before = nullptr;
    if (remembered != end && remembered->key == point.key) before = &*remembered++;

    const double gamma = contacts_.W.dot(point.first_row, state.u);
    const bool goes_on = before && before->sustained && !in_inclusion_form_;
    if (!goes_on && !(point.gap + 0.5 * h_ * gamma <= gap_allowance_)) continue;
    Active& active = active_.emplace_back();
    active.point = static_cast<std::uint32_t>(i);
    active.key = point.key;
    active.tangents = static_cast<std::int8_t>(point.tangents);
    active.gamma = gamma;
    active.kept_gap = point.gap;
    active.approaching = gamma < -options_.capture_speed && gamma < -approach_tolerance(point.first_row, state.u);
    if (!before) continue;
    active.was_sustained = before->sustained;
    if (before->keeps_gap) active.kept_gap = before->gap;
    active.impulse = before->value;
  }
  if (!active_.empty() && something_impacts()) leave_out_rounded_approach(state);
}

bool MoreauJean::something_impacts() const {
  return std::any_of(active_.begin(), active_.end(), [](const Active& active) { return active.impacts(); });
}

// Of bodies at rest the velocity is what rounding leaves of the forces' impulse in a step: no approach either.
void MoreauJean::leave_out_rounded_approach(const SimulationState& state) {
  inner_.setZero(n_);
  applied_.setZero(n_);
  system_.forces(state.time, state.q, state.u, inner_, applied_);
  accelerated_ = h_ * (inner_ + applied_);
  M_.solve_in_place(accelerated_);
  for (Active& active : active_) {
    const Index row = contacts_.points[active.point].first_row;
    if (active.approaching && -active.gamma <= approach_tolerance(row, accelerated_)) active.approaching = false;
  }
}

}  // namespace carom
