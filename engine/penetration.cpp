#include "engine/penetration.h"

#include <algorithm>

#include "engine/simulation.h"

namespace carom {

void PenetrationWatch::begin(const SimulationState& state) {
  places_.clear();
  rows_.clear();
  for (std::size_t row = 0; row < state.penetrations.size(); ++row)
    rows_.emplace(system_.contact_pair(state.penetrations[row].key), row);
}

void PenetrationWatch::look(std::span<const ContactPoint> points, SimulationState& state) {
  places_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double depth = -points[i].gap;
    if (!(depth > rounded_depth_)) continue;
    Place& place = places_[i];
    if (place.row == none || place.key != points[i].key) place = {points[i].key, row_of(points[i].key, state)};
    Penetration& seen = state.penetrations[place.row];
    if (depth > seen.depth) {
      seen.key = points[i].key;
      seen.depth = depth;
      seen.time = state.time;
    }
    if (!seen.is_deep(depth) || seen.deep_at == state.step) continue;
    if (seen.deep_at < 0 || seen.deep_at + 1 < state.step) seen.deep_since = state.time;
    seen.deep_at = state.step;
    seen.lasted = std::max(seen.lasted, state.time - seen.deep_since);
  }
}

std::size_t PenetrationWatch::row_of(std::uint64_t key, SimulationState& state) {
  const auto [found, is_new] = rows_.try_emplace(system_.contact_pair(key), state.penetrations.size());
  if (is_new) state.penetrations.push_back({.key = key, .size = system_.contact_half_thickness(key)});
  return found->second;
}

}  // namespace carom
