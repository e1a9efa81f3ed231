// Values of a scene that look right and are not: units that do not fit, materials that nothing names, expressions
// without a value.

#include <doctest/doctest.h>

#include "tests/unit/scene_text.h"

using namespace carom;
using testing::complaint;

TEST_CASE("degrees are for angles") {
  CHECK(complaint("gravity: [0, -9.81 deg]\n"
                  "bodies:\n"
                  "  a: {shape: disk, radius: 1, mass: 1, position: [1 deg, 3], velocity: [0, 2 deg]}\n"
                  "contacts:\n"
                  "  c: {body: a, plane: {}, restitution: 30 deg}\n") ==
        "f.yaml:1:14: gravity[1]: must be a number without 'deg': it is no angle\n"
        "f.yaml:3:51: bodies.a.position[0]: must be a number without 'deg': it is no angle\n"
        "f.yaml:3:76: bodies.a.velocity[1]: must be a number without 'deg': it is no angle\n"
        "f.yaml:5:40: contacts.c.restitution: must be a number without 'deg': it is no angle");
  CHECK(complaint("bodies:\n"
                  "  a: {shape: disk, radius: 1, mass: 1, angle: 30 deg, angular_velocity: 10 deg}\n"
                  "  b: {shape: disk, radius: 1, mass: 1, position: [3, 0],\n"
                  "      repeat: {count: 2, offset: [3, 0], angle: 5 deg, angular_velocity: 1 deg}}\n"
                  "forces: [{torsion: [a, b1], stiffness: 1, rest: 20 deg}]\n"
                  "initial: {a.angle: 3 deg}\n") == "");
  CHECK(complaint("gravity: [0, 0, 0]\n"
                  "bodies:\n"
                  "  a: {shape: sphere, radius: 1, mass: 1, orientation: {axis: [0, 0, 1], angle: 30 deg},\n"
                  "      angular_velocity: [0, 10 deg, 0]}\n") == "");
}

TEST_CASE("degrees are for angles of a model and of an initial state too") {
  const std::string no_angle = ": must be a number without 'deg': it is no angle";
  CHECK(complaint("model: {type: double-pendulum, mass: 2 deg, length: [1, 2 deg], restitution: 30 deg,\n"
                  "        position: [20 deg, 30 deg], velocity: 5 deg}\n") ==
        "f.yaml:1:38: model.mass" + no_angle + "\nf.yaml:1:57: model.length[1]" + no_angle +
            "\nf.yaml:1:78: model.restitution" + no_angle);
  CHECK(complaint("model: {type: rocking-block, angle: 3 deg, velocity: [0, 0, 10 deg]}\n") == "");
  CHECK(complaint("model: {type: rocking-block, position: [0, 1 deg, 10 deg]}\n") ==
        "f.yaml:1:44: model.position[1]" + no_angle);
  CHECK(complaint("model: {type: woodpecker, velocity: [1 deg, 2 deg, 3 deg]}\n") ==
        "f.yaml:1:38: model.velocity[0]" + no_angle);
  CHECK(complaint("model: ball\nlaw: {type: moreau, restitution: 30 deg}\n") ==
        "f.yaml:2:34: law.restitution" + no_angle);
  const std::string disk = "bodies: {a: {shape: disk, radius: 1, mass: 1}}\n";
  CHECK(
      complaint(disk + "initial: {a.x: 3 deg, q: {a.y: 1 deg, a.angle: 2 deg}, u: {a.omega: 2 deg, a.vx: 2 deg}}\n") ==
      "f.yaml:2:16: initial.a.x" + no_angle + "\nf.yaml:2:32: initial.q.a.y" + no_angle +
          "\nf.yaml:2:82: initial.u.a.vx" + no_angle);
}

TEST_CASE("numbers have no units behind them but degrees") {
  const auto with = [](const std::string& value) {
    return complaint("bodies: {a: {shape: disk, radius: 1, mass: 1, angle: " + value + "}}\n");
  };
  const auto told = [](const std::string& value) {
    return "f.yaml:1:54: bodies.a.angle: '" + value +
           "' has a unit behind it; numbers are in SI units, without their names";
  };
  for (const char* value : {"5 cm", "5cm", "1 rad", "2 m/s²"}) CHECK(with(value) == told(value));
  for (const char* value : {"30°", "30 °", "30deg", "30 degrees"})
    CHECK(with(value) == told(value) + ", and degrees are written 30 deg");
  for (const char* good : {"30 deg", "30  deg", "1e0"}) CHECK(with(good) == "");
}

TEST_CASE("a material that no pair names is misspelt, unless the file says what it takes") {
  const auto scene = [](const std::string& pairs, const std::string& material) {
    return "materials: [" + pairs +
           "]\n"
           "bodies:\n"
           "  a: {shape: disk, radius: 1, mass: 1, material: " +
           material +
           "}\n"
           "contacts: {c: {body: a, plane: {point: [0, -2], material: steel}}}\n";
  };
  const std::string steel = "{between: [steel, steel], restitution: 0.9}", others = ", {between: ['*', '*']}";
  CHECK(complaint(scene(steel + others, "stel")) ==
        "f.yaml:3:50: bodies.a.material: no pair of 'materials' names 'stel' (did you mean 'steel'?)");
  CHECK(complaint(scene(steel, "wood")) == "f.yaml:3:50: bodies.a.material: no pair of 'materials' names 'wood'");
  CHECK(complaint(scene(steel + others, "wood")) == "");
  CHECK(complaint("defaults: {contact: {friction: 0.3}}\n" + scene(steel, "wood")) == "");
  CHECK(complaint(scene(steel + ", {between: [stel, '*']}", "stel")) == "");
  CHECK(complaint(scene("{between: [wood, '*']}", "wood") + "law: newton\n") == "");
}

TEST_CASE("a constant without a value is a mistake") {
  const auto load = [](const std::string& force) {
    return "bodies: {a: {shape: disk, radius: 1, mass: 1}}\nforces: [{load: a, force: ['" + force + "', 0]}]\n";
  };
  CHECK(complaint(load("1/0")) == "f.yaml:2:28: forces[0].force[0]: '1/0' is not a finite number");
  CHECK(complaint(load("sqrt(-1)")) == "f.yaml:2:28: forces[0].force[0]: 'sqrt(-1)' is not a finite number");
  CHECK(complaint(load("1/(t - 3)")) == "");
}

TEST_CASE("a key that an option puts below a value tells the place of the value") {
  CHECK(complaint("bodies: {a: {shape: disk, radius: 1, mass: 1}}\nintegrator: 5\n", {{"integrator.duration=1"}}) ==
        "--set integrator.duration=1: 'integrator' has no key 'duration' below it: in the file it is '5', not a map "
        "(f.yaml:2:13)");
}
