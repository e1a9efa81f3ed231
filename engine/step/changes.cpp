#include "engine/step/changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

constexpr double no_time = 1.0 / 64;  // of a step: so near to its ends a change is as good as at them
constexpr double sticks = 1e-9;       // slip, as a part of what friction changes in it

double strongest(const ForceSet& friction) { return friction.friction.head(friction.size()).maxCoeff(); }

// |Λ_T|/μ: the normal impulse that it needs.
double needed(const ForceSet& friction, const Eigen::Vector2d& tangential) {
  double sum = 0;
  for (Index k = 0; k < friction.size(); ++k) {
    const double part = tangential(k) / friction.friction(k);
    sum += part * part;
  }
  return std::sqrt(sum);
}

}  // namespace

// The force that closes the contact, on the average of the step; of an open one what would have kept it closed.
double Changes::normal_margin(const TakenStep& step, const ActiveContact& contact) const {
  const double normal = step.Lambda(contact.row);
  return (normal > 0 ? normal : -step.gamma_end(contact.row) / step.posed.own_compliance(contact.row)) / setting_.h;
}

// λ_N − |λ_T|/μ; of one that slips at the end without what would have kept it from that.
double Changes::slip_margin(const TakenStep& step, const ActiveContact& contact, const ForceSet& friction) const {
  const double normal = step.Lambda(contact.row);
  const double slip = rows_of(friction, step.gamma_end).norm();
  const double per_impulse = step.posed.own_compliance(friction.row) * strongest(friction);
  const bool slips = slip > sticks * per_impulse * normal;
  return (slips ? -slip / per_impulse : normal - needed(friction, rows_of(friction, step.Lambda))) / setting_.h;
}

bool Changes::look(const TakenStep& step) {
  h_ = setting_.h;
  first_ = std::numeric_limits<double>::infinity();
  falling_.clear();
  find_friction(step);
  for (std::size_t i = 0; i < step.active.contacts.size(); ++i) {
    const ActiveContact& contact = step.active.contacts[i];
    if (!contact.was_sustained || !(step.posed.own_compliance(contact.row) > 0)) continue;
    look_at_normal(step, i);
    if (step.Lambda(contact.row) > 0 && friction_[i].is_friction()) look_at_slip(step, i);
  }
  return !falling_.empty();
}

// Sets stand in the order of contacts, that of friction behind that of its normal.
void Changes::find_friction(const TakenStep& step) {
  const std::vector<ForceSet>& sets = step.posed.inclusion.sets;
  friction_.assign(step.active.contacts.size(), ForceSet{});
  std::size_t k = 0;
  for (std::size_t i = 0; i < friction_.size(); ++i) {
    while (k < sets.size() && sets[k].row != step.active.contacts[i].row) ++k;
    if (k + 1 < sets.size() && sets[k + 1].is_friction()) friction_[i] = sets[k + 1];
  }
}

// `impulse` is that of a whole step like the one before; of a contact that has just closed it is not known.
void Changes::look_at_normal(const TakenStep& step, std::size_t i) {
  const ActiveContact& contact = step.active.contacts[i];
  const double before = contact.impulse(0) / setting_.options.step, mean = normal_margin(step, contact);
  const bool opens = !(step.Lambda(contact.row) > 0);
  if (before > 0 && (opens ? mean < -sticks * before : 2 * mean <= before)) falling_.push_back({i, false, mean});
}

void Changes::look_at_slip(const TakenStep& step, std::size_t i) {
  const ActiveContact& contact = step.active.contacts[i];
  const ForceSet& friction = friction_[i];
  const double per_impulse = step.posed.own_compliance(friction.row) * strongest(friction);
  if (!(per_impulse > 0)) return;
  const double mean = slip_margin(step, contact, friction);
  Eigen::Vector2d s = Eigen::Vector2d::Zero(), before = s;
  for (Index k = 0; k < friction.size(); ++k) {
    s(k) = step.posed.at_begin(friction.row + k);
    before(k) = contact.impulse(friction.row - contact.row + k);
  }
  if (s.norm() > no_time * per_impulse * step.Lambda(contact.row)) {
    const double along = s.dot(rows_of(friction, step.gamma_end)) / s.norm();
    const double would = mean > 0 ? -per_impulse * mean * h_ : along;
    if (would <= 0) expect(h_ * s.norm() / (s.norm() - would));
    return;
  }
  const double margin_before = (contact.impulse(0) - needed(friction, before)) / setting_.options.step;
  if (mean < 0 || 2 * mean <= margin_before) falling_.push_back({i, true, mean});
}

// From there and from the mean of the whole step, as on a straight line.
void Changes::look_at_beginning(const TakenStep& brief) {
  for (const Margin& falling : falling_) {
    if (falling.contact >= brief.active.contacts.size()) continue;
    const ActiveContact& contact = brief.active.contacts[falling.contact];
    const double at_first =
        falling.of_slip ? slip_margin(brief, contact, friction_[falling.contact]) : normal_margin(brief, contact);
    if (!(at_first > 0 && falling.mean < at_first)) continue;
    const double middle = 0.5 * setting_.h;
    expect(middle + (0.5 * h_ - middle) * at_first / (at_first - falling.mean));
  }
}

void Changes::expect(double time) {
  if (time > no_time * h_) first_ = std::min(first_, time);
}

std::optional<double> Changes::first() const {
  return first_ < (1 - no_time) * h_ ? std::optional<double>(first_) : std::nullopt;
}

}  // namespace carom
