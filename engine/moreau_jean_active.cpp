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
  something_impacts_ = false;
  // A contact at rest stays active although its gap is rounded; the allowance is far below any motion of a step.
  gap_allowance_ = 1e-11 * (1 + largest(state.q));
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
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
    const bool was_sustained = before && before->sustained;
    const bool goes_on = was_sustained && !in_inclusion_form_;
    if (!goes_on && !(point.gap + 0.5 * h_ * gamma <= gap_allowance_)) continue;
    const bool impacts =
        !was_sustained && gamma < -options_.capture_speed && gamma < -approach_tolerance(point.first_row, state.u);
    something_impacts_ = something_impacts_ || impacts;
    active_.push_back({.key = point.key,
                       .gamma = gamma,
                       .kept_gap = before && before->keeps_gap ? before->gap : point.gap,
                       .impulse = before ? before->value : none,
                       .row = 0,
                       .point = static_cast<std::uint32_t>(i),
                       .tangents = static_cast<std::int8_t>(point.tangents),
                       .impacts = impacts,
                       .was_sustained = was_sustained});
  }
  if (something_impacts_) leave_out_rounded_approach(state);
}

// Of bodies at rest the velocity is what rounding leaves of the forces' impulse in a step, or of the fast ones that an
// impact brought to rest: no approach either.
void MoreauJean::leave_out_rounded_approach(const SimulationState& state) {
  if (!steady_) {
    find_force_impulse(state.time, state.q, state.u);
    M_.solve_in_place(imbalance_);
  }
  const Vec& by_forces = steady_ ? steady_change_ : imbalance_;
  const double left_of_others = rounding * largest(state.u);
  something_impacts_ = false;
  for (Active& active : active_) {
    if (!active.impacts) continue;
    const Index row = contacts_.points[active.point].first_row;
    double lever = 0;
    for (const Rows::Entry& entry : contacts_.W[row]) lever = std::max(lever, std::abs(entry.value));
    if (-active.gamma <= std::max(approach_tolerance(row, by_forces), left_of_others * lever)) active.impacts = false;
    something_impacts_ = something_impacts_ || active.impacts;
  }
}

}  // namespace carom
