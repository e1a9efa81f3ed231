// Assemblies of the catalogue end where they should: what stands keeps standing, what falls comes to rest.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/scenes/run_scene.h"

using namespace carom;
using namespace carom::testing;

namespace {

struct Ended {
  Scene scene;
  SceneRunResult run;

  Index place(const std::string& coordinate) const {
    const std::vector<Coordinate> all = scene.system->positions();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Coordinate& c) { return c.name == coordinate; });
    REQUIRE(at != all.end());
    return at - all.begin();
  }
  double at(const std::string& coordinate) const { return run.end.q(place(coordinate)); }
  double last_impact() const { return run.impacts.empty() ? 0 : run.impacts.back().time; }
};

Ended shipped(const std::string& name, const std::vector<Setting>& overrides = {}) {
  Scene scene = read_scene(CAROM_SOURCE "/config/scenes/" + name + ".yaml", {overrides});
  SceneRunResult result = run(scene);
  return {std::move(scene), std::move(result)};
}

}  // namespace

TEST_CASE("arches in the plane and in space stand without an impact and without creeping") {
  for (const char* name : {"arch", "arch-in-space"}) {
    CAPTURE(name);
    const Ended arch = shipped(name);
    CHECK(arch.run.impacts.empty());
    CHECK((arch.run.end.q - arch.scene.q).cwiseAbs().maxCoeff() < 1e-11);
    CHECK(arch.run.end.u.cwiseAbs().maxCoeff() < 1e-11);
  }
}

TEST_CASE("an arch whose stones are smooth falls") {
  const Ended arch = shipped("arch", {"defaults.contact.friction=0.1", "integrator.duration=0.5"});
  CHECK(arch.at("stone5.y") < 0.7);
}

TEST_CASE("dominoes fall one after the other, along a row and along a curve, and lie still") {
  const Ended row = shipped("dominoes");
  for (int k = 1; k <= 9; ++k) CHECK(row.at("next" + std::to_string(k) + ".angle") < -0.5);
  CHECK(row.run.end.u.cwiseAbs().maxCoeff() < 1e-9);
  CHECK(row.last_impact() < 0.6);
  const Ended curve = shipped("dominoes-on-a-curve");
  for (int k = 1; k <= 7; ++k) CHECK(curve.at("next" + std::to_string(k) + ".z") < 0.015);
  CHECK(curve.run.end.u.cwiseAbs().maxCoeff() < 1e-9);
  CHECK(curve.last_impact() < 0.7);
}

TEST_CASE("a chain of capsules comes to rest on rough ground") {
  const Ended chain = shipped("capsule-chain");
  for (int k = 1; k <= 5; ++k)
    CHECK(chain.at("link" + std::to_string(k) + ".z") == doctest::Approx(0.03).epsilon(0.06));
  CHECK(chain.run.end.u.cwiseAbs().maxCoeff() < 1e-9);
  CHECK(chain.last_impact() < 0.5);
}

TEST_CASE("spheres and boxes run through a hopper and stay in the tray below") {
  const Ended hopper = shipped("hopper");
  for (const char* name : {"ball1", "ball2", "ball3", "ball4", "box1", "box2", "box3", "box4"}) {
    CAPTURE(name);
    CHECK(hopper.at(std::string(name) + ".z") < 0.1);
    CHECK(std::abs(hopper.at(std::string(name) + ".x")) < 0.2);
    CHECK(std::abs(hopper.at(std::string(name) + ".y")) < 0.2);
  }
}

TEST_CASE("a brick wall stands until a ball strikes it, and only some of its bricks move") {
  const Ended still =
      shipped("brick-wall", {"bodies.ball.velocity=[0, 0, 0]", "bodies.ball.position=[0.02, -0.25, 0.05]"});
  CHECK(still.run.impacts.empty());
  CHECK((still.run.end.q - still.scene.q).cwiseAbs().maxCoeff() < 1e-9);
  const Ended struck = shipped("brick-wall");
  CHECK(struck.at("high2.z") < 0.1);  // pushed off
  CHECK(struck.at("low1.z") == doctest::Approx(0.03).epsilon(0.02));
  CHECK(struck.last_impact() < 0.9);
}

TEST_CASE("a gas of elastic disks keeps its energy") {
  const Ended gas = shipped("elastic-gas");
  CHECK(gas.run.impacts.size() > 200);
  const EnergyLedger& energy = gas.run.end.energy;
  CHECK(std::abs(energy.total() - energy.initial) < 1e-12 * energy.initial);
}
