// The impact of an island by the law: u⁻ → u⁺ at a place, its work booked, told to whom it concerns. A law that has no
// answer ends the run, or is noted (on_failure).

#pragma once

#include "engine/island_impact.h"
#include "engine/step/notices.h"
#include "engine/step/treatment.h"

namespace carom {

class LawImpact {
 public:
  LawImpact(IslandImpact& impact, Notices& notices) : impact_(impact), notices_(notices) {}

  // From the velocity u of the whole system; null where there is no answer. Valid until the next one.
  const ImpactResult* resolve(const StepIsland& island, const StepElements& elements, const Vec& u,
                              SimulationState& state);
  // The last one, if it happened: at the state's time, from q and u.
  void record(const ImpactResult& result, const Vec& q, const Vec& u, const SimulationState& state,
              StepObserver observer) const;
  // Its impulses, onto those of the rows of contacts and clutches.
  void add_impulses(const StepIsland& island, const StepElements& elements, const ImpactResult& result,
                    Vec& Lambda) const;

 private:
  IslandImpact& impact_;
  Notices& notices_;
};

}  // namespace carom
