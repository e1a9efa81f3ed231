// Impacts by a law that is split off the step: what acts on each other is one impact, at frozen position.

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "engine/hidden_directions.h"
#include "engine/moreau_jean.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr Index largest_jointed_island = 3000;  // coordinates of an impact whose joints are eliminated, densely

// Rows that share one impulse act together: normal and tangents of a contact, though each may move coordinates that
// the mass matrix keeps apart.
void join_rows(const Rows& rows, Index begin, Index count, const MassMatrix& M, DisjointSets& sets) {
  Index first = -1;
  for (Index row = begin; row < begin + count; ++row) {
    for (const Rows::Entry& entry : rows[row]) {
      const Index block = M.block_of(entry.column);
      if (first >= 0) sets.join(first, block);
      first = block;
    }
  }
}

// An element's kind with the storage it has, if it is of this kind already.
template <class Kind>
Kind& kind_of(Element& element) {
  if (Kind* kind = std::get_if<Kind>(&element.kind)) return *kind;
  return element.kind.emplace<Kind>();
}

}  // namespace

void MoreauJean::find_islands() {
  islands_in_use_ = 0;
  if (!something_impacts_) return;
  group_islands();
  for (const Island& island : islands()) {
    if (!island.impacts) continue;
    auto rows = static_cast<Index>(island.clutches.size() + island.joints.size());
    for (const std::size_t i : island.contacts) rows += active_[i].rows();
    for (const std::size_t i : island.contacts) {
      active_[i].in_impact = true;
      active_[i].redundant = rows > static_cast<Index>(island.coordinates.size());
    }
  }
}

// Empty, in storage kept from earlier ones; its number.
Index MoreauJean::add_island() {
  if (islands_.size() == islands_in_use_) islands_.emplace_back();
  Island& island = islands_[islands_in_use_++];
  island.contacts.clear();
  island.clutches.clear();
  island.joints.clear();
  island.coordinates.clear();
  island.impacts = false;
  return static_cast<Index>(islands_in_use_) - 1;
}

void MoreauJean::group_islands() {
  DisjointSets& sets = joined_blocks_;
  sets.separate(M_.block_count());
  for (const Active& active : active_) join_rows(W_, active.row, active.rows(), M_, sets);
  for (Index i = clutch_row_; i < W_.count(); ++i) join_rows(W_, i, 1, M_, sets);
  for (Index j = 0; j < B_.count(); ++j) join_rows(B_, j, 1, M_, sets);

  island_of_block_.assign(static_cast<std::size_t>(M_.block_count()), -1);
  const auto island_of_row = [&](const Rows& rows, Index row) -> Index& {
    return island_of_block_[static_cast<std::size_t>(sets.root(M_.block_of(rows[row].begin()->column)))];
  };
  for (std::size_t i = 0; i < active_.size(); ++i) {
    Index& island = island_of_row(W_, active_[i].row);
    if (island < 0) island = add_island();
    Island& own = islands_[static_cast<std::size_t>(island)];
    own.contacts.push_back(i);
    own.impacts = own.impacts || active_[i].impacts;
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const bool overrun = overrun_[static_cast<std::size_t>(i)];
    Index& island = island_of_row(clutches_.W, i);
    if (island < 0 && overrun) island = add_island();
    if (island < 0) continue;
    Island& own = islands_[static_cast<std::size_t>(island)];
    own.clutches.push_back(i);
    own.impacts = own.impacts || overrun;
  }
  for (Index j = 0; j < B_.count(); ++j) {
    const Index island = island_of_row(B_, j);
    if (island >= 0) islands_[static_cast<std::size_t>(island)].joints.push_back(j);
  }
  for (Index i = 0; i < n_; ++i) {
    const Index island = island_of_block_[static_cast<std::size_t>(sets.root(M_.block_of(i)))];
    if (island >= 0) islands_[static_cast<std::size_t>(island)].coordinates.push_back(i);
  }
}

// Mass and velocity of the island's bodies, and where their coordinates are in it.
void MoreauJean::pose_island_mass(const Island& island) {
  place_in_island_.resize(static_cast<std::size_t>(n_));
  island_blocks_.clear();
  const auto n = static_cast<Index>(island.coordinates.size());
  island_velocity_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Index whole = island.coordinates[static_cast<std::size_t>(i)];
    const Index block = M_.block_of(whole);
    place_in_island_[static_cast<std::size_t>(whole)] = i;
    island_velocity_(i) = u_begin_(whole);
    if (whole == M_.offset(block)) island_blocks_.push_back(M_.block_size(block));
  }
  island_mass_.resize(island_blocks_);
  for (Index b = 0; b < island_mass_.block_count(); ++b) {
    const Index whole = island.coordinates[static_cast<std::size_t>(island_mass_.offset(b))];
    island_mass_.block(b) = M_.block(M_.block_of(whole));
  }
}

void MoreauJean::add_island_row(const Rows& rows, Index row, Rows& to) const {
  to.open_row();
  for (const Rows::Entry& entry : rows[row])
    to.add(place_in_island_[static_cast<std::size_t>(entry.column)], entry.value);
}

// Over all contacts and clutches of the island, with the storage of the impact before. Elements that are the same ones
// again keep their names.
void MoreauJean::pose_impact(const Island& island) {
  pose_island_mass(island);
  std::vector<Element> elements = impact_.take_elements();
  elements.resize(island.contacts.size() + island.clutches.size() + island.joints.size());
  named_.resize(elements.size());
  island_W_.clear();
  island_B_.clear();
  std::size_t posed = 0;
  const auto next = [&](std::uint64_t of, bool same_kind, const auto& name) -> Element& {
    Element& element = elements[posed];
    if (!same_kind || element.name.empty() || named_[posed] != of) element.name = name();
    named_[posed++] = of;
    return element;
  };
  for (std::size_t i : island.contacts) {
    const ContactPoint& point = contacts_.points[active_[i].point];
    Contact& contact =
        kind_of<Contact>(next(point.key, elements[posed].contact(), [&] { return system_.contact_name(point.key); }));
    for (Index k = 0; k < active_[i].rows(); ++k) add_island_row(W_, active_[i].row + k, island_W_);
    contact.friction = point.coefficients->friction.head(point.tangents);
    contact.restitution = point.coefficients->restitution;
    contact.tangential_restitution = point.coefficients->tangential_restitution;
    contact.stiffness = point.coefficients->stiffness;
  }
  for (Index i : island.clutches) {
    Clutch& clutch = kind_of<Clutch>(
        next(static_cast<std::uint64_t>(i), elements[posed].clutch(), [&] { return system_.clutch_name(i); }));
    add_island_row(clutches_.W, i, island_W_);
    clutch.restitution = clutches_.restitution[static_cast<std::size_t>(i)];
  }
  for (Index j : island.joints) {
    kind_of<Bilateral>(
        next(static_cast<std::uint64_t>(j), elements[posed].bilateral(), [&] { return system_.joint_name(j); }));
    add_island_row(B_, j, island_B_);
  }
  impact_.rebuild_on_manifold(island_mass_, island_W_, island_B_, island_velocity_, std::move(elements));
}

// The reason that `carom impact` would give for the same contacts.
std::string MoreauJean::why_unsolved(const InclusionOutcome& outcome) {
  if (!outcome.exhaustive) return outcome.reason;
  for (const Island& island : islands()) {
    pose_impact(island);
    if (masses_hide_directions(impact_)) return hidden_by_masses;
  }
  return outcome.reason;
}

const LawOutcome& MoreauJean::ask_law() {
  law_.resolve_into(impact_, tolerant_solver_, answer_);
  if (answer_.status != LawOutcome::Status::refused || !several_) return answer_;
  several_->resolve_into(impact_, tolerant_solver_, answer_of_several_);
  if (answer_of_several_.status == LawOutcome::Status::refused) return answer_;
  note_once("several", "several contacts act on each other: each is resolved by the law in turn");
  return answer_of_several_;
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
  if (islands().empty()) return;
  find_velocity_without_impacts(state);
  collect_rows(at_impact_, state.u);
  find_islands();  // a direction along an axis touches fewer coordinates than it does half a step on
  for (const Island& island : islands()) {
    if (!island.impacts) continue;
    for (Index i : island.coordinates) {
      u_begin_(i) += 0.5 * (undisturbed_(i) - state.u(i));
      u_free_(i) += 0.5 * (undisturbed_(i) - u_free_(i));
    }
  }
  project_velocities(u_begin_);
  for (const Island& island : islands()) {
    if (!island.impacts) continue;
    support_until_impact(island, state);
    resolve_impact(island, state, recorder, counts);
  }
  close_at_end(b_end_, u_free_);
}

// Books what the sustained contacts did in the half step before the impact.
void MoreauJean::support_until_impact(const Island& island, SimulationState& state) {
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

// Bodies that approach at the beginning of the step may pass each other in its middle: where nothing approaches, and
// nothing is transmitted, there is no impact.
bool MoreauJean::is_impact(const ImpactResult& result) const {
  for (std::size_t i = 0; i < impact_.elements().size(); ++i) {
    const ElementResult& element = result.elements[i];
    if (impact_.elements()[i].bilateral()) continue;
    if (!element.Lambda.isZero(0) || element.gamma_minus(0) < 0) return true;
  }
  return false;
}

void MoreauJean::resolve_impact(const Island& island, SimulationState& state, Recorder* recorder,
                                SimulationCounts& counts) {
  if (!island.joints.empty() && static_cast<Index>(island.coordinates.size()) > largest_jointed_island) {
    fail(
        state.time,
        fmt::format("{} coordinates of bodies with joints take part in one impact; this law takes at most {} (a law in "
                    "inclusion form takes any number)",
                    island.coordinates.size(), largest_jointed_island));
  }
  pose_impact(island);
  const LawOutcome& outcome = ask_law();
  if (outcome.status != LawOutcome::Status::resolved) {
    return fail_or_warn(state.time, "impact without solution",
                        fmt::format("impact at '{}': {}", impact_.elements().front().name, outcome.reason));
  }
  const ImpactResult& result = outcome.results.front();
  state.energy.work_impacts += result.work;
  for (std::size_t i = 0; i < impact_.elements().size(); ++i) {
    if (impact_.elements()[i].bilateral()) {
      state.energy.work_applied += result.elements[i].work;  // of prescribed motions
      continue;
    }
    const Index row = i < island.contacts.size() ? active_[island.contacts[i]].row
                                                 : clutch_row_ + island.clutches[i - island.contacts.size()];
    Lambda_impact_.segment(row, result.elements[i].Lambda.size()) += result.elements[i].Lambda;
  }
  if (is_impact(result)) {
    ImpactRecord record = record_of_law(result, state);
    if (recorder) add_elements_of_law(result, record);
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
