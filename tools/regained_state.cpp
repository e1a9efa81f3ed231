#include "tools/regained_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/stepping.h"

namespace carom {

namespace {

constexpr std::int64_t always_repeated = 200000;  // steps: seconds of work
constexpr std::int64_t largest_part = 4;          // of longer runs a quarter
constexpr std::int64_t looks_a_distance = 100;    // farther back fewer samples are looked at: each is read by itself

// Whether the step from here takes no contact in, so that nothing is remembered beyond it.
bool is_free(const System& system, const SimulationState& state, double h) {
  Contacts contacts;
  system.contacts(state.q, state.u, h, contacts);
  return std::all_of(contacts.points.begin(), contacts.points.end(), [&](const ContactPoint& point) {
    return point.gap > h * std::abs(contacts.W.dot(point.first_row, state.u));
  });
}

class Nothing final : public Recorder {
 public:
  void sample(const Sample&) override {}
  void impact(const ImpactRecord&) override {}
};

}  // namespace

std::optional<SimulationState> state_to_repeat_from(const Scene& scene, const RunFileReader& file, std::int64_t last) {
  const std::int64_t most = std::max(always_repeated, last / largest_part);
  const std::int64_t end = file.samples() - 1;
  for (std::int64_t back = 0; back <= end;
       back = back == end ? end + 1 : std::min(end, back + 1 + back / looks_a_distance)) {
    std::optional<SimulationState> at = file.state_at(end - back);
    if (!at || last - at->step > most) return std::nullopt;
    if (at->step == 0 || is_free(*scene.system, *at, scene.integrator.step)) return at;
  }
  return std::nullopt;
}

Regained regain_state(Simulation& simulation, const SimulationState& earlier, const SimulationState& last,
                      const std::function<void()>& watch) {
  constexpr std::int64_t no_samples = std::numeric_limits<std::int64_t>::max();
  Nothing recorder;
  simulation.resume(earlier);
  const SteppingEnd end = step_until(last.step, simulation, recorder, no_samples, watch);
  if (end.reason == SteppingEnd::Reason::stopped) return Regained::stopped;
  const SimulationState regained = simulation.state();
  if (end.reason == SteppingEnd::Reason::failed || regained.q != last.q || regained.u != last.u) return Regained::no;
  simulation.resume(regained);  // the impacts on the way are counted already
  return Regained::yes;
}

}  // namespace carom
