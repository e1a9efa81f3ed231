// The inclusion of a step solved: by the impulses of the step before, by following them, or by a solver.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/jamming.h"
#include "engine/moreau_jean.h"
#include "engine/residual_up_to.h"

namespace carom {

namespace {

constexpr double steps_to_last = 1e4;       // that kept impulses of many contacts are to do for
constexpr std::size_t most_enumerated = 8;  // contacts whose solutions are all looked for

// With one ε in all rows c is an image of Wᵀ, and planar friction has a solution; with an ε along normals alone it need
// not: a body that friction holds between its contacts cannot leave them.
bool differ_within_contacts(const Inclusion& inclusion, const Vec& epsilon) {
  return std::any_of(inclusion.sets.begin(), inclusion.sets.end(), [&](const ForceSet& set) {
    return set.is_friction() && epsilon(set.row) != epsilon(set.normal_row);
  });
}

constexpr const char* wedged =
    "; friction holds bodies between contacts that restitution asks to open: with restitution 0, or by a law that "
    "splits impacts off the step, there is a solution";

}  // namespace

// velocity_ = u_free_ with what the impulses add to it.
void MoreauJean::add_impulse_response() {
  std::fill_n(velocity_.data(), n_, 0.0);
  for (Index j = 0; j < W_.count(); ++j) W_.add_to(velocity_, j, Lambda_(j));
  end_response_.respond(velocity_);
  for (Index i = 0; i < n_; ++i) velocity_(i) = u_free_(i) + velocity_(i);
  end_is_seen_ = false;
}

// The same for impulses of the step before. Where they balance the forces on a body to rounding its velocity stays as
// it is: were what rounding leaves of the sum added in every step, the same each time, a pile would drift until its
// impulses had to be found anew.
void MoreauJean::keep_impulses() {
  if (joints_ > 0 || !end_response_.is_block_diagonal()) return add_impulse_response();
  accelerated_ = u_free_ - u_begin_;
  M_.multiply(accelerated_, residual_);  // hF
  column_.setZero(n_);
  balance_size_ = residual_.cwiseAbs();
  for (Index j = 0; j < W_.count(); ++j) {
    for (const Rows::Entry& w : W_[j]) {
      const double impulse = Lambda_(j) * w.value;
      column_(w.column) += impulse;
      balance_size_(w.column) += std::abs(impulse);
    }
  }
  residual_ += column_;
  end_response_.respond(column_);
  for (Index block = 0; block < M_.block_count(); ++block) {
    const Index begin = M_.offset(block), end = begin + M_.block_size(block);
    bool balanced = true;
    for (Index i = begin; i < end; ++i) balanced = balanced && std::abs(residual_(i)) <= rounding * balance_size_(i);
    for (Index i = begin; i < end; ++i) velocity_(i) = balanced ? u_begin_(i) : u_free_(i) + column_(i);
  }
  end_is_seen_ = false;
}

// A contact at rest carries the same from step to step: then there is nothing to solve. Of many rough ones the
// velocities tell that their impulses lead to, which are wanted anyway. Of many smooth ones what rounding left in the
// velocities is to be taken back in nearly every step: looking first whether it is would cost more than doing it.
void MoreauJean::solve_inclusion(double t) {
  iterations_ = 0;
  solutions_ = 1;
  if (W_.count() <= Delassus::largest_dense || joint_rows_ > 0) {
    const double enough = std::min(options_.tolerance, residual_tolerance);
    solved_residual_ = residual_up_to(enough, inclusion_, Lambda_);
    if (solved_residual_ <= enough) return;
  } else if (!inclusion_.frictionless) {
    const double enough = std::min(options_.tolerance, options_.accuracy);
    keep_impulses();
    find_end_velocities();
    xi_.resize(W_.count());
    for (Index i = 0; i < W_.count(); ++i)
      xi_(i) = own_compliance_(i) > 0 ? gamma_end_(i) + epsilon_(i) * gamma_k_(i) + gap_rate(i) : 0;
    solved_residual_ = residual_up_to(enough, inclusion_, Lambda_, xi_);
    if (solved_residual_ <= enough / (2 * steps_to_last) || (solved_residual_ <= enough && impulses_last(enough)))
      return;
    if (solved_residual_ <= enough) return find_lasting_impulses();
    end_is_seen_ = false;
  }
  follow_inclusion(t);
}

// Impulses that are near enough for this step change the velocities by γ_{k+1} − γ_k, and by as much in every further
// step that keeps them. Where this adds up to more than is asked for they will have to be found anew, such that they
// take back the velocity too that has come together by then; kept for another step they would bring it up again, with
// the other sign, and so on for ever: a pile would never come to rest. So they are kept where they will do for many
// steps, and found anew before they are wrong where they will not. Where something moves they will not anyway: the
// contacts turn.
bool MoreauJean::impulses_last(double enough) {
  if (!(steps_to_last * h_ * lengths_.largest_part(u_begin_) <= enough)) return true;
  for (Index i = 0; i < W_.count(); ++i)
    if (own_compliance_(i) > 0) xi_(i) += steps_to_last * (gamma_end_(i) - gamma_begin(i));
  return residual_up_to(enough, inclusion_, Lambda_, xi_) <= enough;
}

// From impulses that are near enough already to those that leave the velocities as they are, as near as the solver
// comes. If it comes no nearer they stay.
void MoreauJean::find_lasting_impulses() {
  start_from_impulses(0);
  const InclusionOutcome outcome = tolerant_solver_.solve(inclusion_);
  if (outcome.status != InclusionOutcome::Status::solved) return;
  if (!(outcome.solutions.front().residual <= inclusion_.tolerance)) return;
  iterations_ = outcome.iterations;
  Lambda_ = outcome.solutions.front().Lambda;
  solved_residual_ = outcome.solutions.front().residual;
  end_is_seen_ = false;
}

void MoreauJean::start_from_impulses(double wanted_part) {
  inclusion_.start = Lambda_;
  inclusion_.tolerance = std::min(options_.accuracy, options_.tolerance);
  inclusion_.wanted_part = wanted_part;
  inclusion_.every = false;
}

void MoreauJean::follow_inclusion(double t) {
  solutions_ = 1;
  start_from_impulses(usually_wanted);
  if (follower_) {
    if (const auto found = follower_->follow(inclusion_, Lambda_)) {
      iterations_ = found->iterations;
      solved_residual_ = found->residual;
      return leave_sliding_that_cannot_last();
    }
    Lambda_ = inclusion_.start;
  }
  if (Lambda_.size() > Delassus::largest_dense) {  // of many rows a solver would hand back what is near enough
    solved_residual_ = natural_residual(inclusion_, Lambda_);
    if (solved_residual_ <= inclusion_.tolerance) return leave_sliding_that_cannot_last();
  }
  ask_solver(t);
}

void MoreauJean::ask_solver(double t) {
  if (!inclusion_.c.allFinite()) fail_diverged(t, u_free_);
  InclusionOutcome outcome = tolerant_solver_.solve(inclusion_);
  if (outcome.status != InclusionOutcome::Status::solved && joint_rows_ > 0) {
    eliminate_joints();
    outcome = tolerant_solver_.solve(inclusion_);
  }
  if (outcome.status != InclusionOutcome::Status::solved && leave_restitution_to_impacts())
    outcome = tolerant_solver_.solve(inclusion_);
  iterations_ = outcome.iterations;
  if (start_is_nearer(outcome)) return;
  solutions_ = static_cast<int>(outcome.solutions.size());
  if (outcome.status != InclusionOutcome::Status::solved) {
    swinging_fails_ = something_swings_;
    if (swinging_fails_) return;
    const std::string contact = active_.empty()
                                    ? std::string("a clutch")
                                    : "'" + system_.contact_name(contacts_.points[active_.front().point].key) + "'";
    const std::string others = active_.size() > 1 ? fmt::format(" and {} more", active_.size() - 1) : "";
    const std::string advice =
        outcome.exhaustive || !outcome.nearest
            ? (differ_within_contacts(inclusion_, epsilon_) ? wedged : "")  // no tolerance helps
            : fmt::format("; integrator.tolerance, now {:g}, may be set larger", options_.tolerance);
    fail_or_warn(t, "contact without solution",
                 fmt::format("contact at {}{}: {}{}", contact, others, why_unsolved(outcome), advice));
    solved_residual_ = natural_residual(inclusion_, Lambda_);
    if (outcome.nearest && outcome.nearest->residual < solved_residual_) {
      Lambda_ = outcome.nearest->Lambda;
      solved_residual_ = outcome.nearest->residual;
    }
    return;
  }
  Lambda_ = outcome.solutions.front().Lambda;
  solved_residual_ = outcome.solutions.front().residual;
  if (solved_residual_ > inclusion_.tolerance)
    note_once("accuracy", fmt::format("from t = {:.4g} s on some steps end with a residual above {:g} "
                                      "(integrator.accuracy), within {:g} (integrator.tolerance)",
                                      t, inclusion_.tolerance, options_.tolerance));
  leave_sliding_that_cannot_last();
}

// Λ as the solver was given it, if that is a solution and its answer is none or no nearer.
bool MoreauJean::start_is_nearer(const InclusionOutcome& outcome) {
  const double of_start = natural_residual(inclusion_, Lambda_);
  if (!(of_start <= inclusion_.tolerance)) return false;
  if (!outcome.solutions.empty() && outcome.solutions.front().residual < of_start) return false;
  solved_residual_ = of_start;
  return true;
}

// Contacts that only go on approach by what the forces of a step make of them, and the classical step restores ε of
// that along their normals. Friction can leave no solution with it (a body wedged between them); without it c is an
// image of Wᵀ, and there is one. False if there is nothing to leave out.
bool MoreauJean::leave_restitution_to_impacts() {
  bool changed = false;
  for (const Active& active : active_) {
    const Index row = active.row;
    if (active.in_impact || epsilon_(row) * gamma_k_(row) == 0 || !(own_compliance_(row) > 0)) continue;
    inclusion_.c(row) -= epsilon_(row) * gamma_k_(row);
    epsilon_(row) = 0;
    changed = true;
  }
  if (changed) sets_are_posed_ = false;  // in the next step ε is posed anew
  return changed;
}

void MoreauJean::leave_sliding_that_cannot_last() {
  if (active_.size() > most_enumerated) return;
  const Index row = row_that_slides_against_itself(inclusion_, Lambda_);
  if (row < 0) return;
  swinging_fails_ = something_swings_;
  if (swinging_fails_) return;
  const auto active =
      std::find_if(active_.begin(), active_.end(), [&](const Active& candidate) { return candidate.row == row; });
  inclusion_.every = true;
  const InclusionOutcome all = solver_.solve(inclusion_);
  const InclusionSolution* lasting =
      lasting_solution(inclusion_, all.solutions, row, active->impulse(0) > Lambda_(row));
  if (!lasting) return;
  Lambda_ = lasting->Lambda;
  solved_residual_ = lasting->residual;
  solutions_ = static_cast<int>(all.solutions.size());
}

}  // namespace carom
