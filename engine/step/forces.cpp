#include "engine/step/forces.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "engine/step_failure.h"

namespace carom {

void StepForces::begin(const SimulationState& state, const MassMatrix& M) {
  for (Vec* v : {&inner_, &applied_, &momentum_}) v->resize(setting_.n);
  if (!setting_.steady) {
    for (Vec* v : {&u_theta_, &displacement_, &accelerated_}) v->resize(setting_.n);
    return;
  }
  steady_change_ = impulse(state.time, state.q, state.u);
  M.solve_in_place(steady_change_);
  steady_loads_ = !applied_.isZero(0);
  for (Vec* v : {&inner_, &momentum_}) v->resize(0);  // for good
  if (!steady_loads_) applied_.resize(0);
}

void StepForces::take_part() {
  if (setting_.steady) change_of_part_ = (setting_.h / setting_.options.step) * steady_change_;
}

Vec& StepForces::impulse(double t, const Vec& q, const Vec& u) {
  const Index n = setting_.n;
  for (Index i = 0; i < n; ++i) inner_(i) = applied_(i) = 0;
  setting_.system.forces(t, q, u, inner_, applied_);
  const double h = setting_.h;
  for (Index i = 0; i < n; ++i) momentum_(i) = h * (inner_(i) + applied_(i));
  return momentum_;
}

// u_θ, and with it the displacement.
const Vec& StepForces::displacement(const Vec& u, const Vec& v, double share) {
  const double before = 1 - setting_.theta, behind = setting_.theta, time = share * setting_.h;
  for (Index i = 0; i < setting_.n; ++i) {
    const double mean = before * u(i) + behind * v(i);
    u_theta_(i) = mean;
    displacement_(i) = time * mean;
  }
  return displacement_;
}

Vec& StepForces::imbalance(const SimulationState& state, const MassMatrix& M, const Vec& u, const Vec& u_from,
                           const Vec& v) {
  setting_.system.move(state.q, displacement(u, v, setting_.theta), q_theta_);
  if (!setting_.mass_is_constant) setting_.system.mass(q_theta_, M_theta_);
  impulse(state.time + setting_.theta * setting_.h, q_theta_, u_theta_);
  for (Index i = 0; i < setting_.n; ++i) accelerated_(i) = v(i) - u_from(i);
  mass_within(M).multiply(accelerated_, residual_);
  for (Index i = 0; i < setting_.n; ++i) momentum_(i) -= residual_(i);
  return momentum_;
}

Vec& StepForces::missing(const MassMatrix& M, const Vec& change) {
  mass_within(M).multiply(change, residual_);
  residual_ -= setting_.h * (inner_ + applied_);
  return residual_;
}

void StepForces::fail_diverged(double t, const Vec& u) const {
  const auto first_not_finite = [](const Vec& v) {
    return std::find_if(v.begin(), v.end(), [](double x) { return !std::isfinite(x); }) - v.begin();
  };
  if (!applied_.allFinite() && inner_.allFinite())
    fail(t, fmt::format("a force on '{}' is not a finite number: is its expression defined there?",
                        setting_.system.body_of(first_not_finite(applied_))));
  Index worst = 0;
  for (Index i = 0; i < setting_.n && std::isfinite(u(worst)); ++i)
    if (!(std::abs(u(i)) <= std::abs(u(worst)))) worst = i;
  fail(t,
       fmt::format("the motion has diverged: '{}' has no finite speed or energy; a smaller integrator.step than {:g} "
                   "s helps, unless its forces are without bound",
                   setting_.system.body_of(worst), setting_.options.step));
}

}  // namespace carom
