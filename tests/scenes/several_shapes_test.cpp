// Bodies of several shapes in time: what is one body moves as one, and holds what is in it.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

TEST_CASE("a block in two pieces slides down and tumbles as a whole one does") {
  const auto end = [](const std::string& shape) {
    return motion_of(
               "gravity: [0, -9.81]\ndefaults: {contact: {friction: 0.3}}\n"
               "bodies:\n  floor: {shape: plane, normal: [0.5, 0.8660254037844386]}\n"
               "  block: {" +
               shape +
               ", mass: 2, position: [0.0701, 0.1134134], angle: -30 deg}\n"
               "collide: all\nlaw: newton\nintegrator: {step: 1e-3, duration: 0.5}\n")
        .end();
  };
  const Moment whole = end("shape: block, size: [0.2, 0.1]");
  const Moment pieces =
      end("shapes: [{shape: block, size: [0.12, 0.1], position: [-0.04, 0]}, "
          "{shape: block, size: [0.08, 0.1], position: [0.06, 0]}]");
  CHECK((whole.q - pieces.q).norm() < 1e-9);
  CHECK((whole.u - pieces.u).norm() < 1e-9);
  CHECK(whole.u.head<2>().norm() == doctest::Approx(9.81 * (0.5 - 0.3 * 0.8660254) * 0.5).epsilon(0.02));
}

TEST_CASE("a hook hangs on a peg, its centre of mass below it") {
  const Motion motion = motion_of(R"(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.2}}
bodies:
  peg: {shape: disk, radius: 0.02, fixed: true}
  hook:
    density: 700
    position: [0.01, 0.001]
    shapes:
      - {shape: block, size: [0.1, 0.02], position: [0, 0.03]}
      - {shape: block, size: [0.02, 0.3], position: [-0.06, -0.11]}
      - {shape: block, size: [0.02, 0.08], position: [0.06, 0]}
      - {shape: disk, radius: 0.03, position: [-0.03, -0.3]}
forces: [{torsion: [world, hook], stiffness: 0, damping: 0.02}]
collide: all
law: newton
integrator: {step: 1e-3, duration: 3}
)");
  CHECK(motion.end().q.head<2>().norm() < 0.3);  // it has not fallen
  CHECK(std::abs(motion.end().q(0)) < 0.03);
  CHECK(motion.end().q(1) < -0.1);
}

TEST_CASE("a turning drum of several walls keeps the disks that tumble in it, in the plane and in space") {
  const Scene scene = read_scene(CAROM_SOURCE "/config/scenes/drum.yaml");
  double farthest = 0, deepest = 0;
  const SceneRunResult r = run(scene, [&](const Sample& sample) {
    for (int disk = 0; disk < 9; ++disk) farthest = std::max(farthest, sample.q->segment<2>(3 + 3 * disk).norm());
  });
  for (const Penetration& each : r.end.penetrations) deepest = std::max(deepest, each.depth);
  CHECK(r.end.q(2) == doctest::Approx(2 * 3.14159265358979));
  CHECK(farthest < 0.3 / std::cos(0.3926990816987241) - 0.04);
  CHECK(deepest < 2e-3);
  // Carried along: their centre of mass is on the side on which the wall rises.
  double x = 0;
  for (int disk = 0; disk < 9; ++disk) x += r.end.q(3 + 3 * disk) / 9;
  CHECK(x > 0.01);

  std::string walls;
  for (const char* wall : {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]", "[0, 0, 1]"})
    walls += fmt::format("{{shape: plane, normal: {0}, position: [{1}]}}, ", wall,
                         std::string(wall) == "[1, 0, 0]"    ? "-0.2, 0, 0"
                         : std::string(wall) == "[-1, 0, 0]" ? "0.2, 0, 0"
                         : std::string(wall) == "[0, 1, 0]"  ? "0, -0.2, 0"
                         : std::string(wall) == "[0, -1, 0]" ? "0, 0.2, 0"
                                                             : "0, 0, 0");
  const Motion box = motion_of(
      "gravity: [0, 0, -9.81]\ndefaults: {contact: {friction: 0.3}}\nbodies:\n  box: {fixed: true, "
      "shapes: [" +
      walls +
      "]}\n"
      "  ball: {shape: sphere, radius: 0.05, mass: 1, position: [-0.14, -0.13, 0.06], velocity: "
      "[0.5, 1, 0], repeat: {count: [2, 2, 2], spacing: [0.15, 0.14, 0.13]}}\n"
      "collide: all\nlaw: newton\nintegrator: {step: 2e-3, duration: 1}\n");
  for (int ball = 0; ball < 8; ++ball) {
    const Eigen::Vector3d centre = box.end().q.segment<3>(7 * ball);
    CHECK(centre.head<2>().cwiseAbs().maxCoeff() < 0.152);
    CHECK(centre.z() > 0.048);
  }
}
