// Blocks and rods on each other in space.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/length_scale.h"
#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

const Vec& velocities(const Motion& motion) { return motion.end().u; }

}  // namespace

TEST_CASE("A stack of blocks in space stands still, aligned and out of line, under the classical and the split step") {
  for (const char* offset : {"[0, 0, 1]", "[0.05, 0.02, 1]"}) {
    for (const char* law : {"newton", "poisson"}) {
      CAPTURE(offset);
      CAPTURE(law);
      const Motion motion = motion_of(
          "gravity: [0, 0, -9.81]\n"
          "defaults: {body: {shape: block, size: [1, 1, 1], density: 1000}, contact: {friction: 0.5, restitution: "
          "0.3}}\n"
          "bodies:\n"
          "  floor: {shape: plane}\n"
          "  cube: {position: [0, 0, 0.5], repeat: {count: 3, offset: [0, 0, 1]}}\n"
          "collide: all\n"
          "integrator: {step: 1e-3, duration: 0.1}\n",
          {std::string("bodies.cube.repeat.offset=") + offset, std::string("law=") + law});
      CHECK(motion.impacts.empty());
      CHECK((motion.end().q - motion.start().q).cwiseAbs().maxCoeff() < 1e-9);
      CHECK(velocities(motion).cwiseAbs().maxCoeff() < 1e-9);
    }
  }
}

TEST_CASE("Two blocks that meet face to face in space: momentum stays, the relative velocity turns with ε") {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    CAPTURE(law);
    const Motion motion = motion_of(
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {shape: block, size: [1, 1, 1], mass: 2, velocity: [1, 0, 0]}\n"
        "  b: {shape: block, size: [1, 0.5, 0.7], mass: 1, position: [1.3, 0, 0]}\n"
        "contacts: {faces: {between: [a, b], restitution: 0.5}}\n"
        "integrator: {step: 1e-3, duration: 1}\n",
        {std::string("law=") + law});
    REQUIRE(motion.impacts.size() == 1);
    CHECK(motion.impacts[0].time == doctest::Approx(0.3).epsilon(0.01));
    CHECK(motion.impacts[0].elements.size() == 4);  // the corners of the smaller face
    // v_a = (m_a − ε m_b) v/(m_a + m_b), v_b = (1 + ε) m_a v/(m_a + m_b)
    CHECK(velocities(motion)(0) == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(velocities(motion)(6) == doctest::Approx(1).epsilon(1e-9));
    CHECK(velocities(motion).segment(1, 5).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("A block and a rod dropped askew on a block tumble on it, and every impact takes energy") {
  const Motion motion = motion_of(R"(
gravity: [0, 0, -9.81]
defaults: {contact: {friction: 0.6, restitution: 0.1}}
bodies:
  base: {shape: block, size: [2, 2, 0.5], fixed: true, position: [0, 0, -0.25]}
  top: {shape: block, size: [0.6, 0.5, 0.3], mass: 1, position: [0.1, 0.05, 0.6], orientation: {axis: [1, 2, 0.5], angle: 0.3}}
  log: {shape: rod, length: 0.8, thickness: 0.1, mass: 1, position: [0, 0.7, 0.3], orientation: {axis: [0, 1, 0.2], angle: 0.2}}
collide: all
law: newton
integrator: {step: 1e-3, duration: 0.38}
)");
  const EnergyLedger& energy = motion.end().energy;
  CHECK(energy.work_impacts < -6);
  CHECK(std::abs(energy.drift()) < 0.003 * std::abs(energy.work_impacts));  // first order in the step
  for (const ImpactRecord& impact : motion.impacts) CHECK(impact.work <= 0);
  const Vec& q = motion.end().q;
  CHECK(q(2) == doctest::Approx(0.15).epsilon(0.01));  // flat on its largest face
  CHECK(q(9) == doctest::Approx(0.05).epsilon(0.02));  // lies on its side
  CHECK(velocities(motion).cwiseAbs().maxCoeff() < 0.3);
}

TEST_CASE("A torsion spring in space swings its body with ω = √(k/J)") {
  const double k = 3, J = 2 * (0.3 * 0.3 + 0.4 * 0.4) / 12;
  const Motion motion = motion_of(
      "gravity: [0, 0, 0]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, angular_velocity: [0, 0, 2]}}\n"
      "joints: [{revolute: [world, plate], point: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [{torsion: [world, plate], stiffness: 3}]\n"
      "integrator: {step: 1e-3, duration: 2}\n");
  const double omega = std::sqrt(k / J);
  for (std::size_t i = 0; i < motion.moments.size(); i += 100) {
    const Moment& moment = motion.moments[i];
    CHECK(moment.u(5) == doctest::Approx(2 * std::cos(omega * moment.time)).epsilon(2e-3));
    CHECK(std::abs(moment.energy.drift()) < 1e-9);
  }
  // Released at an angle, the same from a body to a body.
  const Motion pair = motion_of(
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, orientation: {axis: [1, 1, 0], angle: 0.5}}\n"
      "  b: {shape: block, size: [0.3, 0.4, 0.1], mass: 2, orientation: {axis: [1, 1, 0], angle: 0.5}}\n"
      "joints: [{revolute: [a, b], point: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [{torsion: [a, b], stiffness: 3, rest: 0.2, damping: 0.01}]\n"
      "integrator: {step: 1e-3, duration: 1}\n");
  const EnergyLedger& ledger = pair.end().energy;
  CHECK(ledger.initial == doctest::Approx(0.5 * 3 * 0.04));
  CHECK(ledger.work_applied < 0);
  CHECK(std::abs(ledger.drift()) < 1e-6);
}

TEST_CASE("Tolerances for gaps do not grow with the turns of a torsion spring in space") {
  const Motion motion = motion_of(
      "gravity: [0, 0, 0]\n"
      "bodies: {plate: {shape: block, size: [0.3, 0.4, 0.1], mass: 2}}\n"
      "joints: [{revolute: [world, plate], point: [0, 0, 0], axis: [0, 0, 1]}]\n"
      "forces: [{torsion: [world, plate], stiffness: 3}]\n"
      "integrator: {step: 1e-3, duration: 1e-3}\n");
  const LengthScale lengths(*motion.scene.system, 0.4);
  Vec wound = motion.end().q;
  REQUIRE(motion.scene.system->positions().back().name.ends_with(".twist"));
  wound(wound.size() - 1) = 1000;
  CHECK(lengths.of_gaps(wound) == lengths.of_gaps(motion.end().q));
}

// The four corners meet the floor one after the other and slide; in the end all of them carry.
TEST_CASE("A block dropped flat on a rough block in space comes to rest on its corners, one contact at a time") {
  for (const char* law : {"stronge", "sequential", "newton"}) {
    CAPTURE(law);
    const Motion motion = motion_of(R"(
gravity: [0, 0, -9.81]
defaults: {contact: {restitution: 0.4, friction: 0.5}}
bodies:
  base: {shape: block, size: [2, 2, 0.5], fixed: true, position: [0, 0, -0.25]}
  top: {shape: block, size: [0.6, 0.4, 0.3], mass: 2, position: [0.1, 0.05, 0.65], velocity: [0.5, 0, 0]}
collide: all
integrator: {step: 1e-3, duration: 1})",
                                    {std::string("law=") + law});
    CHECK(motion.impacts.front().time == doctest::Approx(std::sqrt(2 * 0.5 / 9.81)).epsilon(0.01));
    CHECK(velocities(motion).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(motion.end().q(2) == doctest::Approx(0.15).epsilon(0.005));
    for (const ImpactRecord& impact : motion.impacts) CHECK(impact.energetic);
  }
}

TEST_CASE("A box that tumbles in space settles on a face, under laws with one inclusion a step") {
  for (const char* orientation : {"{axis: [1, 2, 0.5], angle: 0.7}", "{axis: [0, 1, 0], angle: 0.3}",
                                  "{axis: [3, -1, 2], angle: 2}", "{axis: [1, 1, 1], angle: 1}"}) {
    for (const char* law : {"newton", "moreau"}) {
      CAPTURE(orientation);
      CAPTURE(law);
      const Motion motion = motion_of(
          "gravity: [0, 0, -9.81]\n"
          "defaults: {contact: {friction: 0.4, restitution: 0.4}}\n"
          "bodies:\n"
          "  floor: {shape: plane}\n"
          "  box: {shape: block, size: [0.4, 0.3, 0.2], mass: 1, position: [0, 0, 0.6], velocity: [0.5, 0.3, 0], "
          "angular_velocity: [3, -5, 1]}\n"
          "collide: all\n"
          "integrator: {step: 1e-3, duration: 2}\n",
          {std::string("bodies.box.orientation=") + orientation, std::string("law=") + law});
      const double height = motion.end().q(2);
      CHECK(std::min({std::abs(height - 0.1), std::abs(height - 0.15), std::abs(height - 0.2)}) < 1e-3);
      CHECK(velocities(motion).cwiseAbs().maxCoeff() < 1e-6);
    }
  }
}

TEST_CASE("Plates dropped in space one above the other, slightly askew, are followed while they settle") {
  // Their contacts creep at 1e-9 of the impact's speed, and the paths of smoothed friction may turn back.
  const std::string three =
      "  low: {position: [-0.036, 0.0405, 0.045], mass: 1, orientation: {axis: [0.0008523, 0.007373, 1], angle: "
      "0.443}}\n"
      "  middle: {position: [-0.0472, 0.0417, 0.135], mass: 3, orientation: {axis: [-0.000577, -0.0014, 1], angle: "
      "0.4406}}\n"
      "  top: {position: [0.0342, -0.0496, 0.225], mass: 1, orientation: {axis: [0.004433, -0.002833, 1], angle: "
      "0.3411}}\n";
  const auto two = [](const std::string& axis) {
    return "  low: {position: [0, 0, 0.045], mass: 1, orientation: {axis: [0.003, -0.002, 1], angle: 0.2}}\n"
           "  top: {position: [0.02, 0.04, 0.135], mass: 0.5, orientation: {axis: " +
           axis + ", angle: 0.4}}\n";
  };
  for (const std::string& plates :
       {three, two("[0.002, 0.001, 1]"), two("[-0.03, 0.01, 1]"), two("[0.001, -0.02, -1]")}) {
    CAPTURE(plates);
    const Motion motion = motion_of(
        "gravity: [0, 0, -9.81]\n"
        "defaults: {body: {shape: block, size: [0.6, 0.6, 0.05]}, contact: {friction: 0.418, restitution: 0.354}}\n"
        "bodies:\n"
        "  floor: {shape: plane}\n" +
        plates +
        "collide: all\n"
        "law: newton\n"
        "integrator: {step: 1e-3, duration: 0.35}\n");
    const Index bodies = motion.end().u.size() / 6;
    for (Index i = 0; i < bodies; ++i)
      CHECK(std::abs(motion.end().q(7 * i + 2) - 0.025 - 0.05 * static_cast<double>(i)) < 1e-2);
    CHECK(velocities(motion).cwiseAbs().maxCoeff() < 0.25);
  }
}

TEST_CASE("Forces and impulses of boxes that creep on each other agree as well as their inclusions are solved") {
  // At 0.163 s the contacts share their impulses anew in every pass over the gyroscopic forces, within a residual of
  // 1e-8.
  const Motion motion = motion_of(
      "gravity: [0, 0, -9.81]\n"
      "defaults: {body: {shape: block, size: [0.4, 0.4, 0.3], mass: 1}, contact: {friction: 1, restitution: 0.3}}\n"
      "bodies:\n"
      "  floor: {shape: plane}\n"
      "  low: {position: [0.0123, 0.0242, 0.17], orientation: {axis: [0.0295, 0.0442, 1], angle: 0.2399}}\n"
      "  middle: {position: [0.0422, -0.0471, 0.51], orientation: {axis: [-0.0034, 0.0443, 1], angle: 0.149}}\n"
      "  top: {position: [0.0401, -0.0387, 0.85], orientation: {axis: [-0.0031, -0.0253, 1], angle: 0.0438}}\n"
      "collide: all\n"
      "law: newton\n"
      "integrator: {step: 1e-3, duration: 0.2}\n");
  CHECK(motion.end().time == doctest::Approx(0.2));
  CHECK(velocities(motion).cwiseAbs().maxCoeff() < 1);
  CHECK(std::abs(motion.end().energy.drift()) < 0.01);
}

TEST_CASE("Blocks that meet at one corner and roll on to the opposite one in the same step lose no energy in between") {
  // The nearest points jump from one pair of corners to another: that is another contact, and what the first one has
  // begun is not finished by it.
  const std::string blocks =
      "gravity: [0, 0, -9.81]\n"
      "defaults: {body: {shape: block, size: [0.2, 0.2, 0.2], mass: 1}, contact: {friction: 0.4, restitution: 0.4}}\n"
      "bodies:\n"
      "  floor: {shape: plane}\n"
      "  low: {position: [0, 0, 0.12]}\n"
      "  top: {position: [0.0214, 0.0238, 0.52], velocity: [-0.499, 0, -2.347]}\n"
      "collide: all\n"
      "law: newton-routh\n"
      "integrator: {step: 2e-3, duration: 0.1}\n";
  const std::vector<Setting> turning = {
      "bodies.low.position=[0, 0, 0.15]", "bodies.top.position=[-0.0007, 0, 0.45]", "bodies.top.velocity=[0, 0, 0]",
      "bodies.top.angular_velocity=[-0.218, 0.886, -1.085]", "integrator={step: 1e-3, duration: 0.3}"};
  for (const std::vector<Setting>& changes : {std::vector<Setting>{}, turning}) {
    const Motion motion = motion_of(blocks, changes);
    CHECK(std::abs(motion.end().energy.drift()) < 1e-3);
    for (const ImpactRecord& impact : motion.impacts) CHECK(impact.energetic);
  }
}

// Friction cannot hold an end of a rod that is struck off its axis: slip sets in along the rope, in the direction in
// which the search for it begins and ends.
TEST_CASE("A rope of rods that lands flat in space slips along itself under Stronge's law") {
  const SceneRunResult run = run_text(R"(
gravity: [0, 0, -9.81]
defaults: {body: {shape: rod, length: 0.2, thickness: 0.02, mass: 0.1}, contact: {restitution: 0.3, friction: 0.5}}
bodies:
  a: {position: [0.1, 0, 0.3]}
  b: {position: [0.3, 0, 0.3]}
  c: {position: [0.5, 0, 0.3]}
  d: {position: [0.7, 0, 0.3]}
  floor: {shape: plane, normal: [0, 0, 1]}
joints:
  - {ball: [a, b], at: {a: end, b: start}}
  - {ball: [b, c], at: {b: end, c: start}}
  - {ball: [c, d], at: {c: end, d: start}}
collide: all
law: stronge
integrator: {step: 1e-3, duration: 0.25})");
  REQUIRE(run.impacts.size() == 1);
  CHECK(run.impacts[0].kinematic);
  CHECK(run.impacts[0].energetic);
  CHECK(std::abs(run.end.energy.drift()) < 1e-6);
}

TEST_CASE("A capsule that spins about its axis comes to rest on a smooth floor under a law that splits impacts off") {
  const SceneRunResult result = run(read_scene_text(R"(
gravity: [0, 0, -9.81]
bodies:
  floor: {shape: plane}
  capsule: {shape: rod, length: 0.5, thickness: 0.1, mass: 1, inertia: [0.00125, 0.0208333333333, 0.0208333333333]}
initial: {q: [0, 0, 0.051223268, -0.733834577, 0.649350479, 0.134115466, -0.147796515],
  u: [0, 0, -0.334634, 14.178864, -0.980552, 1.461797]}
collide: all
defaults: {contact: {restitution: 0.4}}
law: poisson
integrator: {step: 5e-4, duration: 1})",
                                                    "capsule.yaml", {{}, true}));
  // Held where contacts were before the impact, its ends strike in every step and sink.
  CHECK(result.impacts.size() < 20);
  CHECK(std::abs(result.end.energy.drift()) < 1e-3);
}

namespace {

// Angular momentum about the vertical of the first body, about its own centre.
double vertical_spin(const Moment& moment, const Eigen::Vector3d& inertia) {
  const Eigen::Quaterniond attitude(moment.q(3), moment.q(4), moment.q(5), moment.q(6));
  return (attitude * inertia.cwiseProduct(moment.u.segment<3>(3))).z();
}

}  // namespace

// The floor pushes upwards only: what a top with its tip there has of angular momentum about the vertical, it keeps.
TEST_CASE("A top with its tip on a smooth floor keeps its angular momentum and energy to second order") {
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    const auto losses = [&](double h) {
      const Motion motion = motion_of(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  top: {{shape: sphere, radius: 0.02, mass: 0.5, inertia: [0.002, 0.002, 0.001], position: [0, 0, 0.09396926207859084],
        orientation: {{axis: [1, 0, 0], angle: 20 deg}}, angular_velocity: [0, 0, 60]}}
contacts: {{tip: {{point: {{body: top, at: [0, 0, -0.1]}}, plane: {{}}}}}}
integrator: {{step: {}, duration: 1}})",
                                                  h),
                                      {std::string("law=") + law});
      const Eigen::Vector3d inertia(0.002, 0.002, 0.001);
      double spin = 0, energy = 0;
      for (const Moment& moment : motion.moments) {
        spin = std::max(spin, std::abs(vertical_spin(moment, inertia) / vertical_spin(motion.start(), inertia) - 1));
        energy = std::max(energy, std::abs(moment.energy.drift()));
      }
      return std::pair(spin, energy);
    };
    const auto [spin, energy] = losses(1e-3);  // hω = 0.06
    const auto [spin_of_half, energy_of_half] = losses(5e-4);
    CHECK(spin < 2e-4);
    CHECK(energy < 2e-4);
    CHECK(std::log2(spin / spin_of_half) > 1.8);
    CHECK(std::log2(energy / energy_of_half) > 1.8);
  }
}

TEST_CASE("A ball that spins about the normal rolls straight down an incline, with 5/7 of the acceleration") {
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    const Motion motion = motion_of(R"(
gravity: [4.905, 0, -8.495709]
bodies:
  floor: {shape: plane}
  ball: {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1], angular_velocity: [0, 0, 40]}
collide: all
defaults: {contact: {friction: 0.8}}
integrator: {step: 1e-3, duration: 1})",
                                    {std::string("law=") + law});
    CHECK(motion.end().q(0) == doctest::Approx(5.0 / 14 * 4.905).epsilon(2e-4));
    CHECK(std::abs(motion.end().q(1)) < 5e-5);
  }
}
