// A steady step allocates nothing, whether it flies or touches, whether the law is in inclusion form or split off.

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "config/scene_run.h"
#include "solvers/laws/list.h"
#include "tests/allocations/counted.h"

using namespace carom;

namespace {

enum class Course { flight, contact };

struct Steady {
  std::string name;
  Course course;
  int before;  // steps until it is steady
  std::string yaml;
};

constexpr int steady_steps = 200;

class Run {
 public:
  explicit Run(const std::string& yaml) : run_(read_scene_text(yaml, "steady")) { run_.start(); }
  void step(int count) {
    for (int k = 0; k < count; ++k) run_.simulation().step(nullptr);
  }
  bool touches() const { return !run_.simulation().state().impulses.empty(); }
  long impacts() const { return static_cast<long>(run_.simulation().counts().impacts); }

 private:
  SceneRun run_;
};

const std::string pendulum = R"(
model: {type: double-pendulum, mass: 3, length: 2, position: [20 deg, 30 deg], velocity: [-0.1, -0.2],
        contact: floor, restitution: 0.5, friction: 0.5}
integrator: {step: 1e-4, duration: 2}
)";

const std::string hinged_rods = R"yaml(
gravity: [0, -9.81]
defaults:
  body: {shape: rod, length: 2, mass: 3}
bodies:
  upper: {angle: -70 deg, angular_velocity: -0.1}
  lower: {angle: -60 deg, angular_velocity: -0.2}
joints:
  - {revolute: [world, upper], at: start, point: [0, 0]}
  - {revolute: [upper, lower], at: {upper: end, lower: start}}
contacts:
  tip: {point: lower.end, plane: {point: [0, "-2*(cos(pi/9) + cos(pi/6))"]}, restitution: 0.5, friction: 0.5}
integrator: {step: 1e-4, duration: 2}
)yaml";

const std::string disks = R"(
gravity: [0, -9.81]
defaults:
  contact: {friction: 0.3, restitution: 0}
bodies:
  floor: {shape: plane, normal: [0, 1], position: [0, 0]}
  left: {shape: plane, normal: [1, 0], position: [0, 0]}
  right: {shape: plane, normal: [-1, 0], position: [0.6018, 0]}
  larger: {shape: disk, radius: 0.1, mass: 1, position: [0.1003, 0.1001],
           repeat: {count: [3, 2], spacing: [0.2006, 0.3476]}}
  smaller: {shape: disk, radius: 0.095, mass: 0.9, position: [0.2006, 0.2739],
            repeat: {count: [2, 2], spacing: [0.2006, 0.3476]}}
collide: all
integrator: {step: 2e-3, theta: 1, duration: 100}
)";

// Disks in the notches of the row below.
const std::string large_pile = R"yaml(
gravity: [0, -9.81]
defaults:
  contact: {friction: 0.5, restitution: 0}
bodies:
  floor: {shape: plane, normal: [0, 1]}
  left: {shape: plane, normal: [1, 0]}
  right: {shape: plane, normal: [-1, 0], position: [2, 0]}
  even: {shape: disk, radius: 0.1, mass: 1, position: [0.1, 0.1],
         repeat: {count: [10, 10], spacing: [0.2, "0.2*sqrt(3)"]}}
  odd: {shape: disk, radius: 0.1, mass: 1, position: [0.2, "0.1 + 0.1*sqrt(3)"],
        repeat: {count: [9, 10], spacing: [0.2, "0.2*sqrt(3)"]}}
collide: all
integrator: {step: 2e-3, theta: 1, duration: 100}
)yaml";

const std::string blocks = R"(
gravity: [0, -9.81]
defaults:
  contact: {friction: 0.5, restitution: 0}
bodies:
  floor: {shape: plane}
  block: {shape: block, size: [0.2, 0.1], mass: 1, position: [0, 0.05], repeat: {count: [COUNT, 1], spacing: [0.3, 0.1]}}
collide: all
integrator: {step: 1e-3, duration: 100}
)";

const std::string sphere = R"(
gravity: [0, 0, -9.81]
bodies:
  floor: {shape: plane, normal: [0, 0, 1]}
  ball: {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1], velocity: [1, 0, 0], angular_velocity: [5, 0, 0]}
contacts:
  foot: {between: [ball, floor], friction: 0.2}
integrator: {step: 1e-3, duration: 10}
)";

const std::string sliding_sphere = R"(
gravity: [0, 0, -9.81]
bodies:
  floor: {shape: plane, normal: [0, 0, 1]}
  ball: {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1], velocity: [3, 1, 0], angular_velocity: [5, 0, 2]}
contacts:
  foot: {between: [ball, floor], friction: FRICTION}
integrator: {step: 1e-3, duration: 10}
)";

const std::string sliding_block = R"(
gravity: [0, 0, -9.81]
defaults:
  contact: {friction: 0.1}
bodies:
  floor: {shape: plane, normal: [0, 0, 1]}
  block: {shape: block, size: [0.4, 0.3, 0.2], mass: 1, position: [0, 0, 0.1], velocity: [3, 1, 0]}
collide: all
integrator: {step: 1e-3, duration: 10}
)";

// Joined to nothing, driven by prescribed motions alone.
const std::string driven_plate = R"yaml(
gravity: [0, -9.81]
bodies:
  plate: {shape: block, size: [1, 0.1], mass: 1}
  disk: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.15]}
joints:
  - {motion: plate.x, as: "0.05*sin(3*t)"}
  - {motion: plate.y, as: "0.02*sin(2*t)"}
  - {motion: plate.angle, as: "0"}
contacts:
  foot: {between: [disk, plate], friction: 0.5}
integrator: {step: 1e-3, duration: 10}
)yaml";

const std::string trapezoids = R"(
gravity: [0, -9.81]
defaults:
  contact: {friction: 0.5, restitution: 0.3}
bodies:
  floor: {shape: plane}
  trapezoid: {shape: polygon, vertices: [[-0.1, -0.05], [0.1, -0.05], [0.08, 0.05], [-0.08, 0.05]], mass: 1,
              position: [0, 0.05], repeat: {count: [1, 3], spacing: [0.3, 0.1]}}
collide: all
integrator: {step: 1e-3, duration: 10}
)";

const std::string spheres = R"(
gravity: [0, 0, -9.81]
defaults:
  contact: {friction: 0.4, restitution: 0.3}
bodies:
  floor: {shape: plane, normal: [0, 0, 1]}
  sphere: {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1],
           repeat: {count: [3, 3, 1], spacing: [0.25, 0.25, 0.2]}}
collide: all
integrator: {step: 1e-3, duration: 10}
)";

// Rods in a row, each hinged to the next: hanging askew from the origin, or lying on a rough plane.
std::string hinged_links(int links, bool on_plane, const std::string& motion_of_last = "") {
  std::string bodies, joints, contacts;
  for (int i = 0; i < links; ++i) {
    const std::string own = "link-" + std::to_string(i), before = "link-" + std::to_string(i - 1);
    bodies += "  " + own + ": {position: [" + std::to_string(0.1 * i + 0.05) + ", 0]}\n";
    if (i > 0)
      joints += "  - {revolute: [" + before + ", " + own + "], at: {" + before + ": end, " + own + ": start}}\n";
    contacts += "  foot-" + std::to_string(i) + ": {point: " + own + ".start, plane: {point: [0, 0]}, friction: 0.3}\n";
  }
  if (on_plane) {
    contacts = "contacts:\n" + contacts + "  end: {point: link-" + std::to_string(links - 1) +
               ".end, plane: {point: [0, 0]}, friction: 0.3}\n";
  } else {
    contacts.clear();
    bodies = std::regex_replace(bodies, std::regex("position: [^}]*"), "angle: -60 deg");
    joints = "  - {revolute: [world, link-0], at: start, point: [0, 0]}\n" + joints;
  }
  if (!motion_of_last.empty())
    joints += "  - {motion: link-" + std::to_string(links - 1) + ".x, as: \"" + motion_of_last + "\"}\n";
  return "gravity: [0, -9.81]\ndefaults:\n  body: {shape: rod, length: 0.1, mass: 0.1}\nbodies:\n" + bodies +
         "joints:\n" + joints + contacts + "integrator: {step: 1e-4, duration: 10}\n";
}

std::string with(std::string yaml, const std::string& word, const std::string& value) {
  return yaml.replace(yaml.find(word), word.size(), value);
}

// "newton", or "newton, located": a law, and the scheme if it is another one.
std::string by(const std::string& law, const std::string& yaml) {
  const std::size_t comma = law.find(", ");
  const std::string scheme = comma == std::string::npos ? "moreau-jean" : law.substr(comma + 2);
  return with(yaml, "integrator: {", "integrator: {scheme: " + scheme + ", ") + "law: " + law.substr(0, comma) + "\n";
}

std::string ball(double height) {
  return "model: {type: ball, restitution: 0.5, position: " + std::to_string(height) +
         "}\nintegrator: {step: 1e-3, duration: 100}\n";
}

std::string chain(int balls) {
  return "model: {type: ball-chain, balls: " + std::to_string(balls) +
         ", radius: 0.01, velocity: 0, gravity: 9.81, wall: left, restitution: 0.5}\n"
         "integrator: {step: 1e-3, duration: 100}\n";
}

const std::vector<Steady>& steady_scenes() {
  static const std::vector<Steady> scenes = {
      {"a ball in flight", Course::flight, 10, ball(2)},
      {"a ball at rest", Course::contact, 3000, ball(0.2)},
      {"Kane's pendulum in flight", Course::flight, 20, pendulum},
      {"Kane's pendulum sliding", Course::contact, 6000, pendulum},
      {"Kane's pendulum as hinged rods in flight", Course::flight, 20, hinged_rods},
      {"Kane's pendulum as hinged rods sliding", Course::contact, 6000, hinged_rods},
      {"a chain of 10 balls", Course::contact, 20, chain(10)},
      {"a chain of 100 balls", Course::contact, 20, chain(100)},
      {"a pile of disks with friction", Course::contact, 2000, disks},
      {"a pile of 190 disks with friction", Course::contact, 200, large_pile},
      {"a block on a plane", Course::contact, 20, with(blocks, "COUNT", "1")},
      {"40 blocks on a plane", Course::contact, 20, with(blocks, "COUNT", "40")},
      {"a sphere rolling", Course::contact, 400, sphere},
      {"a sphere sliding", Course::contact, 20, with(sliding_sphere, "FRICTION", "0.05")},
      {"a sphere sliding, orthotropic friction", Course::contact, 20, with(sliding_sphere, "FRICTION", "[0.03, 0.06]")},
      {"a block sliding in space", Course::contact, 20, sliding_block},
      {"100 hinged links swinging", Course::flight, 20, hinged_links(100, false)},
      {"40 hinged links lying on a rough plane", Course::contact, 300, hinged_links(40, true)},
      {"60 hinged links dragged to and fro", Course::contact, 300, hinged_links(60, true, "5.95 + 0.05*sin(5*t)")},
      {"a disk on a driven plate", Course::contact, 400, driven_plate},
      {"a stack of trapezoids", Course::contact, 300, trapezoids},
      {"9 spheres on a plane", Course::contact, 20, spheres},
      {"elastic rods of 90 pieces pressed together", Course::contact, 50,
       "model: {type: elastic-rods, pieces: 30}\nintegrator: {step: 1e-3, duration: 10}\n"},
      {"elastic rods of 90 pieces apart", Course::flight, 20,
       "model: {type: elastic-rods, pieces: 30, gap: 0.9}\nintegrator: {step: 1e-3, duration: 10}\n"},
      {"a woodpecker on its torsion spring", Course::contact, 20,
       "model: {type: woodpecker}\nintegrator: {step: 1e-5, duration: 1}\n"},
  };
  return scenes;
}

}  // namespace

TEST_CASE("The count sees operator new and Eigen") {
  if (!testing::allocations_are_counted()) return;
  const long before = testing::allocations();
  const auto number = std::make_unique<double>(1);
  const long between = testing::allocations();
  const Vec vector = Vec::Constant(3, *number);
  CHECK(between > before);
  CHECK(testing::allocations() > between);
  CHECK(vector.sum() == 3);
}

TEST_CASE("A steady step allocates nothing") {
  if (!testing::allocations_are_counted()) return;
  for (const Steady& steady : steady_scenes()) {
    for (const std::string law : {"newton", "poisson"}) {
      CAPTURE(steady.name);
      CAPTURE(law);
      Run run(by(law, steady.yaml));
      run.step(steady.before);
      const long impacts = run.impacts();
      long allocated = 0;
      bool as_named = true;
      for (int k = 0; k < steady_steps; ++k) {
        const long before = testing::allocations();
        run.step(1);
        allocated += testing::allocations() - before;
        as_named = as_named && run.touches() == (steady.course == Course::contact);
      }
      CHECK(as_named);
      CHECK(run.impacts() == impacts);
      CHECK(allocated == 0);
    }
  }
}

TEST_CASE("A steady step with located impacts allocates nothing") {
  if (!testing::allocations_are_counted()) return;
  const std::pair<std::string, int> scenes[] = {
      {ball(2), 10},    {ball(0.2), 3000}, {pendulum, 6000},    {hinged_rods, 6000},
      {chain(100), 20}, {sphere, 400},     {driven_plate, 400}, {with(blocks, "COUNT", "3"), 20}};
  for (const auto& [yaml, before] : scenes) {
    CAPTURE(yaml);
    Run run(by("newton, located", yaml));
    run.step(before);
    const long impacts = run.impacts(), allocated = testing::allocations();
    run.step(steady_steps);
    CHECK(run.impacts() == impacts);
    CHECK(testing::allocations() == allocated);
  }
}

TEST_CASE("At rest no law makes a step allocate") {
  if (!testing::allocations_are_counted()) return;
  const std::string scenes[] = {ball(0.2), with(blocks, "COUNT", "3"), spheres};
  for (const std::string& scene : scenes)
    for (const LawEntry& law : impact_laws()) {
      CAPTURE(scene);
      CAPTURE(law.name);
      const bool smooth = law.name == "compliant";  // it has no friction
      Run run((smooth ? std::regex_replace(scene, std::regex("friction: [0-9.]*"), "friction: 0") : scene) +
              "law: " + law.name + "\n");
      run.step(3000);
      const long impacts = run.impacts();
      const long before = testing::allocations();
      run.step(steady_steps);
      CHECK(run.touches());
      CHECK(run.impacts() == impacts);
      CHECK(testing::allocations() == before);
    }
}

TEST_CASE("An impact like those before it allocates nothing") {
  if (!testing::allocations_are_counted()) return;
  const std::string scenes[] = {"model: {type: ball, restitution: 0.95}\nintegrator: {step: 1e-3, duration: 100}\n",
                                "model: {type: disk-on-plane, velocity: [1, 4, 3], restitution: 0.95, friction: 0.3}\n"
                                "integrator: {step: 1e-3, duration: 100}\n"};
  for (const std::string& scene : scenes)
    for (const std::string law : {"newton", "poisson", "stronge", "newton, located", "stronge, located"}) {
      CAPTURE(scene);
      CAPTURE(law);
      Run run(by(law, scene));
      run.step(3000);
      const long impacts = run.impacts();
      const long before = testing::allocations();
      run.step(3000);
      CHECK(run.impacts() > impacts + 2);
      CHECK(testing::allocations() == before);
    }
}
