// How impacts enter a step: within its own inclusion (one_inclusion.h), or split off by a law that maps u⁻ → u⁺ at
// frozen position (split_off.h).

#pragma once

#include <memory>
#include <optional>

#include "engine/impact_law.h"
#include "engine/step/activation.h"
#include "engine/step/directions.h"
#include "engine/step/flight.h"
#include "engine/step_islands.h"

namespace carom {

// From where the inclusion of a step sets out.
struct Departure {
  const Place* place = nullptr;  // whose mass, joints and clutches it has: the beginning, or where an impact was
  Vec u;                         // at the beginning of the step; after the impact where one was split off
  Vec u_free;                    // at its end, but for the impulses of the inclusion
  Vec u_flight;                  // u_free of the flight, before impacts that were split off; where there was a flight
  const Vec* u_approach = nullptr;   // u as the joints at the end of the step allow it
  const Contacts* middle = nullptr;  // where contacts that turn are taken
  EndResponse* response = nullptr;
  const StepIslands* islands = nullptr;  // with contacts that impact; none otherwise
  bool has_flown = false;                // otherwise forces and contacts are met together
  bool restitutes = false;               // ξ = γ_{k+1} + εγ_k carries the impacts of the step
  bool impacts_are_resolved = false;     // they have been split off

  // Of impacts that have been.
  Vec Lambda;             // with what held the bodies up until then
  Vec jump;               // of velocity
  Vec supported;          // momentum, by contacts that went on until then
  Vec applied_in_flight;  // forces, as if there had been none
};

// Whom a step tells of what happens in it.
struct StepObserver {
  Recorder* recorder;
  SimulationCounts& counts;
};

class Treatment : public CaptureRule {
 public:
  // ε of a contact in the inclusion of the step; none where impacts are split off.
  virtual std::optional<RowRestitution> restitution(const ContactCoefficients& coefficients) const = 0;
  // Valid until the next one. `state` is given the work of what happens on the way.
  virtual Departure& depart(const Place& begin, ActiveSet& active, SimulationState& state, StepObserver observer) = 0;
  const Departure& departure() const { return departure_; }  // the last one

 protected:
  Departure departure_;
};

}  // namespace carom
