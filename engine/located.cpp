// Impacts located inside the step. A step in which a contact closes is divided at the instants at which gaps reach
// zero: parts of it are steps of the Moreau–Jean scheme in which contacts only go on, of second order, and between them
// the law maps u⁻ → u⁺ at frozen position over all contacts that are closed there,
//
//   q(τ) = q_k ⊕ τ((1−θ)u_k + θu(τ)),   g(q(τ)) = 0,   u⁺ = law(u(τ)),   on from there with what is left of h.
//
// The part that ends at τ is taken anew with each τ, so that the state at the impact is the scheme's own; dg/dτ = γ(τ)
// up to τ², which makes Newton's method on τ nearly quadratic.
//
// Parts are divided, too, where contacts that go on let go, begin to slip or come to a halt (changes.h), a few times in
// a step.
//
// Impacts that accumulate end by themselves. A contact goes on that returns without having risen beyond the rounding of
// gaps, or more slowly than the forces of h/k make it, between bodies to which the law has left less than half of their
// speed within the step: it has at most gh²/2k² to rise, once. What the law gives back is located however often it
// returns: an elastic contact never goes on for being met often.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/moreau_jean.h"
#include "engine/step/closings.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr int many_instants = 100;        // in a step: it is long for what happens in it
constexpr int most_instants = 1'000'000;  // in a step: they have no end
constexpr double half_lost = 0.5;         // of the speed of two bodies, by their impacts in a step
constexpr double brief = 1.0 / 64;  // part of a step, in which contacts come to rest and sink in by next to nothing
constexpr int most_changes = 4;     // of contacts that go on: where more of them change, a step goes over the others
constexpr int newton_trials = 8;    // from then on every other trial halves the bracket
constexpr int most_trials = 120;    // of an instant, and of the lowest point of a dip
constexpr double to_rounding = 4 * std::numeric_limits<double>::epsilon();

// What a part changes.
void copy_motion(const SimulationState& from, SimulationState& to) {
  to.time = from.time;
  to.q = from.q;
  to.u = from.u;
  to.energy = from.energy;
  if (!from.impulses.empty() || !to.impulses.empty()) to.impulses = from.impulses;
}

class Located final : public Scheme {
 public:
  explicit Located(const SchemeInput& input)
      : stepper_(input, MoreauJean::Impacts::located),
        setting_(stepper_.setting()),
        closings_(setting_),
        changes_(setting_) {}

  void begin(SimulationState& state) override {
    stepper_.begin(state);
    is_divided_ = false;
  }
  void step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) override;
  std::span<const ContactSample> contacts(const SimulationState& state) override;
  std::span<const ContactPoint> gaps() const override { return stepper_.gaps(); }
  void complete(SimulationState& state) override { stepper_.complete(state); }

 private:
  void resolve_impact(SimulationState& state, StepObserver observer);
  void count(const ActiveSet& closed, const SimulationState& state);
  void look_at_number(int instants, double time);
  bool go_to_next_instant(SimulationState& state, StepObserver observer);
  double go_to_change(double whole, SimulationState& state);
  void begin_part(const SimulationState& state);
  void advance(SimulationState& state, double time, StepObserver observer);
  void try_out(SimulationState& state, double time);
  void accept(SimulationState& state, double time, StepObserver observer);
  void tell_as_of_whole_step(SimulationState& state);
  double find_instant(Closing closing, double closed_at, SimulationState& state);
  double hold(std::uint64_t key, double returned, SimulationState& state);
  auto struck(std::uint64_t key) {
    const std::uint64_t pair = setting_.system.contact_pair(key);
    return std::find_if(struck_.begin(), struck_.end(), [&](const Struck& bodies) { return bodies.pair == pair; });
  }
  bool let_rest(const ActiveSet& closed, SimulationState& state);
  double follow(Dip dip, double end, SimulationState& state);
  void divide();

  MoreauJean stepper_;
  const StepSetting& setting_;
  Closings closings_;
  Changes changes_;
  int changes_left_ = 0;  // to be located in the step
  SimulationState from_;  // where the part begins
  double t_end_ = 0;      // of the step
  double allowance_ = 0;  // of gaps
  bool has_advanced_ = false;
  bool is_in_contact_ = false;
  SimulationCounts counts_;  // of the part
  struct Struck {
    std::uint64_t pair;
    double left;  // of their speed, by all impacts of their contacts
  };
  std::vector<Struck> struck_;  // bodies that have struck each other in the step
  bool comes_to_rest_ = false;  // a contact, in the next part
  bool is_divided_ = false;
  std::vector<ContactSample> earlier_;  // impulses of the parts of a divided step, and of the impacts between them
  std::vector<ContactSample> samples_;
};

void Located::step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  const StepObserver observer{recorder, counts};
  t_end_ = setting_.grid_end(state);
  is_divided_ = false;
  struck_.clear();
  changes_left_ = most_changes;
  for (int instants = 0; state.time < t_end_;) {
    stepper_.span(state, t_end_);
    if (stepper_.all_go_on(state)) {
      stepper_.advance(stepper_.active(), state, observer);
      continue;
    }
    const ActiveSet& closed = stepper_.select_closed(state);
    if (closed.something_impacts) {
      if (let_rest(closed, state)) continue;
      resolve_impact(state, observer);
    } else if (!go_to_next_instant(state, observer)) {
      continue;
    }
    look_at_number(++instants, state.time);
  }
  stepper_.watch_turning(state);
  ++state.step;
}

void Located::look_at_number(int instants, double time) {
  if (instants == many_instants)
    stepper_.notices().tell_once(
        "divided", fmt::format("at t = {:.9g} s: a step of {:g} s is divided more than {} times, which takes long; "
                               "moreau-jean captures many impacts in one step",
                               time, setting_.options.step, many_instants));
  if (instants == most_instants)
    fail(time, fmt::format("impacts follow each other without end: {} within a step of {:g} s; moreau-jean captures "
                           "them in one",
                           most_instants, setting_.options.step));
}

// Of contacts that impact: those that have lost most of their speed go on instead. False if there are none.
bool Located::let_rest(const ActiveSet& closed, SimulationState& state) {
  const auto comes_to_rest = [&](const ActiveContact& contact) {
    const auto known = struck(contact.key);
    return contact.impacts && contact.is_slow && known != struck_.end() && known->left <= half_lost;
  };
  const auto first = std::find_if(closed.contacts.begin(), closed.contacts.end(), comes_to_rest);
  if (first == closed.contacts.end()) return false;
  stepper_.hold(first->key, state);
  return comes_to_rest_ = true;
}

void Located::resolve_impact(SimulationState& state, StepObserver observer) {
  divide();
  ActiveSet& closed = stepper_.select_closed(state, true);
  stepper_.resolve_impact(closed, state, observer);
  count(closed, state);
  stepper_.add_impulses_of_impact(earlier_);
}

void Located::count(const ActiveSet& closed, const SimulationState& state) {
  for (const ActiveContact& contact : closed.contacts) {
    if (!contact.impacts) continue;
    const double behind = stepper_.rows_of_impact().dot(contact.row, state.u);
    const double left = std::clamp(behind / -contact.gamma, 0.0, 1.0);
    const auto known = struck(contact.key);
    if (known == struck_.end()) {
      struck_.push_back({setting_.system.contact_pair(contact.key), left});
    } else {
      known->left *= left;
    }
  }
}

// To where a contact closes, or to the end of the step. False if it went there undivided.
bool Located::go_to_next_instant(SimulationState& state, StepObserver observer) {
  begin_part(state);
  const double rest = t_end_ - state.time,
               whole = comes_to_rest_ ? std::min(rest, brief * setting_.options.step) : rest;
  comes_to_rest_ = false;
  try_out(state, whole);
  double time = go_to_change(whole, state);
  for (;;) {
    closings_.look(stepper_.here(), state.u, time);
    if (closings_.none_is_near()) break;
    if (const auto closing = closings_.closed(allowance_)) {
      time = find_instant(*closing, time, state);
    } else if (const auto dip = closings_.dip(allowance_)) {
      time = follow(*dip, time, state);
    } else {
      break;
    }
  }
  accept(state, time, observer);
  return time < whole;
}

// From a trial of the whole part to the first instant at which a contact changes what it does; the whole, if none does.
double Located::go_to_change(double whole, SimulationState& state) {
  if (!is_in_contact_ || changes_left_ == 0) return whole;
  const bool forces_fall = changes_.look(stepper_.taken());
  if (forces_fall) {
    try_out(state, brief * whole);
    changes_.look_at_beginning(stepper_.taken());
  }
  const double time = changes_.first().value_or(whole);
  if (time < whole) --changes_left_;
  if (forces_fall || time < whole) try_out(state, time);
  return time;
}

void Located::begin_part(const SimulationState& state) {
  const ActiveSet& active = stepper_.active();
  allowance_ = active.gap_allowance;
  closings_.watch(stepper_.here(), active, state.u);
  copy_motion(state, from_);
  has_advanced_ = false;
}

// From the beginning of the part, as often as is wanted. At first its span and its contacts are those just selected.
void Located::advance(SimulationState& state, double time, StepObserver observer) {
  const bool is_first = !has_advanced_ && !(time < t_end_ - state.time);
  if (has_advanced_) {
    copy_motion(from_, state);
    stepper_.go_back(state);
  }
  has_advanced_ = true;
  if (!is_first) {
    stepper_.span(state, time < t_end_ - state.time ? state.time + time : t_end_);
    stepper_.select_closed(state);
  }
  is_in_contact_ = stepper_.advance(stepper_.active(), state, observer).in_contact;
}

// What nobody is told of.
void Located::try_out(SimulationState& state, double time) {
  counts_ = {};
  advance(state, time, {nullptr, counts_});
}

// Takes the part as it was tried last. A contact that jammed in it is told of by taking it once more.
void Located::accept(SimulationState& state, double time, StepObserver observer) {
  if (counts_.impacts > 0) {
    advance(state, time, observer);
  } else {
    observer.counts.unsolved += counts_.unsolved;
  }
  if (setting_.h < setting_.options.step) tell_as_of_whole_step(state);
  if (!(state.time < t_end_)) return;
  divide();
  if (is_in_contact_) stepper_.add_impulses(earlier_);
}

// Impulses that the next part is expected to have, and that tell how forces change.
void Located::tell_as_of_whole_step(SimulationState& state) {
  stepper_.complete(state);
  for (SimulationState::Impulse& impulse : state.impulses) impulse.value *= setting_.options.step / setting_.h;
}

// When the first contact reaches its level, to rounding, before the time at which one has passed it; the state is
// there.
double Located::find_instant(Closing closing, double closed_at, SimulationState& state) {
  const double resolved = to_rounding * setting_.lengths.of_gaps(state.q), tick = to_rounding * std::abs(t_end_);
  double before = 0, behind = closed_at;
  for (int trial = 0;; ++trial) {
    if (closing.rose_at_most <= allowance_) return hold(closing.key, behind, state);
    const bool halves =
        (trial >= newton_trials && trial % 2 == 0) || !(closing.expected > before && closing.expected < behind);
    const double time = halves ? 0.5 * (before + behind) : closing.expected;
    try_out(state, time);
    closings_.look(stepper_.here(), state.u, time);
    const auto closed = closings_.closed(resolved), next = closed ? closed : closings_.next();
    if (!next || (!closed && next->here.gap > resolved)) {
      before = time;
    } else if (closed) {
      behind = time;
    } else {
      return time;
    }
    if (behind - before <= tick || trial == most_trials) return time;
    if (next) closing = *next;
  }
}

// A contact that leaves and returns before it has risen beyond the rounding of gaps goes on instead, and comes to rest
// in the time in which it would have returned.
double Located::hold(std::uint64_t key, double returned, SimulationState& state) {
  copy_motion(from_, state);
  stepper_.go_back(state);
  stepper_.hold(key, state);
  stepper_.span(state, t_end_);
  stepper_.select_closed(state);
  begin_part(state);
  try_out(state, returned);
  return returned;
}

// Where a contact that came near and went away again is below its level; `end`, if it is nowhere.
double Located::follow(Dip dip, double end, SimulationState& state) {
  for (int trial = 0; trial < most_trials && dip.to - dip.from > to_rounding * std::abs(t_end_); ++trial) {
    const double lowest = dip.lowest_time();
    const double time = lowest > dip.from && lowest < dip.to ? lowest : 0.5 * (dip.from + dip.to);
    try_out(state, time);
    closings_.look(stepper_.here(), state.u, time);
    const Clearance here = closings_.clearance_of(dip.point);
    if (here.gap < -allowance_) return time;
    (here.gamma < 0 ? dip.from : dip.to) = time;
    (here.gamma < 0 ? dip.at_from : dip.at_to) = here;
    if (std::isfinite(dip.at_to.gap) && dip.bound() >= -allowance_) break;
  }
  closings_.clear(dip);
  try_out(state, end);
  return end;
}

void Located::divide() {
  if (is_divided_) return;
  is_divided_ = true;
  earlier_.assign(setting_.system.named_contacts(), {});
}

std::span<const ContactSample> Located::contacts(const SimulationState& state) {
  const std::span<const ContactSample> last = stepper_.contacts(state);
  if (!is_divided_) return last;
  samples_.assign(last.begin(), last.end());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    samples_[i].impulse += earlier_[i].impulse;
    if (samples_[i].state == State::open && earlier_[i].impulse(0) > 0) samples_[i].state = State::closed;
  }
  return samples_;
}

}  // namespace

SchemeEntry located_scheme() {
  return {"located", "impacts at the instants at which gaps reach zero, second order across them",
          [](const SchemeInput& input) -> std::unique_ptr<Scheme> { return std::make_unique<Located>(input); }};
}

}  // namespace carom
