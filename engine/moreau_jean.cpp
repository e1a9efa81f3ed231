// The step as a whole, and its course between impacts.

#include "engine/moreau_jean.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/joint_directions.h"
#include "engine/step_failure.h"

namespace carom {

namespace {

constexpr int most_iterations = 80;
constexpr double largest_speed = 1e150;  // its square is finite

// An iteration has settled when its correction is at rounding level, or no longer shrinks from a small size. What
// rounds is the velocity, the change a step makes in it, and positions divided by h where joints are closed.
class Settling {
 public:
  Settling(double speed, double rounded_off) : speed_(speed), rounded_off_(rounded_off) {}

  bool settled(double correction) {
    first_ = std::max(first_, correction);
    const double scale = std::max(speed_, first_);
    const bool stalled = correction > 0.5 * last_ && correction <= std::max(1e-9 * scale, 1e4 * rounded_off_);
    // If it shrinks on as it did, the next one is:
    const double next = std::isfinite(last_) ? correction * std::min(1.0, correction / last_) : correction;
    last_ = correction;
    constexpr double to_rounding = std::numeric_limits<double>::epsilon();
    return next <= std::max(to_rounding * scale, 0.1 * rounded_off_) || stalled;
  }
  bool diverged() const { return !std::isfinite(last_) || last_ > 1e6 * std::max(speed_, first_); }

 private:
  double speed_, rounded_off_;
  double first_ = 0;
  double last_ = HUGE_VAL;
};

// v += change; how much the largest is. Not a number if one of them is none.
double add(const Vec& change, Vec& v) {
  double most = 0;
  for (Index i = 0; i < v.size(); ++i) {
    const double size = std::abs(change(i));
    if (!(size <= most) && !std::isnan(most)) most = size;
    v(i) += change(i);
  }
  return most;
}

Index first_not_finite(const Vec& v) {
  return std::find_if(v.begin(), v.end(), [](double x) { return !std::isfinite(x); }) - v.begin();
}

}  // namespace

MoreauJean::MoreauJean(const System& system, const ImpactLaw& law, const ImpactLaw* several,
                       const InclusionSolver& solver, const IntegratorOptions& options, Note note)
    : system_(system),
      law_(law),
      solver_(solver),
      tolerant_solver_(solver, options.accuracy, options.tolerance),
      options_(options),
      lengths_(system, options.size),
      h_(options.step),
      theta_(options.theta),
      n_(static_cast<Index>(system.velocities().size())),
      joints_(system.joint_rows()),
      geometric_joints_(system.geometric_joint_rows()),
      mass_is_constant_(system.mass_is_constant()),
      constant_(mass_is_constant_ && system.forces_are_constant()),
      steady_(constant_ && joints_ == 0),
      fixed_directions_(system.directions_are_constant()),
      note_(std::move(note)),
      step_watch_(system, lengths_, options, note_),
      passages_(system, options.step),
      follower_(solver.follower()),
      impact_(system, law, several, tolerant_solver_) {}

void MoreauJean::begin(SimulationState& state) {
  system_.mass(state.q, M_);
  if (!M_.factor()) fail(state.time, "the mass matrix is not positive definite");
  manifold_.set_mass(M_, nullptr, 0, 0);
  evaluate(state.time, state.q);
  block_has_joints_.assign(static_cast<std::size_t>(M_.block_count()), false);
  for (Index j = 0; j < joints_; ++j)
    for (const Rows::Entry& entry : B_[j])
      block_has_joints_[static_cast<std::size_t>(M_.block_of(entry.column))] = true;
  clutches_.W.clear();
  clutches_.restitution.clear();
  system_.clutches(state.q, clutches_);
  in_inclusion_form_ =
      law_.restitution_in_step({}).has_value() && (clutches_.W.count() == 0 || law_.tells_restitution_of_clutches());
  for (Vec* v : {&velocity_, &u_free_, &displacement_, &u_theta_, &inner_, &applied_, &imbalance_, &accelerated_})
    v->resize(n_);
  if (!constant_ && !follows_forces()) u_jumped_.resize(n_);
  if (steady_) {
    u_theta_ = state.u;
    find_imbalance(state.time, state.q, state.u, state.u);
    steady_change_ = imbalance_;
    M_.solve_in_place(steady_change_);
    steady_loads_ = !applied_.isZero(0);
    for (Vec* v : {&u_theta_, &inner_, &residual_, &accelerated_, &imbalance_}) v->resize(0);  // for good
    if (!steady_loads_) applied_.resize(0);
  }
  find_contacts_at(state.q, state, contacts_);
  W_.clear();
  rows_of_.clear();
  rows_stand_ = speeds_stand_ = all_sustained_ = false;
  impulses_are_told_ = true;
  in_contact_ = false;
  active_.reserve(contacts_.points.size());
  step_watch_.expect_inactive(contacts_.points.size());
  rows_of_.reserve(contacts_.points.size());
  W_.reserve(static_cast<std::size_t>(contacts_.W.count()), contacts_.W.entries());
  if (steady_ && fixed_directions_) prepare_contact(state);
}

// Under constant forces and directions the contacts that are closed now have their W and G once and for all, and what
// the steps write to is laid out here.
void MoreauJean::prepare_contact(SimulationState& state) {
  for (Vec* v : {&velocity_, &displacement_, &u_begin_, &u_free_}) v->setZero(n_);
  select_active(state);
  if (active_.empty()) return;
  collect_rows(contacts_, state.u);
  end_response_.set_mass(M_, nullptr, 0, 0);
  pose_sets();
  assemble_delassus();
  for (Vec* v : {&gamma_k_, &gamma_end_, &Lambda_, &Lambda_impact_, &inclusion_.c, &inclusion_.start})
    v->setZero(W_.count());
}

void MoreauJean::open_ledger(SimulationState& state) const {
  state.energy = {};
  state.energy.kinetic = M_.kinetic_energy(state.u);
  state.energy.potential = system_.potential(state.time, state.q);
  state.energy.initial = state.energy.total();
}

// Mass, joints and clutches at a position; contacts depend on the velocity too and follow at the end of a step.
void MoreauJean::evaluate(double t, const Vec& q) {
  if (!mass_is_constant_) {
    system_.mass(q, M_);
    if (!M_.factor()) {
      if (!q.allFinite()) fail_diverged(t, velocity_);
      fail(t, "the mass matrix is not positive definite where the step leads; a smaller integrator.step may help");
    }
  }
  if (joints_ > 0) {
    direct_joints(system_, t, q, B_, b_);
    manifold_.set_joints(B_);
  }
  if (fixed_directions_) return;
  clutches_.W.clear();
  clutches_.restitution.clear();
  system_.clutches(q, clutches_);
}

void MoreauJean::find_contacts(const SimulationState& state) {
  speeds_stand_ = in_contact_ && end_is_seen_ && joints_ == 0;
  if (fixed_directions_) return system_.contact_gaps(state.q, contacts_);
  rows_stand_ = rows_stand_ && system_.finds_again(contacts_, state.q, state.u, h_);
  if (rows_stand_) return;
  speeds_stand_ = false;
  find_contacts_at(state.q, state, contacts_);
}

// Those that the step may meet with the velocities of its beginning.
void MoreauJean::find_contacts_at(const Vec& q, const SimulationState& state, Contacts& there) const {
  there.clear();
  system_.contacts(q, state.u, h_, there);
}

void MoreauJean::step(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  const bool was_driven = is_driven();
  in_contact_ = false;
  unsolved_ = 0;
  select_active(state);
  if (!active_.empty() || something_impacts_ || !advance_freely(state)) advance_in_contact(state, recorder, counts);
  if (!steady_ || steady_loads_) {
    manifold_.project(b_, velocity_);
    book_applied_work(state, was_driven || is_driven());
  }
  finish(state);
  counts.unsolved += unsolved_;
}

void MoreauJean::finish(SimulationState& state) {
  state.u.swap(velocity_);
  const Vec& u_before = velocity_;
  ++state.step;
  state.time = static_cast<double>(state.step) * h_;
  check_finite(state);
  find_contacts(state);
  step_watch_.look_for_passage(state, u_before, contacts_, active_, gap_allowance_);
  // Active contacts, and those of bodies that have not moved.
  const bool none_came_closer = fixed_directions_ ? active_.size() == contacts_.points.size() : rows_stand_;
  if (!none_came_closer) step_watch_.look_at_depth(state, u_before, contacts_);
  step_watch_.look_at_turning(state, M_, manifold_);
  book_energy(state);
}

void MoreauJean::book_energy(SimulationState& state) const {
  state.energy.kinetic = M_.kinetic_energy(state.u);
  state.energy.potential = system_.potential(state.time, state.q);
  if (!std::isfinite(state.energy.total())) fail_diverged(state.time, state.u);
}

// A = M + hθC + h²θ²K where forces answer to motion, M where they do not.
void MoreauJean::set_response(double t, const Vec& q, const Vec& u) {
  response_ = &manifold_;
  if (constant_) return;
  gradient_.clear();
  system_.force_gradient(t, q, u, gradient_);
  if (gradient_.empty()) return;
  if (!stiff_.set_mass(M_, &gradient_, h_ * theta_, h_ * h_ * theta_ * theta_))
    fail(t, "mass and stiffness together are not positive definite");
  stiff_.set_joints(B_);
  response_ = &stiff_;
}

// u_θ of a step from u to v, and its part of the displacement in the time `share`·h.
void MoreauJean::move_within(const Vec& u, const Vec& v, double share) {
  const double before = 1 - theta_, behind = theta_, time = share * h_;
  for (Index i = 0; i < n_; ++i) {
    const double mean = before * u(i) + behind * v(i);
    u_theta_(i) = mean;
    displacement_(i) = time * mean;
  }
}

// u_θ and q_θ of a step that ends with velocity v.
void MoreauJean::go_within(const SimulationState& state, const Vec& v) {
  move_within(joints_ > 0 ? u_kicked_ : state.u, v, theta_);
  system_.move(state.q, displacement_, q_theta_);
}

// The forces' impulse hF.
void MoreauJean::find_force_impulse(double t, const Vec& q, const Vec& u) {
  for (Index i = 0; i < n_; ++i) inner_(i) = applied_(i) = 0;
  system_.forces(t, q, u, inner_, applied_);
  const double h = h_;
  for (Index i = 0; i < n_; ++i) imbalance_(i) = h * (inner_(i) + applied_(i));
}

// imbalance_ = hF(t_θ, q_θ, u_θ) − M(q_θ)(v − u_begin), with u_θ as set.
void MoreauJean::find_imbalance(double t, const Vec& q_theta, const Vec& u_begin, const Vec& v) {
  if (!mass_is_constant_) system_.mass(q_theta, M_theta_);
  find_force_impulse(t, q_theta, u_theta_);
  for (Index i = 0; i < n_; ++i) accelerated_(i) = v(i) - u_begin(i);
  mass_within().multiply(accelerated_, residual_);
  for (Index i = 0; i < n_; ++i) imbalance_(i) -= residual_(i);
}

// Where the step will lead, to second order in h: by the forces at its beginning and the impulses of the step before.
// The implicit step takes one pass less from there. Where the mass is constant that pass costs no more than this.
void MoreauJean::predict_velocity(const SimulationState& state) {
  velocity_ = state.u;
  if (mass_is_constant_ || joints_ > 0) return;
  find_force_impulse(state.time, state.q, state.u);
  if (in_inclusion_form_)
    for (const Active& active : active_)
      for (Index k = 0; k < active.rows(); ++k)
        contacts_.W.add_to(imbalance_, contacts_.points[active.point].first_row + k, active.impulse(k));
  response_->solve_free(imbalance_);
  add(imbalance_, velocity_);
}

// The implicit θ-step from the state as if nothing touched: velocity_ at its end, before the joints' second kick, and
// q_end_, on the joints.
void MoreauJean::fly(const SimulationState& state) {
  if (steady_) return fly_steadily(state);
  const double t_theta = state.time + theta_ * h_;
  const double t_end = static_cast<double>(state.step + 1) * h_;
  set_response(state.time, state.q, state.u);
  predict_velocity(state);

  Vec& v = velocity_;
  if (joints_ > 0) {
    u_kicked_ = state.u;         // with the kick M⁻¹Bλ at the beginning of the step
    joint_impulse_.setZero(n_);  // Bλ
  }
  const Vec& u = joints_ > 0 ? u_kicked_ : state.u;
  // Where joints are closed speeds are told as parts of the system a second, in which positions round alike.
  const double rounded_off = joints_ > 0 ? 4e-16 * lengths_.of_gaps(state.q) / (lengths_.size() * h_) : 0.0;
  const auto speed_of = [&](const Vec& w) { return joints_ > 0 ? lengths_.largest_part(w) : largest(w); };
  Settling settling(std::max(speed_of(state.u), speed_of(v)), rounded_off);
  for (int iteration = 0;; ++iteration) {
    go_within(state, v);
    find_imbalance(t_theta, q_theta_, u, v);
    Vec& delta = imbalance_;
    response_->solve_free(delta);
    if (joints_ > 0) {
      // dv = A⁻¹(B dλ − R): the part along the joints is set by what the end of the step misses.
      joint_misses(t_theta, t_end, state);
      if (!miss_.allFinite())
        fail(t_end, fmt::format("the joint or motion '{}' is not finite: is its expression defined there?",
                                system_.joint_name(first_not_finite(miss_))));
      for (Index j = 0; j < joints_; ++j) miss_(j) += theta_ * B_.dot(j, delta);
      miss_ = -miss_;
      response_->shift(miss_, shift_);
      delta += shift_;
      response_->multiply(shift_, residual_);
      joint_impulse_ += residual_;
      kick_ = joint_impulse_;
      M_.solve_in_place(kick_);
      u_kicked_ = state.u + kick_;
    }
    const double most = add(delta, v);
    if (settling.settled(joints_ > 0 ? lengths_.largest_part(delta) : most)) break;
    if (iteration == most_iterations || settling.diverged()) {
      if (!v.allFinite()) fail_diverged(state.time, v);
      fail(state.time,
           fmt::format("the implicit step does not converge; a smaller integrator.step may help{}",
                       joints_ > 0 ? ", unless the joints are in a singular pose (a linkage stretched out)" : ""));
    }
  }
  move_within(u, v, 1);
  system_.move(state.q, displacement_, q_end_);
  if (geometric_joints_ > 0) refuse_what_contradicts(t_end);
}

// Joints and motions that cannot all be met: the elimination leaves the later ones out as redundant, and they stay
// open. What the last pass of the flight found open it may have closed since.
void MoreauJean::refuse_what_contradicts(double t) {
  constexpr double open = 1e-9;  // a part of the system's lengths
  if (lengths_.largest_part(gap_, B_, q_end_) <= open) return;
  system_.joint_gaps(t, q_end_, gap_);
  if (lengths_.largest_part(gap_, B_, q_end_) <= open) return;
  Index worst = 0;
  gap_.cwiseAbs().maxCoeff(&worst);
  fail(t, fmt::format("'{}' stays open by {:.4g} {}: other joints or prescribed motions contradict it",
                      system_.joint_name(worst), std::abs(gap_(worst)), lengths_.is_length(B_[worst]) ? "m" : "rad"));
}

// Under constant forces every flight changes the velocity by the same.
void MoreauJean::fly_steadily(const SimulationState& state) {
  response_ = &manifold_;
  for (Index i = 0; i < n_; ++i) {
    const double u = state.u(i), v = u + steady_change_(i);
    velocity_(i) = v;
    displacement_(i) = h_ * ((1 - theta_) * u + theta_ * v);
  }
  system_.move(state.q, displacement_, q_end_);
}

// By how much the joints fail at the end of the step (geometric ones, over h) and within it (kinematic ones).
void MoreauJean::joint_misses(double t_theta, double t_end, const SimulationState& state) {
  displacement_ = h_ * u_theta_;
  system_.move(state.q, displacement_, q_end_);
  gap_.resize(geometric_joints_);
  system_.joint_gaps(t_end, q_end_, gap_);
  miss_.resize(joints_);
  miss_.head(geometric_joints_) = gap_ / h_;
  if (joints_ == geometric_joints_) return;
  direct_joints(system_, t_theta, q_theta_, B_theta_, b_theta_);
  for (Index j = geometric_joints_; j < joints_; ++j) miss_(j) = B_theta_.dot(j, u_theta_) - b_theta_(j);
}

// False if a clutch would be overrun: the step is then one in contact.
bool MoreauJean::advance_freely(SimulationState& state) {
  fly(state);
  if (!clutches_hold(state.u, velocity_)) return false;
  u_begin_ = state.u;
  state.q.swap(q_end_);
  if (!steady_ || !fixed_directions_) evaluate(static_cast<double>(state.step + 1) * h_, state.q);
  state.impulses.clear();
  return true;
}

bool MoreauJean::clutches_hold(const Vec& u, const Vec& v) const {
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto epsilon = restitution_in_step({.restitution = clutches_.restitution[k]});
    const double xi = clutches_.W.dot(i, v) + (epsilon ? epsilon->normal : 0) * clutches_.W.dot(i, u);
    if (xi < 0) return false;
  }
  return true;
}

// Least motion in the kinetic metric until the joints are met.
void MoreauJean::project_positions(double t, Vec& q) {
  if (geometric_joints_ == 0) return;
  gap_.resize(geometric_joints_);
  double last = HUGE_VAL;
  for (int iteration = 0; iteration < 20; ++iteration) {
    system_.joint_gaps(t, q, gap_);
    const double off = lengths_.largest_part(gap_, B_, q);
    if (off <= 1e-15 || (off <= 1e-11 && off >= 0.5 * last)) return;
    last = off;
    miss_.setZero(joints_);
    miss_.head(geometric_joints_) = -gap_;
    manifold_.shift(miss_, shift_);
    system_.move(q, shift_, q);
    evaluate(t, q);
  }
  if (!(last <= 1e-10)) fail(t, fmt::format("joints cannot be closed: {:.2g} off after projection", largest(gap_)));
}

void MoreauJean::check_finite(const SimulationState& state) const {
  const auto all_below = [](const Vec& v, double bound) {
    bool below = true;
    for (Index i = 0; i < v.size(); ++i) below &= std::abs(v(i)) <= bound;
    return below;
  };
  if (!all_below(state.u, largest_speed) || !all_below(state.q, std::numeric_limits<double>::max()))
    fail_diverged(state.time, state.u);
}

std::span<const ContactSample> MoreauJean::contact_samples(const SimulationState& state) {
  samples_.resize(system_.named_contacts());
  for (ContactSample& sample : samples_) {
    sample = {};
    sample.gap = std::numeric_limits<double>::infinity();
  }
  for (const ContactPoint& point : contacts_.points) {
    if (point.key >= samples_.size()) continue;
    ContactSample& sample = samples_[point.key];
    sample.gap = point.gap;
    for (Index k = 0; k <= point.tangents; ++k) sample.velocity(k) = contacts_.W.dot(point.first_row + k, state.u);
  }
  if (!in_contact_) return samples_;
  for (const Active& active : active_) {
    if (active.key >= samples_.size()) continue;
    ContactSample& sample = samples_[active.key];
    for (Index k = 0; k < active.rows(); ++k)
      sample.impulse(k) = Lambda_(active.row + k) + Lambda_impact_(active.row + k);
    sample.state = state_of(active);
    if (sample.state == State::open && Lambda_impact_(active.row) > 0) sample.state = State::closed;
  }
  return samples_;
}

// The body that is no longer anywhere, or else the fastest.
void MoreauJean::fail_diverged(double t, const Vec& u) const {
  if (!applied_.allFinite() && inner_.allFinite())
    fail(t, fmt::format("a force on '{}' is not a finite number: is its expression defined there?",
                        system_.body_of(first_not_finite(applied_))));
  Index worst = 0;
  for (Index i = 0; i < n_ && std::isfinite(u(worst)); ++i)
    if (!(std::abs(u(i)) <= std::abs(u(worst)))) worst = i;
  fail(t,
       fmt::format("the motion has diverged: '{}' has no finite speed or energy; a smaller integrator.step than {:g} "
                   "s helps, unless its forces are without bound",
                   system_.body_of(worst), h_));
}

void MoreauJean::fail_or_warn(double t, const char* kind, const std::string& why) {
  if (!options_.warn_on_failure) fail(t, why);
  ++unsolved_;
  note_once(kind, fmt::format("at t = {:.9g} s: {} (going on: on_failure is warn)", t, why));
}

void MoreauJean::note_once(const std::string& kind, const std::string& text) {
  if (!note_ || std::find(noted_.begin(), noted_.end(), kind) != noted_.end()) return;
  noted_.push_back(kind);
  note_(text);
}

}  // namespace carom
