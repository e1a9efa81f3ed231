#include "tools/regained_state.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace carom {

namespace {

constexpr std::int64_t always_repeated = 200000;  // steps: seconds of work
constexpr std::int64_t largest_part = 4;          // of longer runs a quarter

// Whether the step from here takes no contact in, so that nothing is remembered beyond it.
bool is_free(const System& system, const SimulationState& state, double h) {
  Contacts contacts;
  system.contacts(state.q, state.u, h, contacts);
  return std::all_of(contacts.points.begin(), contacts.points.end(), [&](const ContactPoint& point) {
    return point.gap > h * std::abs(contacts.W.dot(point.first_row, state.u));
  });
}

std::optional<SimulationState> latest_free_state(const Scene& scene, const RunFileReader& file, std::int64_t last) {
  const std::int64_t most = std::max(always_repeated, last / largest_part);
  for (std::int64_t sample = file.samples() - 1; sample >= 0; --sample) {
    std::optional<SimulationState> at = file.state_at(sample);
    if (!at || last - at->step > most) return std::nullopt;
    if (at->step == 0 || is_free(*scene.system, *at, scene.integrator.step)) return at;
  }
  return std::nullopt;
}

}  // namespace

bool regain_state(Simulation& simulation, const Scene& scene, const RunFileReader& file, const SimulationState& last) {
  const std::optional<SimulationState> free = latest_free_state(scene, file, last.step);
  if (!free) return false;
  try {
    simulation.return_to(last.step, *free);
  } catch (const SimulationFailure&) {
    return false;  // where the run did not fail: these are not its steps
  }
  return simulation.state().q == last.q && simulation.state().u == last.u;
}

}  // namespace carom
