// Cylinders and polyhedra in time, against closed forms.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

TEST_CASE("the rolling coin is back after one turn of its circle, and energy stays") {
  const Scene scene = read_scene(CAROM_SOURCE "/config/scenes/rolling-coin.yaml");
  const Eigen::Vector2d start(0.2, 0);
  const SceneRunResult r = run(scene);
  CHECK((r.end.q.head<2>() - start).norm() < 2e-3);
  CHECK(r.end.q(2) == doctest::Approx(0.0486947).epsilon(1e-3));
  CHECK(r.impacts.empty());
  CHECK(std::abs(r.end.energy.kinetic + r.end.energy.potential - r.end.energy.initial) <
        1e-3 * std::abs(r.end.energy.initial));
}

TEST_CASE("a cylinder rolls down an incline with two thirds of g sin α, on a plane and on a block") {
  for (const char* ground : {"{shape: plane, normal: [0.5, 0, 0.8660254037844386]}",
                             "{shape: block, size: [4, 1, 0.2], fixed: true, orientation: {axis: [0, 1, 0], angle: 30 "
                             "deg}, position: [-0.05, 0, -0.08660254037844386]}"}) {
    CAPTURE(ground);
    const Motion motion = motion_of(std::string("gravity: [0, 0, -9.81]\n"
                                                "defaults: {contact: {friction: 0.5}}\n"
                                                "bodies:\n"
                                                "  ground: ") +
                                    ground +
                                    "\n  log: {shape: cylinder, radius: 0.1, length: 0.3, mass: 1, position: [0.05, 0, "
                                    "0.08660254037844386], orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
                                    "collide: all\n"
                                    "law: newton\n"
                                    "integrator: {step: 1e-3, duration: 0.5}\n");
    const double speed = motion.end().u.head<3>().norm();
    CHECK(speed == doctest::Approx(2.0 / 3 * 9.81 * 0.5 * 0.5).epsilon(2e-3));
    CHECK(std::abs(motion.end().u(1)) < 1e-9);
  }
}

TEST_CASE("a tetrahedron dropped on a corner ends flat on a face") {
  const Motion motion = motion_of(R"(
gravity: [0, 0, -9.81]
defaults: {contact: {friction: 0.5}}
bodies:
  floor: {shape: plane}
  top: {shape: polyhedron, points: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], mass: 1, position: [0, 0, 1.8], orientation: {axis: [1, 0.3, 0.2], angle: 0.4}}
collide: all
law: newton
integrator: {step: 1e-3, duration: 4}
)");
  CHECK(motion.end().q(2) ==
        doctest::Approx(1 / std::sqrt(3.0)).epsilon(0.01));  // a regular one: the centre over a face
  CHECK(motion.end().u.cwiseAbs().maxCoeff() < 1e-9);
}
