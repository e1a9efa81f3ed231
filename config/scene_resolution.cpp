#include "config/scene_resolution.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numbers>

#include "engine/constrained_mass.h"

namespace carom {

namespace {

constexpr int iterations = 40;
constexpr double most_radians = 2;  // of the fastest oscillation in a step; an explicit scheme would explode beyond

struct Oscillation {
  double squared_frequency = 0;
  Index coordinate = 0;  // that moves most in it
};

// The largest ω² of M⁻¹K on the joints, from below: the power method from a start that favours no mode.
Oscillation fastest(const System& system, const Vec& q, const Vec& u) {
  ForceGradient gradient;
  system.force_gradient(0, q, u, gradient);
  if (gradient.stiffness.empty()) return {};
  MassMatrix M;
  system.mass(q, M);
  if (!M.factor()) return {};
  ConstrainedMass manifold;
  manifold.set_mass(M, nullptr, 0, 0);
  if (system.joint_rows() > 0) {
    Rows B;
    Vec b = Vec::Zero(system.joint_rows());
    system.joint_directions(0, q, B, b);
    manifold.set_joints(B);
  }
  Vec x(u.size()), y;
  for (Index i = 0; i < x.size(); ++i) x(i) = 1 + 0.5 * std::sin(7.0 * static_cast<double>(i));
  Oscillation found;
  for (int k = 0; k < iterations; ++k) {
    y.setZero(x.size());
    for (const ForceGradient::Entry& entry : gradient.stiffness) y(entry.row) += entry.value * x(entry.column);
    manifold.respond(y);
    const double size = std::sqrt(M.kinetic_energy(y) / M.kinetic_energy(x));
    if (!(size > 0) || !std::isfinite(size)) return found;
    found.squared_frequency = size;
    x = y / largest(y);
  }
  x.cwiseAbs().maxCoeff(&found.coordinate);
  return found;
}

}  // namespace

void check_resolution(const Scene& scene, Place place, Diagnostics& diagnostics) {
  const Oscillation oscillation = fastest(*scene.system, scene.q, scene.u);
  const double omega = std::sqrt(oscillation.squared_frequency), h = scene.integrator.step;
  if (!(omega * h > most_radians)) return;
  const double period = 2 * std::numbers::pi / omega;
  diagnostics.warning(
      place, "integrator",
      fmt::format(
          "springs at '{}' oscillate with a period of {:.2g} s, of which a step of {:g} s makes {:.2g} steps: that "
          "motion is not resolved (a step of {:.1g} s makes 20)",
          scene.system->body_of(oscillation.coordinate), period, h, period / h, period / 20));
}

}  // namespace carom
