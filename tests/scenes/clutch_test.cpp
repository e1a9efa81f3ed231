// Clutches in time: what the state at the start overruns is an impact of the law, what forces load is not.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

// J_a = 0.005, J_b = 0.01 kg m²; b may turn relative to a in the positive sense only.
std::string two_wheels(const std::string& law, double speed_of_b, double torque, double restitution = 0.5) {
  return fmt::format(R"(
gravity: [0, 0]
bodies:
  a: {{shape: disk, radius: 0.1, mass: 1, inertia: 0.005, position: [0, 0]}}
  b: {{shape: disk, radius: 0.1, mass: 2, inertia: 0.01, position: [1, 0], angular_velocity: {}}}
clutches: [{{rotation: [a, b], restitution: {}}}]
forces: [{{load: b, torque: {}}}]
law: {}
integrator: {{step: 1e-3, duration: 0.1}})",
                     speed_of_b, restitution, torque, law);
}

}  // namespace

TEST_CASE(
    "A clutch that the state at the start overruns is one impact, with its restitution, under every kind of law") {
  for (const std::string law : {"{type: moreau, restitution: 0.5}", "poisson", "{type: sequential, each: poisson}"}) {
    CAPTURE(law);
    const SceneRunResult r = run_text(two_wheels(law, -3, 0));
    // ω_b − ω_a: −3 → 1.5, with the angular momentum −0.03.
    CHECK(r.end.u(5) - r.end.u(2) == doctest::Approx(1.5).epsilon(1e-12));
    CHECK(0.005 * r.end.u(2) + 0.01 * r.end.u(5) == doctest::Approx(-0.03).epsilon(1e-12));
    REQUIRE(r.impacts.size() == 1);
    CHECK(r.impacts[0].step == 0);
    CHECK(r.counts.impacts == 1);
    REQUIRE(r.impacts[0].elements.size() == 1);
    CHECK(r.impacts[0].elements[0].name == "a-b");
    CHECK(r.impacts[0].kinematic);
    // ½ J_a J_b/(J_a + J_b) (1 − ε²) 3²
    CHECK(r.impacts[0].work == doctest::Approx(-0.5 / 300 * 0.75 * 9).epsilon(1e-12));
    CHECK(r.end.energy.work_impacts == doctest::Approx(r.impacts[0].work).epsilon(1e-12));
    CHECK(std::abs(r.end.energy.drift()) < 1e-14);
  }
}

TEST_CASE("Moreau's one restitution is that of the scene's contacts, also where only a clutch takes part") {
  for (const char* height : {"0.1", "2"}) {  // the contact touches and opens, or is far
    const SceneRunResult r = run_text(fmt::format(R"(
gravity: [0, 0]
bodies:
  wheel: {{shape: disk, radius: 0.1, mass: 1, angular_velocity: -2}}
  ball: {{shape: disk, radius: 0.1, mass: 1, position: [3, {}], velocity: [0, 1]}}
joints: [{{revolute: [world, wheel], point: [0, 0]}}]
clutches: [{{rotation: [world, wheel]}}]
contacts: {{floor: {{body: ball, plane: {{}}, restitution: 0.5}}}}
law: moreau
integrator: {{step: 1e-3, duration: 0.01}})",
                                                  height));
    CHECK(r.end.u(2) == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("A clutch that forces load makes no impacts, from rest or after it was overrun") {
  for (const std::string law : {"newton", "poisson", "sequential"}) {
    CAPTURE(law);
    const double restitution = law == "poisson" ? 0.5 : 0;
    const SceneRunResult loaded = run_text(two_wheels(law, 0, -0.15, restitution));
    CHECK(loaded.impacts.empty());
    CHECK(loaded.end.u(2) == doctest::Approx(-1).epsilon(1e-12));  // both together: −0.15/0.015 rad/s² for 0.1 s
    CHECK(loaded.end.u(5) == doctest::Approx(-1).epsilon(1e-12));
    const SceneRunResult overrun = run_text(two_wheels(law, -3, -1.5, restitution));  // meets again, without a jump
    CHECK(overrun.impacts.size() == 1);
    CHECK(overrun.end.u(5) - overrun.end.u(2) == doctest::Approx(0).scale(1).epsilon(1e-9));
  }
}

TEST_CASE("A clutch that the state overruns is an impact beside no contact too, of a model and of the classical step") {
  for (const std::string law : {"newton", "poisson"}) {
    CAPTURE(law);
    const SceneRunResult r = run_text("model: {type: slide-push, position: [5, 6], velocity: [1, 0]}\nlaw: " + law +
                                      "\nintegrator: {step: 1e-3, duration: 0.5}\n");
    REQUIRE(r.impacts.size() == 1);
    CHECK(r.impacts[0].work == doctest::Approx(-0.25).epsilon(1e-12));
    CHECK(r.end.u(0) == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(r.end.u(1) == doctest::Approx(0.5).epsilon(1e-12));
  }
}

TEST_CASE("A clutch along a direction that turns with its bodies is loaded without impacts") {
  const SceneRunResult r = run_text(R"(
gravity: [0, -9.81]
bodies:
  arm: {shape: rod, length: 1, mass: 1, angle: -0.3, angular_velocity: -1}
  bead: {shape: point, mass: 0.3, position: [1.2, 0]}
joints: [{revolute: [world, arm], at: start, point: [0, 0]}]
clutches: [{translation: [arm, bead], at: {arm: end}, direction: [0.8, 0.6], restitution: 0.7}]
law: poisson
integrator: {step: 1e-3, duration: 0.5})");
  CHECK(r.impacts.size() <= 1);
}

TEST_CASE("A clutch that the state overruns ends the run under a law that does not take clutches, with its reason") {
  CHECK_THROWS_WITH(run_text(two_wheels("stronge", -3, 0)), doctest::Contains("clutch 'a-b' is driven backwards"));
}
