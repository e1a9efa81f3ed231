// Piles in time: many contacts with friction, none of them left unsolved.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/run_scene.h"

using namespace carom;

namespace {

constexpr double least_radius = 0.098;

constexpr const char* box_of_disks = R"(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.3, restitution: 0}}
bodies:
  floor: {shape: plane}
  left: {shape: plane, normal: [1, 0]}
  right: {shape: plane, position: [2.608, 0], normal: [-1, 0]}
  larger: {shape: disk, radius: 0.1, mass: 1, position: [0.1003, 0.1001],
           repeat: {count: [13, 8], spacing: [0.2006, 0.3476]}}
  smaller: {shape: disk, radius: 0.098, mass: 0.96, position: [0.2006, 0.2739],
            repeat: {count: [12, 8], spacing: [0.2006, 0.3476]}}
collide: all
law: newton
integrator: {step: 2e-3, duration: 0.06}
)";

constexpr const char* disks_over_a_funnel = R"(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.4, restitution: 0.1}}
bodies:
  floor: {shape: plane}
  left: {shape: plane, position: [-0.3, 0], normal: [1, 1]}
  right: {shape: plane, position: [0.3, 0], normal: [-1, 1]}
  disk: {shape: disk, radius: 0.05, mass: 1, position: [-0.4, 0.5], repeat: {count: [8, 10], spacing: [0.112, 0.12]}}
collide: all
law: newton
integrator: {step: 1e-3, duration: 0.8}
)";

}  // namespace

TEST_CASE("two hundred disks fall into a box: no step fails, no energy is gained, none sinks into the floor") {
  double energy = HUGE_VAL, deepest = 0;
  const testing::SceneRunResult result = testing::run_text(box_of_disks, [&](const Sample& sample) {
    CHECK(sample.energy.total() <= energy * (1 + 1e-9));
    energy = sample.energy.total();
    for (Index i = 0; i < sample.q->size(); i += 3) deepest = std::max(deepest, least_radius - (*sample.q)(i + 1));
  });
  CHECK(result.end.impulses.size() > 100);
  CHECK(deepest < 0.01);
}

TEST_CASE("disks jam in a funnel while they fall into it: no step fails") {
  double deepest = 0;
  const testing::SceneRunResult result = testing::run_text(disks_over_a_funnel, [&](const Sample& sample) {
    for (Index i = 0; i < sample.q->size(); i += 3) {
      const double x = (*sample.q)(i), y = (*sample.q)(i + 1);
      deepest = std::max({deepest, 0.05 - y, 0.05 - (0.3 + y - std::abs(x)) / std::sqrt(2.0)});
    }
  });
  CHECK(result.end.step == 800);
  CHECK(result.end.impulses.size() > 80);
  CHECK(deepest < 0.005);
}
