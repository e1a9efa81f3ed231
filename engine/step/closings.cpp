#include "engine/step/closings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

constexpr double out_of_sight = std::numeric_limits<double>::infinity();

}  // namespace

double Dip::lowest_time() const {
  if (at_to.gap == out_of_sight) return from + 0.5 * (to - from);
  const double closing = at_from.gamma - at_to.gamma;
  return from + (at_to.gap - at_from.gap - at_to.gamma * (to - from)) / closing;
}

void Closings::watch(const Place& begin, const ActiveSet& active, const Vec& u) {
  const Contacts& contacts = begin.contacts();
  before_.points = contacts.points;
  allowance_ = active.gap_allowance;
  finder_.look_in(before_);
  watched_.resize(contacts.points.size());
  some_come_ = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const ContactPoint& point = contacts.points[i];
    const double level = std::min(0.0, point.gap), gamma = contacts.W.dot(point.first_row, u);
    watched_[i] = {level, gamma, false, gamma < 0 && point.gap + setting_.h * gamma < level};
  }
  active_pairs_.clear();
  for (const ActiveContact& contact : active.contacts) {
    watched_[contact.point].active = true;
    watched_[contact.point].comes = false;
    active_pairs_.push_back(setting_.system.contact_pair(contact.key));
  }
  std::sort(active_pairs_.begin(), active_pairs_.end());
  for (const Watched& watched : watched_) some_come_ = some_come_ || watched.comes;
}

bool Closings::none_is_near() const {
  if (some_come_ || there_->points.size() != before_.points.size()) return false;
  for (std::size_t i = 0; i < there_->points.size(); ++i) {
    const ContactPoint& point = there_->points[i];
    if (point.key != before_.points[i].key || !(point.gap >= 0 || watched_[i].active)) return false;
  }
  return true;
}

void Closings::look(const Place& place, const Vec& u, double time) {
  there_ = &place.contacts();
  u_ = &u;
  time_ = time;
}

// Without bound where a contact does not count: it takes part in the step, or other features of its bodies do, beside
// which it is new.
double Closings::level_of(const ContactPoint& point, std::size_t guess) {
  if (const ContactPoint* same = finder_.find(point.key, guess)) {
    const Watched& watched = watched_[static_cast<std::size_t>(same - before_.points.data())];
    return watched.active ? -out_of_sight : watched.level;
  }
  const std::uint64_t pair = setting_.system.contact_pair(point.key);
  if (std::binary_search(active_pairs_.begin(), active_pairs_.end(), pair)) return -out_of_sight;
  double level = 0;
  for (std::size_t i = 0; i < before_.points.size(); ++i)
    if (setting_.system.contact_pair(before_.points[i].key) == pair) level = std::min(level, watched_[i].level);
  return level;
}

// Of those that count, with the earliest expected closing.
template <class Counts>
std::optional<Closing> Closings::first(const Counts& counts) {
  std::optional<Closing> earliest;
  for (std::size_t i = 0; i < there_->points.size(); ++i) {
    const ContactPoint& point = there_->points[i];
    if (!counts.may(point.gap)) continue;
    const double clearance = point.gap - level_of(point, i);
    if (!counts.may(clearance)) continue;
    const double gamma = there_->W.dot(point.first_row, *u_);
    if (!counts.does(clearance, gamma)) continue;
    const double expected = gamma < 0 ? time_ - clearance / gamma : -out_of_sight;
    if (earliest && earliest->expected <= expected) continue;
    earliest = {point.key, {clearance, gamma}, expected, out_of_sight};
    if (const ContactPoint* same = finder_.find(point.key, i)) {
      const std::size_t before = static_cast<std::size_t>(same - before_.points.data());
      if (same->gap <= watched_[before].level + allowance_)
        earliest->rose_at_most = 0.25 * watched_[before].gamma * time_;
    }
  }
  return earliest;
}

std::optional<Closing> Closings::closed(double allowed) {
  struct {
    double allowed;
    bool may(double gap) const { return gap < -allowed; }
    bool does(double, double) const { return true; }
  } counts{allowed};
  return first(counts);
}

std::optional<Closing> Closings::next() {
  struct {
    bool may(double) const { return true; }
    bool does(double clearance, double gamma) const { return clearance < out_of_sight && gamma < 0; }
  } counts;
  return first(counts);
}

// The nearest point of the same two bodies where other features meet.
Clearance Closings::clearance_of(std::size_t point) const {
  const std::uint64_t key = before_.points[point].key, pair = setting_.system.contact_pair(key);
  const ContactPoint* nearest = nullptr;
  for (const ContactPoint& candidate : there_->points) {
    if (setting_.system.contact_pair(candidate.key) != pair) continue;
    if (!nearest || candidate.gap < nearest->gap) nearest = &candidate;
  }
  if (!nearest) return {out_of_sight, 0};
  return {nearest->gap - watched_[point].level, there_->W.dot(nearest->first_row, *u_)};
}

std::optional<Dip> Closings::dip(double allowed) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Watched& watched = watched_[i];
    const double gap = before_.points[i].gap - watched.level;
    if (!watched.comes || gap + time_ * watched.gamma >= -allowed) continue;
    const Dip dip{i, 0, time_, {gap, watched.gamma}, clearance_of(i)};
    if (dip.at_to.gap < out_of_sight && !(dip.at_to.gamma > 0 && dip.bound() < -allowed)) continue;
    return dip;
  }
  return std::nullopt;
}

}  // namespace carom
