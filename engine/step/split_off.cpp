#include "engine/step/split_off.h"

namespace carom {

SplitOff::SplitOff(const StepSetting& setting, StepForces& forces, Flight& flight, Directions& directions,
                   StepInclusion& inclusion, Impulses& impulses, EndOfStep& end, LawImpact& law, Place& middle)
    : setting_(setting),
      forces_(forces),
      flight_(flight),
      directions_(directions),
      inclusion_(inclusion),
      impulses_(impulses),
      end_(end),
      law_(law),
      middle_(middle) {}

Departure& SplitOff::depart(const Place& begin, ActiveSet& active, SimulationState& state, StepObserver observer) {
  Departure& departure = departure_;
  directions_.collect(begin, begin.contacts(), begin.clutches(), active, state.u);
  find_islands(begin, begin, active);
  departure.has_flown = true;
  departure.impacts_are_resolved = !islands_.empty();
  departure.place = departure.impacts_are_resolved ? &middle_ : &begin;
  departure.u = state.u;
  departure.u_approach = &departure.u;
  Flown& flown = flight_.fly(begin, state);
  departure.applied_in_flight = forces_.applied();
  if (departure.impacts_are_resolved) go_to_impact(state, flown);
  departure.response = &flight_.end_response(departure.place->M(), setting_.t_end);
  departure.u_free.swap(flown.u);
  departure.response->A.project(departure.response->b, departure.u_free);
  departure.u_flight = departure.u_free;
  departure.Lambda.setZero(directions_.rows().W.count());
  departure.jump.setZero(setting_.n);
  departure.supported.setZero(setting_.n);
  if (departure.impacts_are_resolved)
    resolve_impacts({state, begin, active, departure, directions_.rows()}, state, observer);
  departure.islands = &islands_;
  return departure;
}

void SplitOff::find_islands(const Place& begin, const Place& place, ActiveSet& active) {
  islands_.clear();
  if (!active.something_impacts) return;
  islands_.group({place.M(), active.contacts, begin.contacts().points, directions_.rows().W, place.clutches(),
                  active.overrun, place.B()});
  islands_.mark_impacts(active.contacts);
}

void SplitOff::go_to_impact(const SimulationState& state, const Flown& flown) {
  const Vec& u = setting_.joints > 0 ? flown.u_kicked : state.u;
  const double before = 1 - setting_.theta, behind = setting_.theta;
  displacement_ = 0.5 * (setting_.h * (before * u + behind * flown.u));
  setting_.system.move(state.q, displacement_, q_impact_);
  middle_.evaluate(state.time + 0.5 * setting_.h, q_impact_, flown.u);
  find_contacts(setting_, q_impact_, state.u, at_impact_);
}

// The law's jumps at frozen position. Half of the impulse of forces and of contacts that hold the bodies up acts before
// and half after, so that the step is symmetric in time and an elastic ball keeps its energy.
void SplitOff::resolve_impacts(const ContactStep& step, SimulationState& state, StepObserver observer) {
  Departure& departure = step.departure;
  find_velocity_without_impacts(step);
  directions_.collect(step.begin, at_impact_, middle_.clutches(), step.active, state.u);
  // A direction along an axis touches fewer coordinates than it does half a step on.
  find_islands(step.begin, middle_, step.active);
  for (const StepIsland& island : islands_) {
    if (!island.impacts) continue;
    for (Index i : island.coordinates) {
      departure.u(i) += 0.5 * (undisturbed_(i) - state.u(i));
      departure.u_free(i) += 0.5 * (undisturbed_(i) - departure.u_free(i));
    }
  }
  middle_.manifold().project(middle_.b(), departure.u);
  for (const StepIsland& island : islands_) {
    if (!island.impacts) continue;
    support_until_impact(step, island, state);
    resolve_impact(step, island, state, observer);
  }
  departure.response->A.project(departure.response->b, departure.u_free);
}

// That of the flight, held up by the contacts that go on.
void SplitOff::find_velocity_without_impacts(const ContactStep& step) {
  supporting_ = step.active;
  supporting_.version = 0;  // of no other step
  std::erase_if(supporting_.contacts, [](const ActiveContact& active) { return !active.was_sustained; });
  supporting_.number_rows();
  undisturbed_ = step.departure.u_free;
  if (!supporting_.contacts.empty()) {
    step.departure.islands = nullptr;
    const StepRows& rows = directions_.collect(step.begin, at_impact_, middle_.clutches(), supporting_, step.state.u);
    const ContactStep supported{step.state, step.begin, supporting_, step.departure, rows};
    PosedStep& posed = inclusion_.pose(supported, end_);
    impulses_.start(supported, posed);
    impulses_.solve(supported, posed, true);
    impulses_.tell_what_they_miss(step.state.time);
    undisturbed_ = end_.u();
  }
  supports_.assign(step.active.contacts.size(), Eigen::Vector3d::Zero());
  auto supporting = supporting_.contacts.begin();
  for (std::size_t i = 0; i < step.active.contacts.size(); ++i) {
    const ActiveContact& active = step.active.contacts[i];
    if (!active.was_sustained) continue;
    supports_[i].head(active.rows()) = 0.5 * impulses_.found().Lambda.segment((supporting++)->row, active.rows());
  }
}

// Books what the sustained contacts did in the half step before the impact.
void SplitOff::support_until_impact(const ContactStep& step, const StepIsland& island, SimulationState& state) {
  const Rows& W = step.rows.W;
  for (std::size_t i : island.contacts) {
    const ActiveContact& active = step.active.contacts[i];
    for (Index k = 0; k < active.rows(); ++k) {
      const Index row = active.row + k;
      step.departure.Lambda(row) += supports_[i](k);
      W.add_to(step.departure.supported, row, supports_[i](k));
      state.energy.work_contact += 0.5 * supports_[i](k) * (W.dot(row, state.u) + W.dot(row, step.departure.u));
    }
  }
}

void SplitOff::resolve_impact(const ContactStep& step, const StepIsland& island, SimulationState& state,
                              StepObserver observer) {
  Departure& departure = step.departure;
  const ImpactResult* const result = law_.resolve(island, step.elements(), departure.u, state);
  if (!result) return;
  law_.add_impulses(island, step.elements(), *result, departure.Lambda);
  law_.record(*result, q_impact_, departure.u, state, observer);
  for (std::size_t k = 0; k < island.coordinates.size(); ++k) {
    const Index i = island.coordinates[k];
    departure.jump(i) = result->u_plus(static_cast<Index>(k)) - departure.u(i);
    departure.u_free(i) += departure.jump(i);
    departure.u(i) = result->u_plus(static_cast<Index>(k));
  }
}

}  // namespace carom
