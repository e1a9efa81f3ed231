// Which contacts take part in a step, and along which directions.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/moreau_jean.h"

namespace carom {

namespace {

// Overlap, as a part of what a step would close, and approach, as a part of what it is at the beginning, of bodies that
// slide over each other at its end.
constexpr double slides_over = 1e-2;
constexpr double same_direction =
    0.8;  // the product of two directions of one contact, of that with themselves, at least
constexpr double off_its_path = 1e-2;  // of the way of a step: what it makes of a gap at most, if it is short enough

bool is_same(Rows::Row a, Rows::Row b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rows::Entry& x, const Rows::Entry& y) {
    return x.column == y.column && x.value == y.value;
  });
}

double value_at(Rows::Row row, Index column) {  // rows do without their zeros
  for (const Rows::Entry& entry : row)
    if (entry.column == column) return entry.value;
  return 0;
}

// A direction that has turned round: there, the body is past the middle of what it hits.
bool is_turned_round(Rows::Row from, Rows::Row to) {
  double along = 0;
  for (const Rows::Entry& entry : from) along += entry.value * value_at(to, entry.column);
  return along < 0;
}

}  // namespace

// Clutches are met without an impact as a motion goes on, for w·u passes through zero; only the state that a run starts
// from can overrun one.
void MoreauJean::find_overrun_clutches(const SimulationState& state) {
  if (clutches_.W.count() == 0) return;
  overrun_.assign(static_cast<std::size_t>(clutches_.W.count()), false);
  if (state.step > 0) return;
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const bool overrun = clutches_.W.dot(i, state.u) < -rounded_speed(clutches_.W[i], state.u);
    overrun_[static_cast<std::size_t>(i)] = overrun;
    something_impacts_ = something_impacts_ || overrun;
  }
}

double MoreauJean::rounded_speed(Rows::Row row, const Vec& u) {
  double sum = 0;
  for (const Rows::Entry& entry : row) sum += std::abs(entry.value * u(entry.column));
  return rounding * sum;
}

// At most, before and after a split impact, and as the normal turns within the step.
double MoreauJean::speed_along_normal(const Active& active) const {
  const double here = gamma_k_(active.row), ahead = W_.dot(active.row, u_begin_);
  return std::max(std::abs(active.gamma), std::abs(here)) + std::abs(ahead - here);
}

// Whether the contacts of the step before all stay closed, with what is known of them: nothing is selected anew.
bool MoreauJean::all_go_on() const {
  if (!(speeds_stand_ && all_sustained_)) return false;
  for (std::size_t i = 0; i < contacts_.points.size(); ++i)
    if (!(contacts_.points[i].gap + 0.5 * h_ * gamma_end_(static_cast<Index>(i)) <= gap_allowance_)) return false;
  return true;
}

// Whether a sustained contact keeps the gap it landed with, and is not dropped because its path is curved: the scheme
// meets the path to h³ in a step, far beyond rounding. In the classical step that is where bodies turn about the
// contact and the gap is as small as that; of points, balls and disks g_k + ½hγ_k ≤ 0 decides alone.
bool MoreauJean::keeps_gap(const ContactPoint& point, double gap) const {
  if (!in_inclusion_form_) return true;
  return gap <= std::max(curve_allowance_, widest_loose_gap()) && !fixed_directions_ &&
         lengths_.turns(contacts_.W[point.first_row]);
}

void MoreauJean::select_active(SimulationState& state) {
  // A contact at rest stays active although its gap is rounded; the allowance is far below any motion of a step.
  gap_allowance_ = 1e-11 * lengths_.of_gaps(state.q);
  selected_as_before_ = goes_on_ = all_go_on();
  if (goes_on_) return;
  if (!fixed_directions_) curve_allowance_ = off_its_path * h_ * lengths_.largest_length(state.u);
  tell_impulses(state);
  step_watch_.forget_inactive();
  std::size_t count = 0;
  bool as_before = true;
  something_impacts_ = false;
  const auto end = state.impulses.end();
  auto remembered = state.impulses.begin();
  // Of contacts in W_ the velocity may be known from the end of the step before, in the same bits: W of many takes long
  // to read. Their rows are not written over before.
  std::size_t known = 0;
  const std::size_t all_known = speeds_stand_ ? rows_of_.size() : 0;
  for (std::size_t i = 0; i < contacts_.points.size(); ++i) {
    const ContactPoint& point = contacts_.points[i];
    if (remembered == end || remembered->key != point.key) {
      remembered = std::lower_bound(state.impulses.begin(), end, point.key,
                                    [](const auto& impulse, std::uint64_t key) { return impulse.key < key; });
    }
    const SimulationState::Impulse* before = nullptr;
    if (remembered != end && remembered->key == point.key) before = &*remembered++;

    const bool is_known = known < all_known && rows_of_[known] == i;
    const double gamma = is_known ? gamma_end_(active_[known++].row) : contacts_.W.dot(point.first_row, state.u);
    const bool was_sustained = before && before->sustained;
    const double predicted = point.gap + 0.5 * h_ * gamma;
    if (!(predicted <= gap_allowance_) && !(was_sustained && keeps_gap(point, predicted))) {
      step_watch_.see_inactive(point, gap_allowance_);
      continue;
    }
    const bool impacts = !was_sustained && gamma < -options_.capture_speed &&
                         gamma < -rounded_speed(contacts_.W[point.first_row], state.u);
    something_impacts_ = something_impacts_ || impacts;
    as_before = as_before && count < rows_of_.size() && rows_of_[count] == i;
    if (count == active_.size()) active_.emplace_back();
    Active& active = active_[count++];  // of a system at rest each is written over in its place
    active.key = point.key;
    active.gamma = gamma;
    active.kept_gap = before && before->keeps_gap ? before->gap : point.gap;
    if (before) {
      active.impulse = before->value;
    } else {
      active.impulse.setZero();
    }
    active.point = static_cast<std::uint32_t>(i);
    active.tangents = static_cast<std::int8_t>(point.tangents);
    active.impacts = impacts;
    active.in_impact = active.turns = active.swings = active.redundant = false;
    active.was_sustained = was_sustained;
  }
  active_.resize(count);
  // A flight in between has left nothing selected, and no rows numbered.
  const Index rows = count > 0 ? active_.back().end_row() : 0;
  selected_as_before_ =
      as_before && count == rows_of_.size() && rows == clutch_row_ && W_.count() == rows + clutches_.W.count();
  if (something_impacts_) leave_out_rounded_approach(state);
  if (something_impacts_ && !fixed_directions_) leave_out_what_passes(state);
  find_overrun_clutches(state);
}

// Of bodies at rest the velocity is what rounding leaves of the forces' impulse in a step, or of the fast ones that an
// impact brought to rest: no approach either.
void MoreauJean::leave_out_rounded_approach(const SimulationState& state) {
  if (!steady_) {
    find_force_impulse(state.time, state.q, state.u);
    M_.solve_in_place(imbalance_);
  }
  const Vec& by_forces = steady_ ? steady_change_ : imbalance_;
  const double left_of_others = rounding * lengths_.largest_length(state.u);
  something_impacts_ = false;
  for (Active& active : active_) {
    if (!active.impacts) continue;
    const Rows::Row normal = contacts_.W[contacts_.points[active.point].first_row];
    if (-active.gamma <= std::max(rounded_speed(normal, by_forces), left_of_others)) active.impacts = false;
    something_impacts_ = something_impacts_ || active.impacts;
  }
}

// A corner that comes near another one approaches it along the line between them, and may pass it all the same: the
// bodies meet nowhere on the way of the step, or only slide over each other at its end. In the classical step
// g_k + ½hγ_k ≤ 0 decides alone where the normal passes through the centres (points, balls, disks).
void MoreauJean::leave_out_what_passes(const SimulationState& state) {
  const auto is_doubtful = [&](const Active& active) {
    const ContactPoint& point = contacts_.points[active.point];
    return active.impacts && point.gap >= -gap_allowance_ &&
           (!in_inclusion_form_ || lengths_.turns(contacts_.W[point.first_row]));
  };
  if (std::none_of(active_.begin(), active_.end(), is_doubtful)) return;
  look_ahead(state, state.u);
  finder_.look_in(ahead_);
  std::erase_if(active_, [&](Active& active) {
    if (!is_doubtful(active)) return false;
    const ContactPoint* nearest = nearest_ahead(active.key);
    if (!nearest || nearest->gap > gap_allowance_)
      return !passages_.meet(active.key, q_ahead_, state.u, state.u, gap_allowance_);
    if (nearest->gap < slides_over * h_ * active.gamma) return false;
    const ContactPoint* same = finder_.find(active.key, active.point);
    const double gamma_ahead = ahead_.W.dot((same ? same : nearest)->first_row, state.u);
    if (gamma_ahead < slides_over * active.gamma) return false;
    if (!same) return true;  // other features meet there
    active.gamma = gamma_ahead;
    active.impacts = false;
    return false;
  });
  something_impacts_ = std::any_of(active_.begin(), active_.end(), [](const Active& active) { return active.impacts; });
}

// The deepest point of the same two shapes, where the step would end if nothing stopped it.
const ContactPoint* MoreauJean::nearest_ahead(std::uint64_t key) const {
  const std::uint64_t pair = system_.contact_pair(key);
  const ContactPoint* nearest = nullptr;
  for (const ContactPoint& point : ahead_.points)
    if (system_.contact_pair(point.key) == pair && (!nearest || point.gap < nearest->gap)) nearest = &point;
  return nearest;
}

// Numbers the rows of the active contacts. True if they are the same contacts as before, whose rows were as many.
bool MoreauJean::number_rows() {
  Index row = 0;
  bool same = rows_of_.size() == active_.size();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    active_[i].row = row;
    row += active_[i].rows();
    same = same && rows_of_[i] == active_[i].point;
  }
  same = same && clutch_row_ == row && W_.count() == row + clutches_.W.count();
  clutch_row_ = row;
  return same;
}

// The rows of the active contacts at q_k, or where they are at another position. A contact that is not found there
// keeps its own, and so does one that collides and would be pushed on through there, or whose bodies, moving with u,
// would not be stopped. Directions that never change are collected once for a set of active contacts, and what follows
// from those that have not changed since the step before, bit by bit, stays.
void MoreauJean::collect_rows(const Contacts& there, const Vec& u) {
  if (fixed_directions_ && in_inclusion_form_ && selected_as_before_)
    return;  // nothing else selects: rows are as they were
  const bool here = &there == &contacts_ && !something_impacts_ && clutches_.W.count() == 0;
  if (here && rows_stand_ && selected_as_before_) return;
  const bool same_contacts = number_rows();
  if (same_contacts && fixed_directions_) return;
  rows_stand_ = here;
  speeds_stand_ = false;
  finder_.look_in(there);
  if (same_contacts && !something_impacts_ && clutches_.W.count() == 0 && are_rows_of(there)) return;
  sets_are_posed_ = G_is_posed_ = false;
  W_.clear();
  rows_of_.clear();
  for (const Active& active : active_) {
    const Contacts& place = active.turns ? at_impact_ : there;
    const ContactPoint* same = (active.turns ? impact_finder_ : finder_).find(active.key, active.point);
    const Index own = contacts_.points[active.point].first_row;
    const bool found = same && same->tangents == active.tangents &&
                       !(active.impacts && is_turned_round(contacts_.W[own], place.W[same->first_row])) &&
                       !(active.impacts && lengths_.turns(contacts_.W[own]) &&
                         place.W.dot(same->first_row, u) >= slides_over * active.gamma);
    for (Index k = 0; k < active.rows(); ++k) W_.append(found ? place.W[same->first_row + k] : contacts_.W[own + k]);
    rows_of_.push_back(active.point);
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) W_.append(clutches_.W[i]);
}

// Whether W_ has the rows of the active contacts as they are there; a contact that is not found there is no reason to
// look further.
bool MoreauJean::are_rows_of(const Contacts& there) {
  return std::all_of(active_.begin(), active_.end(), [&](const Active& active) {
    const ContactPoint* same = finder_.find(active.key, active.point);
    if (!same || same->tangents != active.tangents) return false;
    for (Index k = 0; k < active.rows(); ++k)
      if (!is_same(W_[active.row + k], there.W[same->first_row + k])) return false;
    return true;
  });
}

void MoreauJean::go_ahead(const SimulationState& state, const Vec& u) {
  displacement_ = h_ * u;
  system_.move(state.q, displacement_, q_ahead_);
}

// The contacts where the step will end if nothing stops it.
void MoreauJean::look_ahead(const SimulationState& state, const Vec& u) {
  go_ahead(state, u);
  find_contacts_at(q_ahead_, state, ahead_);
}

// Impulses act along W̃ = W(q_k ⊕ h u), where the step will end if nothing stops it. On curved paths γ_{k+1} then
// belongs to the contact as it will be, and a sliding contact neither drifts off nor flickers. At rest they are where
// they are.
void MoreauJean::collect_rows_ahead(const SimulationState& state, const Vec& u) {
  if (fixed_directions_ && in_inclusion_form_) return;  // they are the ones at q_k
  if (fixed_directions_) return collect_rows(contacts_, state.u);
  go_ahead(state, u);
  if (!something_impacts_ && system_.finds_again(contacts_, q_ahead_, state.u, h_)) return collect_rows(contacts_, u);
  find_contacts_at(q_ahead_, state, ahead_);
  if (something_impacts_ && in_inclusion_form_) turn_to_middle(state, u);
  // Which contacts are slid over is told by how they came: a law has sent all of them apart.
  if (something_impacts_ || !are_all_named(ahead_)) return collect_rows(ahead_, state.u);
  if (!number_rows()) sets_are_posed_ = false;
  G_is_posed_ = false;
  rows_of_.resize(active_.size());
  std::iota(rows_of_.begin(), rows_of_.end(), 0);
  std::swap(W_, ahead_.W);
  rows_stand_ = speeds_stand_ = false;
}

// An impact that turns bodies has other directions at the end of the step than at q_k. Were γ_k and γ_{k+1} taken along
// those of their own times, an elastic impact would do work; both are taken along the directions in the middle of the
// step, where the impact is on average. Points, balls and disks, whose normals pass through their centres, are left as
// the classical step has them.
void MoreauJean::turn_to_middle(const SimulationState& state, const Vec& u) {
  bool is_found = false;
  for (Active& active : active_) {
    const Index own = contacts_.points[active.point].first_row;
    active.turns = active.impacts && lengths_.turns(contacts_.W[own]);
    if (!active.turns) continue;
    if (!is_found) {
      displacement_ = 0.5 * h_ * u;
      system_.move(state.q, displacement_, q_impact_);
      find_contacts_at(q_impact_, state, at_impact_);
      impact_finder_.look_in(at_impact_);
    }
    is_found = true;
  }
}

// Contacts that go on, and whose lever arms, or the joints on their bodies, are others at the end of the step than at
// its beginning.
void MoreauJean::find_swinging_contacts() {
  if (fixed_directions_ || rows_stand_) return;
  for (Active& active : active_) {
    const Index own = contacts_.points[active.point].first_row;
    bool swings = joints_ > 0 && has_joints(W_[active.row]), is_jump = active.in_impact;
    for (Index k = 0; k < active.rows() && !is_jump; ++k) {
      const Turning turning = turning_between(contacts_.W[own + k], W_[active.row + k]);
      swings = swings || turning.of_levers;
      is_jump = turning.is_jump;
    }
    active.swings = swings && !is_jump;
    something_swings_ = something_swings_ || active.swings;
  }
}

bool MoreauJean::has_joints(Rows::Row direction) const {
  return std::any_of(direction.begin(), direction.end(), [&](const Rows::Entry& entry) {
    return block_has_joints_[static_cast<std::size_t>(M_.block_of(entry.column))];
  });
}

// From one direction of a contact to another. Tangents jump where their frame is chosen anew, and all of them where
// other features meet.
MoreauJean::Turning MoreauJean::turning_between(Rows::Row from, Rows::Row to) const {
  const double per_size = lengths_.per_size();
  double along = 0, size = 0, turned = 0;
  const auto compare = [&](Index column, double a, double b) {
    if (!lengths_.is_length(column)) {
      a *= per_size, b *= per_size;
      turned = std::max(turned, std::abs(a - b));
    }
    along += a * b;
    size += a * a + b * b;
  };
  const auto same_column = [](const Rows::Entry& a, const Rows::Entry& b) { return a.column == b.column; };
  if (std::equal(from.begin(), from.end(), to.begin(), to.end(), same_column)) {
    for (const Rows::Entry *a = from.begin(), *b = to.begin(); a != from.end(); ++a, ++b)
      compare(a->column, a->value, b->value);
  } else {
    for (const Rows::Entry& entry : from) compare(entry.column, entry.value, value_at(to, entry.column));
    for (const Rows::Entry& entry : to)
      if (value_at(from, entry.column) == 0) compare(entry.column, 0, entry.value);
  }
  return {.of_levers = turned > rounding, .is_jump = !(2 * along > same_direction * size)};
}

// Every named contact is active and nothing else is: W has the rows of the active ones as it is. Their force sets are
// the same from step to step.
bool MoreauJean::are_all_named(const Contacts& there) const {
  if (clutches_.W.count() > 0 || active_.size() != system_.named_contacts() || there.points.size() != active_.size())
    return false;
  for (std::size_t i = 0; i < active_.size(); ++i)
    if (active_[i].key != i || active_[i].point != i || there.points[i].key != i) return false;
  return true;
}

}  // namespace carom
