// How time is stepped: what Simulation drives. Chosen by integrator.scheme.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace carom {

class Scheme {
 public:
  virtual ~Scheme() = default;

  // Makes ready to go on from the state. Fails where the scheme does not suit the system.
  virtual void begin(SimulationState& state) = 0;
  virtual void step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) = 0;

  // The named contacts at the end of the last step, whose state this is. Valid until the next one.
  virtual std::span<const ContactSample> contacts(const SimulationState& state) = 0;
  // All that the next step may meet, with the gaps at the end of the last one. Valid until the next one.
  virtual std::span<const ContactPoint> gaps() const = 0;
  // Completes the state with what the last step, whose state this is, has kept to itself.
  virtual void complete(SimulationState&) {}
};

// What a scheme steps, and by what; all of it outlives the scheme.
struct SchemeInput {
  const System& system;
  const ImpactLaw& law;
  const ImpactLaw* several;  // resolves what the law refuses because several contacts act at once; may be null
  const InclusionSolver& solver;
  const IntegratorOptions& options;
  std::function<void(const std::string&)> note;
};

struct SchemeEntry {
  const char* name;
  const char* about;
  std::unique_ptr<Scheme> (*make)(const SchemeInput& input);
  // What of a system it cannot step, from this position on, in words; empty, or null, if nothing.
  std::string (*why_not)(const System& system, const Vec& q) = nullptr;
  bool captures_impacts = false;  // somewhere in their step, not where they are
};

const std::vector<SchemeEntry>& schemes();  // in the order of schemes.def
const SchemeEntry* find_scheme(const std::string& name);

}  // namespace carom
