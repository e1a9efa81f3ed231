#include "engine/step/step_ledger.h"

#include <algorithm>
#include <cmath>

#include "engine/impact_records.h"
#include "engine/step/mean_directions.h"

namespace carom {

namespace {

double kinetic_energy(const StepIsland& island, const MassMatrix& M, const Vec& u) {
  double twice = 0;
  for (Index i : island.coordinates) {
    const Index block = M.block_of(i);
    for (Index j = 0; j < M.block_size(block); ++j)
      twice += u(i) * M.block(block)(i - M.offset(block), j) * u(M.offset(block) + j);
  }
  return 0.5 * twice;
}

}  // namespace

void StepLedger::book_impulses(const Course& course, SimulationState& state, StepObserver observer) {
  double of_impacts = 0;
  const StepIslands* islands = course.step.departure.islands;
  if (islands->empty() && course.something_jams()) {
    jammed_.group(course.step.elements());
    islands = &jammed_;
  }
  for (const StepIsland& island : *islands) {
    if (!is_impact(course, island)) continue;
    ImpactRecord record = record_of(course, island, state);
    if (observer.recorder) add_elements(course, island, record);
    of_impacts += record.work;
    report(record, observer.recorder, observer.counts);
  }
  state.energy.work_impacts += of_impacts;
  state.energy.work_contact += course.end.work() - of_impacts;
}

// In the classical step an approach that the forces and the curved path of two steps explain is a contact that goes on.
// An impact without collision (Painlevé) is one too: a contact that went on, or came so softly, and jumps.
bool StepLedger::is_impact(const Course& course, const StepIsland& island) const {
  const ContactStep& step = course.step;
  const bool is_overrun = !step.departure.impacts_are_resolved &&
                          std::any_of(island.clutches.begin(), island.clutches.end(),
                                      [&](Index i) { return step.active.overrun[static_cast<std::size_t>(i)]; });
  return is_overrun || std::any_of(island.contacts.begin(), island.contacts.end(), [&](std::size_t i) {
           const ActiveContact& active = step.active.contacts[i];
           if (!(course.impulses.Lambda(active.row) > 0)) return false;
           return course.collides(active) || course.jumps(active);
         });
}

ImpactRecord StepLedger::record_of(const Course& course, const StepIsland& island, const SimulationState& state) const {
  const ContactStep& step = course.step;
  ImpactRecord record;
  record.step = state.step;
  record.time = state.time;
  const bool by_the_law = island.impacts && !step.departure.impacts_are_resolved;
  record.q = by_the_law || setting_.fixed_directions ? &state.q : &step.rows.q;  // a jam: where its rows are
  record.u = &step.departure.u;  // which follows a split impact in the same step
  record.solutions = course.impulses.solutions;
  record.iterations = course.impulses.iterations;
  record.residual = course.impulses.residual;
  double speed = 0;
  double approach = 0;
  double by_forces = 0;
  const auto add = [&](Index first, Index rows) {
    record.work += course.work_of(first, rows);
    approach = std::max(approach, -course.end.gamma()(first) - course.pushed_by_forces(first));
    for (Index row = first; row < first + rows; ++row) {
      speed = std::max(speed, std::abs(course.posed.gamma_k(row)));
      by_forces += std::abs(course.impulses.Lambda(row)) * course.posed.force_speed(row);
    }
  };
  for (std::size_t i : island.contacts) add(step.active.contacts[i].row, step.active.contacts[i].rows());
  for (Index i : island.clutches) add(step.rows.clutch_row + i, 1);
  // The difference is the work of the impulses and of the forces within the step.
  record.kinetic_before = kinetic_energy(island, step.departure.place->M(), step.departure.u);
  record.kinetic_after = kinetic_energy(island, step.departure.place->M(), course.end.u());
  // An approach that the step's forces cause, also through other contacts, is not the law's doing.
  record.kinematic = approach <= verdict_tolerance * speed;
  record.kinetic = course.impulses.residual <= std::max(verdict_tolerance, setting_.options.tolerance);
  // The impulses also carry what the forces push into the contacts during the step; that is no gain of the law's.
  record.energetic = record.work <= verdict_tolerance * record.kinetic_before + by_forces;
  return record;
}

void StepLedger::add_elements(const Course& course, const StepIsland& island, ImpactRecord& record) const {
  const Vec &Lambda = course.impulses.Lambda, &gamma_end = course.end.gamma();
  const auto add = [&](const std::string& name, State state, Index row, Index rows) {
    record.elements.push_back(carom::record_of(name, {.state = state,
                                                      .gamma_minus = course.posed.gamma_k.segment(row, rows),
                                                      .gamma_plus = gamma_end.segment(row, rows),
                                                      .Lambda = Lambda.segment(row, rows),
                                                      .compression = {},
                                                      .decompression = {}}));
  };
  for (std::size_t i : island.contacts) {
    const ActiveContact& active = course.step.active.contacts[i];
    add(setting_.system.contact_name(active.key), state_of(active, course.posed, Lambda, gamma_end), active.row,
        active.rows());
  }
  for (Index i : island.clutches) {
    const Index row = course.step.rows.clutch_row + i;
    add(setting_.system.clutch_name(i), Lambda(row) > 0 ? State::closed : State::open, row, 1);
  }
}

// A split impact changes dampers on the way: half of the impulse in flight acts before the jump, what remains of the
// whole behind it. Where a motion is prescribed the joints' impulses work too: they are what remains of the momentum
// balance, but for the jump of a split impact, in which the law has told their work. Half of them acts before it and
// half behind it.
void StepLedger::book_applied_work(const Place& begin, const Course* course, bool driven, const Vec& u_end,
                                   SimulationState& state) {
  const double theta = setting_.theta;
  state.energy.work_applied += setting_.h * forces_.applied().dot((1 - theta) * state.u + theta * u_end);
  const Departure* const departure = course ? &course->step.departure : nullptr;
  const bool split = departure && departure->impacts_are_resolved;
  if (split)
    state.energy.work_applied +=
        0.5 * setting_.h * departure->jump.dot(forces_.applied() - departure->applied_in_flight);
  if (!driven) return;
  change_ = u_end - state.u;
  if (split) change_ -= departure->jump;
  Vec& by_joints = forces_.missing(begin.M(), change_);
  if (split) by_joints -= departure->supported;
  if (course) add_impulses(course->step, course->impulses.Lambda, -1, by_joints);
  state.energy.work_applied += 0.5 * by_joints.dot(state.u + u_end);
}

}  // namespace carom
