// Impacts by a law that is split off the step: what acts on each other is one impact, at frozen position.

#include <spdlog/fmt/fmt.h>

#include "engine/hidden_directions.h"
#include "engine/impact_records.h"
#include "engine/moreau_jean.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr Index largest_jointed_island = 3000;  // coordinates of an impact whose joints are eliminated, densely

}  // namespace

StepElements MoreauJean::elements() const { return {M_, active_, contacts_.points, W_, clutches_, overrun_, B_}; }

void MoreauJean::find_islands() {
  islands_.clear();
  if (!something_impacts_) return;
  islands_.group(elements());
  islands_.mark_impacts(active_);
}

// The reason that `carom impact` would give for the same contacts.
std::string MoreauJean::why_unsolved(const InclusionOutcome& outcome) {
  if (!outcome.exhaustive) return outcome.reason;
  for (const StepIsland& island : islands_) {
    impact_.pose(island, elements(), u_begin_);
    if (masses_hide_directions(impact_.problem())) return hidden_by_masses;
  }
  return outcome.reason;
}

// The impact happens in the middle of the step's flight, h/2 of the old velocity behind it and h/2 of the new one
// before it: mass, joints and contacts are those of this place, so that energy and momentum are met there. Springs and
// dampers answer to the jump within the step and bend the path a little away from this place; angular momentum then is
// met to h³ and h².
void MoreauJean::go_to_impact(const SimulationState& state) {
  displacement_ *= 0.5;
  system_.move(state.q, displacement_, q_impact_);
  evaluate(state.time + 0.5 * h_, q_impact_);
  find_contacts_at(q_impact_, state, at_impact_);
}

// The velocity at the end of the step if no contact impacted: the flight, held up by the contacts that go on.
void MoreauJean::find_velocity_without_impacts(const SimulationState& state) {
  all_active_ = active_;
  std::erase_if(active_, [](const Active& active) { return !active.was_sustained; });
  undisturbed_ = u_free_;
  if (!active_.empty()) {
    collect_rows(at_impact_, state.u);
    pose_inclusion();
    solve_step(state, true);
    undisturbed_ = velocity_;
  }
  supports_.assign(all_active_.size(), Eigen::Vector3d::Zero());
  auto supporting = active_.begin();
  for (std::size_t i = 0; i < all_active_.size(); ++i) {
    const Index rows = all_active_[i].rows();
    if (all_active_[i].was_sustained) supports_[i].head(rows) = 0.5 * Lambda_.segment((supporting++)->row, rows);
  }
  active_.swap(all_active_);
}

// The law's jumps at frozen position. Half of the impulse of forces and of contacts that hold the bodies up acts before
// and half after, so that the step is symmetric in time and an elastic ball keeps its energy.
void MoreauJean::resolve_impacts(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  if (islands_.empty()) return;
  find_velocity_without_impacts(state);
  collect_rows(at_impact_, state.u);
  find_islands();  // a direction along an axis touches fewer coordinates than it does half a step on
  for (const StepIsland& island : islands_) {
    if (!island.impacts) continue;
    for (Index i : island.coordinates) {
      u_begin_(i) += 0.5 * (undisturbed_(i) - state.u(i));
      u_free_(i) += 0.5 * (undisturbed_(i) - u_free_(i));
    }
  }
  manifold_.project(b_, u_begin_);
  for (const StepIsland& island : islands_) {
    if (!island.impacts) continue;
    support_until_impact(island, state);
    resolve_impact(island, state, recorder, counts);
  }
  end_response_.project(b_end_, u_free_);
}

// Books what the sustained contacts did in the half step before the impact.
void MoreauJean::support_until_impact(const StepIsland& island, SimulationState& state) {
  for (std::size_t i : island.contacts) {
    const Active& active = active_[i];
    for (Index k = 0; k < active.rows(); ++k) {
      const Index row = active.row + k;
      Lambda_impact_(row) += supports_[i](k);
      W_.add_to(supported_, row, supports_[i](k));
      state.energy.work_contact += 0.5 * supports_[i](k) * (W_.dot(row, state.u) + W_.dot(row, u_begin_));
    }
  }
}

void MoreauJean::resolve_impact(const StepIsland& island, SimulationState& state, Recorder* recorder,
                                SimulationCounts& counts) {
  if (!island.joints.empty() && static_cast<Index>(island.coordinates.size()) > largest_jointed_island) {
    fail(
        state.time,
        fmt::format("{} coordinates of bodies with joints take part in one impact; this law takes at most {} (a law in "
                    "inclusion form takes any number)",
                    island.coordinates.size(), largest_jointed_island));
  }
  impact_.pose(island, elements(), u_begin_);
  const std::vector<Element>& posed = impact_.problem().elements();
  const LawOutcome& outcome = impact_.resolve();
  if (impact_.is_by_several())
    note_once("several", "several contacts act on each other: each is resolved by the law in turn");
  if (outcome.status != LawOutcome::Status::resolved) {
    return fail_or_warn(state.time, "impact without solution",
                        fmt::format("impact at '{}': {}", posed.front().name, outcome.reason));
  }
  const ImpactResult& result = outcome.results.front();
  state.energy.work_impacts += result.work;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    if (posed[i].bilateral()) {
      state.energy.work_applied += result.elements[i].work;  // of prescribed motions
      continue;
    }
    const Index row = i < island.contacts.size() ? active_[island.contacts[i]].row
                                                 : clutch_row_ + island.clutches[i - island.contacts.size()];
    Lambda_impact_.segment(row, result.elements[i].Lambda.size()) += result.elements[i].Lambda;
  }
  if (impact_.happens(result)) {
    ImpactRecord record = record_of(result);
    record.step = state.step;
    record.time = state.time;
    record.q = &q_impact_;
    record.u = &u_begin_;
    if (recorder) add_elements(impact_.problem(), result, record);
    report(record, recorder, counts);
  }
  for (std::size_t k = 0; k < island.coordinates.size(); ++k) {
    const Index i = island.coordinates[k];
    jump_(i) = result.u_plus(static_cast<Index>(k)) - u_begin_(i);
    u_free_(i) += jump_(i);
    u_begin_(i) = result.u_plus(static_cast<Index>(k));
  }
}

}  // namespace carom
