// Springs, loads and prescribed motions against closed forms, and the work they do.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/scene_run.h"
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

// φ = (ω₀/ω) sin ωt with ω₀/ω far beyond half a turn: the same as in the plane, where angles count turns by themselves.
TEST_CASE("A torsion spring in space is wound and unwound through many turns, as one in the plane") {
  const double k = 0.02, J = 2 * (0.3 * 0.3 + 0.4 * 0.4) / 12, omega = std::sqrt(k / J), start = 12;
  const std::string rest_of_scene =
      "integrator: {step: 1e-2, duration: 10}\n"
      "forces: [{torsion: [world, plate], stiffness: 0.02, damping: 1e-3}]\n";
  const Motion planar = motion_of(
      "gravity: [0, 0]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4], mass: 2, angular_velocity: 12}}\n"
      "joints: [{revolute: [world, plate], point: [0, 0]}]\n" +
      rest_of_scene);
  const Motion spatial = motion_of(
      "gravity: [0, 0, 0]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, angular_velocity: [0, 0, 12]}}\n"
      "joints: [{revolute: [world, plate], point: [0, 0, 0], axis: [0, 0, 1]}]\n" +
      rest_of_scene);
  const std::vector<Coordinate> names = spatial.scene.system->positions();
  REQUIRE(names.size() == 8);
  CHECK(names[7].name == "world-plate.twist");
  CHECK(names[7].unit() == "rad");
  double most = 0;
  for (std::size_t i = 1; i < spatial.moments.size(); ++i) {
    const Moment &in_space = spatial.moments[i], &in_plane = planar.moments[i];
    most = std::max(most, std::abs(in_space.q(7)));
    REQUIRE(in_space.q(7) == doctest::Approx(in_plane.q(2)).epsilon(1e-10));
    REQUIRE(in_space.u(5) == doctest::Approx(in_plane.u(2)).epsilon(1e-10));
    REQUIRE(in_space.energy.potential == doctest::Approx(0.5 * k * in_space.q(7) * in_space.q(7)).epsilon(1e-12));
  }
  CHECK(std::abs(spatial.end().energy.drift()) < 1e-6 * spatial.end().energy.initial);
  CHECK(most > 0.9 * start / omega);  // 17 rad, nearly three turns
  CHECK(most > 4 * std::numbers::pi);
}

TEST_CASE("A torsion spring between two bodies that spin in space acts from as many turns as rest says") {
  // Both turn about the hinge, one against the other: their reduced inertia swings.
  const double k = 0.5, reduced = 0.5 * 2 * (0.3 * 0.3 + 0.4 * 0.4) / 12, omega = std::sqrt(k / reduced);
  const Motion motion = motion_of(
      "gravity: [0, 0, 0]\n"
      "defaults: {body: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, angular_velocity: [0, 0, 3]}}\n"
      "bodies: {a: {}, b: {}}\n"
      "joints: [{revolute: [a, b], point: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [{name: main, torsion: [a, b], stiffness: 0.5, rest: 1800 deg}]\n"
      "integrator: {step: 1e-3, duration: 3}\n");
  const double rest = 10 * std::numbers::pi;
  CHECK(motion.end().energy.initial - 0.5 * 2 * 2 * reduced * 9 == doctest::Approx(0.5 * k * rest * rest));
  for (std::size_t i = 50; i < motion.moments.size(); i += 50) {
    const Moment& moment = motion.moments[i];
    CHECK(moment.q(14) == doctest::Approx(rest * (1 - std::cos(omega * moment.time))).epsilon(2e-3));
    CHECK(std::abs(moment.energy.drift()) < 1e-8 * moment.energy.initial);
  }
}

TEST_CASE("A run in space goes on bit by bit from a spring that is wound up") {
  const Scene scene = read_scene_text(
      "gravity: [0, 0, -9.81]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, angular_velocity: [30, 0, 0]}}\n"
      "joints: [{revolute: [world, plate], at: {plate: [0, 0.1, 0]}, point: [0, 0, 0], axis: [1, 0, 0]}]\n"
      "forces: [{torsion: [world, plate], stiffness: 0.05}]\n"
      "integrator: {step: 1e-3, duration: 3}\n",
      "f.yaml");
  SimulationState half;
  const SceneRunResult whole = run(scene, [&](const Sample& sample) {
    if (sample.step != 1500) return;
    half.step = sample.step;
    half.time = sample.time;
    half.q = *sample.q;
    half.u = *sample.u;
    half.energy = sample.energy;
  });
  CHECK(half.q(7) > 2 * std::numbers::pi);
  SceneRun from_half(scene);
  Simulation& again = from_half.simulation();
  again.resume(half);
  while (!again.finished()) again.step(nullptr);
  CHECK(again.state().q == whole.end.q);
  CHECK(again.state().u == whole.end.u);
  CHECK(again.state().energy.drift() == whole.end.energy.drift());
}

TEST_CASE("A torsion spring in space counts from the state that --fix finds, which is read again to the same bits") {
  const std::string text =
      "gravity: [0, 0, -9.81]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4, 0.1], mass: 2}}\n"
      "joints: [{revolute: [world, plate], at: {plate: [0, 0, 0]}, point: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [{torsion: [world, plate], stiffness: 1, rest: 90 deg}]\n"
      "initial: {plate.x: 0.05, plate.qw: 0.8, plate.qz: 0.6, plate.wz: 1}\n";
  SceneOptions options;
  options.fix = true;
  const Scene fixed = read_scene_text(text, "f.yaml", options);
  REQUIRE(fixed.q.size() == 8);
  CHECK(std::abs(fixed.q(0)) < 1e-12);
  CHECK(fixed.q(7) == 0);
  const Scene again = read_scene_text(fixed.effective_yaml, "f.yaml");
  CHECK(again.q == fixed.q);
  CHECK(again.u == fixed.u);
}
