#include "engine/step/activation.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double slow_part = 1.0 / 512;  // of a step: how long the forces take to make slow impacts
constexpr double off_its_path = 1e-2;    // of the way of a step: what it makes of a gap at most, if it is short enough

// A contact at rest stays active although its gap is rounded; the allowance is far below any motion of a step.
double gap_allowance(const LengthScale& lengths, const Vec& q) { return 1e-11 * lengths.of_gaps(q); }

// The impulses of the step before by the keys of contacts, which mostly come in their order.
class ImpulsesBefore {
 public:
  explicit ImpulsesBefore(const std::vector<SimulationState::Impulse>& impulses)
      : begin_(impulses.data()), end_(begin_ + impulses.size()), next_(begin_) {}

  const SimulationState::Impulse* of(std::uint64_t key) {
    if (next_ == end_ || next_->key != key)
      next_ = std::lower_bound(begin_, end_, key, [](const auto& impulse, std::uint64_t k) { return impulse.key < k; });
    return next_ != end_ && next_->key == key ? next_++ : nullptr;
  }

 private:
  const SimulationState::Impulse *begin_, *end_, *next_;
};

// As it was in the step before.
void take_part(const ContactPoint& point, std::size_t place, const SimulationState::Impulse* before,
               ActiveContact& active) {
  active.key = point.key;
  active.kept_gap = before && before->keeps_gap ? before->gap : point.gap;
  if (before) {
    active.impulse = before->value;
  } else {
    active.impulse.setZero();
  }
  active.point = static_cast<std::uint32_t>(place);
  active.tangents = static_cast<std::int8_t>(point.tangents);
  active.is_slow = active.in_impact = active.turns = active.swings = active.redundant = false;
  active.was_sustained = before && before->sustained;
}

bool any_impacts(const ActiveSet& active) {
  return std::any_of(active.contacts.begin(), active.contacts.end(),
                     [](const ActiveContact& contact) { return contact.impacts; });
}

}  // namespace

void ActiveSet::number_rows() {
  rows = 0;
  for (ActiveContact& contact : contacts) {
    contact.row = rows;
    rows += contact.rows();
  }
}

double sum_of_sizes(Rows::Row row, const Vec& u) {
  double sum = 0;
  for (const Rows::Entry& entry : row) sum += std::abs(entry.value * u(entry.column));
  return sum;
}

Activation::Activation(const StepSetting& setting, StepForces& forces, StepWatch& watch)
    : setting_(setting), forces_(forces), watch_(watch), passages_(setting.system, setting.options.step) {}

void Activation::begin(const CaptureRule& rule, std::size_t contacts) {
  rule_ = &rule;
  active_.contacts.reserve(contacts);
  watch_.expect_inactive(contacts);
}

bool Activation::all_go_on(const Place& begin, const SimulationState& state, const KnownSpeeds& known) {
  active_.gap_allowance = gap_allowance(setting_.lengths, state.q);
  const std::vector<ContactPoint>& points = begin.contacts().points;
  if (known.contacts.size() != points.size()) return false;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!(points[i].gap + 0.5 * setting_.h * (*known.gamma)(static_cast<Index>(i)) <= active_.gap_allowance))
      return false;
  return true;
}

void Activation::begin_selection(const SimulationState& state) {
  active_.gap_allowance = gap_allowance(setting_.lengths, state.q);
  if (!setting_.fixed_directions)
    active_.curve_allowance = off_its_path * setting_.options.step * setting_.lengths.largest_length(state.u);
  ++active_.version;
  active_.something_impacts = active_.something_swings = false;
  active_.rows = 0;
  watch_.forget_inactive();
}

ActiveSet& Activation::select(const Place& begin, const SimulationState& state, const KnownSpeeds& known) {
  const Contacts& contacts = begin.contacts();
  begin_selection(state);
  std::size_t count = 0, next_known = 0;
  ImpulsesBefore impulses(state.impulses);
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const ContactPoint& point = contacts.points[i];
    const SimulationState::Impulse* const before = impulses.of(point.key);
    const bool was_sustained = before && before->sustained;
    const bool is_known = next_known < known.contacts.size() && known.contacts[next_known].point == i;
    const double gamma =
        is_known ? (*known.gamma)(known.contacts[next_known++].row) : contacts.W.dot(point.first_row, state.u);
    const double predicted = point.gap + 0.5 * setting_.h * gamma;
    if (!(predicted <= active_.gap_allowance) &&
        !(was_sustained && keeps_gap(contacts.W[point.first_row], predicted))) {
      watch_.see_inactive(point, active_.gap_allowance);
      continue;
    }
    if (count == active_.contacts.size()) active_.contacts.emplace_back();
    ActiveContact& active = active_.contacts[count++];  // of a system at rest each is written over in its place
    take_part(point, i, before, active);
    active.gamma = gamma;
    active.row = active_.rows;
    active_.rows += active.rows();
    active.impacts = !was_sustained && gamma < -setting_.options.capture_speed &&
                     gamma < -rounded_speed(contacts.W[point.first_row], state.u);
    active_.something_impacts = active_.something_impacts || active.impacts;
  }
  active_.contacts.resize(count);
  if (active_.something_impacts) leave_out_rounded_approach(begin, state);
  if (active_.something_impacts && !setting_.fixed_directions) leave_out_what_passes(begin, state);
  find_overrun_clutches(begin.clutches(), state);
  return active_;
}

// One that leaves is closed for an instant, in which an impact may meet it; it has no part in the step that follows.
ActiveSet& Activation::select_closed(const Place& here, const SimulationState& state, bool with_leaving) {
  const Contacts& contacts = here.contacts();
  begin_selection(state);
  std::size_t count = 0;
  ImpulsesBefore impulses(state.impulses);
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const ContactPoint& point = contacts.points[i];
    const SimulationState::Impulse* const before = impulses.of(point.key);
    const bool was_sustained = before && before->sustained;
    if (!was_sustained && !(point.gap <= active_.gap_allowance)) continue;
    const Rows::Row normal = contacts.W[point.first_row];
    const double gamma = contacts.W.dot(point.first_row, state.u), rounded = rounded_speed(normal, state.u);
    if (!was_sustained && !with_leaving && gamma > rounded) continue;
    if (count == active_.contacts.size()) active_.contacts.emplace_back();
    ActiveContact& active = active_.contacts[count++];
    take_part(point, i, before, active);
    active.gamma = gamma;
    active.row = active_.rows;
    active_.rows += active.rows();
    active.impacts = !was_sustained && gamma < -setting_.options.capture_speed && gamma < -rounded;
    active_.something_impacts = active_.something_impacts || active.impacts;
  }
  active_.contacts.resize(count);
  if (active_.something_impacts) leave_out_rounded_approach(here, state);
  find_overrun_clutches(here.clutches(), state);
  return active_;
}

// Of bodies at rest the velocity is what the solution of the step before leaves of the forces' impulse, or rounding of
// the fast ones that an impact brought to rest: no approach either.
void Activation::leave_out_rounded_approach(const Place& begin, const SimulationState& state) {
  Vec* changed = nullptr;
  if (!setting_.steady) {
    changed = &forces_.impulse(state.time, state.q, state.u);
    begin.M().solve_in_place(*changed);
  }
  const Vec& by_forces = changed ? *changed : forces_.steady_change();
  const double unsolved_part = std::max(rounding, setting_.options.accuracy);
  const double left_of_others = rounding * setting_.lengths.largest_length(state.u);
  const double slow = slow_part * setting_.options.step / setting_.h;
  for (ActiveContact& active : active_.contacts) {
    if (!active.impacts) continue;
    const Rows::Row normal = begin.contacts().W[begin.contacts().points[active.point].first_row];
    const double by_forces_there = sum_of_sizes(normal, by_forces);
    active.is_slow = -active.gamma <= slow * by_forces_there;
    if (-active.gamma <= std::max(unsolved_part * by_forces_there, left_of_others)) active.impacts = false;
  }
  active_.something_impacts = any_impacts(active_);
}

// A corner that comes near another one approaches it along the line between them, and may pass it all the same: the
// bodies meet nowhere on the way of the step, or only slide over each other at its end.
void Activation::leave_out_what_passes(const Place& begin, const SimulationState& state) {
  const Contacts& contacts = begin.contacts();
  const auto is_doubtful = [&](const ActiveContact& active) {
    const ContactPoint& point = contacts.points[active.point];
    return active.impacts && point.gap >= -active_.gap_allowance && !rule_->decides_alone(contacts.W[point.first_row]);
  };
  if (std::none_of(active_.contacts.begin(), active_.contacts.end(), is_doubtful)) return;
  displacement_ = setting_.h * state.u;
  setting_.system.move(state.q, displacement_, q_ahead_);
  find_contacts(setting_, q_ahead_, state.u, ahead_);
  finder_.look_in(ahead_);
  std::erase_if(active_.contacts, [&](ActiveContact& active) { return is_doubtful(active) && passes(active, state); });
  active_.number_rows();
  active_.something_impacts = any_impacts(active_);
}

// One that is still met, but slides over at the end of the step, goes on without an impact.
bool Activation::passes(ActiveContact& active, const SimulationState& state) {
  const ContactPoint* nearest = nearest_ahead(active.key);
  if (!nearest || nearest->gap > active_.gap_allowance)
    return !passages_.meet(active.key, q_ahead_, state.u, state.u, active_.gap_allowance);
  if (nearest->gap < slides_over * setting_.h * active.gamma) return false;
  const ContactPoint* same = finder_.find(active.key, active.point);
  const double gamma_ahead = ahead_.W.dot((same ? same : nearest)->first_row, state.u);
  if (gamma_ahead < slides_over * active.gamma) return false;
  if (!same) return true;  // other features meet there
  active.gamma = gamma_ahead;
  active.impacts = false;
  return false;
}

// The deepest point of the same two shapes, where the step would end if nothing stopped it.
const ContactPoint* Activation::nearest_ahead(std::uint64_t key) const {
  const std::uint64_t pair = setting_.system.contact_pair(key);
  const ContactPoint* nearest = nullptr;
  for (const ContactPoint& point : ahead_.points)
    if (setting_.system.contact_pair(point.key) == pair && (!nearest || point.gap < nearest->gap)) nearest = &point;
  return nearest;
}

// Clutches are met without an impact as a motion goes on, for w·u passes through zero; only the state that a run starts
// from can overrun one.
void Activation::find_overrun_clutches(const Clutches& clutches, const SimulationState& state) {
  if (clutches.W.count() == 0) return;
  active_.overrun.assign(static_cast<std::size_t>(clutches.W.count()), false);
  if (state.step > 0) return;
  for (Index i = 0; i < clutches.W.count(); ++i) {
    const bool overrun = clutches.W.dot(i, state.u) < -rounded_speed(clutches.W[i], state.u);
    active_.overrun[static_cast<std::size_t>(i)] = overrun;
    active_.something_impacts = active_.something_impacts || overrun;
  }
}

}  // namespace carom
