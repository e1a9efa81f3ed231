// Bounds on the equations of sliding contacts as their friction turns, against the equations themselves.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "solvers/inclusion/all/turning_friction.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector2d;

namespace {

Vector2d e(double phi) { return {std::cos(phi), std::sin(phi)}; }

TurningFriction random_friction(testing::Random& random, Index m, double delta) {
  TurningFriction friction;
  friction.S = random.mass_matrix(2 * m) / static_cast<double>(m);
  friction.N = Mat::Zero(m, 2 * m);
  for (Index j = 0; j < m; ++j) friction.N.row(j) = 0.3 * random.vector(2 * m).transpose();
  friction.phi = 3 * random.vector(m);
  friction.R = random.vector(m);
  friction.slip = random.vector(2 * m);
  friction.delta = Vec::Constant(m, delta);
  friction.R_error = friction.slip_error = Vec::Zero(m);
  return friction;
}

// e'(φ)·ξ_T of every contact. Of R = R₀ + Nq, q = −R(e − e₀), R is the root of a linear system.
Vec equations(const TurningFriction& friction, const Vec& d) {
  const Index m = d.size();
  Mat turned = Mat::Zero(2 * m, m);
  for (Index j = 0; j < m; ++j) turned.block(2 * j, j, 2, 1) = e(friction.phi(j) + d(j)) - e(friction.phi(j));
  const Vec R = (Mat::Identity(m, m) + friction.N * turned).lu().solve(friction.R);
  const Vec slip = friction.slip - friction.S * turned * R;
  Vec f(m);
  for (Index j = 0; j < m; ++j) f(j) = e(friction.phi(j) + d(j) + 1.5707963267948966).dot(slip.segment(2 * j, 2));
  return f;
}

Mat jacobian(const TurningFriction& friction, const Vec& d) {
  constexpr double step = 1e-5;
  Mat J(d.size(), d.size());
  for (Index k = 0; k < d.size(); ++k) {
    const Vec aside = step * Vec::Unit(d.size(), k);
    J.col(k) = (equations(friction, d + aside) - equations(friction, d - aside)) / (2 * step);
  }
  return J;
}

}  // namespace

TEST_CASE("as friction turns, the Jacobian stays within its bounds, and the second order falls with the square") {
  constexpr double rounding = 1e-9;  // of differences
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    testing::Random random(seed);
    const Index m = 1 + static_cast<Index>(seed % 4);
    const double delta = std::pow(10, -random.uniform(0.8, 3));
    const TurningFriction friction = random_friction(random, m, delta);
    const auto bounds = bound_jacobian(friction);
    if (!bounds) continue;
    CAPTURE(seed);
    CHECK((jacobian(friction, Vec::Zero(m)) - bounds->J).cwiseAbs().maxCoeff() < rounding);
    for (int sample = 0; sample < 20; ++sample) {
      Vec d(m);
      for (double& turn : d) turn = random.integer(0, 1) ? random.uniform(-delta, delta) : -delta;
      Mat change = jacobian(friction, d) - bounds->J;
      CHECK((change.cwiseAbs() - bounds->first_order).maxCoeff() < rounding);
      for (Index k = 0; k < m; ++k) change -= d(k) * bounds->derivative[static_cast<std::size_t>(k)];
      CHECK((change.cwiseAbs() - bounds->second_order).maxCoeff() < rounding);
    }
    TurningFriction narrower = friction;
    narrower.delta *= 0.1;
    CHECK(bound_jacobian(narrower)->second_order.maxCoeff() < 0.011 * bounds->second_order.maxCoeff());
  }
}
