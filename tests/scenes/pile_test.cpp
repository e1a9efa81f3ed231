// Piles in time: many contacts with friction, none of them left unsolved.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "config/scene_run.h"
#include "engine/thread_team.h"
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

// With gaps of a tenth of a millimetre: nearly all disks touch after a few steps.
constexpr const char* dense_box_of_disks = R"(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.3, restitution: 0}}
bodies:
  floor: {shape: plane}
  left: {shape: plane, normal: [1, 0]}
  right: {shape: plane, position: [4.004, 0], normal: [-1, 0]}
  larger: {shape: disk, radius: 0.1, mass: 1, position: [0.1001, 0.1001],
           repeat: {count: [20, 10], spacing: [0.2002, 0.342]}}
  smaller: {shape: disk, radius: 0.098, mass: 0.96, position: [0.2002, 0.2711],
            repeat: {count: [19, 10], spacing: [0.2002, 0.342]}}
collide: all
law: newton
integrator: {step: 2e-3, duration: 0.05}
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

// Rows of touching disks, each in the gaps of the one below: most are held by more contacts than they need.
constexpr const char* lattice_of_disks = R"(
gravity: [0, -9.81]
defaults: {body: {shape: disk, radius: 0.1, mass: 1}, contact: {friction: 0.2, restitution: 0}}
bodies:
  floor: {shape: plane}
  left: {shape: plane, normal: [1, 0]}
  right: {shape: plane, position: [1.6, 0], normal: [-1, 0]}
  even: {position: [0.1, 0.1], repeat: {count: [8, 4], spacing: [0.2, 0.34641016151377546]}}
  odd: {position: [0.2, 0.27320508075688772], repeat: {count: [7, 4], spacing: [0.2, 0.34641016151377546]}}
collide: all
law: newton
integrator: {step: 2e-3, theta: 1, duration: 0.4}
)";

// Spheres in corners and along walls: friction holds them at more contacts than they have freedom.
constexpr const char* box_of_spheres = R"(
gravity: [0, 0, -9.81]
defaults: {body: {shape: sphere, mass: 1}, contact: {friction: 0.5, restitution: 0}}
bodies:
  floor: {shape: plane, normal: [0, 0, 1]}
  left: {shape: plane, normal: [1, 0, 0]}
  right: {shape: plane, normal: [-1, 0, 0], position: [0.47, 0, 0]}
  front: {shape: plane, normal: [0, 1, 0]}
  back: {shape: plane, normal: [0, -1, 0], position: [0, 0.47, 0]}
  even: {radius: 0.05, position: [0.06, 0.06, 0.06], velocity: [0.3, 0.1, 0],
         repeat: [{count: 4, offset: [0.113, 0.003, 0.004]}, {count: 4, offset: [0.002, 0.112, 0.003]},
                  {count: 2, offset: [0.004, 0.001, 0.26]}]}
  odd: {radius: 0.045, position: [0.07, 0.065, 0.18], velocity: [-0.2, 0.2, 0],
        repeat: [{count: 4, offset: [0.11, 0.002, 0.003]}, {count: 4, offset: [0.004, 0.111, 0.002]}]}
collide: all
integrator: {step: 2e-3, duration: 0.4}
law: )";

// Two-point contacts between planar blocks: more of them than the blocks have freedom.
constexpr const char* wall_of_bricks = R"(
gravity: [0, -9.81]
defaults: {contact: {friction: 0.4, restitution: 0.1}}
bodies:
  floor: {shape: plane}
  brick: {shape: block, size: [0.2, 0.1], mass: 1, position: [0, 0.05],
          repeat: [{count: 3, offset: [0.2001, 0]}, {count: 6, offset: [0, 0.1]}]}
  ball: {shape: disk, radius: 0.08, mass: 3, position: [-0.2, 0.35], velocity: [5, 0.5]}
collide: all
integrator: {step: 2e-4, duration: 0.05}
law: )";

// A state that is asked for now and then, and a run that goes on from it.
void check_that_it_resumes(Scene scene, const char* law) {
  CAPTURE(law);
  scene.law = {law, {}};
  SceneRun run(scene);
  Simulation& simulation = run.simulation();
  run.start();
  for (int k = 0; k < 60; ++k) {
    const SimulationState state = simulation.state();
    SceneRun from_state(scene);
    Simulation& other = from_state.simulation();
    other.resume(state);
    for (int step = 0; step <= k % 3; ++step) {
      simulation.step(nullptr);
      other.step(nullptr);
    }
    CHECK(other.state().q == simulation.state().q);
    CHECK(other.state().u == simulation.state().u);
    CHECK(other.state().energy.work_contact == simulation.state().energy.work_contact);
    REQUIRE(other.state().impulses.size() == simulation.state().impulses.size());
    bool same = true;
    for (std::size_t i = 0; i < other.state().impulses.size(); ++i)
      same = same && other.state().impulses[i].value == simulation.state().impulses[i].value;
    CHECK(same);
  }
  CHECK(simulation.state().impulses.size() > 60);
}

}  // namespace

TEST_CASE("a ball hits a wall of bricks: no step fails and no energy is gained, under newton and poisson") {
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    double first = HUGE_VAL;
    const testing::SceneRunResult result =
        testing::run_text(std::string(wall_of_bricks) + law, [&](const Sample& sample) {
          if (first == HUGE_VAL) first = sample.energy.total();
          CHECK(sample.energy.total() <= first * (1 + 1e-6));
        });
    CHECK(result.counts.impacts > 10);
    CHECK(result.end.energy.total() < 0.999 * first);
  }
}

TEST_CASE("two hundred disks fall into a box: no step fails, no energy is gained, none sinks into the floor") {
  double energy = HUGE_VAL, deepest = 0;
  const testing::SceneRunResult result = testing::run_text(box_of_disks, [&](const Sample& sample) {
    CHECK(sample.energy.total() <= energy * (1 + 1e-8));  // what steps are solved to
    energy = sample.energy.total();
    for (Index i = 0; i < sample.q->size(); i += 3) deepest = std::max(deepest, least_radius - (*sample.q)(i + 1));
  });
  CHECK(result.end.impulses.size() > 100);
  CHECK(deepest < 0.01);
}

TEST_CASE("a lattice of disks comes to rest, below what the solver is asked for") {
  int steps = 0, moved = 0;
  Vec before;
  testing::run_text(lattice_of_disks, [&](const Sample& sample) {
    Vec centres = *sample.q;
    for (Index i = 2; i < centres.size(); i += 3) centres(i) = 0;
    if (++steps > 100) {
      CHECK(sample.u->cwiseAbs().maxCoeff() < 1e-14);
      moved += centres != before;
    }
    before = centres;
  });
  CHECK(steps == 200);
  CHECK(moved == 0);
}

// At rest contacts, rows, velocities and impulses are kept from step to step; a run that goes on from a state has none
// of them.
TEST_CASE("a pile at rest goes on from a state as it went on without, bit by bit") {
  for (const char* law : {"newton", "poisson"})
    check_that_it_resumes(read_scene_text(lattice_of_disks, "lattice"), law);
}

TEST_CASE("a pile that one disk leaves goes on from a state as it went on without, bit by bit") {
  Scene scene = read_scene_text(lattice_of_disks, "lattice");
  scene.u(scene.u.size() - 2) = 1;  // the last disk, on top
  check_that_it_resumes(scene, "newton");
}

TEST_CASE("a column that lands goes on from a state as it went on without, bit by bit") {
  const Scene scene = read_scene_text(R"(
model: {type: ball-chain, balls: 80, radius: 0.01, velocity: 0, gravity: 9.81, wall: left, wall_gap: 1e-5}
law: newton
integrator: {step: 1e-3, duration: 1}
)",
                                      "column");
  check_that_it_resumes(scene, "inelastic");
}

TEST_CASE("a pile of four hundred disks takes the same course, bit by bit, for any number of threads") {
  const int before = step_threads();
  SimulationState alone;
  for (const int threads : {1, 2, 3}) {
    set_step_threads(threads);
    const SimulationState end = testing::run_text(dense_box_of_disks).end;
    if (threads == 1) alone = end;
    CHECK(end.impulses.size() > 600);
    CHECK(end.q == alone.q);
    CHECK(end.u == alone.u);
    CHECK(end.energy.total() == alone.energy.total());
  }
  set_step_threads(before);
}

TEST_CASE(
    "forty-eight rough spheres fall into a box in space: no step fails, no energy is gained, none sinks into it") {
  for (const char* law : {"newton", "moreau"}) {
    CAPTURE(law);
    double energy = HUGE_VAL, deepest = 0;
    const testing::SceneRunResult result =
        testing::run_text(std::string(box_of_spheres) + law, [&](const Sample& sample) {
          CHECK(sample.energy.total() <= energy * (1 + 1e-8));  // what steps are solved to
          energy = sample.energy.total();
          for (Index i = 0; i < sample.q->size(); i += 7) deepest = std::max(deepest, 0.045 - (*sample.q)(i + 2));
        });
    CHECK(result.end.step == 200);
    CHECK(result.end.impulses.size() > 80);
    CHECK(deepest < 0.005);
  }
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
