#include "engine/simulation.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/scheme.h"
#include "engine/suggestion.h"

namespace carom {

std::int64_t IntegratorOptions::step_count() const {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(duration / step * (1 - 1e-9))));
}

struct Simulation::Parts {
  const System& system;
  const IntegratorOptions options;
  const std::int64_t last_step;
  PenetrationWatch penetrations;
  std::unique_ptr<Scheme> scheme;
  SimulationState state = {};
  SimulationCounts counts = {};

  void begin() {
    scheme->begin(state);
    penetrations.begin(state);
  }
  void step(Recorder* recorder, SimulationCounts& counted) {
    scheme->step(state, recorder, counted);
    penetrations.look(scheme->gaps(), state);
  }
};

Simulation::Simulation(const System& system, const ImpactLaw& law, const ImpactLaw* several,
                       const InclusionSolver& solver, const IntegratorOptions& options,
                       std::function<void(const std::string&)> note)
    : parts_(new Parts{system, options, options.step_count(), {system, options.size}, nullptr}) {
  const SchemeEntry* const entry = find_scheme(options.scheme);
  if (!entry) {
    std::vector<std::string> names;
    for (const SchemeEntry& scheme : schemes()) names.emplace_back(scheme.name);
    throw SimulationFailure(
        fmt::format("there is no integrator.scheme '{}'{}", options.scheme, suggestion(options.scheme, names)));
  }
  parts_->scheme = entry->make({system, law, several, solver, parts_->options, std::move(note)});
}

Simulation::~Simulation() = default;

void Simulation::start(const Vec& q, const Vec& u) {
  SimulationState& state = parts_->state;
  state = {};
  parts_->counts = {};
  state.q = q;
  state.u = u;
  parts_->begin();
  MassMatrix M;
  parts_->system.mass(q, M);
  state.energy.kinetic = M.kinetic_energy(u);
  state.energy.potential = parts_->system.potential(state.time, q);
  state.energy.initial = state.energy.total();
}

void Simulation::resume(const SimulationState& state) {
  parts_->state = state;
  parts_->counts = {};
  parts_->begin();
}

void Simulation::step(Recorder* recorder) {
  const SimulationCounts before = parts_->counts;
  const double begin = parts_->state.time;
  try {
    parts_->step(recorder, parts_->counts);
  } catch (const SimulationFailure&) {
    parts_->counts = before;
    throw;
  }
  if (parts_->options.stop_on_inconsistent && parts_->counts.inconsistent > before.inconsistent)
    throw InconsistentImpact(
        fmt::format("at t = {:.9g} s: an impact created energy, and on_inconsistent is stop", begin));
}

void Simulation::return_to(std::int64_t step, const SimulationState& earlier) {
  parts_->state = earlier;
  parts_->begin();
  SimulationCounts again;
  while (parts_->state.step < step) parts_->step(nullptr, again);
}

bool Simulation::finished() const { return parts_->state.step >= parts_->last_step; }
const SimulationState& Simulation::state() const {
  parts_->scheme->complete(parts_->state);
  return parts_->state;
}
const SimulationCounts& Simulation::counts() const { return parts_->counts; }

Sample Simulation::sample() const {
  const SimulationState& state = parts_->state;
  return {state.step, state.time, &state.q, &state.u, state.energy, parts_->scheme->contacts(state)};
}

}  // namespace carom
