// The step with active contacts or clutches: its inclusion, posed, and what follows from its impulses.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/joint_directions.h"
#include "engine/moreau_jean.h"

namespace carom {

namespace {

constexpr Index few_rows = 4;  // following their impulses costs no more than to look whether they are still right

}  // namespace

// ξ = GΛ + c without c, which changes with the forces from pass to pass.
void MoreauJean::pose_inclusion() {
  const Index joint_rows = keeps_joints() ? B_end_.count() : 0;
  if (joint_rows != joint_rows_) sets_are_posed_ = G_is_posed_ = false;
  joint_rows_ = joint_rows;
  if (!sets_are_posed_) pose_sets();
  if (!G_is_posed_) assemble_delassus();
  pose_velocities();
}

// Many contacts on joints: where joints are eliminated every contact acts on every other one; with rows of their own
// G stays as sparse as bodies touch. Their impulses are then part of Λ, and those of the contacts are the same.
bool MoreauJean::keeps_joints() const {
  return end_response_.has_joints() && end_response_.is_block_diagonal() && W_.count() > Delassus::largest_dense &&
         solver_.takes_joints() &&
         std::all_of(active_.begin(), active_.end(), [](const Active& active) { return active.tangents < 2; });
}

void MoreauJean::eliminate_joints() {
  joint_rows_ = 0;
  const Index rows = W_.count();
  inclusion_.sets.resize(inclusion_.sets.size() - static_cast<std::size_t>(B_end_.count()));
  inclusion_.c.conservativeResize(rows);
  Lambda_.conservativeResize(rows);
  assemble_delassus();
  for (Index i = 0; i < rows; ++i)
    if (!(own_compliance_(i) > 0)) inclusion_.c(i) = 0;
  inclusion_.start = Lambda_;
}

void MoreauJean::pose_sets() {
  sets_are_posed_ = true;
  epsilon_.setZero(W_.count());
  inclusion_.frictionless = W_.count() == static_cast<Index>(active_.size()) + clutches_.W.count();
  inclusion_.unilateral = inclusion_.frictionless && joint_rows_ == 0;
  inclusion_.sets.clear();
  inclusion_.sets.reserve(static_cast<std::size_t>(W_.count() + joint_rows_));
  for (const Active& active : active_) {
    const ContactCoefficients& coefficients = *contacts_.points[active.point].coefficients;
    add_contact_sets(coefficients.friction, active.tangents, active.row, 0, inclusion_.sets);
    if (const auto restitution = restitution_in_step(coefficients)) epsilon_(active.row) = restitution->normal;
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const double own = clutches_.restitution[static_cast<std::size_t>(i)];
    inclusion_.sets.push_back({.row = clutch_row_ + i});
    if (const auto restitution = restitution_in_step({.restitution = own}))
      epsilon_(clutch_row_ + i) = restitution->normal;
  }
  for (Index j = 0; j < joint_rows_; ++j)
    inclusion_.sets.push_back({.shape = ForceSet::Shape::bilateral, .row = W_.count() + j});
  if (!changes_steadily()) return;
  force_change_.resize(W_.count());
  for (Index i = 0; i < W_.count(); ++i) force_change_(i) = W_.dot(i, steady_change_);
}

// What the rows see at the beginning of the step, and the impulses of the step before to start from.
void MoreauJean::pose_velocities() {
  if (goes_on_) return gamma_k_.swap(gamma_end_);
  const Index rows = W_.count();
  gamma_k_.resize(rows);
  gap_rate_.resize(in_inclusion_form_ && fixed_directions_ ? 0 : rows);
  std::fill(gap_rate_.begin(), gap_rate_.end(), 0.0);
  Lambda_.resize(rows + joint_rows_);
  // Joints turn within the step, too: an impact is between two velocities that those of its end allow, or large
  // impulses of a mechanism that nearly jams would do work. Drives are as fast as they were.
  const bool joints_turn = in_inclusion_form_ && something_impacts_ && end_response_.has_joints();
  if (joints_turn) end_response_.project(b_, u_approach_ = u_begin_);
  const Vec& u = joints_turn ? u_approach_ : u_begin_;
  for (Active& active : active_) {
    const ContactPoint& point = contacts_.points[active.point];
    // Redundant rows that belong to velocities of different directions may have no solution: theirs are those of the
    // impulses, so that c = Wᵀ(u + εu_k).
    const bool along_impulses =
        in_inclusion_form_ && (active.turns || active.redundant || (joints_turn && active.impacts));
    const auto speed = [&](Index k) {
      if (speeds_stand_ && in_inclusion_form_) return gamma_end_(active.row + k);
      return along_impulses || rows_stand_ ? W_.dot(active.row + k, u) : contacts_.W.dot(point.first_row + k, u_begin_);
    };
    Lambda_(active.row) = active.impulse(0);
    gamma_k_(active.row) = in_inclusion_form_ && !along_impulses ? active.gamma : speed(0);
    for (Index k = 1; k <= active.tangents; ++k) {
      Lambda_(active.row + k) = active.impulse(k);
      gamma_k_(active.row + k) = speed(k);
      // Tangential restitution belongs to impacts, of all contacts that take part in one; one that goes on by itself
      // slides or sticks.
      const auto restitution = active.in_impact ? restitution_in_step(*point.coefficients) : std::nullopt;
      epsilon_(active.row + k) = restitution ? restitution->tangential : 0;
    }
    if (!active.was_sustained || !keeps_gap(point, point.gap)) continue;
    // Four corners on a plane cannot all keep theirs to the last digit; asked to, their impulses would creep from one
    // to the other through thousands of sweeps.
    const double off = point.gap - active.kept_gap;
    if (std::abs(off) <= loose_gap()) continue;
    const double by_motion = in_inclusion_form_ ? curve_allowance_ : 4 * h_ * speed_along_normal(active);
    if (std::abs(off) <= std::max(by_motion, widest_loose_gap())) {
      // Taken back to there, not to nothing: that would be a blow in the impulses once in many steps.
      gap_rate_(active.row) = (off - std::copysign(loose_gap(), off)) / h_;
    } else {
      active.kept_gap = point.gap;  // no motion made it: another feature meets there now, or from another side
    }
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    gamma_k_(clutch_row_ + i) = clutches_.W.dot(i, u_begin_);
    Lambda_(clutch_row_ + i) = 0;
  }
  if (joint_rows_ > 0) {
    add_impulse_response();
    end_response_.find_joint_impulses(Lambda_.tail(joint_rows_));
  }
  if (fixed_directions_) return;
  gamma_begin_.resize(rows);
  if (rows_stand_) {
    gamma_begin_ = gamma_k_;
  } else {
    for (Index i = 0; i < rows; ++i) gamma_begin_(i) = W_.dot(i, u);
  }
}

// From shared bodies where nothing else couples the rows; otherwise by the response to every row.
void MoreauJean::assemble_delassus() {
  const Index rows = W_.count();
  inclusion_.G = &G_;
  if (joint_rows_ > 0 || (end_response_.is_block_diagonal() && !end_response_.has_joints()))
    return assemble_sparse_delassus();
  inclusion_.r.resize(rows);
  own_compliance_.resize(rows);
  G_dense_.resize(rows, rows);
  for (Index j = 0; j < rows; ++j) {
    column_.setZero(n_);
    W_.add_to(column_, j, 1);
    imbalance_ = column_;
    end_response_.solve_free(imbalance_);
    inclusion_.r(j) = 1 / W_.dot(j, imbalance_);
    end_response_.respond(column_);
    for (Index i = 0; i < rows; ++i) G_dense_(i, j) = W_.dot(i, column_);
  }
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < j; ++i) G_dense_(i, j) = G_dense_(j, i) = 0.5 * (G_dense_(i, j) + G_dense_(j, i));
    // What the joints leave of a direction at rounding level is no freedom.
    if (G_dense_(j, j) * inclusion_.r(j) > 1e-20) continue;
    G_dense_.row(j).setZero();
    G_dense_.col(j).setZero();
  }
  own_compliance_ = G_dense_.diagonal();
  G_.set_matrix(G_dense_);
}

void MoreauJean::assemble_sparse_delassus() {
  if (joint_rows_ > 0) {
    W_and_joints_ = W_;
    for (Index j = 0; j < joint_rows_; ++j) W_and_joints_.append(B_end_[j]);
  }
  const Rows& directions = joint_rows_ > 0 ? W_and_joints_ : W_;
  if (fixed_directions_) {
    G_.rebuild(directions, M_);  // once for many steps
  } else {
    G_.set_directions(directions, M_);
  }
  const Index rows = W_.count() + joint_rows_;
  inclusion_.r.resize(rows);
  own_compliance_.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    own_compliance_(i) = G_.diagonal(i);
    inclusion_.r(i) = 1 / own_compliance_(i);
  }
  G_is_posed_ = mass_is_constant_ && joint_rows_ == 0;
}

// The contacts' impulses on top of the free flight. Forces that answer to them do so through A, exactly if they are
// linear. A pass that is not the first of a step has changed c: its impulses are no longer the ones they were. Nor are
// those of a few contacts under forces that change, or of one row: following them costs no more than to look whether
// they are.
void MoreauJean::solve_step(const SimulationState& state, bool anew) {
  const Index rows = W_.count();
  end_is_seen_ = false;
  force_change_.resize(rows);
  inclusion_.c.resize(rows + joint_rows_);
  for (Index j = rows; j < rows + joint_rows_; ++j)
    inclusion_.c(j) = 0;  // the free velocity is one that the joints allow
  const bool is_known = changes_steadily();
  for (Index i = 0; i < rows; ++i) {
    const double begin = gamma_begin(i);
    const double free = is_known ? begin + force_change_(i) : W_.dot(i, u_free_);
    if (anew && !is_known) force_change_(i) = free - begin;  // later ones answer to the impulses
    inclusion_.c(i) = own_compliance_(i) > 0 ? free + epsilon_(i) * gamma_k_(i) + gap_rate(i) : 0;
  }
  const bool may_be_solved = anew && (constant_ ? rows > 1 : rows > few_rows);
  if (may_be_solved || !follower_) {
    solve_inclusion(state.time);
  } else {
    follow_inclusion(state.time);
  }
  if (!end_is_seen_) add_impulse_response();
}

// What the rows see at the end of the step, and all that follows from it: many rows are gone through once.
void MoreauJean::find_end_velocities() {
  const Index rows = W_.count();
  gamma_end_.resize(rows);
  largest_jump_ = largest_force_speed_ = 0;
  all_stay_closed_ = true;
  double twice = 0;
  for (Index i = 0; i < rows; ++i) {
    const double end = W_.dot(i, velocity_);
    gamma_end_(i) = end;
    largest_jump_ = std::max(largest_jump_, std::abs(end - gamma_begin(i)));
    largest_force_speed_ = std::max(largest_force_speed_, force_speed(i));
    all_stay_closed_ = all_stay_closed_ && Lambda_(i) > 0 && end <= largest_opening_at_rest(i);
    twice += Lambda_(i) * (gamma_k_(i) + end);
  }
  impulse_work_ = 0.5 * twice;
  end_is_seen_ = true;
}

void MoreauJean::see_end_of_step() {
  if (!end_is_seen_) find_end_velocities();
  jump_speed_ = many_steps * largest_force_speed_ + verdict_tolerance * lengths_.largest_length(u_begin_);
  something_jumps_ = largest_jump_ > jump_speed_;
}

// Joints and prescribed motions alone decide about some contacts: no impulse opens one that they close.
void MoreauJean::refuse_what_nothing_opens(double t) {
  if (joints_ == 0) return;
  const double allowed = gap_allowance_ / h_ + verdict_tolerance * lengths_.largest_length(velocity_);
  for (const Active& active : active_) {
    if (own_compliance_(active.row) > 0 || gamma_end_(active.row) >= -allowed) continue;
    fail_or_warn(t, "contact closed by joints",
                 fmt::format("contact '{}' is closed at {:.4g} m/s by joints or prescribed motions, which no impulse "
                             "can change",
                             system_.contact_name(contacts_.points[active.point].key), -gamma_end_(active.row)));
  }
}

// A with the joints where the free flight ends: its second kick belongs to the velocity that contacts see.
void MoreauJean::set_end_response(double t_end) {
  const bool stiff = response_ == &stiff_;
  end_response_.set_mass(M_, stiff ? &gradient_ : nullptr, h_ * theta_, h_ * h_ * theta_ * theta_);
  if (stiff) G_is_posed_ = false;  // it depends on more than W
  if (joints_ == 0) return;
  direct_joints(system_, t_end, q_end_, B_end_, b_end_);
  end_response_.set_joints(B_end_);
}

void MoreauJean::advance_in_contact(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  const double t_end = static_cast<double>(state.step + 1) * h_;
  something_swings_ = false;
  if (!in_inclusion_form_ || fixed_directions_ || something_impacts_) collect_rows(contacts_, state.u);
  find_islands();
  if (!in_inclusion_form_) {
    Lambda_impact_.setZero(W_.count());
    jump_.setZero(n_);
    supported_.setZero(n_);
  }
  find_free_velocity(state, t_end);
  u_begin_ = state.u;
  if (!in_inclusion_form_) resolve_impacts(state, recorder, counts);
  collect_rows_ahead(state, u_begin_);
  if (in_inclusion_form_ && Lambda_impact_.size() != W_.count()) Lambda_impact_.setZero(W_.count());
  find_swinging_contacts();
  pose_inclusion();
  expect_impulses(state);
  solve_step(state, true);
  if (!constant_ || something_swings_) follow(state);
  see_end_of_step();
  refuse_what_nothing_opens(t_end);
  book_impacts_of_inclusion(state, recorder, counts);
  remember_impulses(state);
  move_to_end(state);
  evaluate(t_end, state.q);
  project_positions(t_end, state.q);
  in_contact_ = true;
}

// u_free_ of the flight, on the joints at its end. Where forces are followed with the contacts it comes with those of
// the step before: until then velocity_ is what the step is expected to end with.
void MoreauJean::find_free_velocity(const SimulationState& state, double t_end) {
  if (follows_forces()) {
    set_response(state.time, state.q, state.u);
    predict_velocity(state);
    return set_end_response(t_end);
  }
  if (steady_ && in_inclusion_form_) {
    change_velocity_steadily(state);
  } else {
    fly(state);
  }
  if (!in_inclusion_form_) applied_in_flight_ = applied_;
  if (!in_inclusion_form_ && !islands_.empty()) go_to_impact(state);
  set_end_response(t_end);
  u_free_.swap(velocity_);
  end_response_.project(b_end_, u_free_);
  if (!constant_ || !in_inclusion_form_) u_flight_ = u_free_;
}

// What the impulses of the step before, which are near those of this one, do to the free velocity.
void MoreauJean::expect_impulses(const SimulationState& state) {
  swinging_fails_ = false;
  if (follows_forces()) {
    expect_end(state);
  } else if (something_swings_) {
    expect_swinging();
  }
}

// The steady flight where contacts decide before anything moves.
void MoreauJean::change_velocity_steadily(const SimulationState& state) {
  response_ = &manifold_;
  for (Index i = 0; i < n_; ++i) velocity_(i) = state.u(i) + steady_change_(i);
}

// q_{k+1} = q_k + h((1−θ)u_k + θu_{k+1}): at once, or what impulses change in the velocity on top of the flight.
void MoreauJean::move_to_end(SimulationState& state) {
  if (in_inclusion_form_ && joints_ == 0) {
    for (Index i = 0; i < n_; ++i) displacement_(i) = h_ * ((1 - theta_) * u_begin_(i) + theta_ * velocity_(i));
    return system_.move(state.q, displacement_, state.q);
  }
  const bool is_free = constant_ && in_inclusion_form_;  // nothing else has changed the flight
  const Vec& u_flight = !is_free ? u_flight_ : something_swings_ ? u_straight_ : u_free_;
  const double time = h_ * theta_;
  for (Index i = 0; i < n_; ++i) displacement_(i) = time * (velocity_(i) - u_flight(i));
  system_.move(q_end_, displacement_, state.q);
}

State MoreauJean::state_of(const Active& active) const {
  if (!(Lambda_(active.row) > 0)) return State::open;
  if (active.tangents == 0) return State::closed;
  double slip = 0;
  double scale = 0;
  for (Index k = 1; k <= active.tangents; ++k) {
    const Index row = active.row + k;
    slip = std::max(slip, std::abs(gamma_end_(row) + epsilon_(row) * gamma_k_(row)));
    scale = std::max(
        {scale, std::abs(gamma_begin(row)), std::abs(gamma_end_(row)), own_compliance_(row) * std::abs(Lambda_(row))});
  }
  return slip > 1e-9 * scale ? State::slip : State::stick;
}

// No faster than its path turns, or than rounding makes of the velocities.
bool MoreauJean::hardly_opens(const Active& active) const {
  const double opening = gamma_end_(active.row);
  if (opening <= force_speed(active.row) + turning_of(active)) return true;
  return opening <= rounded_speed(W_[active.row], velocity_);
}

// A contact that ends the step closed, or opens no faster than the forces of a step close it, goes on. Under a split
// law one that carries an impulse is closed, unless it opens by more than all of that impulse could have done: what
// solvers leave on open contacts is no impulse.
bool MoreauJean::is_sustained(const Active& active) const {
  const double opening = gamma_end_(active.row);
  if (opening <= largest_opening_at_rest(active.row) || hardly_opens(active)) return true;
  return !in_inclusion_form_ && opening <= own_compliance_(active.row) * Lambda_(active.row);
}

void MoreauJean::tell_impulses(SimulationState& state) {
  if (impulses_are_told_) return;
  impulses_are_told_ = true;
  for (std::size_t i = 0; i < state.impulses.size(); ++i) state.impulses[i].value(0) = Lambda_(static_cast<Index>(i));
}

void MoreauJean::remember_impulses(SimulationState& state) {
  impulses_are_told_ = !(goes_on_ && all_stay_closed_);
  if (!impulses_are_told_) return;
  state.impulses.resize(active_.size());
  all_sustained_ = changes_steadily() && !something_impacts_ && active_.size() == contacts_.points.size() &&
                   W_.count() == static_cast<Index>(active_.size());
  std::size_t count = 0;
  std::uint64_t last_key = 0;
  bool sorted = true;
  for (const Active& active : active_) {
    const Index row = active.row;
    if (!(Lambda_(row) > 0)) continue;
    sorted = sorted && last_key <= active.key;
    last_key = active.key;
    SimulationState::Impulse& impulse = state.impulses[count++];
    impulse.key = active.key;
    impulse.value.setZero();
    impulse.value(0) = Lambda_(row);
    for (Index k = 1; k <= active.tangents; ++k) impulse.value(k) = Lambda_(row + k);
    impulse.sustained = is_sustained(active);
    impulse.keeps_gap = active.was_sustained;
    impulse.gap = active.kept_gap;
    all_sustained_ = all_sustained_ && impulse.sustained && active.was_sustained;
  }
  state.impulses.resize(count);
  all_sustained_ = all_sustained_ && sorted && count == active_.size();
  if (sorted) return;
  std::sort(state.impulses.begin(), state.impulses.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
}

}  // namespace carom
