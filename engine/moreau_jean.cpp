#include "engine/moreau_jean.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/step/mean_directions.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr double largest_speed = 1e150;  // its square is finite
// Contacts are found up to g + ½h|γ| ≤ 0; those that close within a step are twice as far, and some more under forces.
constexpr double reach_of_gaps = 3;

}  // namespace

MoreauJean::MoreauJean(const SchemeInput& input, Impacts impacts)
    : setting_(input.system, input.options, impacts == Impacts::located ? reach_of_gaps : 1),
      law_(input.law),
      impacts_(impacts),
      tolerant_solver_(input.solver, input.options.accuracy, input.options.tolerance),
      impact_solver_(input.solver, input.options.accuracy, std::max(input.options.tolerance, coarsest_residual)),
      notices_(input.note, input.options),
      watch_(input.system, setting_.lengths, setting_.options, notices_.note()),
      forces_(setting_),
      places_{{setting_, forces_, constant_mass_},
              {setting_, forces_, constant_mass_},
              {setting_, forces_, constant_mass_}},
      begin_(&places_[0]),
      middle_(&places_[1]),
      end_(&places_[2]),
      flight_(setting_, forces_),
      activation_(setting_, forces_, watch_),
      directions_(setting_),
      inclusion_(setting_, activation_, forces_, input.solver),
      end_of_step_(setting_),
      impact_(input.system, input.law, input.several, impact_solver_),
      impulses_(setting_, input.solver, tolerant_solver_, inclusion_, end_of_step_, impact_, forces_, notices_),
      agreement_(setting_, forces_, flight_, impulses_, end_of_step_, notices_),
      one_inclusion_(setting_, &input.law, forces_, flight_, directions_),
      going_on_(setting_, nullptr, forces_, flight_, directions_),
      law_impact_(impact_, notices_),
      split_off_(setting_, forces_, flight_, directions_, inclusion_, impulses_, end_of_step_, law_impact_, *middle_),
      in_place_(directions_, law_impact_, memory_),
      ledger_(setting_, forces_) {}

void MoreauJean::begin(SimulationState& state) {
  if (setting_.mass_is_constant) {
    setting_.system.mass(state.q, constant_mass_);
    if (!constant_mass_.factor()) fail(state.time, "the mass matrix is not positive definite");
  }
  for (Place& place : places_) place.begin(state.time, state.q);
  begin_->find_contacts(state);
  const bool clutches_are_told = begin_->clutches().W.count() == 0 || law_.tells_restitution_of_clutches();
  const bool in_inclusion_form = law_.restitution_in_step({}).has_value() && clutches_are_told;
  treatment_ = nullptr;
  use(impacts_ == Impacts::located ? going_on_
      : in_inclusion_form          ? static_cast<Treatment&>(one_inclusion_)
                                   : split_off_);
  forces_.begin(state, begin_->M());
  directions_.begin(begin_->contacts());
  impulses_.begin();
  end_of_step_.begin();
  memory_.begin();
}

void MoreauJean::use(Treatment& treatment) {
  if (treatment_ == &treatment) return;
  treatment_ = &treatment;
  activation_.begin(treatment, begin_->contacts().points.size());
  inclusion_.begin(treatment);
}

void MoreauJean::step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  setting_.take_whole(state);
  const Advanced advanced = advance(select(state), state, {recorder, counts});
  watch(activation_.active(), advanced.u_begin, state);
  ++state.step;
}

MoreauJean::Advanced MoreauJean::advance(ActiveSet& active, SimulationState& state, StepObserver observer) {
  notices_.begin_step();
  Flown* flown = nullptr;
  if (active.contacts.empty() && !active.something_impacts) flown = &flight_.fly(*begin_, state);
  const bool in_contact = !(flown && (begin_->clutches().W.count() == 0 || clutches_hold(state.u, flown->u)));
  const Vec* u_begin = nullptr;
  if (in_contact) {
    u_begin = &advance_in_contact(active, state, observer);
  } else {
    state.q.swap(flown->q);
    state.impulses.clear();
    end_of_step_.leave();
    arrive(nullptr, flown->u, state);
    u_begin = &flown->u;
  }
  observer.counts.unsolved += notices_.is_unsolved();
  return {*u_begin, in_contact};
}

void MoreauJean::span(const SimulationState& state, double t_end) {
  const bool is_whole =
      t_end == setting_.grid_end(state) && state.time == static_cast<double>(state.step) * setting_.options.step;
  if (is_whole) return setting_.take_whole(state);
  setting_.take_part(state.time, t_end);
  forces_.take_part();
}

bool MoreauJean::all_go_on(const SimulationState& state) {
  return memory_.all_sustained() && activation_.all_go_on(*begin_, state, known_speeds(state));
}

ActiveSet& MoreauJean::select_closed(SimulationState& state, bool with_leaving) {
  use(going_on_);
  memory_.tell(state, impulses_.found().Lambda);
  return activation_.select_closed(*begin_, state, with_leaving);
}

void MoreauJean::go_back(const SimulationState& state) {
  std::swap(begin_, end_);
  begin_->take_contacts(*end_, state);
  memory_.begin();
  end_of_step_.leave();
}

// What may be met behind the impact depends on the velocity that it leaves.
void MoreauJean::resolve_impact(ActiveSet& closed, SimulationState& state, StepObserver observer) {
  notices_.begin_step();
  in_place_.resolve(*begin_, closed, state, observer);
  observer.counts.unsolved += notices_.is_unsolved();
  end_of_step_.leave();
  if (!setting_.fixed_directions) begin_->find_contacts(state);
}

void MoreauJean::hold(std::uint64_t key, SimulationState& state) {
  memory_.hold(select_closed(state, true), key, state);
}

// Velocities at the end of a step in contact, where they are those of the contacts here.
KnownSpeeds MoreauJean::known_speeds(const SimulationState& state) const {
  if (setting_.joints == 0 && end_of_step_.is(state) && directions_.are_those_of(*begin_))
    return {directions_.rows().of, &end_of_step_.gamma()};
  return {};
}

ActiveSet& MoreauJean::select(SimulationState& state) {
  const KnownSpeeds known = known_speeds(state);
  if (memory_.all_sustained() && activation_.all_go_on(*begin_, state, known)) return activation_.active();
  memory_.tell(state, impulses_.found().Lambda);
  return activation_.select(*begin_, state, known);
}

// Otherwise one would be overrun, and the step is one in contact.
bool MoreauJean::clutches_hold(const Vec& u, const Vec& v) const {
  const Clutches& clutches = begin_->clutches();
  for (Index i = 0; i < clutches.W.count(); ++i) {
    const double own = clutches.restitution[static_cast<std::size_t>(i)];
    const auto epsilon = treatment_->restitution({.restitution = own});
    if (clutches.W.dot(i, v) + (epsilon ? epsilon->normal : 0) * clutches.W.dot(i, u) < 0) return false;
  }
  return true;
}

const Vec& MoreauJean::advance_in_contact(ActiveSet& active, SimulationState& state, StepObserver observer) {
  Departure& departure = treatment_->depart(*begin_, active, state, observer);
  const StepRows& rows =
      directions_.collect_ahead(*begin_, departure.place->clutches(), active, state, departure.u, departure.middle);
  mark_swinging(setting_, *begin_, rows, active);
  const ContactStep step{state, *begin_, active, departure, rows};
  PosedStep& posed = inclusion_.pose(step, end_of_step_);
  impulses_.start(step, posed);
  agreement_.find(step, posed);
  impulses_.tell_what_they_miss(state.time);
  end_of_step_.look(step, posed, impulses_.found().Lambda);
  const Course course{step, posed, impulses_.found(), end_of_step_};
  refuse_what_nothing_opens(course);
  ledger_.book_impulses(course, state, observer);
  memory_.remember(course, state);
  move_to_end(step, state);
  end_of_step_.close(step);
  arrive(&course, end_of_step_.u(), state);
  return end_of_step_.u();
}

// Joints and prescribed motions alone decide about some contacts: no impulse opens one that they close.
void MoreauJean::refuse_what_nothing_opens(const Course& course) {
  if (setting_.joints == 0) return;
  const ActiveSet& active = course.step.active;
  const Vec& gamma_end = course.end.gamma();
  const double allowed =
      active.gap_allowance / setting_.h + verdict_tolerance * setting_.lengths.largest_length(course.end.u());
  for (const ActiveContact& contact : active.contacts) {
    if (course.posed.own_compliance(contact.row) > 0 || gamma_end(contact.row) >= -allowed) continue;
    notices_.fail_or_warn(setting_.t_end, "contact closed by joints",
                          fmt::format("contact '{}' is closed at {:.4g} m/s by joints or prescribed motions, which no "
                                      "impulse can change",
                                      setting_.system.contact_name(contact.key), -gamma_end(contact.row)));
  }
}

// q_{k+1} = q_k + h((1−θ)u_k + θu_{k+1}): at once, or what impulses change in the velocity on top of the flight.
void MoreauJean::move_to_end(const ContactStep& step, SimulationState& state) {
  const Departure& departure = step.departure;
  const Vec& v = end_of_step_.u();
  const double h = setting_.h, theta = setting_.theta, time = h * theta;
  displacement_.resize(setting_.n);
  if (departure.has_flown) {
    for (Index i = 0; i < setting_.n; ++i) displacement_(i) = time * (v(i) - departure.u_flight(i));
    setting_.system.move(flight_.flown().q, displacement_, state.q);
  } else {
    for (Index i = 0; i < setting_.n; ++i) displacement_(i) = h * ((1 - theta) * departure.u(i) + theta * v(i));
    setting_.system.move(state.q, displacement_, state.q);
  }
}

void MoreauJean::arrive(const Course* course, Vec& u_end, SimulationState& state) {
  const double t_end = setting_.t_end;
  end_->evaluate(t_end, state.q, u_end);
  if (course) end_->project(t_end, state.q, u_end);
  if (forces_.are_applied()) {
    end_->manifold().project(end_->b(), u_end);
    ledger_.book_applied_work(*begin_, course, begin_->is_driven() || end_->is_driven(), u_end, state);
  }
  state.u.swap(u_end);
  state.time = t_end;
  check_finite(state);
  end_->take_contacts(*begin_, state);
  book_energy(*end_, state);
  std::swap(begin_, end_);
}

void MoreauJean::check_finite(const SimulationState& state) const {
  const auto all_below = [](const Vec& v, double bound) {
    bool below = true;
    for (Index i = 0; i < v.size(); ++i) below &= std::abs(v(i)) <= bound;
    return below;
  };
  if (!all_below(state.u, largest_speed) || !all_below(state.q, std::numeric_limits<double>::max()))
    forces_.fail_diverged(state.time, state.u);
}

// Of depth nothing new is seen at active contacts, and at those of bodies that have not moved.
void MoreauJean::watch(const ActiveSet& active, const Vec& u_begin, const SimulationState& state) {
  const Contacts& contacts = begin_->contacts();
  watch_.look_for_passage(state, u_begin, contacts, active.contacts, active.gap_allowance);
  const bool none_came_closer =
      setting_.fixed_directions ? active.contacts.size() == contacts.points.size() : end_->found() == begin_->found();
  if (!none_came_closer) watch_.look_at_depth(state, u_begin, contacts);
  watch_.look_at_turning(state, begin_->M(), begin_->manifold());
}

void MoreauJean::book_energy(const Place& place, SimulationState& state) const {
  state.energy.kinetic = place.M().kinetic_energy(state.u);
  state.energy.potential = setting_.system.potential(state.time, state.q);
  if (!std::isfinite(state.energy.total())) forces_.fail_diverged(state.time, state.u);
}

void MoreauJean::complete(SimulationState& state) { memory_.tell(state, impulses_.found().Lambda); }

std::span<const ContactSample> MoreauJean::contacts(const SimulationState& state) {
  samples_.resize(setting_.system.named_contacts());
  for (ContactSample& sample : samples_) {
    sample = {};
    sample.gap = std::numeric_limits<double>::infinity();
  }
  const Contacts& there = begin_->contacts();
  for (const ContactPoint& point : there.points) {
    if (point.key >= samples_.size()) continue;
    ContactSample& sample = samples_[point.key];
    sample.gap = point.gap;
    for (Index k = 0; k <= point.tangents; ++k) sample.velocity(k) = there.W.dot(point.first_row + k, state.u);
  }
  if (end_of_step_.is(state)) add_impulses(samples_);
  return samples_;
}

void MoreauJean::add_impulses(std::span<ContactSample> samples) const {
  const Vec &Lambda = impulses_.found().Lambda, &of_impacts = treatment_->departure().Lambda;
  for (const ActiveContact& active : activation_.active().contacts) {
    if (active.key >= samples.size()) continue;
    ContactSample& sample = samples[active.key];
    sample.impulse.head(active.rows()) += Lambda.segment(active.row, active.rows());
    sample.state = state_of(active, inclusion_.posed(), Lambda, end_of_step_.gamma());
    if (of_impacts.size() == 0) continue;
    sample.impulse.head(active.rows()) += of_impacts.segment(active.row, active.rows());
    if (sample.state == State::open && of_impacts(active.row) > 0) sample.state = State::closed;
  }
}

void MoreauJean::add_impulses_of_impact(std::span<ContactSample> samples) const {
  const Vec& Lambda = in_place_.Lambda();
  for (const ActiveContact& active : activation_.active().contacts)
    if (active.key < samples.size())
      samples[active.key].impulse.head(active.rows()) += Lambda.segment(active.row, active.rows());
}

SchemeEntry moreau_jean_scheme() {
  return {"moreau-jean", "impacts captured at velocity level, θ-method between them",
          [](const SchemeInput& input) -> std::unique_ptr<Scheme> { return std::make_unique<MoreauJean>(input); },
          nullptr, true};
}

}  // namespace carom
