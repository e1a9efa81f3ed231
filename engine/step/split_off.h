// Impacts by a law that is split off the step: what acts on each other is one impact, at frozen position in the middle
// of the flight, h/2 of the old velocity behind it and h/2 of the new one before it. Mass, joints and contacts are
// those of this place, so that energy and momentum are met there. Springs and dampers answer to the jump within the
// step and bend the path a little away from this place; angular momentum then is met to h³ and h².

#pragma once

#include <vector>

#include "engine/step/impulses.h"
#include "engine/step/law_impact.h"
#include "engine/step/treatment.h"

namespace carom {

class SplitOff final : public Treatment {
 public:
  SplitOff(const StepSetting& setting, StepForces& forces, Flight& flight, Directions& directions,
           StepInclusion& inclusion, Impulses& impulses, EndOfStep& end, LawImpact& law, Place& middle);

  std::optional<RowRestitution> restitution(const ContactCoefficients&) const override { return std::nullopt; }
  bool decides_alone(Rows::Row) const override { return false; }
  double largest_kept_gap(const ActiveSet&) const override { return HUGE_VAL; }
  Departure& depart(const Place& begin, ActiveSet& active, SimulationState& state, StepObserver observer) override;

 private:
  void find_islands(const Place& begin, const Place& place, ActiveSet& active);
  void go_to_impact(const SimulationState& state, const Flown& flown);
  void find_velocity_without_impacts(const ContactStep& step);
  void resolve_impacts(const ContactStep& step, SimulationState& state, StepObserver observer);
  void support_until_impact(const ContactStep& step, const StepIsland& island, SimulationState& state);
  void resolve_impact(const ContactStep& step, const StepIsland& island, SimulationState& state, StepObserver observer);

  const StepSetting& setting_;
  StepForces& forces_;
  Flight& flight_;
  Directions& directions_;
  StepInclusion& inclusion_;
  Impulses& impulses_;
  EndOfStep& end_;
  LawImpact& law_;
  Place& middle_;
  StepIslands islands_;
  ActiveSet supporting_;                   // contacts that go on until the impact
  std::vector<Eigen::Vector3d> supports_;  // of the active contacts, in the half step before it
  Vec undisturbed_;                        // velocity at the end of the step if no contact impacted
  Vec displacement_, q_impact_;
  Contacts at_impact_;
};

}  // namespace carom
