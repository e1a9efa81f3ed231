// The impact where the state is: the law maps u⁻ → u⁺ over all contacts that are closed there, and the clutches and
// joints that act on them.

#pragma once

#include "engine/step/law_impact.h"
#include "engine/step/memory.h"

namespace carom {

class ImpactInPlace {
 public:
  ImpactInPlace(Directions& directions, LawImpact& law, Memory& memory)
      : directions_(directions), law_(law), memory_(memory) {}

  // `active`: all that are closed. Changes velocity, ledger and memory of the state.
  void resolve(const Place& place, ActiveSet& active, SimulationState& state, StepObserver observer);
  const Vec& Lambda() const { return Lambda_; }  // of the rows of the active contacts and of the clutches

 private:
  Directions& directions_;
  LawImpact& law_;
  Memory& memory_;
  StepIslands islands_;
  Vec u_minus_, Lambda_;
};

}  // namespace carom
