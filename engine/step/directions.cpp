#include "engine/step/directions.h"

#include <algorithm>

namespace carom {

namespace {

bool is_same(Rows::Row a, Rows::Row b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rows::Entry& x, const Rows::Entry& y) {
    return x.column == y.column && x.value == y.value;
  });
}

// A direction that has turned round: there, the body is past the middle of what it hits.
bool is_turned_round(Rows::Row from, Rows::Row to) {
  double along = 0;
  for (const Rows::Entry& entry : from) along += entry.value * value_at(to, entry.column);
  return along < 0;
}

}  // namespace

void Directions::begin(const Contacts& contacts) {
  rows_.W.clear();
  rows_.of.clear();
  rows_.found = 0;
  rows_.clutch_row = 0;
  ++rows_.version;
  ++rows_.of_version;
  rows_.of.reserve(contacts.points.size());
  rows_.W.reserve(static_cast<std::size_t>(contacts.W.count()), contacts.W.entries());
}

bool Directions::has_rows_of(const ActiveSet& active, const Clutches& clutches) const {
  if (rows_.of.size() != active.contacts.size() || rows_.clutch_row != active.rows ||
      rows_.W.count() != active.rows + clutches.W.count())
    return false;
  for (std::size_t i = 0; i < active.contacts.size(); ++i)
    if (rows_.of[i].point != active.contacts[i].point) return false;
  return true;
}

// Whether W has the rows of the active contacts as they are there; a contact that is not found there is no reason to
// look further.
bool Directions::has_rows_at(const Contacts& there, const ActiveSet& active) {
  return std::all_of(active.contacts.begin(), active.contacts.end(), [&](const ActiveContact& contact) {
    const ContactPoint* same = finder_.find(contact.key, contact.point);
    if (!same || same->tangents != contact.tangents) return false;
    for (Index k = 0; k < contact.rows(); ++k)
      if (!is_same(rows_.W[contact.row + k], there.W[same->first_row + k])) return false;
    return true;
  });
}

// Directions that never change are collected once for a set of active contacts, and what follows from those that have
// not changed since the step before, bit by bit, stays.
const StepRows& Directions::collect(const Place& begin, const Contacts& there, const Clutches& clutches,
                                    const ActiveSet& active, const Vec& u_begin, const Contacts* middle) {
  const bool same_contacts = has_rows_of(active, clutches);
  if (same_contacts && setting_.fixed_directions) return rows_;
  const bool nothing_else = !active.something_impacts && clutches.W.count() == 0;
  const bool here = &there == &begin.contacts() && nothing_else;
  if (same_contacts && here && rows_.found == begin.found()) return rows_;
  rows_.found = here ? begin.found() : 0;
  finder_.look_in(there);
  if (middle) middle_finder_.look_in(*middle);
  if (same_contacts && nothing_else && has_rows_at(there, active)) return rows_;
  ++rows_.version;
  ++rows_.of_version;
  rows_.W.clear();
  rows_.of.clear();
  rows_.clutch_row = active.rows;
  for (const ActiveContact& contact : active.contacts) {
    const Contacts& place = contact.turns ? *middle : there;
    append(contact, begin.contacts(), place, contact.turns ? middle_finder_ : finder_, u_begin);
    rows_.of.push_back({contact.point, static_cast<std::uint32_t>(contact.row)});
  }
  for (Index i = 0; i < clutches.W.count(); ++i) rows_.W.append(clutches.W[i]);
  return rows_;
}

// A contact that is not found there keeps its own rows, and so does one that collides and would be pushed on through
// there, or whose bodies would not be stopped.
void Directions::append(const ActiveContact& active, const Contacts& own, const Contacts& there, ContactFinder& finder,
                        const Vec& u_begin) {
  const Index first = own.points[active.point].first_row;
  const ContactPoint* same = finder.find(active.key, active.point);
  const bool found = same && same->tangents == active.tangents &&
                     !(active.impacts && is_turned_round(own.W[first], there.W[same->first_row])) &&
                     !(active.impacts && setting_.lengths.turns(own.W[first]) &&
                       there.W.dot(same->first_row, u_begin) >= slides_over * active.gamma);
  for (Index k = 0; k < active.rows(); ++k) rows_.W.append(found ? there.W[same->first_row + k] : own.W[first + k]);
}

// On curved paths γ_{k+1} belongs to the contact as it will be, and a sliding contact neither drifts off nor flickers.
// At rest they are where they are. Which contacts are slid over is told by how they came: a law has sent all of them
// apart.
const StepRows& Directions::collect_ahead(const Place& begin, const Clutches& clutches, const ActiveSet& active,
                                          const SimulationState& state, const Vec& u, const Contacts* middle) {
  if (setting_.fixed_directions) return rows_;  // they are the ones at q_k
  displacement_ = setting_.h * u;
  setting_.system.move(state.q, displacement_, rows_.q);
  if (!active.something_impacts &&
      setting_.system.finds_again(begin.contacts(), rows_.q, state.u, setting_.search_time))
    return collect(begin, begin.contacts(), clutches, active, state.u);
  find_contacts(setting_, rows_.q, state.u, ahead_);
  if (active.something_impacts || !are_all_named(active, clutches))
    return collect(begin, ahead_, clutches, active, state.u, middle);
  ++rows_.version;
  if (!has_rows_of(active, clutches)) {
    ++rows_.of_version;
    rows_.clutch_row = active.rows;
    rows_.of.clear();
    for (const ActiveContact& contact : active.contacts)
      rows_.of.push_back({contact.point, static_cast<std::uint32_t>(contact.row)});
  }
  std::swap(rows_.W, ahead_.W);
  rows_.found = 0;
  return rows_;
}

// Every named contact is active and nothing else is: W has the rows of the active ones as it is. Their force sets are
// the same from step to step.
bool Directions::are_all_named(const ActiveSet& active, const Clutches& clutches) const {
  const std::vector<ActiveContact>& contacts = active.contacts;
  if (clutches.W.count() > 0 || contacts.size() != setting_.system.named_contacts() ||
      ahead_.points.size() != contacts.size())
    return false;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].key != i || contacts[i].point != i || ahead_.points[i].key != i) return false;
  return true;
}

}  // namespace carom
