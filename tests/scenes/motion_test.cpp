// Motion between impacts against closed forms: periods, precession, orders of convergence.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <numbers>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

// K(k) by the arithmetic–geometric mean.
double elliptic_integral(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return pi / (2 * a);
}

double pendulum_period(double frequency, double amplitude) {
  return 4 * elliptic_integral(std::sin(amplitude / 2)) / frequency;
}

// The mean time between passages of q_i − offset through zero, upwards; the passages by Hermite interpolation.
double period(const Motion& motion, Index i, double offset) {
  std::vector<double> passages;
  for (std::size_t k = 0; k + 1 < motion.moments.size(); ++k) {
    const Moment &a = motion.moments[k], &b = motion.moments[k + 1];
    const double x0 = a.q(i) - offset, x1 = b.q(i) - offset, h = b.time - a.time;
    if (!(x0 < 0 && x1 >= 0)) continue;
    double s = x0 / (x0 - x1);
    for (int iteration = 0; iteration < 8; ++iteration) {
      const double x = (1 + 2 * s) * (1 - s) * (1 - s) * x0 + s * (1 - s) * (1 - s) * h * a.u(i) +
                       s * s * (3 - 2 * s) * x1 - s * s * (1 - s) * h * b.u(i);
      s -= x / (x1 - x0);
    }
    passages.push_back(a.time + s * h);
  }
  REQUIRE(passages.size() > 1);
  return (passages.back() - passages.front()) / static_cast<double>(passages.size() - 1);
}

const char* const hinged_rods = R"(
gravity: [0, -9.81]
defaults: {body: {shape: rod}}
bodies:
  a: {length: 1, mass: 1, angle: "1.2 - pi/2", angular_velocity: 0.5}
  b: {length: 0.7, mass: 2, angle: "0.4 - pi/2", angular_velocity: -1}
joints:
  - {revolute: [world, a], at: start, point: [0, 0]}
  - {revolute: [a, b], at: {a: end, b: start}}
integrator: {duration: 1.2}
)";
const char* const in_angles = R"(
model: {type: double-pendulum, mass: [1, 2], length: [1, 0.7], position: [1.2, 0.4], velocity: [0.5, -1], contact: none}
integrator: {duration: 1.2}
)";
const char* const block_on_a_ball_joint = R"(
gravity: [0, 0, -9.81]
bodies: {a: {shape: block, size: [1, 0.2, 0.1], mass: 2, position: [0.5, 0, 0], angular_velocity: [1, 2, 0.5]}}
joints: [{ball: [world, a], at: [-0.5, 0, 0], point: [0, 0, 0]}]
integrator: {duration: 1.2}
)";

Vec end_state(const std::string& scene, double h) {
  const Motion motion = motion_of(scene, {fmt::format("integrator.step={}", h)});
  Vec state(motion.end().q.size() + motion.end().u.size());
  state << motion.end().q, motion.end().u;
  return state;
}

}  // namespace

TEST_CASE("Pendulum periods, in the angle and as a hinged rod") {
  for (const double degrees : {10.0, 90.0, 170.0}) {
    const double exact = pendulum_period(std::sqrt(1.5 * g / 2), degrees * pi / 180);
    const std::string end = fmt::format("\nintegrator: {{step: 1e-3, duration: {}}}", 3.3 * exact);
    CAPTURE(degrees);
    const Motion model = motion_of(
        fmt::format("model: {{type: pendulum, shape: rod, length: 2, position: {} deg, contact: none}}", degrees) +
        end);
    CHECK(period(model, 0, 0) == doctest::Approx(exact).epsilon(5e-6));
    const Motion rod = motion_of(fmt::format(R"(
gravity: [0, -9.81]
bodies: {{rod: {{shape: rod, length: 2, mass: 3, angle: {} deg}}}}
joints: [{{revolute: [world, rod], at: start, point: [0, 0]}}])",
                                             degrees - 90) +
                                 end);
    CHECK(period(rod, 2, -pi / 2) == doctest::Approx(exact).epsilon(5e-6));
  }
}

// (J + mr²) hω = JΔφ + mr² sin Δφ for a body on a hinge: a rod on its end turns by (hω)²/8 of its angle too far.
TEST_CASE("A body that its joints turn far in a step is told of once, with the step to use") {
  const auto rod = [](double step) {
    return run_text(fmt::format(R"(
gravity: [0, 0]
bodies: {{rod: {{shape: rod, length: 1, mass: 1, position: [0.5, 0], velocity: [0, 15], angular_velocity: 30}}}}
joints: [{{revolute: [world, rod], at: start, point: [0, 0]}}]
integrator: {{step: {}, duration: 5}})",
                                step));
  };
  const SceneRunResult far = rod(0.01);
  CHECK(far.end.q(2) > 150 * 1.01);
  REQUIRE(far.notes.size() == 1);
  CHECK(far.notes[0].find(
            "a step of 0.01 s is long for what joints turn 'rod' by: it comes 1.1 % too far, or more; at an "
            "integrator.step of 0.003 s it is 0.1 %") != std::string::npos);
  const SceneRunResult near = rod(0.003);
  CHECK(near.notes.empty());
  CHECK(near.end.q(2) / (30 * near.end.time) - 1 < 1.05e-3);
  CHECK(rod(0.07).notes.size() == 1);  // hω = 2.1: it turns by anything
}

TEST_CASE("A body that its joints turn far in a step is told of beside one that carries most of the energy") {
  const SceneRunResult r = run_text(R"(
gravity: [0, 0]
bodies:
  train: {shape: block, size: [1, 1], mass: 1000, position: [0, 5], velocity: [30, 0]}
  rod: {shape: rod, length: 1, mass: 1, position: [0.5, 0], velocity: [0, 15], angular_velocity: 30}
joints: [{revolute: [world, rod], at: start, point: [0, 0]}]
integrator: {step: 0.01, duration: 0.1})");
  REQUIRE(r.notes.size() == 1);
  CHECK(r.notes[0].find("is long for what joints turn 'rod' by: it comes 1.1 % too far") != std::string::npos);
}

TEST_CASE("A thread that turns far in a step is told of; a wheel on its axle and a chain at rest are not") {
  const auto notes_of = [](const std::string& bodies_and_joints, double gravity) {
    return run_text(
               fmt::format("gravity: [0, {}]\nintegrator: {{step: 0.01, duration: 1}}\n{}", gravity, bodies_and_joints))
        .notes;
  };
  CHECK(notes_of("bodies: {bob: {shape: point, mass: 1, position: [1, 0], velocity: [0, 30]}}\n"
                 "joints: [{distance: [world, bob], point: [0, 0]}]",
                 0)
            .size() == 1);
  CHECK(notes_of("bodies: {wheel: {shape: disk, radius: 1, mass: 1, angular_velocity: 200}}\n"
                 "joints: [{revolute: [world, wheel], point: [0, 0]}]",
                 -9.81)
            .empty());
  CHECK(notes_of("bodies: {a: {shape: rod, length: 1, mass: 1, angle: -90 deg}, "
                 "b: {shape: rod, length: 1, mass: 9, angle: -90 deg}}\n"
                 "joints: [{revolute: [world, a], at: start, point: [0, 0]}, "
                 "{revolute: [a, b], at: {a: end, b: start}}]",
                 -9.81)
            .empty());
}

TEST_CASE("Second order without contact at θ = ½, first order at θ = 1") {
  for (const char* scene : {in_angles, hinged_rods, block_on_a_ball_joint}) {
    CAPTURE(scene);
    const Vec fine = end_state(scene, 2e-4);
    const double coarse_error = (end_state(scene, 8e-3) - fine).cwiseAbs().maxCoeff();
    const double error = (end_state(scene, 2e-3) - fine).cwiseAbs().maxCoeff();
    const double order = std::log(coarse_error / error) / std::log(4.0);
    CHECK(order > 1.9);
    CHECK(order < 2.15);
  }
  const std::string implicit = std::string(in_angles) + "\n";
  const auto state = [&](double h) {
    const Motion motion = motion_of(implicit, {fmt::format("integrator.step={}", h), "integrator.theta=1"});
    return motion.end().q;
  };
  const Vec fine = end_state(in_angles, 2e-4).head(2);
  const double order =
      std::log((state(1e-3) - fine).cwiseAbs().maxCoeff() / (state(2.5e-4) - fine).cwiseAbs().maxCoeff()) /
      std::log(4.0);
  CHECK(order > 0.85);
  CHECK(order < 1.15);
}
TEST_CASE("A conical pendulum turns at √(g/l cos α)") {
  const double alpha = pi / 6, rate = std::sqrt(g / std::cos(alpha));
  const Motion motion = motion_of(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies: {{bob: {{shape: point, mass: 1, position: [{}, 0, {}], velocity: [0, {}, 0]}}}}
joints: [{{distance: [world, bob], point: [0, 0, 0]}}]
integrator: {{step: 1e-3, duration: 5}})",
                                              std::sin(alpha), -std::cos(alpha), rate * std::sin(alpha)));
  for (const Moment& moment : motion.moments) {
    if (std::abs(moment.q(2) + std::cos(alpha)) < 2e-6) continue;
    CHECK(moment.q(2) == doctest::Approx(-std::cos(alpha)).epsilon(2e-6));
    break;
  }
  const double angle = std::atan2(motion.end().q(1), motion.end().q(0));
  const double expected = rate * 5;
  CHECK(std::remainder(angle - expected, 2 * pi) == doctest::Approx(0).epsilon(1e-4));
  CHECK(std::abs(motion.end().energy.drift()) < 1e-9);
}

// Euler: in the body ω turns about the axis at (C − A)/A ω₃, in space the axis turns about L at |L|/A.
TEST_CASE("A free symmetric top precesses as Euler says") {
  const Motion motion = motion_of(R"(
gravity: [0, 0, 0]
bodies: {top: {shape: sphere, radius: 0.1, mass: 1, inertia: [2, 2, 3], angular_velocity: [0.5, 0, 4]}}
integrator: {step: 1e-3, duration: 10})");
  const Eigen::Vector3d inertia(2, 2, 3);
  const auto momentum = [&](const Moment& moment) {
    const Eigen::Quaterniond turn(moment.q(3), moment.q(4), moment.q(5), moment.q(6));
    return Eigen::Vector3d(turn * inertia.cwiseProduct(Eigen::Vector3d(moment.u.tail<3>())));
  };
  const Eigen::Vector3d L = momentum(motion.start());
  for (const Moment& moment : motion.moments) {
    if ((momentum(moment) - L).norm() < 1e-6 * L.norm()) continue;
    CHECK((momentum(moment) - L).norm() < 1e-6 * L.norm());
    break;
  }
  const Moment& end = motion.end();
  CHECK(std::abs(end.energy.drift()) < 1e-12 * end.energy.kinetic);
  CHECK(std::abs(std::remainder(std::atan2(end.u(4), end.u(3)) - 0.5 * 4 * 10, 2 * pi)) < 1e-4);

  const Eigen::Vector3d up = L.normalized(), across = up.unitOrthogonal(), along = up.cross(across);
  const auto azimuth = [&](const Moment& moment) {
    const Eigen::Quaterniond turn(moment.q(3), moment.q(4), moment.q(5), moment.q(6));
    const Eigen::Vector3d axis = turn * Eigen::Vector3d::UnitZ();
    return std::atan2(along.dot(axis), across.dot(axis));
  };
  CHECK(std::abs(std::remainder(azimuth(end) - azimuth(motion.start()) - L.norm() / 2 * 10, 2 * pi)) < 1e-4);
}

// Three parallel cranks carry a coupler: one of them is redundant, and the coupler only translates.
TEST_CASE("A linkage with a redundant bar swings like the pendulum it is") {
  const double amplitude = pi / 6;
  const double inertia = 3 * 1.0 / 3 + 2, weight = (3 * 0.5 + 2) * g;
  const double exact = pendulum_period(std::sqrt(weight / inertia), amplitude);
  const Motion motion = motion_of(fmt::format(R"(
gravity: [0, -9.81]
defaults: {{body: {{shape: rod, length: 1, mass: 1, angle: -60 deg}}}}
bodies: {{left: {{}}, middle: {{}}, right: {{}}, coupler: {{length: 2, mass: 2, angle: 0}}}}
joints:
  - {{revolute: [world, left], at: start, point: [0, 0]}}
  - {{revolute: [world, middle], at: start, point: [1, 0]}}
  - {{revolute: [world, right], at: start, point: [2, 0]}}
  - {{revolute: [left, coupler], at: {{left: end, coupler: start}}}}
  - {{revolute: [middle, coupler], at: {{middle: end, coupler: centre}}}}
  - {{revolute: [right, coupler], at: {{right: end, coupler: end}}}}
integrator: {{step: 1e-3, duration: {}}})",
                                              3.3 * exact));
  CHECK(period(motion, 2, -pi / 2) == doctest::Approx(exact).epsilon(5e-6));
  Vec gap(motion.scene.system->geometric_joint_rows());
  double open = 0;
  for (const Moment& moment : motion.moments) {
    motion.scene.system->joint_gaps(moment.time, moment.q, gap);
    open = std::max(open, largest(gap));
  }
  CHECK(open < 1e-13);
}
