// Blocks and rods whatever their size, and what corners do that pass each other.
//
// Similar systems move alike: lengths and gravity times s, the same times and masses. No tolerance is an absolute
// length, so that a scene in micrometres gives the motion of the same scene in metres.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

std::string hinged_rods(double s, const char* law) {
  return fmt::format(R"yaml(
gravity: [0, {0}]
defaults: {{body: {{shape: rod, length: {1}, mass: 3}}}}
bodies:
  upper: {{angle: -70 deg, angular_velocity: -0.1}}
  lower: {{angle: -60 deg, angular_velocity: -0.2}}
joints:
  - {{revolute: [world, upper], at: start, point: [0, 0]}}
  - {{revolute: [upper, lower], at: {{upper: end, lower: start}}}}
contacts:
  tip: {{point: lower.end, plane: {{point: [0, "-{1}*(cos(pi/9) + cos(pi/6))"]}}, restitution: 0.5, friction: 0.5}}
law: {2}
integrator: {{step: 1e-3, duration: 0.8}}
)yaml",
                     -9.81 * s, 2 * s, law);
}

std::string two_blocks(double s, const char* law) {
  return fmt::format(R"yaml(
gravity: [0, {0}]
bodies:
  floor: {{shape: plane, normal: [0, 1], position: [0, 0]}}
  lower: {{shape: block, size: [{1}, {2}], mass: 1, position: [0, {3}], angle: 10 deg}}
  upper: {{shape: block, size: [{1}, {1}], mass: 1, position: [{4}, {5}], angle: 3 deg}}
collide: all
defaults: {{contact: {{restitution: 0.2, friction: 0.4}}}}
law: {6}
integrator: {{step: 1e-3, duration: 0.6}}
)yaml",
                     -9.81 * s, 0.2 * s, 0.5 * s, 0.3 * s, 0.02 * s, 0.8 * s, law);
}

// On its rough end, through the vertical: its lever arm about the contact passes through zero.
std::string pivoting_rod(double s, const char* law) {
  return fmt::format(R"yaml(
gravity: [0, {0}]
bodies: {{rod: {{shape: rod, length: {1}, mass: 3, angle: 80 deg, position: ["{1}/2*cos(80*pi/180)", "{1}/2*sin(80*pi/180)"],
  velocity: ["-{1}*sin(80*pi/180)", "{1}*cos(80*pi/180)"], angular_velocity: 2}}}}
contacts: {{end: {{point: rod.start, plane: {{}}, friction: 2}}}}
law: {2}
integrator: {{step: 1e-2, duration: 0.6}}
)yaml",
                     -9.81 * s, 2 * s, law);
}

// In units of s, so that similar motions have the same coordinates.
Vec end_of(const std::string& yaml, double s, std::size_t& impacts) {
  Motion motion = motion_of(yaml);
  impacts = motion.impacts.size();
  Vec q = motion.end().q;
  const std::vector<Coordinate> coordinates = motion.scene.system->positions();
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (coordinates[i].is_length()) q(static_cast<Index>(i)) /= s;
  return q;
}

}  // namespace

TEST_CASE("Hinged rods and blocks of a nanometre, a micrometre and a kilometre move as those of a metre") {
  for (const auto& scene : {hinged_rods, two_blocks, pivoting_rod}) {
    for (const char* law : {"newton", "poisson", "stronge"}) {
      std::size_t impacts = 0;
      const Vec metre = end_of(scene(1, law), 1, impacts);
      CHECK(impacts >= (scene == pivoting_rod ? 0 : 3));
      for (const double s : {1e-9, 1e-6, 1e3}) {
        CAPTURE(law);
        CAPTURE(s);
        std::size_t similar_impacts = 0;
        CHECK((end_of(scene(s, law), s, similar_impacts) - metre).cwiseAbs().maxCoeff() < 1e-11);
        CHECK(similar_impacts == impacts);
      }
    }
  }
}

TEST_CASE("A block glides over a floor of flush tiles, and past a block that it never meets") {
  std::string tiles;
  for (int i = 0; i < 5; ++i)
    tiles += fmt::format("  t{}: {{shape: block, size: [0.3, 0.2], fixed: true, position: [{}, -0.1]}}\n", i, 0.3 * i);
  for (const char* law : {"newton", "poisson", "stronge", "sequential"}) {
    for (const double step : {1e-4, 1e-3, 3e-3}) {
      for (const double gap : {0.0, 1e-6, 1e-4}) {
        const std::string yaml = fmt::format(R"yaml(
gravity: [0, {}]
defaults: {{contact: {{restitution: 0.5}}}}
bodies:
{}  glider: {{shape: block, size: [0.25, 0.1], mass: 1, position: [0.1, {}], velocity: [1.5, 0]}}
collide: all
law: {}
integrator: {{step: {}, duration: 0.6}}
)yaml",
                                             gap > 0 ? 0 : -9.81, tiles, 0.05 + gap, law, step);
        CAPTURE(law);
        CAPTURE(step);
        CAPTURE(gap);
        const Motion motion = motion_of(yaml);
        const Vec expected = Eigen::Vector3d(0.1 + 1.5 * motion.end().time, 0.05 + gap, 0);
        CHECK((motion.end().q - expected).cwiseAbs().maxCoeff() < 1e-10);
        CHECK(motion.impacts.empty());
      }
    }
  }
}

TEST_CASE("A step up is struck, not slid over") {
  for (const char* law : {"newton", "poisson"}) {
    const Motion motion = motion_of(fmt::format(R"yaml(
gravity: [0, -9.81]
defaults: {{contact: {{restitution: 0}}}}
bodies:
  low: {{shape: block, size: [1, 0.2], fixed: true, position: [0, -0.1]}}
  high: {{shape: block, size: [1, 0.2], fixed: true, position: [1, -0.099]}}
  glider: {{shape: block, size: [0.25, 0.1], mass: 1, position: [0.1, 0.05], velocity: [1.5, 0]}}
collide: all
law: {}
integrator: {{step: 1e-3, duration: 0.3}}
)yaml",
                                                law));
    CAPTURE(law);
    CHECK(motion.impacts.size() >= 1);
    CHECK(motion.end().q(0) < 0.5 - 0.125 + 2e-3);  // the leading face is at the step
  }
}

TEST_CASE("A block that spins in a box without loss keeps its energy under every law in inclusion form") {
  for (const char* law : {"newton", "moreau"}) {
    const Motion motion = motion_of(fmt::format(R"yaml(
gravity: [0, -9.81]
defaults: {{contact: {{restitution: 1}}}}
bodies:
  floor: {{shape: plane, normal: [0, 1], position: [0, 0]}}
  left: {{shape: plane, normal: [1, 0], position: [-0.5, 0]}}
  right: {{shape: plane, normal: [-1, 0], position: [0.5, 0]}}
  block: {{shape: block, size: [0.1, 0.2], mass: 1, position: [0, 0.4], velocity: [1, 0], angular_velocity: 10}}
collide: all
law: {}
integrator: {{step: 1e-3, duration: 10}}
)yaml",
                                                law));
    CAPTURE(law);
    CHECK(motion.impacts.size() > 20);
    CHECK(motion.end().energy.total() == doctest::Approx(motion.end().energy.initial).epsilon(1e-9));
  }
}

TEST_CASE("A body that is deep in the floor is told at every size") {
  for (const double s : {1e-6, 1.0, 1e3}) {
    const std::string yaml = fmt::format(R"yaml(
gravity: [0, -9.81]
bodies:
  ball: {{shape: disk, radius: {0}, mass: 1, position: [0, {1}]}}
contacts:
  floor: {{body: ball, plane: {{point: [0, 0]}}}}
law: newton
)yaml",
                                         s, 0.99 * s);
    CHECK_THROWS_WITH(read_scene_text(yaml, "deep.yaml"), doctest::Contains("penetrates by"));
  }
}
