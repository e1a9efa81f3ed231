#include "config/scene_resolution.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numbers>

#include "engine/constrained_mass.h"

namespace carom {

namespace {

constexpr int iterations = 40;
constexpr double most_radians_in_step =
    2;                               // of the fastest oscillation in a step; an explicit scheme would explode beyond
constexpr double least_left = -0.5;  // of a velocity that dampers should have stopped, at the end of a step

// M on the joints of a scene in its initial pose, and the forces' answer to motion there.
struct Linearised {
  MassMatrix M;
  ConstrainedMass manifold;
  ForceGradient gradient;
};

bool linearise(const System& system, const Vec& q, const Vec& u, Linearised& at) {
  system.force_gradient(0, q, u, at.gradient);
  if (at.gradient.empty()) return false;
  system.mass(q, at.M);
  if (!at.M.factor()) return false;
  at.manifold.set_mass(at.M, nullptr, 0, 0);
  if (system.joint_rows() == 0) return true;
  Rows B;
  Vec b = Vec::Zero(system.joint_rows());
  system.joint_directions(0, q, B, b);
  at.manifold.set_joints(B);
  return true;
}

struct Mode {
  double eigenvalue = 0;
  Index coordinate = 0;  // that moves most in it
};

// The largest eigenvalue of M⁻¹K or M⁻¹C on the joints, from below: the power method from a start that favours none.
Mode largest_mode(Linearised& at, const std::vector<ForceGradient::Entry>& gradient, Index n) {
  Mode found;
  if (gradient.empty()) return found;
  Vec x(n), y;
  for (Index i = 0; i < n; ++i) x(i) = 1 + 0.5 * std::sin(7.0 * static_cast<double>(i));
  for (int k = 0; k < iterations; ++k) {
    y.setZero(n);
    for (const ForceGradient::Entry& entry : gradient) y(entry.row) += entry.value * x(entry.column);
    at.manifold.respond(y);
    const double size = std::sqrt(at.M.kinetic_energy(y) / at.M.kinetic_energy(x));
    if (!(size > 0) || !std::isfinite(size)) return found;
    found.eigenvalue = size;
    x = y / largest(y);
  }
  x.cwiseAbs().maxCoeff(&found.coordinate);
  return found;
}

// What a step leaves of a velocity that decays with the rate λ: (1 − (1−θ)hλ)/(1 + θhλ). Below zero it alternates from
// step to step; as hλ grows under θ = ½ it is no longer damped at all.
double left_by_a_step(double rate, double h, double theta) {
  return (1 - (1 - theta) * h * rate) / (1 + theta * h * rate);
}

}  // namespace

void check_resolution(const Scene& scene, Place place, Diagnostics& diagnostics) {
  Linearised at;
  if (!linearise(*scene.system, scene.q, scene.u, at)) return;
  const double h = scene.integrator.step, theta = scene.integrator.theta;
  const Mode oscillation = largest_mode(at, at.gradient.stiffness, scene.u.size());
  const double omega = std::sqrt(oscillation.eigenvalue);
  if (omega * h > most_radians_in_step) {
    const double period = 2 * std::numbers::pi / omega;
    diagnostics.warning(place, "integrator",
                        fmt::format("springs at '{}' oscillate with a period of {:.2g} s, and a step has {:g} s: that "
                                    "motion is not resolved (a "
                                    "step of {:.1g} s makes 20 of a period)",
                                    scene.system->body_of(oscillation.coordinate), period, h, period / 20));
  }
  const Mode decay = largest_mode(at, at.gradient.damping, scene.u.size());
  const double left = left_by_a_step(decay.eigenvalue, h, theta);
  if (left < least_left)
    diagnostics.warning(
        place, "integrator",
        fmt::format(
            "damping at '{}' stops a motion within {:.2g} s, but a step has {:g} s: with theta {:g} its velocity "
            "alternates instead, times {:.3g} a step (theta: 1 lets it decay, the loss then counts as drift; a "
            "step of {:.1g} s follows it)",
            scene.system->body_of(decay.coordinate), 1 / decay.eigenvalue, h, theta, left, 1 / decay.eigenvalue));
}

}  // namespace carom
