// Schemes as an interface: the same suite measures the order of each, and what a scheme cannot step it refuses.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <string>

#include "config/diagnostics.h"
#include "engine/scheme.h"
#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

// Two masses on springs, the second one damped.
const char* const oscillators = R"(
gravity: [0, -9.81]
bodies:
  a: {shape: point, mass: 1, position: [1, 0]}
  b: {shape: point, mass: 2, position: [2, 0.3], velocity: [0, 1]}
forces:
  - {spring: [world, a], stiffness: 40, rest: 0.8, point: [0, 0]}
  - {spring: [a, b], stiffness: 25, rest: 0.9DAMPING}
integrator: {duration: 1}
)";

std::string scene_with(const std::string& damping) {
  std::string scene = oscillators;
  return scene.replace(scene.find("DAMPING"), 7, damping);
}

Motion motion_by(const std::string& scheme, const std::string& scene, double h) {
  return motion_of(scene, {"integrator.scheme=" + scheme, fmt::format("integrator.step={}", h)});
}

Vec end_of(const Motion& motion) {
  Vec end(motion.end().q.size() + motion.end().u.size());
  end << motion.end().q, motion.end().u;
  return end;
}

}  // namespace

TEST_CASE("Every scheme is of second order on springs and dampers, and they agree") {
  for (const char* damping : {"", ", damping: 3"}) {
    const std::string scene = scene_with(damping);
    const Vec exact = end_of(motion_by("moreau-jean", scene, 5e-5));
    for (const SchemeEntry& entry : schemes()) {
      CAPTURE(entry.name);
      const auto error = [&](double h) {
        return (end_of(motion_by(entry.name, scene, h)) - exact).cwiseAbs().maxCoeff();
      };
      const double coarse = error(8e-3), fine = error(2e-3);
      CHECK(fine < 1e-3);
      const double order = std::log(coarse / fine) / std::log(4.0);
      CHECK(order > 1.85);
      CHECK(order < 2.15);
    }
  }
}

TEST_CASE("The symplectic scheme keeps the energy of springs over a long run, and its ledger tells of dampers") {
  const std::string conserved = scene_with("");
  const Motion motion =
      motion_of(conserved, {"integrator.scheme=symplectic", "integrator.step=5e-3", "integrator.duration=50"});
  for (const Moment& moment : motion.moments) CHECK(std::abs(moment.energy.drift()) < 0.03);
  const Motion damped = motion_by("symplectic", scene_with(", damping: 3"), 1e-3);
  CHECK(damped.end().energy.work_applied < -0.1);
  CHECK(std::abs(damped.end().energy.drift()) < 1e-3);
}

TEST_CASE("The symplectic scheme refuses contacts, joints and masses that change, and names the scheme that does") {
  const auto refusal = [](const std::string& scene) -> std::string {
    try {
      motion_of(scene, {"integrator.scheme=symplectic"});
    } catch (const BadInput& failure) {  // before anything runs, with its place
      return failure.what();
    }
    return "";
  };
  CHECK(refusal("gravity: [0, -9.81]\nbodies: {a: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}, "
                "floor: {shape: plane, normal: [0, 1], position: [0, 0]}}\ncollide: all\n"
                "integrator: {duration: 1}\n")
            .find("contacts (here") != std::string::npos);
  const std::string joined = refusal(
      "gravity: [0, -9.81]\nbodies: {a: {shape: rod, length: 1, mass: 1}}\n"
      "joints: [{revolute: [world, a], at: start, point: [0, 0]}]\nintegrator: {duration: 1}\n");
  CHECK(joined.find("joints") != std::string::npos);
  CHECK(joined.find("'moreau-jean' does") != std::string::npos);
}
