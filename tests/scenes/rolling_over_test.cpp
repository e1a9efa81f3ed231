// A block that tumbles over its corner: what is known of a contact from the step before stays with the corner, though
// another edge of the block comes to face what it stands on.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

// A slender block, tipped over on its corner so that it falls on its side. The path of its corner is the floor's y = 0.
std::string tipped(const std::string& floor, const std::string& contacts, const std::string& law) {
  return fmt::format(R"(
gravity: [0, -9.81]
defaults: {{contact: {{friction: 0.6}}}}
bodies:
  box: {{shape: block, size: [0.2, 0.6], mass: 2, position: [0, 0.3], angular_velocity: -2.6, velocity: [0.78, 0]}}
  floor: {{{}}}
{}
law: {}
integrator: {{step: 5e-4, duration: 1.2}})",
                     floor, contacts, law);
}

const std::string plane = "shape: plane";
const std::string table = "shape: block, size: [3, 0.1], position: [0, -0.05], fixed: true";
// With fewer vertices than the block it is the one to name points that lie flat.
const std::string wedge =
    "shape: polygon, vertices: [[-1, -0.5], [1, -0.5], [0, 1]], position: [0, -0.5], angle: 180 deg, fixed: true";

const std::string found = "collide: all";
const std::string named = "contacts: {foot: {between: [box, floor]}}";

}  // namespace

TEST_CASE("A block tips over on a table and on a wedge as on a plane, by named and by found contacts") {
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    const Motion on_plane = motion_of(tipped(plane, found, law));
    CHECK(on_plane.end().q(2) == doctest::Approx(-1.5708).epsilon(0.01));
    for (const std::string& floor : {table, wedge}) {
      CAPTURE(floor);
      for (const std::string& contacts : {found, named}) {
        CAPTURE(contacts);
        const Motion motion = motion_of(tipped(floor, contacts, law));
        // On the wedge the corner gets its own name when it begins to stand on it.
        CHECK((motion.end().q - on_plane.end().q).cwiseAbs().maxCoeff() < (floor == table ? 1e-9 : 1e-4));
        CHECK(motion.impacts.size() == on_plane.impacts.size());
        CHECK(motion.end().energy.drift() == doctest::Approx(on_plane.end().energy.drift()).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("A block in space tips over on a block, by named and by found contacts, without turning aside") {
  const std::string scene = R"(
gravity: [0, 0, -9.81]
defaults: {contact: {friction: 0.6}}
bodies:
  box: {shape: block, size: [0.2, 0.2, 0.6], mass: 2, position: [0, 0, 0.3], angular_velocity: [0, 2.6, 0], velocity: [0.78, 0, 0]}
  floor: {shape: block, size: [3, 3, 0.1], position: [0, 0, -0.05], fixed: true}
law: newton
integrator: {step: 5e-4, duration: 1.2}
)";
  const Vec planar = motion_of(tipped(plane, found, "newton")).end().q;
  for (const std::string& contacts : {found, named}) {
    CAPTURE(contacts);
    const Vec q = motion_of(scene + contacts).end().q;
    CHECK(std::abs(q(0) - planar(0)) < 1e-9);
    CHECK(std::abs(q(1)) < 1e-12);
    CHECK(std::abs(q(2) - planar(1)) < 1e-9);
  }
}

TEST_CASE("A disk that slides down a fixed one makes no impacts, though its path is curved") {
  const Motion motion = motion_of(R"(
gravity: [0, -9.81]
bodies:
  hill: {shape: disk, radius: 1, fixed: true}
  disk: {shape: disk, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0.5, 0]}
contacts: {slide: {between: [disk, hill], restitution: 0.2}}
law: newton
integrator: {step: 1e-3, duration: 1})");
  CHECK(motion.impacts.empty());
  // It leaves where m v² / r = m g cos φ, v² = v₀² + 2 g r (1 − cos φ): cos φ = 2/3 + v₀²/3gr.
  const auto left = std::find_if(motion.moments.begin(), motion.moments.end(), [](const Moment& moment) {
    return moment.time > 0.1 && moment.contacts[0].gap > 1e-4;
  });
  REQUIRE(left != motion.moments.end());
  CHECK(left->q(1) / 1.1 == doctest::Approx(2.0 / 3 + 0.25 / (3 * 9.81 * 1.1)).epsilon(0.03));
}

// The path of the pivot is met to h³ in a step: however small that is, the contact neither opens nor sinks by the gh²
// of a step without it.
TEST_CASE("A body that pivots on a rough corner or end keeps it where it is, in the classical and in the split step") {
  const std::string rod =
      "bodies: {body: {shape: rod, length: 1, mass: 1, angle: 80 deg, position: [\"cos(80/180*pi)/2\", "
      "\"sin(80/180*pi)/2\"]}}\n"
      "contacts: {foot: {point: body.start, plane: {}, friction: 1}}\n";
  const std::string block =
      "bodies: {body: {shape: block, size: [0.2, 1], mass: 2, angle: 0.1, position: [\"0.1*cos(0.1) - 0.5*sin(0.1)\", "
      "\"0.1*sin(0.1) + 0.5*cos(0.1)\"]}}\n"
      "contacts: {foot: {point: body.bottom-left, plane: {}, friction: 1}}\n";
  for (const std::string& bodies : {rod, block}) {
    CAPTURE(bodies);
    for (const char* law : {"newton", "poisson"}) {
      CAPTURE(law);
      for (const double h : {1e-2, 1e-3, 1e-4}) {
        CAPTURE(h);
        const Motion motion = motion_of(
            fmt::format("gravity: [0, -9.81]\n{}law: {}\nintegrator: {{step: {}, duration: 0.3}}", bodies, law, h));
        CHECK(motion.impacts.empty());
        double deepest = 0, highest = 0;
        bool carries = true;
        for (std::size_t i = 1; i < motion.moments.size(); ++i) {
          const ContactSample& foot = motion.moments[i].contacts.front();
          carries = carries && foot.impulse(0) > 0;
          deepest = std::min(deepest, foot.gap);
          highest = std::max(highest, foot.gap);
        }
        CHECK(carries);
        CHECK(deepest > -0.01 * 9.81 * h * h);
        CHECK(highest < 0.01 * 9.81 * h * h);
      }
    }
  }
}
