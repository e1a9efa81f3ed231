#include "engine/step/one_inclusion.h"

namespace carom {

Departure& OneInclusion::depart(const Place& begin, ActiveSet& active, SimulationState& state, StepObserver) {
  Departure& departure = departure_;
  departure.place = &begin;
  departure.restitutes = true;
  departure.islands = &islands_;
  islands_.clear();
  if (setting_.fixed_directions || active.something_impacts)
    directions_.collect(begin, begin.contacts(), begin.clutches(), active, state.u);
  if (active.something_impacts) {
    islands_.group({begin.M(), active.contacts, begin.contacts().points, directions_.rows().W, begin.clutches(),
                    active.overrun, begin.B()});
    islands_.mark_impacts(active.contacts);
  }
  departure.u = state.u;
  find_free_velocity(begin, state);
  if (active.something_impacts && !setting_.fixed_directions) turn_to_middle(begin, state, active);
  departure.u_approach = &departure.u;
  // Joints turn within the step, too: an impact is between two velocities that those of its end allow, or large
  // impulses of a mechanism that nearly jams would do work. Drives are as fast as they were.
  if (active.something_impacts && departure.response->A.has_joints()) {
    departure.response->A.project(begin.b(), u_approach_ = departure.u);
    departure.u_approach = &u_approach_;
  }
  return departure;
}

// That of the flight, on the joints at its end. Where forces change and no joints stand in between they are met
// together with the contacts instead (agreement.h), and where they do not change contacts decide before anything moves.
void OneInclusion::find_free_velocity(const Place& begin, const SimulationState& state) {
  Departure& departure = departure_;
  departure.has_flown = setting_.joints > 0;
  if (setting_.steady) {
    departure.u_free.resize(setting_.n);
    for (Index i = 0; i < setting_.n; ++i) departure.u_free(i) = state.u(i) + forces_.steady_change()(i);
  } else if (!departure.has_flown) {
    flight_.find_response(begin, state);
  } else {
    departure.u_free.swap(flight_.fly(begin, state).u);
  }
  departure.response = &flight_.end_response(begin.M(), setting_.t_end);
  if (!departure.has_flown) return;
  departure.response->A.project(departure.response->b, departure.u_free);
  departure.u_flight = departure.u_free;
}

// Directions at the end of a step are others than at q_k. Were γ_k and γ_{k+1} taken along those of their own times, an
// elastic impact would do the work ½Λᵀ(W̃ − W(q_k))ᵀu_k, and bodies that strike obliquely would heat up. Both are taken
// along the directions in the middle of the step, where the impact is on average: all the work is ½Λᵀ(γ_k + γ_{k+1})
// then, none where ξ = γ_{k+1} + γ_k is complementary to Λ.
void OneInclusion::turn_to_middle(const Place& begin, const SimulationState& state, ActiveSet& active) {
  departure_.middle = nullptr;
  for (ActiveContact& contact : active.contacts) {
    const Index own = begin.contacts().points[contact.point].first_row;
    const bool is_classical = setting_.options.classical_directions && !setting_.lengths.turns(begin.contacts().W[own]);
    contact.turns = contact.impacts && !is_classical;
    if (!contact.turns || departure_.middle) continue;
    displacement_ = 0.5 * setting_.h * state.u;
    setting_.system.move(state.q, displacement_, q_middle_);
    find_contacts(setting_, q_middle_, state.u, middle_);
    departure_.middle = &middle_;
  }
}

}  // namespace carom
