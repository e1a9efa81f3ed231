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
  departure.response = &flight_.end_response(begin.M(), setting_.end_of(state));
  if (!departure.has_flown) return;
  departure.response->A.project(departure.response->b, departure.u_free);
  departure.u_flight = departure.u_free;
}

// An impact that turns bodies has other directions at the end of the step than at q_k. Were γ_k and γ_{k+1} taken along
// those of their own times, an elastic impact would do work; both are taken along the directions in the middle of the
// step, where the impact is on average. Points, balls and disks, whose normals pass through their centres, are left as
// the classical step has them.
void OneInclusion::turn_to_middle(const Place& begin, const SimulationState& state, ActiveSet& active) {
  departure_.middle = nullptr;
  for (ActiveContact& contact : active.contacts) {
    const Index own = begin.contacts().points[contact.point].first_row;
    contact.turns = contact.impacts && setting_.lengths.turns(begin.contacts().W[own]);
    if (!contact.turns || departure_.middle) continue;
    displacement_ = 0.5 * setting_.h * state.u;
    setting_.system.move(state.q, displacement_, q_middle_);
    find_contacts(setting_, q_middle_, state.u, middle_);
    departure_.middle = &middle_;
  }
}

}  // namespace carom
