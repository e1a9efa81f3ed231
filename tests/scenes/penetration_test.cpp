// How deep bodies get into each other, as a run tells it, against the gaps of every step.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

std::string dropped_disk(double restitution, double step) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies: {{ball: {{shape: disk, radius: 0.1, mass: 2, position: [0, 1.103]}}}}
contacts: {{floor: {{body: ball, plane: {{point: [0, 0]}}, restitution: {}}}}}
integrator: {{step: {}, duration: 0.8}})",
                     restitution, step);
}

}  // namespace

// An impact that bounces may be captured before the bodies meet.
TEST_CASE("the deepest overlap of a named contact is the smallest gap of all steps, and when it was") {
  int overlapping = 0;
  for (const double restitution : {0.0, 0.5, 1.0}) {
    for (const double step : {1e-3, 5e-3, 0.02}) {
      CAPTURE(restitution);
      CAPTURE(step);
      double deepest = 0, at = 0;
      const SceneRunResult run = run_text(dropped_disk(restitution, step), [&](const Sample& sample) {
        if (!(-sample.contacts[0].gap > deepest)) return;
        deepest = -sample.contacts[0].gap;
        at = sample.time;
      });
      REQUIRE(run.end.penetrations.size() == (deepest > 0 ? 1 : 0));
      if (run.end.penetrations.empty()) continue;
      ++overlapping;
      const Penetration& seen = run.end.penetrations[0];
      CHECK(seen.depth == deepest);
      CHECK(seen.time == at);
      CHECK(seen.size == 0.1);
    }
  }
  CHECK(overlapping >= 6);
}

TEST_CASE("an impact that bounces is not told as sinking, one that lands deep and stays is") {
  for (const double step : {1e-3, 5e-3, 0.02}) {
    CAPTURE(step);
    const SceneRunResult bounced = run_text(dropped_disk(0.8, step)), landed = run_text(dropped_disk(0, step));
    REQUIRE(landed.end.penetrations.size() == 1);
    for (const Penetration& seen : bounced.end.penetrations) {
      CHECK(seen.lasted < 10 * step);
      CHECK(!seen.stays_deep(step));
    }
    const Penetration& seen = landed.end.penetrations[0];
    CHECK(seen.stays_deep(step) == (seen.depth > 1e-3 && 0.8 - seen.time > 20 * step));
    // v·h at the most, and the step that is told makes that a hundredth.
    CHECK(seen.depth <= std::sqrt(2 * 9.81 * 1.003) * step * 1.01);
    CHECK(seen.step_for(step) * seen.depth == doctest::Approx(step * 1e-3));
  }
}

TEST_CASE("contacts found between shapes have one row a pair, of the size of the thinner body") {
  const SceneRunResult run = run_text(R"(
gravity: [0, 0, -9.81]
bodies:
  floor: {shape: plane, normal: [0, 0, 1], fixed: true}
  plank: {shape: block, size: [1, 0.4, 0.06], mass: 2, position: [0, 0, 0.1]}
  ball: {shape: sphere, radius: 0.05, mass: 1, position: [0, 0, 0.3]}
collide: all
integrator: {step: 5e-3, duration: 0.5})");
  std::vector<double> sizes;
  for (const Penetration& seen : run.end.penetrations) sizes.push_back(seen.size);
  std::sort(sizes.begin(), sizes.end());
  CHECK(sizes == std::vector<double>{0.03, 0.03});  // plank and floor, ball and plank
}

TEST_CASE("bodies at rest, and such as never met, have none") {
  CHECK(run_text(R"(
gravity: [0, -9.81]
bodies:
  floor: {shape: plane, normal: [0, 1], fixed: true}
  a: {shape: block, size: [1, 1], mass: 1, position: [0, 0.5]}
  b: {shape: block, size: [1, 1], mass: 1, position: [0, 1.5]}
  c: {shape: disk, radius: 0.1, mass: 1, position: [3, 9]}
collide: all
integrator: {step: 1e-3, duration: 0.3})")
            .end.penetrations.empty());
}
