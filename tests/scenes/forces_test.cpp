// Springs, loads and prescribed motions against closed forms, and the work they do.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

std::string oscillator(double stiffness, double damping) {
  return fmt::format(R"scene(
bodies: {{m: {{shape: point, mass: 2, position: [1.1, 0]}}}}
forces: [{{spring: [world, m], point: [0, 0], stiffness: {}, damping: {}, rest: 1}}]
integrator: {{step: 1e-3, duration: 3}})scene",
                     stiffness, damping);
}

}  // namespace

TEST_CASE("A damped oscillator, and where its energy went") {
  const double k = 50, c = 2, m = 2;
  const Motion motion = motion_of(oscillator(k, c));
  const double decay = c / (2 * m), omega = std::sqrt(k / m - decay * decay);
  double worst = 0, imbalance = 0;
  for (const Moment& moment : motion.moments) {
    const double t = moment.time;
    const double x = 0.1 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    worst = std::max(worst, std::abs(moment.q(0) - 1 - x));
    imbalance = std::max(imbalance, std::abs(moment.energy.drift()));
  }
  CHECK(worst < 1e-6);
  CHECK(imbalance < 1e-12);
  CHECK(motion.end().energy.work_applied < -0.2);
}

// ωh = 7: the motion is not resolved, but it stays what it is, an oscillation of amplitude 0.1 with its energy.
TEST_CASE("A spring far too stiff for the step stays bounded") {
  const Motion motion = motion_of(oscillator(1e8, 0));
  double worst = 0;
  for (const Moment& moment : motion.moments) worst = std::max(worst, std::abs(moment.q(0) - 1));
  CHECK(worst < 0.1 + 1e-9);
  CHECK(std::abs(motion.end().energy.drift()) < 1e-9 * motion.end().energy.initial);
}

TEST_CASE("A load does the work that the body gains") {
  const Motion motion = motion_of(R"scene(
gravity: [0, 0]
bodies: {m: {shape: disk, radius: 0.1, mass: 2}}
forces: [{load: m, force: ["3*cos(2*t)", "t"], torque: "0.1*sin(t)"}]
integrator: {step: 1e-3, duration: 3})scene");
  const Vec& u = motion.end().u;
  CHECK(u(0) == doctest::Approx(0.75 * std::sin(6.0)).epsilon(1e-6));
  CHECK(u(1) == doctest::Approx(9.0 / 4).epsilon(1e-9));
  CHECK(u(2) == doctest::Approx(10 * (1 - std::cos(3.0))).epsilon(1e-6));
  CHECK(motion.end().energy.work_applied == doctest::Approx(motion.end().energy.kinetic).epsilon(1e-12));
}

// The work of the drive is ∫ F ẋ with F = mẍ − N from the base's own momentum balance, the damper's is −c∫ḋ².
TEST_CASE("The work of a prescribed motion is that of the force it takes") {
  const Motion motion = motion_of(R"scene(
gravity: [0, 0]
bodies:
  base: {shape: block, size: [0.1, 0.1], mass: 1, position: [0, 0]}
  m: {shape: point, mass: 2, position: [1, 0]}
joints:
  - {motion: base.x, as: "0.1*sin(5*t)"}
  - {motion: base.y, as: "0"}
  - {motion: base.angle, as: "0"}
  - {prismatic: [world, m], axis: [1, 0]}
forces: [{spring: [base, m], stiffness: 300, damping: 1, rest: 1}]
integrator: {step: 1e-3, duration: 4})scene");
  double work = 0, last = 0, worst = 0;
  for (std::size_t k = 0; k < motion.moments.size(); ++k) {
    const Moment& moment = motion.moments[k];
    const double t = moment.time, speed = 0.5 * std::cos(5 * t), acceleration = -2.5 * std::sin(5 * t);
    CHECK(std::abs(moment.q(0) - 0.1 * std::sin(5 * t)) < 1e-12);
    const double stretching = moment.u(3) - moment.u(0);
    const double spring = 300 * (moment.q(3) - moment.q(0) - 1) + stretching;
    const double power = (acceleration - spring) * speed - stretching * stretching;
    if (k > 0) work += 0.5e-3 * (last + power);
    last = power;
    worst = std::max(worst, std::abs(moment.energy.work_applied - work));
  }
  CHECK(worst < 5e-5);
  CHECK(std::abs(motion.end().energy.drift()) < 1e-5);
  CHECK(std::abs(motion.end().energy.work_applied) > 0.1);
}
