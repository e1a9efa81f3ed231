// Impacts on a body whose motion is prescribed: what drives it works too.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

TEST_CASE("A ball on a table that rises at a constant speed leaves it with V + ε(V − v), and the ledger closes") {
  constexpr double g = 9.81, V = 0.8, epsilon = 0.6, height = 0.5, h = 1e-4;
  // The way between them closes at first: height = V t + g t²/2.
  const double t = (std::sqrt(V * V + 2 * g * height) - V) / g;
  const double before = -g * t, after = V + epsilon * (V - before);
  for (const char* law : {"newton", "poisson", "stronge", "newton-routh", "poisson-routh", "sequential"}) {
    CAPTURE(law);
    const Motion motion = motion_of(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  table: {{shape: block, size: [1, 0.1], mass: 10, position: [0, -0.05]}}
  ball: {{shape: disk, radius: 0.05, mass: 0.5, position: [0.1, {}]}}
joints:
  - {{prismatic: [world, table], axis: [0, 1], at: centre}}
  - {{motion: table.y, as: "-0.05 + {} * t"}}
contacts:
  landing: {{between: [ball, table], restitution: {}, friction: 0.3}}
law: {}
integrator: {{step: {}, duration: {}}})",
                                                height + 0.05, V, epsilon, law, h, t + 0.1));
    REQUIRE(motion.impacts.size() == 1);
    CHECK(std::abs(motion.impacts[0].time - t) < 3 * h);
    CHECK(motion.impacts[0].energetic);
    CHECK(motion.end().u(4) == doctest::Approx(after - g * 0.1).epsilon(2e-3));
    // What the table gives: m V (v⁺ − v⁻) to the ball in the impact, and its own weight on the way.
    const double drive = 0.5 * V * (after - before) + 10 * g * V * (t + 0.1);
    CHECK(motion.end().energy.work_applied == doctest::Approx(drive).epsilon(2e-3));
    CHECK(std::abs(motion.end().energy.drift()) < 2e-3 * motion.end().energy.kinetic);
  }
}

TEST_CASE("What drives and loads bodies works as much in a step with an impact, at it or far away, as in any other") {
  for (const char* law : {"newton", "poisson", "stronge", "sequential"}) {
    CAPTURE(law);
    const auto end_of = [&](const std::string& gravity, const std::string& parts) {
      return motion_of("gravity: [0, " + gravity + "]\n" + parts + "law: " + law +
                       "\nintegrator: {step: 1e-4, duration: 0.5}\n")
          .end()
          .energy;
    };
    const EnergyLedger apart = end_of("-9.81", R"yaml(
bodies:
  table: {shape: block, size: [1, 0.1], mass: 1000, position: [5, -0.05]}
  ball: {shape: disk, radius: 0.05, mass: 0.1, position: [0, 0.15]}
joints:
  - {prismatic: [world, table], axis: [0, 1], at: centre, point: [5, -0.05]}
  - {motion: table.y, as: "-0.05 + 0.01*(1 - cos(40*t))"}
contacts: {floor: {body: ball, plane: {point: [0, 0]}, restitution: 0.8}}
)yaml");
    CHECK(std::abs(apart.drift()) < 1e-3);  // 0.1 and more if half of the drive were lost in every impact
    const EnergyLedger shaken = end_of("-9.81", R"yaml(
bodies:
  table: {shape: block, size: [1, 0.1], mass: 10, position: [0, -0.05]}
  ball: {shape: disk, radius: 0.05, mass: 0.5, position: [0.1, 0.1]}
joints:
  - {prismatic: [world, table], axis: [0, 1], at: centre}
  - {motion: table.y, as: "-0.05 + 0.01*(1 - cos(40*t))"}
contacts: {landing: {between: [ball, table], restitution: 0.3, friction: 0.3}}
)yaml");
    CHECK(std::abs(shaken.drift()) < 1e-5);
    const EnergyLedger carrying = end_of("-9.81", R"yaml(
bodies:
  table: {shape: block, size: [2, 0.1], mass: 3, position: [0, -0.05]}
  carried: {shape: disk, radius: 0.1, mass: 1, position: [-0.5, 0.1], velocity: [0, 0.3]}
  ball: {shape: disk, radius: 0.1, mass: 1, position: [0.5, 0.3]}
joints:
  - {motion: table.x, as: 0}
  - {motion: table.angle, as: 0}
  - {motion: table.y, as: "-0.05 + 0.3*t"}
contacts:
  rest: {between: [carried, table], restitution: 0.5}
  landing: {between: [ball, table], restitution: 0.7}
)yaml");
    CHECK(std::abs(carrying.drift()) < 1e-12);
    const EnergyLedger loaded = end_of("0", R"yaml(
bodies: {ball: {shape: disk, radius: 0.05, mass: 0.1, position: [0, 0.15]}}
contacts: {floor: {body: ball, plane: {point: [0, 0]}, restitution: 0.8}}
forces: [{load: ball, force: [0, -0.981]}]
)yaml");
    CHECK(std::abs(loaded.drift()) < 1e-12);
  }
}

TEST_CASE("A damper works before an impact that is split off the step, and behind it: drift is of second order") {
  for (const char* law : {"poisson", "stronge", "sequential"}) {
    CAPTURE(law);
    const auto drift_of = [&](double step) {
      return motion_of(fmt::format(R"yaml(
gravity: [0, -9.81]
bodies: {{ball: {{shape: disk, radius: 0.1, mass: 1, position: [0, 0.5]}}}}
forces:
  - {{spring: [world, ball], point: [0, 1.5], damping: 5, stiffness: 20, rest: 1}}
  - {{load: ball, force: ["sin(20*t)", "-3*cos(7*t)"]}}
contacts: {{floor: {{body: ball, plane: {{}}, restitution: 0.8, friction: 0.2}}}}
law: {}
integrator: {{step: {}, duration: 1}})yaml",
                                   law, step))
          .end()
          .energy.drift();
    };
    const double coarse = drift_of(1e-3), fine = drift_of(1e-4);
    CHECK(std::abs(coarse) < 1e-4);  // 5e-3 if all of the damper's impulse acted at the mean velocity
    CHECK(std::abs(fine) < 0.02 * std::abs(coarse));
  }
}

TEST_CASE("A disk that is driven into the floor stops the run, or is told of; one that is held on it does not") {
  for (const char* law : {"newton", "poisson", "stronge"}) {
    CAPTURE(law);
    const auto scene = [&](const char* height, const char* on_failure) {
      return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  floor: {{shape: plane}}
  disk: {{shape: disk, radius: 0.1, mass: 1, position: [0, 0.1]}}
joints:
  - {{motion: disk.y, as: "{}"}}
contacts: {{foot: {{between: [disk, floor], restitution: 0.5}}}}
law: {}
integrator: {{step: 1e-3, duration: 0.1, on_failure: {}}})",
                         height, law, on_failure);
    };
    CHECK_THROWS_WITH_AS(motion_of(scene("0.1 - t", "stop")),
                         doctest::Contains("contact 'foot' is closed at 1 m/s by joints or prescribed motions"),
                         SimulationFailure);
    CHECK(motion_of(scene("0.1", "stop")).impacts.empty());

    const SceneRunResult warned = run_text(scene("0.1 - t", "warn"));
    CHECK(warned.end.time == doctest::Approx(0.1));
    CHECK(warned.counts.unsolved > 0);
    CHECK(std::count_if(warned.notes.begin(), warned.notes.end(), [](const std::string& note) {
            return note.find("on_failure is warn") != std::string::npos;
          }) == 1);  // once, however often it happens
  }
}

TEST_CASE("Joints and motions that exclude each other end the run, with the one that stays open") {
  const auto scene = [](const std::string& joints) {
    return "gravity: [0, -9.81]\nbodies: {slider: {shape: disk, radius: 0.2, mass: 1}}\njoints:\n" + joints +
           "integrator: {step: 1e-3, duration: 1}\n";
  };
  const std::string weld = "  - {weld: [world, slider]}\n", still = "  - {motion: slider.x, as: \"0\"}\n",
                    driven = "  - {motion: slider.x, as: \"t^2\"}\n",
                    driven_alike = "  - {motion: slider.x, as: \"t*t\"}\n";
  for (const std::string& joints : {weld + driven, still + driven, driven + still}) {
    CAPTURE(joints);
    CHECK_THROWS_WITH_AS(run_text(scene(joints)), doctest::Contains("contradict it"), SimulationFailure);
  }
  CHECK_NOTHROW(run_text(scene(driven + driven_alike)));
}
