#include "engine/step/mean_directions.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double same_direction =
    0.8;  // the product of two directions of one contact, of that with themselves, at least

struct Turning {
  bool of_levers, is_jump;
};

// From one direction of a contact to another. Tangents jump where their frame is chosen anew, and all of them where
// other features meet.
Turning turning_between(Rows::Row from, Rows::Row to, const LengthScale& lengths) {
  const double per_size = lengths.per_size();
  double along = 0, size = 0, turned = 0;
  const auto compare = [&](Index column, double a, double b) {
    if (!lengths.is_length(column)) {
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

}  // namespace

void mark_swinging(const StepSetting& setting, const Place& begin, const StepRows& rows, ActiveSet& active) {
  if (setting.fixed_directions || rows.found == begin.found()) return;
  for (ActiveContact& contact : active.contacts) {
    const Index own = begin.contacts().points[contact.point].first_row;
    bool swings = setting.joints > 0 && begin.has_joints(rows.W[contact.row]), is_jump = contact.in_impact;
    for (Index k = 0; k < contact.rows() && !is_jump; ++k) {
      const Turning turning = turning_between(begin.contacts().W[own + k], rows.W[contact.row + k], setting.lengths);
      swings = swings || turning.of_levers;
      is_jump = turning.is_jump;
    }
    contact.swings = swings && !is_jump;
    active.something_swings = active.something_swings || contact.swings;
  }
}

void add_impulses(const ContactStep& step, const Vec& Lambda, double factor, Vec& momentum) {
  for (const ActiveContact& active : step.active.contacts) add_impulse(step, active, Lambda, factor, momentum);
  const StepRows& rows = step.rows;
  for (Index i = rows.clutch_row; i < rows.W.count(); ++i) rows.W.add_to(momentum, i, factor * Lambda(i));
}

void add_impulse(const ContactStep& step, const ActiveContact& active, const Vec& Lambda, double factor,
                 Vec& momentum) {
  const Index own = step.point(active).first_row;
  for (Index k = 0; k < active.rows(); ++k) {
    const double impulse = factor * Lambda(active.row + k);
    const double at_beginning = active.swings ? 0.5 * impulse : 0;
    if (active.swings) step.begin.contacts().W.add_to(momentum, own + k, at_beginning);
    step.rows.W.add_to(momentum, active.row + k, impulse - at_beginning);
  }
}

void add_turning(const ContactStep& step, const Vec& Lambda, Vec& momentum) {
  for (const ActiveContact& active : step.active.contacts) {
    if (!active.swings) continue;
    const Index own = step.point(active).first_row;
    for (Index k = 0; k < active.rows(); ++k) {
      const double half = 0.5 * Lambda(active.row + k);
      step.begin.contacts().W.add_to(momentum, own + k, half);
      step.rows.W.add_to(momentum, active.row + k, -half);
    }
  }
}

}  // namespace carom
