// The forces of a step and what they leave of its momentum balance.

#pragma once

#include "engine/step/setting.h"

namespace carom {

class StepForces {
 public:
  explicit StepForces(const StepSetting& setting) : setting_(setting) {}

  // Under constant forces: what a step changes in the velocity, once for all of them.
  void begin(const SimulationState& state, const MassMatrix& M);
  const Vec& steady_change() const { return setting_.h == setting_.options.step ? steady_change_ : change_of_part_; }
  void take_part();  // after the span of the step has become a part of one
  bool are_applied() const { return !setting_.steady || steady_loads_; }  // some of them, by loads or dampers

  // hF. Valid until the next one.
  Vec& impulse(double t, const Vec& q, const Vec& u);
  // hF(t_θ, q_θ, u_θ) − M(q_θ)(v − u_from) of a step from the state to v, on whose way the velocity was u at first.
  Vec& imbalance(const SimulationState& state, const MassMatrix& M, const Vec& u, const Vec& u_from, const Vec& v);

  // As they were found last.
  const Vec& inner() const { return inner_; }
  const Vec& applied() const { return applied_; }
  const Vec& u_theta() const { return u_theta_; }
  const Vec& q_theta() const { return q_theta_; }
  // Of the whole forces at θ: M(q_θ)(v − u) − hF, what other impulses are to bring.
  Vec& missing(const MassMatrix& M, const Vec& change);

  // Of a step whose velocity goes from u to v, in the time `share`·h.
  const Vec& displacement(const Vec& u, const Vec& v, double share);

  // Names the body that is no longer anywhere, or else the fastest.
  [[noreturn]] void fail_diverged(double t, const Vec& u) const;

 private:
  const MassMatrix& mass_within(const MassMatrix& M) const { return setting_.mass_is_constant ? M : M_theta_; }

  const StepSetting& setting_;
  Vec steady_change_, change_of_part_;
  bool steady_loads_ = false;
  MassMatrix M_theta_;  // where it is not constant
  Vec q_theta_, u_theta_, displacement_;
  Vec inner_, applied_, momentum_, accelerated_, residual_;
};

}  // namespace carom
