// The step with active contacts or clutches.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/disjoint_sets.h"
#include "engine/moreau_jean.h"

namespace carom {

namespace {

constexpr int most_passes = 50;               // of forces and inclusion in turn
constexpr double many_steps = 20;             // of forces: a jump beyond is an impact
constexpr Index largest_dense_island = 3000;  // coordinates an impact law is given at once

// Rows that share one impulse act together: normal and tangents of a contact, though each may move coordinates that
// the mass matrix keeps apart.
void join_rows(const Rows& rows, Index begin, Index count, const MassMatrix& M, DisjointSets& sets) {
  Index first = -1;
  for (Index row = begin; row < begin + count; ++row) {
    for (const Rows::Entry& entry : rows[row]) {
      const Index block = M.block_of(entry.column);
      if (first >= 0) sets.join(first, block);
      first = block;
    }
  }
}

// A contact point by key: mostly at the same place in the list, else by search.
class ContactFinder {
 public:
  explicit ContactFinder(const Contacts& contacts) : points_(contacts.points) {}

  const ContactPoint* find(std::uint64_t key, std::size_t guess) {
    if (guess < points_.size() && points_[guess].key == key) return &points_[guess];
    if (sorted_.empty()) {
      for (const ContactPoint& point : points_) sorted_.push_back(&point);
      std::sort(sorted_.begin(), sorted_.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
    }
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), key,
                                        [](const ContactPoint* point, std::uint64_t k) { return point->key < k; });
    return found != sorted_.end() && (*found)->key == key ? *found : nullptr;
  }

 private:
  const std::vector<ContactPoint>& points_;
  std::vector<const ContactPoint*> sorted_;
};

Vec restricted(const Rows& rows, Index row, const std::vector<Index>& coordinates, Vec& full) {
  rows.add_to(full, row, 1);
  Vec result(static_cast<Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) result(static_cast<Index>(k)) = full(coordinates[k]);
  for (const Rows::Entry& entry : rows[row]) full(entry.column) = 0;
  return result;
}

Eigen::Vector3d padded(const Vec& v) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.head(v.size()) = v;
  return result;
}

Eigen::Vector3d padded_or_nan(const std::optional<Vec>& v) {
  return v ? padded(*v) : Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

bool MoreauJean::something_impacts() const {
  return std::any_of(active_.begin(), active_.end(), [](const Active& active) { return active.impacts(); });
}

// The rows of the active contacts at q_k, or where they are at another position; a contact that is not found there
// keeps its own.
void MoreauJean::collect_rows(const Contacts& there) {
  W_.clear();
  ContactFinder finder(there);
  for (Active& active : active_) {
    const ContactPoint& point = contacts_.points[active.point];
    const ContactPoint* same = finder.find(point.key, active.point);
    const bool found = same && same->tangents == point.tangents;
    active.row = W_.count();
    for (Index k = 0; k <= point.tangents; ++k)
      W_.append(found ? there.W[same->first_row + k] : contacts_.W[point.first_row + k]);
  }
  clutch_row_ = W_.count();
  for (Index i = 0; i < clutches_.W.count(); ++i) W_.append(clutches_.W[i]);
}

// Impulses act along W̃ = W(q_k ⊕ h u), where the step will end if nothing stops it. On curved paths γ_{k+1} then
// belongs to the contact as it will be, and a sliding contact neither drifts off nor flickers.
void MoreauJean::collect_rows_ahead(const SimulationState& state, const Vec& u) {
  displacement_ = h_ * u;
  system_.move(state.q, displacement_, q_theta_);
  ahead_.clear();
  system_.contacts(q_theta_, state.u, h_, ahead_);
  collect_rows(ahead_);
}

void MoreauJean::find_islands() {
  islands_.clear();
  if (something_impacts()) group_islands();
}

void MoreauJean::group_islands() {
  DisjointSets sets(M_.block_count());
  for (const Active& active : active_) join_rows(W_, active.row, 1 + contacts_.points[active.point].tangents, M_, sets);
  for (Index i = clutch_row_; i < W_.count(); ++i) join_rows(W_, i, 1, M_, sets);
  for (Index j = 0; j < B_.count(); ++j) join_rows(B_, j, 1, M_, sets);

  island_of_block_.assign(static_cast<std::size_t>(M_.block_count()), -1);
  const auto island_of_row = [&](const Rows& rows, Index row) -> Index& {
    return island_of_block_[static_cast<std::size_t>(sets.root(M_.block_of(rows[row].begin()->column)))];
  };
  for (std::size_t i = 0; i < active_.size(); ++i) {
    Index& island = island_of_row(W_, active_[i].row);
    if (island < 0) {
      island = static_cast<Index>(islands_.size());
      islands_.emplace_back();
    }
    Island& own = islands_[static_cast<std::size_t>(island)];
    own.contacts.push_back(i);
    own.impacts = own.impacts || active_[i].impacts();
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const Index island = island_of_row(clutches_.W, i);
    if (island >= 0) islands_[static_cast<std::size_t>(island)].clutches.push_back(i);
  }
  for (Index j = 0; j < B_.count(); ++j) {
    const Index island = island_of_row(B_, j);
    if (island >= 0) islands_[static_cast<std::size_t>(island)].joints.push_back(j);
  }
  for (Index i = 0; i < n_; ++i) {
    const Index island = island_of_block_[static_cast<std::size_t>(sets.root(M_.block_of(i)))];
    if (island >= 0) islands_[static_cast<std::size_t>(island)].coordinates.push_back(i);
  }
}

ImpactProblem MoreauJean::problem_of(const Island& island, const Vec& u) const {
  const auto n = static_cast<Index>(island.coordinates.size());
  Mat M = Mat::Zero(n, n);
  Vec u_minus(n);
  for (Index i = 0; i < n; ++i) {
    const Index gi = island.coordinates[static_cast<std::size_t>(i)];
    const Index block = M_.block_of(gi);
    u_minus(i) = u(gi);
    for (Index j = 0; j < n; ++j) {
      const Index gj = island.coordinates[static_cast<std::size_t>(j)];
      if (M_.block_of(gj) == block) M(i, j) = M_.block(block)(gi - M_.offset(block), gj - M_.offset(block));
    }
  }
  std::vector<Element> elements;
  Vec full = Vec::Zero(n_);
  for (std::size_t i : island.contacts) {
    const ContactPoint& point = contacts_.points[active_[i].point];
    Contact contact;
    contact.normal = restricted(W_, active_[i].row, island.coordinates, full);
    contact.tangent.resize(point.tangents, n);
    for (Index k = 0; k < point.tangents; ++k)
      contact.tangent.row(k) = restricted(W_, active_[i].row + 1 + k, island.coordinates, full);
    contact.friction = point.coefficients->friction.head(point.tangents);
    contact.restitution = point.coefficients->restitution;
    contact.tangential_restitution = point.coefficients->tangential_restitution;
    contact.stiffness = point.coefficients->stiffness;
    elements.push_back({system_.contact_name(point.key), std::move(contact)});
  }
  for (Index i : island.clutches) {
    elements.push_back({system_.clutch_name(i), Clutch{restricted(clutches_.W, i, island.coordinates, full),
                                                       clutches_.restitution[static_cast<std::size_t>(i)]}});
  }
  for (Index j : island.joints)
    elements.push_back({system_.joint_name(j), Bilateral{restricted(B_, j, island.coordinates, full)}});
  return ImpactProblem::on_manifold(M, u_minus, std::move(elements));
}

LawOutcome MoreauJean::ask_law(const ImpactProblem& problem) {
  LawOutcome outcome = law_.resolve(problem, solver_);
  if (outcome.status != LawOutcome::Status::refused || !several_) return outcome;
  LawOutcome sequential = several_->resolve(problem, solver_);
  if (sequential.status == LawOutcome::Status::refused) return outcome;
  note_once("several", "several contacts act on each other: each is resolved by the law in turn (sequential)");
  return sequential;
}

// The velocity at the end of the step if no contact impacted: the flight, held up by the contacts that go on.
Vec MoreauJean::velocity_without_impacts(const SimulationState& state) {
  const std::vector<Active> all = active_;
  std::erase_if(active_, [](const Active& active) { return !active.was_sustained; });
  Vec velocity = u_free_;
  if (!active_.empty()) {
    collect_rows(contacts_);
    pose_inclusion(state);
    solve_step(state);
    velocity = velocity_;
  }
  active_ = all;
  return velocity;
}

// The law's jumps at frozen position. Half of the forces' impulse acts before and half after, so that the step is
// symmetric in time and an elastic ball keeps its energy.
void MoreauJean::resolve_impacts(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  if (islands_.empty()) return;
  const Vec undisturbed = velocity_without_impacts(state);
  collect_rows(contacts_);
  for (const Island& island : islands_) {
    if (!island.impacts) continue;
    for (Index i : island.coordinates) u_begin_(i) += 0.5 * (undisturbed(i) - state.u(i));
  }
  project_velocities(u_begin_);
  for (const Island& island : islands_)
    if (island.impacts) resolve_impact(island, state, recorder, counts);
  close_free_velocity();
}

void MoreauJean::resolve_impact(const Island& island, SimulationState& state, Recorder* recorder,
                                SimulationCounts& counts) {
  if (static_cast<Index>(island.coordinates.size()) > largest_dense_island) {
    fail(state.time,
         fmt::format("{} coordinates take part in one impact; this law takes at most {} (newton, moreau and "
                     "inelastic take any number)",
                     island.coordinates.size(), largest_dense_island));
  }
  const ImpactProblem problem = problem_of(island, u_begin_);
  const LawOutcome outcome = ask_law(problem);
  if (outcome.status != LawOutcome::Status::resolved) {
    return fail_or_warn(state.time, fmt::format("impact at '{}': {}", problem.elements().front().name, outcome.reason));
  }
  const ImpactResult& result = outcome.results.front();
  state.energy.work_impacts += result.work;

  ImpactRecord record;
  record.step = state.step;
  record.time = state.time;
  record.q = &state.q;
  record.u = &u_begin_;
  record.kinetic_before = result.T_minus;
  record.kinetic_after = result.T_plus;
  record.work = result.work;
  record.kinematic = result.kinematic.holds;
  record.kinetic = result.kinetic.holds;
  record.energetic = result.energetic.holds;
  record.solutions = result.solver.solutions;
  record.iterations = result.solver.iterations;
  record.residual = result.solver.residual;
  for (std::size_t i = 0; i < problem.elements().size(); ++i) {
    if (problem.elements()[i].bilateral()) continue;
    const ElementResult& element = result.elements[i];
    record.elements.push_back({problem.elements()[i].name, element.state, padded(element.gamma_minus),
                               padded(element.gamma_plus), padded(element.Lambda), padded_or_nan(element.compression),
                               padded_or_nan(element.decompression)});
    const Index row = i < island.contacts.size() ? active_[island.contacts[i]].row
                                                 : clutch_row_ + island.clutches[i - island.contacts.size()];
    Lambda_impact_.segment(row, element.Lambda.size()) = element.Lambda;
  }
  report(record, recorder, counts);
  for (std::size_t k = 0; k < island.coordinates.size(); ++k) {
    const Index i = island.coordinates[k];
    u_free_(i) += result.u_plus(static_cast<Index>(k)) - u_begin_(i);
    u_begin_(i) = result.u_plus(static_cast<Index>(k));
  }
}

// ξ = GΛ + c without c, which changes with the forces from pass to pass.
void MoreauJean::pose_inclusion(const SimulationState& state) {
  const Index rows = W_.count();
  gamma_begin_.resize(rows);
  gamma_k_.setZero(rows);
  epsilon_.setZero(rows);
  gap_rate_.setZero(rows);
  Lambda_.setZero(rows);
  inclusion_.sets.clear();
  for (Index i = 0; i < rows; ++i) gamma_begin_(i) = W_.dot(i, u_begin_);
  for (const Active& active : active_) {
    const ContactPoint& point = contacts_.points[active.point];
    for (Index k = 0; k <= point.tangents; ++k)
      gamma_k_(active.row + k) = contacts_.W.dot(point.first_row + k, state.u);
    if (const auto restitution = law_.restitution_in_step(*point.coefficients)) {
      epsilon_(active.row) = restitution->normal;
      // Tangential restitution belongs to impacts; a contact that goes on slides or sticks.
      if (active.impacts()) epsilon_.segment(active.row + 1, point.tangents).setConstant(restitution->tangential);
    }
    // Where the step is split a sustained contact keeps the gap it landed with: it is not dropped because its path is
    // curved. The classical step stays as it is known.
    if (active.was_sustained && !in_inclusion_form_) gap_rate_(active.row) = (point.gap - active.kept_gap) / h_;
    add_contact_sets(point.coefficients->friction, point.tangents, active.row, 0, inclusion_.sets);
    Lambda_.segment(active.row, point.tangents + 1) = active.impulse.head(point.tangents + 1);
  }
  for (Index i = 0; i < clutches_.W.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    gamma_k_(clutch_row_ + i) = clutches_.W.dot(i, state.u);
    if (const auto restitution = law_.restitution_in_step({.restitution = clutches_.restitution[k]}))
      epsilon_(clutch_row_ + i) = restitution->normal;
    inclusion_.sets.push_back({.row = clutch_row_ + i});
  }
  assemble_delassus();
}

// From shared bodies where nothing else couples the rows; otherwise by the response to every row.
void MoreauJean::assemble_delassus() {
  const Index rows = W_.count();
  inclusion_.G = &G_;
  inclusion_.r.resize(rows);
  if (end_response_.is_block_diagonal() && !end_response_.has_joints()) {
    G_.rebuild(W_, M_);
    for (Index i = 0; i < rows; ++i) inclusion_.r(i) = 1 / G_(i, i);
    return;
  }
  Mat G(rows, rows);
  for (Index j = 0; j < rows; ++j) {
    column_.setZero(n_);
    W_.add_to(column_, j, 1);
    delta_ = column_;
    end_response_.solve_free(delta_);
    inclusion_.r(j) = 1 / W_.dot(j, delta_);
    end_response_.respond(column_);
    for (Index i = 0; i < rows; ++i) G(i, j) = W_.dot(i, column_);
  }
  // What the joints leave of a direction at rounding level is no freedom.
  for (Index j = 0; j < rows; ++j) {
    if (G(j, j) * inclusion_.r(j) > 1e-20) continue;
    G.row(j).setZero();
    G.col(j).setZero();
  }
  G_ = Delassus::from_matrix(0.5 * (G + G.transpose()));
}

void MoreauJean::add_impulse_response(Vec& v) {
  column_.setZero(n_);
  for (Index j = 0; j < Lambda_.size(); ++j) W_.add_to(column_, j, Lambda_(j));
  end_response_.respond(column_);
  v += column_;
}

void MoreauJean::solve_inclusion(double t) {
  // A contact at rest carries the same from step to step: then there is nothing to solve.
  solved_residual_ = natural_residual(inclusion_, Lambda_);
  iterations_ = 0;
  solutions_ = 1;
  if (solved_residual_ <= std::min(options_.tolerance, residual_tolerance)) return;
  inclusion_.start = Lambda_;
  inclusion_.tolerance = options_.tolerance;
  inclusion_.every = false;
  const InclusionOutcome outcome = solver_.solve(inclusion_);
  iterations_ = outcome.iterations;
  solutions_ = static_cast<int>(outcome.solutions.size());
  if (outcome.status != InclusionOutcome::Status::solved) {
    const std::string contact = active_.empty()
                                    ? std::string("a clutch")
                                    : "'" + system_.contact_name(contacts_.points[active_.front().point].key) + "'";
    fail_or_warn(t, fmt::format("contact at {}{}: {}; integrator.tolerance, now {:g}, may be set larger", contact,
                                active_.size() > 1 ? fmt::format(" and {} more", active_.size() - 1) : "",
                                outcome.reason, options_.tolerance));
    solved_residual_ = natural_residual(inclusion_, Lambda_);
    if (outcome.nearest && outcome.nearest->residual < solved_residual_) {
      Lambda_ = outcome.nearest->Lambda;
      solved_residual_ = outcome.nearest->residual;
    }
    return;
  }
  Lambda_ = outcome.solutions.front().Lambda;
  solved_residual_ = outcome.solutions.front().residual;
}

// The contacts' impulses on top of the free flight. Forces that answer to them do so through A, exactly if they are
// linear.
void MoreauJean::solve_step(const SimulationState& state) {
  const Index rows = W_.count();
  force_speed_.resize(rows);
  inclusion_.c.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    const double free = W_.dot(i, u_free_);
    force_speed_(i) = std::abs(free - gamma_begin_(i));
    inclusion_.c(i) = G_(i, i) > 0 ? free + epsilon_(i) * gamma_k_(i) + gap_rate_(i) : 0;
  }
  solve_inclusion(state.time);
  velocity_ = u_free_;
  add_impulse_response(velocity_);
  gamma_end_.resize(rows);
  for (Index i = 0; i < rows; ++i) gamma_end_(i) = W_.dot(i, velocity_);
  jump_speed_ = many_steps * largest(force_speed_) + verdict_tolerance * largest(u_begin_);
}

// A with the joints where the free flight ends: its second kick belongs to the velocity that contacts see.
void MoreauJean::set_end_response(double t_end) {
  const bool stiff = response_ == &stiff_;
  end_response_.set_mass(M_, stiff ? &gradient_ : nullptr, h_ * theta_, h_ * h_ * theta_ * theta_);
  if (system_.joint_rows() == 0) return;
  B_end_.clear();
  b_end_.setZero(system_.joint_rows());
  system_.joint_directions(t_end, q_end_, B_end_, b_end_);
  end_response_.set_joints(B_end_);
}

void MoreauJean::advance_in_contact(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  const double t_end = static_cast<double>(state.step + 1) * h_;
  collect_rows(contacts_);
  find_islands();
  Lambda_impact_.setZero(W_.count());
  fly(state);
  set_end_response(t_end);
  u_free_ = velocity_;
  close_free_velocity();
  u_flight_ = u_free_;
  u_begin_ = state.u;
  if (!in_inclusion_form_) resolve_impacts(state, recorder, counts);
  collect_rows_ahead(state, u_begin_);
  pose_inclusion(state);
  solve_step(state);
  if (!constant_) follow_forces(state);
  book_impacts_of_inclusion(state, recorder, counts);
  remember_impulses(state);
  // What impulses change in the velocity moves the position by θ of it, as in q_k + h((1−θ)u_k + θu_{k+1}).
  displacement_ = h_ * theta_ * (velocity_ - u_flight_);
  system_.move(q_end_, displacement_, state.q);
  evaluate(t_end, state.q);
  project_positions(t_end, state.q);
}

// Forces that depend on position and velocity answer to the impulses beyond what A knows: Newton's method on
//
//   M(q_θ)(v − u_k − Δ) = hF(q_θ, u_θ) + WΛ + Bλ,   Δ the jump of a split impact,
//
// with the inclusion solved anew in each pass.
void MoreauJean::follow_forces(const SimulationState& state) {
  u_jumped_ = state.u + (u_free_ - u_flight_);
  accelerated_ = u_flight_ - state.u;
  const double scale_of_flight = std::max(largest(state.u), largest(accelerated_));
  const double t_theta = state.time + theta_ * h_;
  double last = HUGE_VAL;
  for (int pass = 0; pass < most_passes; ++pass) {
    u_theta_ = (1 - theta_) * u_kicked_ + theta_ * velocity_;
    displacement_ = theta_ * h_ * u_theta_;
    system_.move(state.q, displacement_, q_theta_);
    force_residual(t_theta, q_theta_, u_jumped_, velocity_);
    residual_ -= joint_impulse_;
    for (Index i = 0; i < W_.count(); ++i) W_.add_to(residual_, i, -Lambda_(i));
    delta_ = -residual_;
    end_response_.respond(delta_);
    const double correction = largest(delta_);
    u_free_ += delta_;
    solve_step(state);
    const double scale = std::max(largest(velocity_), scale_of_flight);
    if (correction <= 1e-14 * scale || (correction <= 1e-9 * scale && correction > 0.5 * last)) return;
    last = correction;
    if (!(correction <= 1e6 * scale)) break;
  }
  fail(state.time, "the step in contact does not converge; a smaller integrator.step may help");
}

void MoreauJean::close_free_velocity() {
  if (!end_response_.has_joints()) return;
  miss_ = b_end_;
  for (Index j = 0; j < miss_.size(); ++j) miss_(j) -= B_end_.dot(j, u_free_);
  end_response_.shift(miss_, shift_);
  u_free_ += shift_;
}

double MoreauJean::work_of(Index first_row, Index rows) const {
  return 0.5 * Lambda_.segment(first_row, rows)
                   .dot(gamma_begin_.segment(first_row, rows) + gamma_end_.segment(first_row, rows));
}

State MoreauJean::state_of(const Active& active) const {
  const ContactPoint& point = contacts_.points[active.point];
  if (!(Lambda_(active.row) > 0)) return State::open;
  if (point.tangents == 0) return State::closed;
  double slip = 0;
  double scale = 0;
  for (Index k = 1; k <= point.tangents; ++k) {
    const Index row = active.row + k;
    slip = std::max(slip, std::abs(gamma_end_(row) + epsilon_(row) * gamma_k_(row)));
    scale = std::max(
        {scale, std::abs(gamma_begin_(row)), std::abs(gamma_end_(row)), G_(row, row) * std::abs(Lambda_(row))});
  }
  return slip > 1e-9 * scale ? State::slip : State::stick;
}

// In the classical step an approach that the forces of two steps explain is a contact that goes on. An impact without
// collision (Painlevé) is one too: a contact that went on stops, or turns, as the forces of many steps would not do it.
bool MoreauJean::is_impact(const Island& island) const {
  return std::any_of(island.contacts.begin(), island.contacts.end(), [&](std::size_t i) {
    const Index row = active_[i].row;
    if (!(Lambda_(row) > 0)) return false;
    const bool collides = in_inclusion_form_ && active_[i].impacts() && -gamma_k_(row) > 2 * force_speed_(row);
    return collides || jumps(active_[i]);
  });
}

bool MoreauJean::jumps(const Active& active) const {
  if (!(Lambda_(active.row) > 0) || active.approaching) return false;
  const Index rows = contacts_.points[active.point].tangents + 1;
  const auto begin = gamma_begin_.segment(active.row, rows);
  const double jump = (gamma_end_.segment(active.row, rows) - begin).cwiseAbs().maxCoeff();
  if (!(jump > jump_speed_ && jump > 0.5 * begin.cwiseAbs().maxCoeff())) return false;
  // On a curved path the contact turns under the velocity within the step, which is no impact either.
  double turned = 0;
  for (Index k = 0; k < rows; ++k) {
    const double straight_on = contacts_.W.dot(contacts_.points[active.point].first_row + k, u_begin_);
    turned = std::max(turned, std::abs(begin(k) - straight_on));
  }
  return jump > jump_speed_ + many_steps * turned;
}

// The impulses of the step as impacts, where they are, and as sustained contact.
void MoreauJean::book_impacts_of_inclusion(SimulationState& state, Recorder* recorder, SimulationCounts& counts) {
  const double all = work_of(0, W_.count());
  double of_impacts = 0;
  if (islands_.empty() &&
      std::any_of(active_.begin(), active_.end(), [&](const Active& active) { return jumps(active); }))
    group_islands();
  for (const Island& island : islands_) {
    if (!is_impact(island)) continue;
    const ImpactRecord record = record_of_inclusion(island, state);
    of_impacts += record.work;
    report(record, recorder, counts);
  }
  state.energy.work_impacts += of_impacts;
  state.energy.work_contact += all - of_impacts;
}

ImpactRecord MoreauJean::record_of_inclusion(const Island& island, const SimulationState& state) const {
  ImpactRecord record;
  record.step = state.step;
  record.time = state.time;
  record.q = &state.q;
  record.u = &state.u;
  record.solutions = solutions_;
  record.iterations = iterations_;
  record.residual = solved_residual_;
  const Eigen::Vector3d none = padded_or_nan(std::nullopt);
  double speed = 0;
  double approach = 0;
  double by_forces = 0;
  const auto add = [&](const std::string& name, State contact_state, Index row, Index rows) {
    record.elements.push_back({name, contact_state, padded(gamma_k_.segment(row, rows)),
                               padded(gamma_end_.segment(row, rows)), padded(Lambda_.segment(row, rows)), none, none});
    record.work += work_of(row, rows);
    speed = std::max(speed, gamma_k_.segment(row, rows).cwiseAbs().maxCoeff());
    approach = std::max(approach, -gamma_end_(row));
    by_forces += Lambda_.segment(row, rows).cwiseAbs().dot(force_speed_.segment(row, rows));
  };
  for (std::size_t i : island.contacts) {
    const ContactPoint& point = contacts_.points[active_[i].point];
    add(system_.contact_name(point.key), state_of(active_[i]), active_[i].row, point.tangents + 1);
  }
  for (Index i : island.clutches)
    add(system_.clutch_name(i), Lambda_(clutch_row_ + i) > 0 ? State::closed : State::open, clutch_row_ + i, 1);
  for (Index i : island.coordinates) {
    const Index block = M_.block_of(i);
    for (Index j = 0; j < M_.block_size(block); ++j)
      record.kinetic_before +=
          0.5 * state.u(i) * M_.block(block)(i - M_.offset(block), j) * state.u(M_.offset(block) + j);
  }
  record.kinetic_after = record.kinetic_before + record.work;
  record.kinematic = approach <= verdict_tolerance * speed;
  record.kinetic = solved_residual_ <= verdict_tolerance;
  // The impulses also carry what the forces push into the contacts during the step; that is no gain of the law's.
  record.energetic = record.work <= verdict_tolerance * record.kinetic_before + by_forces;
  return record;
}

void MoreauJean::report(const ImpactRecord& record, Recorder* recorder, SimulationCounts& counts) {
  ++counts.impacts;
  if (!record.energetic) {
    ++counts.inconsistent;
    counts.energy_created += record.work;
  }
  if (recorder) recorder->impact(record);
}

// A contact that ends the step closed, or opens no faster than the forces of a step close it, goes on.
void MoreauJean::remember_impulses(SimulationState& state) {
  state.impulses.clear();
  for (ContactSample& sample : samples_) {
    sample.impulse.setZero();
    sample.state = State::open;
  }
  for (const Active& active : active_) {
    const ContactPoint& point = contacts_.points[active.point];
    const Index rows = point.tangents + 1;
    if (point.key < samples_.size()) {
      ContactSample& sample = samples_[point.key];
      sample.impulse.head(rows) = Lambda_.segment(active.row, rows) + Lambda_impact_.segment(active.row, rows);
      sample.state = state_of(active);
      if (sample.state == State::open && Lambda_impact_(active.row) > 0) sample.state = State::closed;
    }
    if (!(Lambda_(active.row) > 0)) continue;
    double opening = 0;
    for (const Rows::Entry& entry : W_[active.row]) opening += std::abs(entry.value * velocity_(entry.column));
    SimulationState::Impulse impulse;
    impulse.key = point.key;
    impulse.value.head(rows) = Lambda_.segment(active.row, rows);
    impulse.sustained =
        !in_inclusion_form_ || gamma_end_(active.row) <= std::max(force_speed_(active.row), rounding * opening);
    impulse.keeps_gap = active.was_sustained;
    impulse.gap = active.kept_gap;
    state.impulses.push_back(impulse);
  }
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  if (!std::is_sorted(state.impulses.begin(), state.impulses.end(), by_key))
    std::sort(state.impulses.begin(), state.impulses.end(), by_key);
}

}  // namespace carom
