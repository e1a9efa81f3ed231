// Contact that lasts while bodies turn about it.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

TEST_CASE("Sustained contact of rods that turn is of second order in the step, free and on hinges, smooth and rough") {
  const std::string rod =
      "gravity: [0, -9.81]\n"
      "bodies: {rod: {shape: rod, length: 2, mass: 3, angle: -60 deg, position: [0, \"sqrt(3)/2\"]}}\n"
      "contacts: {tip: {point: rod.end, plane: {}}}\n"
      "integrator: {duration: 0.5}\n";
  const std::string hinged =
      "gravity: [0, -9.81]\n"
      "defaults: {body: {shape: rod, length: 2, mass: 3}}\n"
      "bodies: {upper: {angle: -70 deg}, lower: {angle: -20 deg}}\n"
      "joints:\n"
      "  - {revolute: [world, upper], at: start, point: [0, 0]}\n"
      "  - {revolute: [upper, lower], at: {upper: end, lower: start}}\n"
      "contacts: {tip: {point: lower.end, plane: {point: [0, \"-2*(cos(pi/9) + sin(pi/9))\"]}}}\n"
      "integrator: {duration: 0.6}\n";
  for (const std::string& scene : {rod, hinged}) {
    for (const char* friction : {"0", "0.1"}) {
      for (const char* law : {"newton", "poisson"}) {
        CAPTURE(scene);
        CAPTURE(friction);
        CAPTURE(law);
        const auto end_and_drift = [&](double h) {
          const Motion motion =
              motion_of(scene, {std::string("law=") + law, std::string("contacts.tip.friction=") + friction,
                                fmt::format("integrator.step={}", h)});
          CHECK(motion.impacts.empty());
          return std::pair(motion.end().q, motion.end().energy.drift());
        };
        const auto [coarse, drift] = end_and_drift(1e-3);
        const auto [middle, drift_of_half] = end_and_drift(5e-4);
        const auto [fine, drift_of_quarter] = end_and_drift(2.5e-4);
        CHECK(std::log2((coarse - middle).norm() / (middle - fine).norm()) > 1.8);
        CHECK(std::abs(drift) < 2e-5);
        CHECK(std::log2(drift / drift_of_half) > 1.8);
        CHECK(std::log2(drift_of_half / drift_of_quarter) > 1.8);
      }
    }
  }
}

TEST_CASE("How a disk rolls down another one does not depend on a pendulum elsewhere") {
  const std::string disks =
      "gravity: [0, -9.81]\n"
      "bodies:\n"
      "  base: {shape: disk, radius: 1, fixed: true}\n"
      "  ball: {shape: disk, radius: 0.2, mass: 1, position: [\"1.2*sin(0.1)\", \"1.2*cos(0.1)\"]}\n";
  const std::string pendulum =
      "  bob: {shape: rod, length: 1, mass: 1, angle: -1}\n"
      "joints: [{revolute: [world, bob], at: start, point: [9, 0]}]\n";
  const std::string rest =
      "contacts: {touch: {between: [ball, base], friction: 2}}\n"
      "integrator: {step: 1e-3, duration: 0.5}\n";
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    const std::vector<Setting> by = {std::string("law=") + law};
    const Vec alone = motion_of(disks + rest, by).end().q, beside = motion_of(disks + pendulum + rest, by).end().q;
    CHECK((beside.head(3) - alone.head(3)).cwiseAbs().maxCoeff() < 1e-6);  // gaps are told to parts of the whole
  }
}

// It comes to a halt and turns back; on its way the scheme leaves the curved path by h³ in a step, which is taken back.
TEST_CASE("The force under a block that rocks on a cylinder is steady, and lasts where the block turns back") {
  for (const char* law : {"newton", "poisson"}) {
    for (const double h : {4e-4, 2.5e-4}) {
      CAPTURE(law);
      CAPTURE(h);
      const Motion motion = motion_of(
          "gravity: [0, -9.81]\n"
          "bodies:\n"
          "  base: {shape: disk, radius: 0.3, fixed: true}\n"
          "  block: {shape: block, size: [1.5, 0.1], mass: 2, angle: 0.25,\n"
          "          position: [-0.013922954110784674, 0.35767464454281483]}\n"
          "contacts: {touch: {between: [block, base], friction: 3}}\n"
          "integrator: {duration: 1.5}\n",
          {std::string("law=") + law, fmt::format("integrator.step={}", h)});
      CHECK(motion.impacts.empty());
      const auto force = [&](std::size_t i) { return motion.moments[i].contacts[0].impulse(0) / h; };
      double unsteady = 0, least = HUGE_VAL, deepest = 0;
      for (std::size_t i = 3; i + 1 < motion.moments.size(); ++i) {
        unsteady = std::max(unsteady, std::abs(force(i + 1) - 2 * force(i) + force(i - 1)));
        least = std::min(least, force(i));
        deepest = std::max(deepest, std::abs(motion.moments[i].contacts[0].gap));
      }
      CHECK(least > 15);
      CHECK(unsteady < 1e-3);
      CHECK(deepest < 1e-8);
    }
  }
}
