#include "engine/step/law_impact.h"

#include <spdlog/fmt/fmt.h>

#include "engine/impact_records.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr Index largest_jointed_island = 3000;  // coordinates of an impact whose joints are eliminated, densely

}  // namespace

const ImpactResult* LawImpact::resolve(const StepIsland& island, const StepElements& elements, const Vec& u,
                                       SimulationState& state) {
  if (!island.joints.empty() && static_cast<Index>(island.coordinates.size()) > largest_jointed_island) {
    fail(
        state.time,
        fmt::format("{} coordinates of bodies with joints take part in one impact; this law takes at most {} (a law in "
                    "inclusion form takes any number)",
                    island.coordinates.size(), largest_jointed_island));
  }
  impact_.pose(island, elements, u);
  const std::vector<Element>& posed = impact_.problem().elements();
  const LawOutcome& outcome = impact_.resolve();
  if (impact_.is_by_several())
    notices_.tell_once("several", "several contacts act on each other: each is resolved by the law in turn");
  if (outcome.status != LawOutcome::Status::resolved) {
    notices_.fail_or_warn(state.time, "impact without solution",
                          fmt::format("impact at '{}': {}", posed.front().name, outcome.reason));
    return nullptr;
  }
  const ImpactResult& result = outcome.results.front();
  notices_.go_on_with(state.time, result.solver.residual);
  state.energy.work_impacts += result.work;
  for (std::size_t i = 0; i < posed.size(); ++i)
    if (posed[i].bilateral()) state.energy.work_applied += result.elements[i].work;  // of prescribed motions
  return &result;
}

void LawImpact::record(const ImpactResult& result, const Vec& q, const Vec& u, const SimulationState& state,
                       StepObserver observer) const {
  if (!impact_.happens(result)) return;
  ImpactRecord record = record_of(result);
  record.step = state.step;
  record.time = state.time;
  record.q = &q;
  record.u = &u;
  if (observer.recorder) add_elements(impact_.problem(), result, record);
  report(record, observer.recorder, observer.counts);
}

void LawImpact::add_impulses(const StepIsland& island, const StepElements& elements, const ImpactResult& result,
                             Vec& Lambda) const {
  const Index clutch_row = elements.W.count() - elements.clutches.W.count();
  const auto add = [&](std::size_t element, Index row) {
    const ElementRows& own = result.elements[element].Lambda;
    Lambda.segment(row, own.size()) += own;
  };
  for (std::size_t i = 0; i < island.contacts.size(); ++i) add(i, elements.active[island.contacts[i]].row);
  for (std::size_t i = 0; i < island.clutches.size(); ++i)
    add(island.contacts.size() + i, clutch_row + island.clutches[i]);
}

}  // namespace carom
