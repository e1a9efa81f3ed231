// Impacts and sustained contacts within a motion: what the ledger says of them, impacts without collision, and motions
// that an independent program integrated from event to event.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

std::string two_turning_shapes(const std::string& law, double restitution) {
  return fmt::format(R"(
gravity: [0, 0]
bodies:
  a: {{shape: disk, radius: 0.3, mass: 1.3, inertia: 0.2, position: [-1.5, 0.1], velocity: [1.5, 0], angular_velocity: 0.7}}
  b: {{shape: rod, length: 1.2, mass: 0.6, inertia: 0.1, position: [1.5, -0.1], angle: 1, velocity: [-2, 0],
      angular_velocity: -1.1}}
defaults: {{contact: {{restitution: {}}}}}
collide: all
law: {}
integrator: {{step: 1e-3, duration: 1.5}})",
                     restitution, law);
}

// Of two planar bodies about the origin.
double angular_momentum(const Moment& moment) {
  const auto of = [&](Index i, double mass, double inertia) {
    return mass * (moment.q(i) * moment.u(i + 1) - moment.q(i + 1) * moment.u(i)) + inertia * moment.u(i + 2);
  };
  return of(0, 1.3, 0.2) + of(3, 0.6, 0.1);
}

}  // namespace

TEST_CASE("An elastic impact of turning shapes does no work, whatever they turn within a step") {
  for (const std::string law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const Motion motion = motion_of(two_turning_shapes(law, 1));
    REQUIRE(!motion.impacts.empty());
    for (const ImpactRecord& impact : motion.impacts) {
      CHECK(std::abs(impact.work) < 1e-12);
      CHECK(impact.energetic);
    }
    CHECK(std::abs(motion.end().energy.drift()) < 0.01);
  }
}

TEST_CASE("An impact split off by its law keeps energy and angular momentum to rounding") {
  for (const double restitution : {1.0, 0.4}) {
    CAPTURE(restitution);
    const Motion motion = motion_of(two_turning_shapes("poisson", restitution));
    REQUIRE(!motion.impacts.empty());
    CHECK(std::abs(motion.end().energy.drift()) < 1e-12);
    CHECK(std::abs(angular_momentum(motion.end()) - angular_momentum(motion.start())) < 1e-10);
  }
}

// The rocking block stands on one corner at a time and does not slip.
TEST_CASE("What sticks does no work, also where its bodies turn over it") {
  for (const std::string law : {"newton", "poisson"}) {
    CAPTURE(law);
    const Motion motion = motion_of(
        "model: {type: rocking-block, width: 0.3, height: 1.1, angle: 0.07, restitution: 0, friction: 2}\n"
        "integrator: {step: 2e-4, duration: 1.2}\nlaw: " +
        law);
    CHECK(motion.impacts.size() == 3);
    CHECK(std::abs(motion.end().energy.work_contact) < 1e-5);
    CHECK(std::abs(motion.end().energy.drift()) < 1e-4);
  }
}

// By the exact equation of sliding the end passes on 1.0000 N s from 0.8 s to 0.8145 s, where more impulse no longer
// opens the contact, and 3.4999 N s in the jam. The last steps before it may take some of its impulse.
TEST_CASE("The Painlevé rod jams at every step and under every kind of law: an impact without collision") {
  for (const std::string law : {"newton", "poisson", "stronge"}) {
    for (const double h : {2e-3, 5e-4, 1e-4}) {
      CAPTURE(law);
      CAPTURE(h);
      const Motion motion = motion_of(fmt::format(R"(
model: {{type: rod-on-plane, length: 2, mass: 1, gravity: 10, angle: 31 deg, velocity: [-30, 0, 0], restitution: 0,
        friction: "5/3"}}
law: {}
integrator: {{step: {}, duration: 0.9}})",
                                                  law, h));
      REQUIRE(motion.impacts.size() == 1);
      const ImpactRecord& jam = motion.impacts[0];
      CHECK(std::abs(jam.time - 0.8145) < 3 * h);
      CHECK(jam.elements[0].impulse(0) > 3);
      CHECK(jam.elements[0].state == State::stick);
      CHECK(std::abs(jam.elements[0].velocity_before(0)) < 10 * h);
      Eigen::Vector2d impulse = Eigen::Vector2d::Zero();
      for (const Moment& moment : motion.moments)
        for (const ContactSample& contact : moment.contacts)
          if (moment.time > 0.8 + 0.5 * h) impulse += contact.impulse.head(2);
      CHECK(std::abs(impulse(0) - 4.4999) < 1e-3 + 6 * h);
      CHECK(std::abs(impulse(1) - 7.4999) < 1e-3 + 40 * h);  // the end comes to rest before the middle of its last step
      const double spin = motion.end().u(2);
      CHECK(std::abs(spin - 8.7102) < 1e-3 + 15 * h);
    }
  }
}

TEST_CASE("A rod that jams does so also where a spring answers to its motion") {
  for (const double angle : {31.5, 32.0, 33.0}) {
    for (const double h : {3e-3, 2e-3, 1e-3}) {
      CAPTURE(angle);
      CAPTURE(h);
      const Motion motion = motion_of(fmt::format(R"yaml(
gravity: [0, -10]
bodies:
  rod: {{shape: rod, length: 2, mass: 1, angle: {0} deg, position: [0, "sin({0}*pi/180)"], velocity: [-30, 0]}}
contacts: {{end: {{point: rod.start, plane: {{}}, friction: 5/3}}}}
forces: [{{spring: [world.x, rod.x], stiffness: 1e-6, rest: 0}}]
law: newton
integrator: {{step: {1}, duration: 0.9}}
)yaml",
                                                  angle, h));
      CHECK(motion.impacts.size() >= 1);
      CHECK(motion.end().energy.work_impacts < -10);
    }
  }
}

TEST_CASE("A rod that comes down softly where it jams has an impact, however slowly its end came") {
  const Motion motion = motion_of(R"(
model: {type: rod-on-plane, length: 2, mass: 1, gravity: 10, angle: 32 deg, velocity: [-30, 0, 0], restitution: 0, friction: 5/3}
law: newton
integrator: {step: 1e-5, duration: 0.38})");
  REQUIRE(motion.impacts.size() == 1);
  CHECK(motion.impacts[0].time == doctest::Approx(0.3724).epsilon(1e-3));
  CHECK(motion.end().energy.work_impacts < -80);
}

// While the slider stands on both corners it does not turn: two angles and one contact, integrated by Runge and Kutta's
// method from event to event, with ε = 0.4 until bounces are below 2e-5 m/s.
TEST_CASE("The slider-crank with clearance: impacts, end and losses as from event to event") {
  const double times[] = {0.002693, 0.005612, 0.007475}, speeds[] = {0.84161, 0.24783, 0.08420};
  for (const std::string law : {"newton", "poisson"}) {
    CAPTURE(law);
    const Motion motion = motion_of("model: slider-crank\nintegrator: {step: 1e-5, duration: 0.1}\nlaw: " + law);
    REQUIRE(motion.impacts.size() > 15);
    for (std::size_t i = 0; i < 3; ++i) {
      // newton poses its impact with the forces of the step: first order in h, at the speed of this crank ten steps.
      CHECK(std::abs(motion.impacts[i].time - times[i]) < (law == "newton" ? 1e-4 : 3e-5));
      CHECK(-motion.impacts[i].elements[0].velocity_before(0) == doctest::Approx(speeds[i]).epsilon(0.02));
      CHECK(motion.impacts[i].elements.size() == 2);
    }
    CHECK(motion.end().q(0) == doctest::Approx(9.00064).epsilon(1e-4));
    CHECK(motion.end().u(0) == doctest::Approx(135.873).epsilon(1e-3));
    CHECK(std::abs(motion.end().q(2)) < 1e-9);
    CHECK(motion.end().energy.work_impacts == doctest::Approx(-0.2582).epsilon(0.01));
    CHECK(motion.end().energy.total() - motion.end().energy.initial == doctest::Approx(-0.2679).epsilon(0.01));
    CHECK(std::abs(motion.end().energy.drift()) < 0.01 * 0.2679);
  }
}

// ω̇ = −m a u ω/(J + m a²), u̇ = a ω² with the forward speed u of the blade and the mass a ahead of it:
// u = c tanh(m a c t/(J + m a²) + artanh(u₀/c)), m c² = 2T.
TEST_CASE("Chaplygin's sleigh: a knife edge behind the mass turns rotation into speed, and keeps energy") {
  const double m = 2, a = 0.3, I = m * 1.16 / 12 + m * a * a;
  const Motion motion = motion_of(R"(
gravity: [0, 0]
bodies: {sleigh: {shape: block, size: [1, 0.4], mass: 2, velocity: [0.5, 0.24], angular_velocity: 0.8}}
joints: [{knife-edge: sleigh, at: [-0.3, 0]}]
integrator: {step: 1e-3, duration: 4})");
  const double c = std::sqrt(0.25 + I * 0.64 / m);
  for (std::size_t k = 0; k < motion.moments.size(); k += 500) {
    const Moment& moment = motion.moments[k];
    const double u = c * std::tanh(m * a * c / I * moment.time + std::atanh(0.5 / c));
    CHECK(moment.u(2) == doctest::Approx(std::sqrt(m * (c * c - u * u) / I)).epsilon(1e-5));
    CHECK(std::abs(moment.energy.drift()) < 1e-7);
  }
}

// C ω₃ Ω − A Ω² cos ϑ = m g l, A about the pivot: the slow of two steady precessions.
TEST_CASE("A heavy symmetric top on its tip precesses steadily") {
  const double m = 1, l = 0.12, A = 0.004 + m * l * l, C = 0.006, tilt = 0.6, spin = 120;
  const double discriminant = std::pow(C * spin, 2) - 4 * A * std::cos(tilt) * m * 9.81 * l;
  const double precession = (C * spin - std::sqrt(discriminant)) / (2 * A * std::cos(tilt));
  const double own = spin - precession * std::cos(tilt), s = std::sin(tilt), z = std::cos(tilt);
  const Motion motion = motion_of(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  top: {{shape: sphere, radius: 0.05, mass: 1, inertia: [0.004, 0.004, 0.006], position: [{}, 0, {}],
        orientation: {{axis: [0, 1, 0], angle: {}}}, velocity: [0, {}, 0], angular_velocity: [{}, 0, {}], frame: world}}
joints: [{{ball: [world, top], at: [0, 0, -0.12], point: [0, 0, 0]}}]
integrator: {{step: 5e-4, duration: 0.5}})",
                                              l * s, l * z, tilt, precession * l * s, own * s, precession + own * z));
  for (std::size_t k = 0; k < motion.moments.size(); k += 100) {
    const Moment& moment = motion.moments[k];
    CHECK(std::atan2(moment.q(1), moment.q(0)) == doctest::Approx(precession * moment.time).epsilon(2e-3));
    CHECK(std::abs(moment.q(2) - l * z) < 1e-5);
  }
}

TEST_CASE("A push runs through many Hertzian balls and keeps energy and momentum") {
  // More contacts than a dense G holds.
  const Motion motion = motion_of(
      "model: {type: ball-chain, balls: 70, speed: 1, restitution: 1}\n"
      "law: compliant\n"
      "integrator: {step: 1e-3, duration: 1e-3}\n");
  const Vec& u = motion.end().u;
  CHECK(std::abs(u.sum() - 1) < 1e-12);
  CHECK(std::abs(u.squaredNorm() - 1) < 1e-11);
  for (Index i = 0; i + 1 < u.size(); ++i) CHECK(u(i) <= u(i + 1) + 1e-13);
}

TEST_CASE("Contacts of a chain that have opened carry nothing, whatever impulse rounding left on them") {
  for (const char* law : {"poisson", "sequential", "stronge"}) {
    CAPTURE(law);
    const Motion motion = motion_of(fmt::format(
        "model: {{type: ball-chain, balls: 9, gap: [0.0007, 0.003, 0, 0, 0, 0.0048, 0, 0], wall: left, gravity: 9.81,\n"
        "  velocity: [1.2, -0.3, 0.5, -0.8, -0.4, 0.1, 0, -0.7, 0.2],\n"
        "  restitution: [0.7, 0.8, 0, 0.2, 0, 0, 0.2, 0.3, 0.2]}}\n"
        "law: {}\n"
        "integrator: {{step: 1e-3, duration: 0.2}}\n",
        law));
    int open = 0;
    for (std::size_t k = 2; k < motion.moments.size(); ++k) {
      CAPTURE(k);
      for (std::size_t i = 0; i < motion.moments[k].contacts.size(); ++i) {
        const ContactSample& before = motion.moments[k - 1].contacts[i];
        if (!(before.gap + 0.5e-3 * before.velocity(0) > 1e-8)) continue;
        ++open;
        CHECK(motion.moments[k].contacts[i].impulse(0) == 0);
      }
    }
    CHECK(open > 100);
  }
}

TEST_CASE(
    "An elastic impact of a mechanism with one freedom does no work; what joints turn meanwhile is of second order") {
  const auto end_of = [](double step) {
    const std::string four_bar = fmt::format(R"(
gravity: [0, -9.81]
defaults: {{body: {{shape: rod}}}}
bodies:
  crank: {{length: 0.3, mass: 0.5, angle: 60 deg, angular_velocity: 12}}
  coupler: {{length: 0.8, mass: 1, angle: 20 deg}}
  rocker: {{length: 0.6, mass: 0.8, angle: 85 deg}}
joints:
  - {{revolute: [world, crank], at: start, point: [0, 0]}}
  - {{revolute: [crank, coupler], at: {{crank: end, coupler: start}}}}
  - {{revolute: [coupler, rocker], at: {{coupler: end, rocker: end}}}}
  - {{revolute: [world, rocker], at: start, point: [0.9, 0]}}
contacts:
  hit: {{point: {{body: coupler, at: [0.2, 0]}}, plane: {{point: [0, 0.35]}}, restitution: 1, friction: 0.8}}
law: newton
integrator: {{step: {}, duration: 0.4}})",
                                             step);
    return run(read_scene_text(four_bar, "four-bar.yaml", {{}, true}));
  };
  const SceneRunResult coarse = end_of(1e-3), fine = end_of(1e-4);
  REQUIRE(coarse.impacts.size() == 1);
  REQUIRE(fine.impacts.size() == 1);
  CHECK(std::abs(coarse.impacts[0].work) < 1e-9);
  CHECK(std::abs(fine.impacts[0].work) < 1e-9);
  CHECK(std::abs(coarse.end.energy.drift()) < 5e-3);  // of 12 J; 0.48 where joints turn under the impulse
  CHECK(coarse.end.energy.drift() / fine.end.energy.drift() == doctest::Approx(100).epsilon(0.1));
}
