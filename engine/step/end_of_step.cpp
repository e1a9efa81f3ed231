#include "engine/step/end_of_step.h"

#include <algorithm>
#include <cmath>

namespace carom {

void EndOfStep::begin() {
  closed_ = -1;
  u_.setZero(setting_.n);
}

void EndOfStep::close(const ContactStep& step) {
  closed_ = step.state.step + 1;
  rows_ = step.rows.version;
}

void EndOfStep::reach(const ContactStep& step, const Vec& Lambda) {
  std::fill_n(u_.data(), u_.size(), 0.0);
  for (Index j = 0; j < step.rows.W.count(); ++j) step.rows.W.add_to(u_, j, Lambda(j));
  step.departure.response->A.respond(u_);
  for (Index i = 0; i < u_.size(); ++i) u_(i) = step.departure.u_free(i) + u_(i);
  ++reached_;
}

// Where they balance the forces on a body to rounding its velocity stays as it is: were what rounding leaves of the sum
// added in every step, the same each time, a pile would drift until its impulses had to be found anew.
void EndOfStep::keep(const ContactStep& step, const Vec& Lambda) {
  const Departure& departure = step.departure;
  if (setting_.joints > 0 || !departure.response->A.is_block_diagonal()) return reach(step, Lambda);
  const MassMatrix& M = departure.place->M();
  change_ = departure.u_free - departure.u;
  M.multiply(change_, momentum_);  // hF
  by_impulses_.setZero(setting_.n);
  size_ = momentum_.cwiseAbs();
  for (Index j = 0; j < step.rows.W.count(); ++j) {
    for (const Rows::Entry& w : step.rows.W[j]) {
      const double impulse = Lambda(j) * w.value;
      by_impulses_(w.column) += impulse;
      size_(w.column) += std::abs(impulse);
    }
  }
  momentum_ += by_impulses_;
  departure.response->A.respond(by_impulses_);
  for (Index block = 0; block < M.block_count(); ++block) {
    const Index begin = M.offset(block), end = begin + M.block_size(block);
    bool balanced = true;
    for (Index i = begin; i < end; ++i) balanced = balanced && std::abs(momentum_(i)) <= rounding * size_(i);
    for (Index i = begin; i < end; ++i) u_(i) = balanced ? departure.u(i) : departure.u_free(i) + by_impulses_(i);
  }
  ++reached_;
}

// Many rows are gone through once.
void EndOfStep::look(const ContactStep& step, const PosedStep& posed, const Vec& Lambda) {
  if (seen_ == reached_) return;
  seen_ = reached_;
  closed_ = -1;
  const Index rows = step.rows.W.count();
  gamma_.resize(rows);
  double largest_jump = 0, largest_force_speed = 0, twice = 0;
  all_stay_closed_ = true;
  for (Index i = 0; i < rows; ++i) {
    const double end = step.rows.W.dot(i, u_);
    gamma_(i) = end;
    largest_jump = std::max(largest_jump, std::abs(end - posed.at_begin(i)));
    largest_force_speed = std::max(largest_force_speed, posed.force_speed(i));
    all_stay_closed_ = all_stay_closed_ && Lambda(i) > 0 && end <= largest_opening_at_rest(posed, Lambda, i);
    twice += Lambda(i) * (posed.gamma_k(i) + end);
  }
  work_ = 0.5 * twice;
  jump_speed_ =
      many_steps * largest_force_speed + verdict_tolerance * setting_.lengths.largest_length(step.departure.u);
  something_jumps_ = largest_jump > jump_speed_;
}

}  // namespace carom
