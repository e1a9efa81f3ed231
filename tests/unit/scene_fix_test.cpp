// --fix on mechanisms that start far from any state that meets joints and contacts.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include "config/scene.h"
#include "engine/simulation.h"

using namespace carom;

namespace {

// The coupler's point strikes an anvil from above. Angles in degrees.
std::string four_bar(int crank, int coupler, int rocker) {
  return fmt::format(
      "defaults: {{body: {{shape: rod}}}}\n"
      "bodies:\n"
      "  crank: {{length: 0.3, mass: 0.5, angle: {} deg, angular_velocity: 12}}\n"
      "  coupler: {{length: 0.8, mass: 1, angle: {} deg}}\n"
      "  rocker: {{length: 0.6, mass: 0.8, angle: {} deg}}\n"
      "joints:\n"
      "  - {{revolute: [world, crank], at: start, point: [0, 0]}}\n"
      "  - {{revolute: [crank, coupler], at: {{crank: end, coupler: start}}}}\n"
      "  - {{revolute: [coupler, rocker], at: {{coupler: end, rocker: end}}}}\n"
      "  - {{revolute: [world, rocker], at: start, point: [0.9, 0]}}\n"
      "contacts:\n"
      "  hit: {{point: {{body: coupler, at: [0.2, 0]}}, plane: {{point: [0, 0.35]}}, restitution: 0.4}}\n"
      "law: newton\n",
      crank, coupler, rocker);
}

}  // namespace

TEST_CASE("--fix assembles a loop over its contact from any angles") {
  for (int crank = 0; crank < 360; crank += 40) {
    for (const int rocker : {-60, 30, 85, 150}) {
      CAPTURE(crank);
      CAPTURE(rocker);
      const Scene scene = read_scene_text(four_bar(crank, 20, rocker), "f.yaml", {{}, true});
      CHECK(initial_violations(*scene.system, scene.q, scene.u).empty());
    }
  }
}

TEST_CASE("--fix says that it found no state where links are too short to close") {
  std::string text = four_bar(60, 20, 85);
  text.replace(text.find("length: 0.8"), 11, "length: 0.1");
  text.replace(text.find("length: 0.6"), 11, "length: 0.2");
  CHECK_THROWS_WITH_AS(read_scene_text(text, "f.yaml", {{}, true}),
                       doctest::Contains("--fix found no state near this one"), std::exception);
}
