// How a step in contact ends: the velocity that its impulses lead to, and what its contacts see there.

#pragma once

#include <cstdint>

#include "engine/step/step_inclusion.h"

namespace carom {

class EndOfStep {
 public:
  explicit EndOfStep(const StepSetting& setting) : setting_(setting) {}

  void begin();
  void reach(const ContactStep& step, const Vec& Lambda);  // u_free with what the impulses add to it
  void keep(const ContactStep& step, const Vec& Lambda);   // the same for those of the step before
  void look(const ContactStep& step, const PosedStep& posed, const Vec& Lambda);
  void close(const ContactStep& step);
  void leave() { closed_ = -1; }  // nothing touches at the end of the step

  const Vec& u() const { return u_; }
  Vec& u() { return u_; }
  const Vec& gamma() const { return gamma_; }                // W̃ᵀu
  double work() const { return work_; }                      // of all impulses in the step
  bool all_stay_closed() const { return all_stay_closed_; }  // every row carries an impulse and hardly opens
  double jump_speed() const { return jump_speed_; }          // beyond what the forces of many steps do
  bool something_jumps() const { return something_jumps_; }  // that much: a contact may

  // Whether the state is the end of this step, and γ is Wᵀu at it of the rows of this version.
  bool is(const SimulationState& state) const { return closed_ == state.step; }
  bool is(const SimulationState& state, const StepRows& rows) const { return is(state) && rows_ == rows.version; }
  // γ to whom the next step begins with it; with storage in exchange.
  void hand_over(Vec& gamma) { gamma_.swap(gamma); }

 private:
  const StepSetting& setting_;
  Vec u_, gamma_;
  std::uint64_t reached_ = 0, seen_ = 0;  // the velocity, and the one that was looked at
  std::int64_t closed_ = -1;              // the step that begins there
  std::uint64_t rows_ = 0;
  double work_ = 0, jump_speed_ = 0;
  bool all_stay_closed_ = false, something_jumps_ = false;
  Vec change_, momentum_, by_impulses_, size_;  // size_: of the terms that balance each other in a momentum
};

// What the forces of a step close again, or the impulse changed by rounding: a contact that opens no faster is closed.
inline double largest_opening_at_rest(const PosedStep& posed, const Vec& Lambda, Index row) {
  return std::max(posed.force_speed(row), rounding * (posed.own_compliance(row) * Lambda(row)));
}

inline constexpr double many_steps = 20;  // a velocity jump beyond what the forces do in this many steps is an impact

}  // namespace carom
