// What the impulses of a step are called: impacts, with their records, sustained contact, and applied work.

#include <algorithm>
#include <cmath>

#include "engine/impact_records.h"
#include "engine/moreau_jean.h"

namespace carom {

// Along the contacts' own velocities at either end of the step, so that what sticks does no work and an elastic impact
// returns what it took. What contacts turn under the bodies in between is neither friction nor the law's: it is drift.
double MoreauJean::work_of(Index first_row, Index rows) const {
  double twice = 0;
  for (Index row = first_row; row < first_row + rows; ++row) twice += Lambda_(row) * (gamma_k_(row) + gamma_end_(row));
  return 0.5 * twice;
}

// How much the contact turns under the velocity within the step, on a curved path: W̃ᵀu − W(q_k)ᵀu.
double MoreauJean::turning_of(const Active& active) const {
  if (fixed_directions_) return 0;
  double turned = 0;
  for (Index k = 0; k < active.rows(); ++k) {
    const double straight_on = contacts_.W.dot(contacts_.points[active.point].first_row + k, u_begin_);
    turned = std::max(turned, std::abs(gamma_begin(active.row + k) - straight_on));
  }
  return turned;
}

// In the classical step an approach that the forces and the curved path of two steps explain is a contact that goes on.
// An impact without collision (Painlevé) is one too: a contact that went on, or came so softly, stops or turns as the
// forces of many steps would not do it.
bool MoreauJean::is_impact(const StepIsland& island) const {
  const bool is_overrun =
      in_inclusion_form_ && std::any_of(island.clutches.begin(), island.clutches.end(),
                                        [&](Index i) { return overrun_[static_cast<std::size_t>(i)]; });
  return is_overrun || std::any_of(island.contacts.begin(), island.contacts.end(), [&](std::size_t i) {
           const Index row = active_[i].row;
           if (!(Lambda_(row) > 0)) return false;
           const bool collides = in_inclusion_form_ && active_[i].impacts &&
                                 -gamma_k_(row) > 2 * (force_speed(row) + turning_of(active_[i]));
           return collides || jumps(active_[i]);
         });
}

bool MoreauJean::jumps(const Active& active) const {
  const bool law_has_told = active.impacts && !in_inclusion_form_;
  if (!(Lambda_(active.row) > 0) || law_has_told) return false;
  double jump = 0;
  double speed = 0;
  for (Index row = active.row; row < active.row + active.rows(); ++row) {
    jump = std::max(jump, std::abs(gamma_end_(row) - gamma_begin(row)));
    speed = std::max(speed, std::abs(gamma_begin(row)));
  }
  if (!(jump > jump_speed_ && jump > 0.5 * speed)) return false;
  return jump > jump_speed_ + many_steps * turning_of(active);
}

bool MoreauJean::something_jams() const {
  return something_jumps_ &&
         std::any_of(active_.begin(), active_.end(), [&](const Active& active) { return jumps(active); });
}

// The impulses of the step as impacts, where they are, and as sustained contact.
void MoreauJean::book_impacts_of_inclusion(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  double of_impacts = 0;
  if (islands_.empty() && something_jams()) islands_.group(elements());
  for (const StepIsland& island : islands_) {
    if (!is_impact(island)) continue;
    ImpactRecord record = record_of_inclusion(island, state);
    if (recorder) add_elements_of_inclusion(island, record);
    of_impacts += record.work;
    report(record, recorder, counts);
  }
  state.energy.work_impacts += of_impacts;
  state.energy.work_contact += impulse_work_ - of_impacts;
}

ImpactRecord MoreauJean::record_of_inclusion(const StepIsland& island, const SimulationState& state) const {
  ImpactRecord record;
  record.step = state.step;
  record.time = state.time;
  const bool by_the_law = in_inclusion_form_ && island.impacts;
  record.q = by_the_law || fixed_directions_ ? &state.q : &q_ahead_;  // a jam: where its rows are
  record.u = &u_begin_;                                               // which follows a split impact in the same step
  record.solutions = solutions_;
  record.iterations = iterations_;
  record.residual = solved_residual_;
  double speed = 0;
  double approach = 0;
  double by_forces = 0;
  const auto add = [&](Index first, Index rows) {
    record.work += work_of(first, rows);
    approach = std::max(approach, -gamma_end_(first) - force_speed(first));
    for (Index row = first; row < first + rows; ++row) {
      speed = std::max(speed, std::abs(gamma_k_(row)));
      by_forces += std::abs(Lambda_(row)) * force_speed(row);
    }
  };
  for (std::size_t i : island.contacts) add(active_[i].row, active_[i].rows());
  for (Index i : island.clutches) add(clutch_row_ + i, 1);
  const auto kinetic_energy = [&](const Vec& u) {
    double twice = 0;
    for (Index i : island.coordinates) {
      const Index block = M_.block_of(i);
      for (Index j = 0; j < M_.block_size(block); ++j)
        twice += u(i) * M_.block(block)(i - M_.offset(block), j) * u(M_.offset(block) + j);
    }
    return 0.5 * twice;
  };
  // The difference is the work of the impulses and of the forces within the step.
  record.kinetic_before = kinetic_energy(u_begin_);
  record.kinetic_after = kinetic_energy(velocity_);
  // An approach that the step's forces cause is not the law's doing.
  record.kinematic = approach <= verdict_tolerance * speed;
  record.kinetic = solved_residual_ <= std::max(verdict_tolerance, options_.tolerance);
  // The impulses also carry what the forces push into the contacts during the step; that is no gain of the law's.
  record.energetic = record.work <= verdict_tolerance * record.kinetic_before + by_forces;
  return record;
}

void MoreauJean::add_elements_of_inclusion(const StepIsland& island, ImpactRecord& record) const {
  const auto add = [&](const std::string& name, State contact_state, Index row, Index rows) {
    record.elements.push_back(record_of(name, {.state = contact_state,
                                               .gamma_minus = gamma_k_.segment(row, rows),
                                               .gamma_plus = gamma_end_.segment(row, rows),
                                               .Lambda = Lambda_.segment(row, rows),
                                               .compression = {},
                                               .decompression = {}}));
  };
  for (std::size_t i : island.contacts)
    add(system_.contact_name(active_[i].key), state_of(active_[i]), active_[i].row, active_[i].rows());
  for (Index i : island.clutches)
    add(system_.clutch_name(i), Lambda_(clutch_row_ + i) > 0 ? State::closed : State::open, clutch_row_ + i, 1);
}

// Loads and dampers along the way of the step. A split impact changes dampers on the way: half of the impulse in flight
// acts before the jump, what remains of the whole behind it. Where a motion is prescribed the joints' impulses work
// too: they are what remains of the momentum balance, but for the jump of a split impact, in which the law has told
// their work. Half of them acts before it and half behind it.
void MoreauJean::book_applied_work(SimulationState& state, bool driven) {
  state.energy.work_applied += h_ * applied_.dot((1 - theta_) * state.u + theta_ * velocity_);
  const bool split = in_contact_ && !in_inclusion_form_;
  if (split) state.energy.work_applied += 0.5 * h_ * jump_.dot(applied_ - applied_in_flight_);
  if (!driven) return;
  accelerated_ = velocity_ - state.u;
  if (split) accelerated_ -= jump_;
  mass_within().multiply(accelerated_, residual_);
  residual_ -= h_ * (inner_ + applied_);
  if (split) residual_ -= supported_;
  if (in_contact_) add_impulses(residual_, -1);
  state.energy.work_applied += 0.5 * residual_.dot(state.u + velocity_);
}

}  // namespace carom
