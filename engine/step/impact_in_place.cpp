#include "engine/step/impact_in_place.h"

namespace carom {

void ImpactInPlace::resolve(const Place& place, ActiveSet& active, SimulationState& state, StepObserver observer) {
  const StepRows& rows = directions_.collect(place, place.contacts(), place.clutches(), active, state.u);
  const StepElements elements{place.M(),      active.contacts, place.contacts().points, rows.W, place.clutches(),
                              active.overrun, place.B()};
  islands_.group(elements);
  islands_.mark_impacts(active.contacts);
  u_minus_ = state.u;
  Lambda_.setZero(rows.W.count());
  for (const StepIsland& island : islands_) {
    if (!island.impacts) continue;
    const ImpactResult* const result = law_.resolve(island, elements, u_minus_, state);
    if (!result) continue;
    law_.add_impulses(island, elements, *result, Lambda_);
    law_.record(*result, state.q, u_minus_, state, observer);
    for (std::size_t k = 0; k < island.coordinates.size(); ++k)
      state.u(island.coordinates[k]) = result->u_plus(static_cast<Index>(k));
  }
  memory_.remember_impact(active, rows.W, u_minus_, state);
}

}  // namespace carom
