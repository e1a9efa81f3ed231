#include "engine/step/memory.h"

#include <algorithm>

namespace carom {

void Memory::begin() { *this = {}; }

void Memory::write(SimulationState& state, const Vec& Lambda) {
  impulses_are_told_ = true;
  for (std::size_t i = 0; i < state.impulses.size(); ++i) state.impulses[i].value(0) = Lambda(static_cast<Index>(i));
}

void Memory::remember(const Course& course, SimulationState& state) {
  const ActiveSet& active = course.step.active;
  impulses_are_told_ = !(remembered_ == active.version && course.end.all_stay_closed());
  if (!impulses_are_told_) return;
  remembered_ = active.version;
  state.impulses.resize(active.contacts.size());
  all_sustained_ = course.posed.changes_steadily && !active.something_impacts &&
                   active.contacts.size() == course.step.begin.contacts().points.size() &&
                   course.step.rows.W.count() == static_cast<Index>(active.contacts.size());
  std::size_t count = 0;
  std::uint64_t last_key = 0;
  bool sorted = true;
  for (const ActiveContact& contact : active.contacts) {
    const Index row = contact.row;
    if (!(course.impulses.Lambda(row) > 0)) continue;
    sorted = sorted && last_key <= contact.key;
    last_key = contact.key;
    SimulationState::Impulse& impulse = state.impulses[count++];
    impulse.key = contact.key;
    impulse.value.setZero();
    for (Index k = 0; k < contact.rows(); ++k) impulse.value(k) = course.impulses.Lambda(row + k);
    impulse.sustained = course.is_sustained(contact);
    impulse.keeps_gap = contact.was_sustained;
    impulse.gap = contact.kept_gap;
    all_sustained_ = all_sustained_ && impulse.sustained && contact.was_sustained;
  }
  state.impulses.resize(count);
  all_sustained_ = all_sustained_ && sorted && count == active.contacts.size();
  if (sorted) return;
  std::sort(state.impulses.begin(), state.impulses.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
}

// As contacts were before, but for those that `goes_on` tells of.
template <class GoesOn>
void Memory::write_going_on(const ActiveSet& active, SimulationState& state, const GoesOn& goes_on) {
  begin();
  state.impulses.resize(active.contacts.size());
  std::size_t count = 0;
  for (const ActiveContact& contact : active.contacts) {
    if (!goes_on(contact)) continue;
    state.impulses[count++] = {contact.key, contact.impulse, true, contact.was_sustained, contact.kept_gap};
  }
  state.impulses.resize(count);
  std::sort(state.impulses.begin(), state.impulses.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
}

void Memory::remember_impact(const ActiveSet& active, const Rows& W, const Vec& u_minus, SimulationState& state) {
  write_going_on(active, state, [&](const ActiveContact& contact) {
    if (!contact.in_impact) return contact.was_sustained;
    const double rounded = rounded_speed(W[contact.row], u_minus) + rounded_speed(W[contact.row], state.u);
    return W.dot(contact.row, state.u) <= rounded;
  });
}

void Memory::hold(const ActiveSet& active, std::uint64_t key, SimulationState& state) {
  write_going_on(active, state,
                 [&](const ActiveContact& contact) { return contact.was_sustained || contact.key == key; });
}

}  // namespace carom
