// Elastic bodies without friction that strike each other and the walls of a box from all sides: no impact does work.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/scenes/run_scene.h"

namespace carom::testing {

namespace {

struct Gas {
  const char* shape;
  int dimensions;
};

std::string box(int dimensions) {
  std::string walls;
  for (int axis = 0; axis < dimensions; ++axis) {
    for (const int side : {0, 1}) {
      std::string normal, position;
      for (int k = 0; k < dimensions; ++k) {
        normal += fmt::format("{}{}", k ? ", " : "", k == axis ? 1 - 2 * side : 0);
        position += fmt::format("{}{}", k ? ", " : "", k == axis ? side : 0);
      }
      walls +=
          fmt::format("  wall{}{}: {{shape: plane, normal: [{}], position: [{}]}}\n", axis, side, normal, position);
    }
  }
  return walls;
}

// Bodies on a lattice, three along each side, with velocities drawn by the seed.
std::string gas_scene(const Gas& gas, const char* law, double step, double duration, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> speed(-1.5, 1.5);
  std::string bodies;
  const int layers = gas.dimensions == 3 ? 3 : 1;
  for (int i = 0; i < 9 * layers; ++i) {
    std::string position, velocity;
    for (int k = 0, cell = i; k < gas.dimensions; ++k, cell /= 3) {
      position += fmt::format("{}{:.6g}", k ? ", " : "", 0.2 + 0.3 * (cell % 3));
      velocity += fmt::format("{}{:.6g}", k ? ", " : "", speed(random));
    }
    bodies += fmt::format("  b{}: {{{}, mass: 1, position: [{}], velocity: [{}]}}\n", i, gas.shape, position, velocity);
  }
  return fmt::format(R"(
gravity: [{}]
defaults: {{contact: {{restitution: 1, friction: 0}}}}
bodies:
{}{}collide: all
law: {{type: {}{}}}
integrator: {{step: {}, duration: {}}}
)",
                     gas.dimensions == 3 ? "0, 0, 0" : "0, 0", box(gas.dimensions), bodies, law,
                     std::string(law) == "moreau" ? ", restitution: 1" : "", step, duration);
}

}  // namespace

TEST_CASE("an elastic gas keeps its energy under newton and moreau, at any step that resolves its impacts") {
  const Gas gases[] = {{"shape: disk, radius: 0.08", 2},
                       {"shape: block, size: [0.15, 0.1]", 2},
                       {"shape: rod, length: 0.2, thickness: 0.04", 2},
                       {"shape: sphere, radius: 0.08", 3}};
  for (const Gas& gas : gases) {
    for (const char* law : {"newton", "moreau"}) {
      for (const double step : {5e-4, 4e-3}) {
        CAPTURE(gas.shape);
        CAPTURE(law);
        CAPTURE(step);
        const Scene scene = read_scene_text(gas_scene(gas, law, step, 4, 7), "gas");
        const SceneRunResult result = run(scene);
        const double gained = result.end.energy.total() / result.end.energy.initial - 1;
        CHECK(result.impacts.size() > 100);
        CHECK(std::abs(gained) < 1e-11);
      }
    }
  }
}

// The classical directions, for comparison: they do gain.
TEST_CASE("elastic disks heat up where the normals of both ends of a step are used") {
  Scene scene = read_scene_text(gas_scene({"shape: disk, radius: 0.08", 2}, "newton", 4e-3, 4, 7), "gas");
  scene.integrator.classical_directions = true;
  const SceneRunResult result = run(scene);
  CHECK(result.end.energy.total() > 1.001 * result.end.energy.initial);
}

}  // namespace carom::testing
