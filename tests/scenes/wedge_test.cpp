// Bodies that friction wedges between contacts of which restitution asks to open: solutions are far away, or none.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

// A block falls into a pyramid that stands on its tip.
std::string block_in_pyramid(const std::string& block, double slope, double restitution, double friction,
                             const std::string& solver) {
  return fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  b: {{shape: block, size: [0.2, 0.15, 0.1], mass: 1, {}}}
  p1: {{shape: plane, normal: [1, 0, {}]}}
  p2: {{shape: plane, normal: [-1, 0, {}]}}
  p3: {{shape: plane, normal: [0, 1, {}], position: [0, -0.05, 0]}}
defaults: {{contact: {{restitution: {}, friction: {}}}}}
collide: all
law: newton
solver: {}
integrator: {{step: 2e-3, duration: 1}})",
                     block, slope, slope, slope, restitution, friction, solver);
}

}  // namespace

TEST_CASE("Impulses that come near a solution by being huge are none: the run stops, and says so") {
  CHECK_THROWS_WITH(run_text(block_in_pyramid("position: [-0.0087, 0, 0.845], velocity: [0.112, 0.576, -2], "
                                              "angular_velocity: [4.101, -1.024, 1.557]",
                                              0.141, 0.2, 10, "homotopy")),
                    doctest::Contains("too large for a meaningful result"));
}

TEST_CASE("A solver that comes no nearer than the impulses it started from does not replace them") {
  double most = 0;
  const auto see = [&](const Sample& sample) { most = std::max(most, sample.energy.total()); };
  // At t = 0.534 s there is no solution; at 0.456 s the path leads to impulses of 10⁷ N s beside those at hand.
  CHECK_THROWS_AS(run_text(block_in_pyramid("position: [-0.0116, 0, 0.643], velocity: [-0.674, 0.91, -2], "
                                            "angular_velocity: [1.064, -2.988, -0.93]",
                                            0.547, 0.5, 0.9, "homotopy"),
                           see),
                  SimulationFailure);
  CHECK(most < 9);
}

TEST_CASE("A jump of a contact that went on is an impact, also where gyroscopic forces answer to it") {
  const SceneRunResult r =
      run_text(block_in_pyramid("position: [0.0171, 0, 0.719], velocity: [0.936, 0.463, -2], "
                                "angular_velocity: [0.481, 1.289, 0.861]",
                                0.796, 0.5, 10, "auto"));
  REQUIRE(r.end.energy.total() > 100 * r.impacts[0].kinetic_before);  // Newton's law with friction creates energy
  CHECK(r.counts.inconsistent > 0);
  CHECK(r.end.energy.work_contact < 0);
}
