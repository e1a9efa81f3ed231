#include "engine/step/step_inclusion.h"

#include <algorithm>
#include <cmath>

#include "engine/step/end_of_step.h"

namespace carom {

void StepInclusion::begin(const Treatment& treatment) {
  treatment_ = &treatment;
  posed_for_ = {};
}

PosedStep& StepInclusion::pose(const ContactStep& step, EndOfStep& last) {
  posed_.joint_rows = keeps_joints(step) ? step.departure.response->B.count() : 0;
  pose_sets(step);
  pose_delassus(step);
  const bool all_go_on = step.active.version != 0 && step.active.version == posed_for_.active;
  posed_for_.active = step.active.version;
  if (all_go_on) {
    last.hand_over(posed_.gamma_k);
  } else {
    pose_velocities(step, last);
  }
  return posed_;
}

// Many contacts on joints: where joints are eliminated every contact acts on every other one; with rows of their own
// G stays as sparse as bodies touch. Their impulses are then part of Λ, and those of the contacts are the same.
bool StepInclusion::keeps_joints(const ContactStep& step) const {
  const ConstrainedMass& A = step.departure.response->A;
  return A.has_joints() && A.is_block_diagonal() && step.rows.W.count() > Delassus::largest_dense &&
         solver_.takes_joints() &&
         std::all_of(step.active.contacts.begin(), step.active.contacts.end(),
                     [](const ActiveContact& active) { return active.tangents < 2; });
}

// Force sets and ε of the rows: of the same contacts they are the same.
void StepInclusion::pose_sets(const ContactStep& step) {
  if (posed_for_.contacts == step.rows.of_version && posed_for_.joint_rows == posed_.joint_rows &&
      posed_for_.h == setting_.h)
    return;
  posed_for_.h = setting_.h;
  posed_for_.contacts = step.rows.of_version;
  posed_for_.joint_rows = posed_.joint_rows;
  const StepRows& rows = step.rows;
  const Clutches& clutches = step.departure.place->clutches();
  Inclusion& inclusion = posed_.inclusion;
  posed_.epsilon.setZero(rows.W.count());
  inclusion.frictionless = rows.W.count() == static_cast<Index>(step.active.contacts.size()) + clutches.W.count();
  inclusion.unilateral = inclusion.frictionless && posed_.joint_rows == 0;
  inclusion.sets.clear();
  inclusion.sets.reserve(static_cast<std::size_t>(rows.W.count() + posed_.joint_rows));
  for (const ActiveContact& active : step.active.contacts) {
    const ContactCoefficients& coefficients = *step.point(active).coefficients;
    add_contact_sets(coefficients.friction, active.tangents, active.row, 0, inclusion.sets);
    if (const auto restitution = treatment_->restitution(coefficients))
      posed_.epsilon(active.row) = restitution->normal;
  }
  for (Index i = 0; i < clutches.W.count(); ++i) {
    const double own = clutches.restitution[static_cast<std::size_t>(i)];
    inclusion.sets.push_back({.row = rows.clutch_row + i});
    if (const auto restitution = treatment_->restitution({.restitution = own}))
      posed_.epsilon(rows.clutch_row + i) = restitution->normal;
  }
  for (Index j = 0; j < posed_.joint_rows; ++j)
    inclusion.sets.push_back({.shape = ForceSet::Shape::bilateral, .row = rows.W.count() + j});
  posed_.changes_steadily = setting_.steady && setting_.fixed_directions && step.departure.restitutes;
  if (!posed_.changes_steadily) return;
  posed_.force_change.resize(rows.W.count());
  for (Index i = 0; i < rows.W.count(); ++i) posed_.force_change(i) = rows.W.dot(i, forces_.steady_change());
}

// What the rows see at the beginning of the step.
void StepInclusion::pose_velocities(const ContactStep& step, const EndOfStep& last) {
  const StepRows& rows = step.rows;
  const Departure& departure = step.departure;
  const bool here = setting_.fixed_directions || rows.found == step.begin.found();
  const bool is_known = departure.restitutes && here && setting_.joints == 0 && last.is(step.state, rows);
  posed_.gamma_k.resize(rows.W.count());
  posed_.gap_rate.resize(departure.restitutes && setting_.fixed_directions ? 0 : rows.W.count());
  std::fill(posed_.gap_rate.begin(), posed_.gap_rate.end(), 0.0);
  for (ActiveContact& active : step.active.contacts) {
    // Redundant rows that belong to velocities of different directions may have no solution: theirs are those of the
    // impulses, so that c = Wᵀ(u + εu_k). So are those of impacts that turn, and of impacts beside joints that do.
    const bool along_impulses = departure.restitutes && (active.turns || active.redundant ||
                                                         (active.impacts && departure.u_approach != &departure.u));
    const auto speed = [&](Index k) {
      if (is_known) return last.gamma()(active.row + k);
      return along_impulses || here ? rows.W.dot(active.row + k, *departure.u_approach)
                                    : step.at_begin(active, k, departure.u);
    };
    posed_.gamma_k(active.row) = departure.restitutes && !along_impulses ? active.gamma : speed(0);
    for (Index k = 1; k <= active.tangents; ++k) {
      posed_.gamma_k(active.row + k) = speed(k);
      // Tangential restitution belongs to impacts, of all contacts that take part in one; one that goes on by itself
      // slides or sticks.
      const auto restitution =
          active.in_impact ? treatment_->restitution(*step.point(active).coefficients) : std::nullopt;
      posed_.epsilon(active.row + k) = restitution ? restitution->tangential : 0;
    }
    keep_gap(step, active);
  }
  const Clutches& clutches = departure.place->clutches();
  for (Index i = 0; i < clutches.W.count(); ++i) posed_.gamma_k(rows.clutch_row + i) = clutches.W.dot(i, departure.u);
  if (setting_.fixed_directions) return;
  posed_.gamma_begin.resize(rows.W.count());
  if (here) {
    posed_.gamma_begin = posed_.gamma_k;
  } else {
    for (Index i = 0; i < rows.W.count(); ++i) posed_.gamma_begin(i) = rows.W.dot(i, *departure.u_approach);
  }
}

// A contact that goes on keeps the gap it landed with: what it is off is taken back within the step. Four corners on a
// plane cannot all keep theirs to the last digit; asked to, their impulses would creep from one to the other through
// thousands of sweeps.
void StepInclusion::keep_gap(const ContactStep& step, ActiveContact& active) {
  const ContactPoint& point = step.point(active);
  if (!active.was_sustained || !activation_.keeps_gap(step.begin.contacts().W[point.first_row], point.gap)) return;
  const double off = point.gap - active.kept_gap, loose = step.active.loose_gap();
  if (std::abs(off) <= loose) return;
  const double by_motion = step.departure.restitutes ? step.active.curve_allowance
                                                     : 4 * setting_.options.step * speed_along_normal(step, active);
  if (std::abs(off) <= std::max(by_motion, step.active.widest_loose_gap())) {
    // Taken back to there, not to nothing: that would be a blow in the impulses once in many steps. As fast as a whole
    // step would do it, also in a part of one: what was off in longer ones would be a blow in a short one.
    posed_.gap_rate(active.row) = (off - std::copysign(loose, off)) / setting_.options.step;
  } else {
    active.kept_gap = point.gap;  // no motion made it: another feature meets there now, or from another side
  }
}

// At most, before and after a split impact, and as the normal turns within the step.
double StepInclusion::speed_along_normal(const ContactStep& step, const ActiveContact& active) const {
  const double here = posed_.gamma_k(active.row), ahead = step.rows.W.dot(active.row, step.departure.u);
  return std::max(std::abs(active.gamma), std::abs(here)) + std::abs(ahead - here);
}

// From shared bodies where nothing else couples the rows; otherwise by the response to every row.
void StepInclusion::pose_delassus(const ContactStep& step) {
  const EndResponse& response = *step.departure.response;
  const bool is_made = posed_for_.W == step.rows.version && posed_for_.response == response.version &&
                       posed_for_.G_joint_rows == posed_.joint_rows;
  if (is_made) return;
  posed_for_.W = step.rows.version;
  posed_for_.response = response.version;
  posed_for_.G_joint_rows = posed_.joint_rows;
  posed_.inclusion.G = &G_;
  if (posed_.joint_rows > 0 || (response.A.is_block_diagonal() && !response.A.has_joints())) {
    assemble_sparse_delassus(step);
  } else {
    assemble_delassus(step);
  }
}

void StepInclusion::assemble_delassus(const ContactStep& step) {
  ConstrainedMass& A = step.departure.response->A;
  const Rows& W = step.rows.W;
  const Index rows = W.count();
  posed_.inclusion.r.resize(rows);
  posed_.own_compliance.resize(rows);
  G_dense_.resize(rows, rows);
  for (Index j = 0; j < rows; ++j) {
    column_.setZero(setting_.n);
    W.add_to(column_, j, 1);
    free_column_ = column_;
    A.solve_free(free_column_);
    posed_.inclusion.r(j) = 1 / W.dot(j, free_column_);
    A.respond(column_);
    for (Index i = 0; i < rows; ++i) G_dense_(i, j) = W.dot(i, column_);
  }
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < j; ++i) G_dense_(i, j) = G_dense_(j, i) = 0.5 * (G_dense_(i, j) + G_dense_(j, i));
    // What the joints leave of a direction at rounding level is no freedom.
    if (G_dense_(j, j) * posed_.inclusion.r(j) > 1e-20) continue;
    G_dense_.row(j).setZero();
    G_dense_.col(j).setZero();
  }
  posed_.own_compliance = G_dense_.diagonal();
  G_.set_matrix(G_dense_);
}

void StepInclusion::assemble_sparse_delassus(const ContactStep& step) {
  const Rows& W = step.rows.W;
  if (posed_.joint_rows > 0) {
    W_and_joints_ = W;
    for (Index j = 0; j < posed_.joint_rows; ++j) W_and_joints_.append(step.departure.response->B[j]);
  }
  const Rows& directions = posed_.joint_rows > 0 ? W_and_joints_ : W;
  if (setting_.fixed_directions) {
    G_.rebuild(directions, step.departure.place->M());  // once for many steps
  } else {
    G_.set_directions(directions, step.departure.place->M());
  }
  const Index rows = W.count() + posed_.joint_rows;
  posed_.inclusion.r.resize(rows);
  posed_.own_compliance.resize(rows);
  for (Index i = 0; i < rows; ++i) {
    posed_.own_compliance(i) = G_.diagonal(i);
    posed_.inclusion.r(i) = 1 / posed_.own_compliance(i);
  }
}

void StepInclusion::set_free_velocity(const ContactStep& step, bool anew) {
  const Index rows = step.rows.W.count();
  posed_.force_change.resize(rows);
  Vec& c = posed_.inclusion.c;
  c.resize(rows + posed_.joint_rows);
  for (Index j = rows; j < c.size(); ++j) c(j) = 0;  // the free velocity is one that the joints allow
  const bool is_known = posed_.changes_steadily;
  for (Index i = 0; i < rows; ++i) {
    const double begin = posed_.at_begin(i);
    const double free = is_known ? begin + posed_.force_change(i) : step.rows.W.dot(i, step.departure.u_free);
    if (anew && !is_known) posed_.force_change(i) = free - begin;  // later ones answer to the impulses
    c(i) = posed_.xi(i, free);
  }
}

void StepInclusion::eliminate_joints(const ContactStep& step, Vec& Lambda) {
  Inclusion& inclusion = posed_.inclusion;
  const Index rows = step.rows.W.count();
  inclusion.sets.resize(inclusion.sets.size() - static_cast<std::size_t>(posed_.joint_rows));
  posed_.joint_rows = posed_for_.joint_rows = 0;
  inclusion.c.conservativeResize(rows);
  Lambda.conservativeResize(rows);
  pose_delassus(step);
  for (Index i = 0; i < rows; ++i)
    if (!(posed_.own_compliance(i) > 0)) inclusion.c(i) = 0;
}

// Contacts that only go on approach by what the forces of a step make of them, and the classical step restores ε of
// that along their normals. Friction can leave no solution with it (a body wedged between them); without it c is an
// image of Wᵀ, and there is one.
bool StepInclusion::leave_restitution_to_impacts(const ContactStep& step) {
  bool changed = false;
  for (const ActiveContact& active : step.active.contacts) {
    const Index row = active.row;
    const double restored = posed_.epsilon(row) * posed_.gamma_k(row);
    if (active.in_impact || restored == 0 || !(posed_.own_compliance(row) > 0)) continue;
    posed_.inclusion.c(row) -= restored;
    posed_.epsilon(row) = 0;
    changed = true;
  }
  if (changed) posed_for_.contacts = 0;  // in the next step ε is posed anew
  return changed;
}

}  // namespace carom
