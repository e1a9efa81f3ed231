// Impacts within the inclusion of the step, by a law in inclusion form: the classical Moreau–Jean step. Restitution
// enters as ξ = γ_{k+1} + εγ_k.

#pragma once

#include "engine/step/treatment.h"

namespace carom {

class OneInclusion final : public Treatment {
 public:
  // Without a law nothing is restituted: contacts only go on, and all that lever arms or normals turn keep their gap.
  OneInclusion(const StepSetting& setting, const ImpactLaw* law, StepForces& forces, Flight& flight,
               Directions& directions)
      : setting_(setting), law_(law), forces_(forces), flight_(flight), directions_(directions) {}

  std::optional<RowRestitution> restitution(const ContactCoefficients& coefficients) const override {
    return law_ ? law_->restitution_in_step(coefficients) : RowRestitution{};
  }
  bool decides_alone(Rows::Row normal) const override {
    return setting_.fixed_directions || (law_ && !setting_.lengths.turns(normal));
  }
  double largest_kept_gap(const ActiveSet& active) const override {
    return std::max(active.curve_allowance, active.widest_loose_gap());
  }
  Departure& depart(const Place& begin, ActiveSet& active, SimulationState& state, StepObserver observer) override;

 private:
  void find_free_velocity(const Place& begin, const SimulationState& state);
  void turn_to_middle(const Place& begin, const SimulationState& state, ActiveSet& active);

  const StepSetting& setting_;
  const ImpactLaw* law_;
  StepForces& forces_;
  Flight& flight_;
  Directions& directions_;
  StepIslands islands_;
  Vec u_approach_, displacement_, q_middle_;
  Contacts middle_;
};

}  // namespace carom
