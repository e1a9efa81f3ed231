// Of several mistakes in a file none hides another that has nothing to do with it, and each is told once.

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "config/impact_file.h"
#include "config/sweep_file.h"
#include "tests/unit/scene_text.h"

using namespace carom;
using testing::complaint;

namespace {

std::string complaint_of_impact(const std::string& text, const std::vector<std::string>& laws = {}) {
  try {
    read_impact_file(Document::from_text(text, "f.yaml"), laws);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

std::string complaint_of_sweep(const std::string& text) {
  const char* const path = "mistaken_sweep.yaml";
  std::ofstream(path) << text;
  std::string told;
  try {
    read_sweep_file(path);
  } catch (const BadInput& e) {
    told = e.what();
  }
  std::remove(path);
  return told;
}

// The places that begin the lines, as "5:17 6:3".
std::string places(const std::string& told) {
  std::string list;
  for (std::size_t begin = 0; begin < told.size();) {
    const std::size_t end = std::min(told.find('\n', begin), told.size());
    const std::string line = told.substr(begin, end - begin);
    const std::size_t first = line.find(':') + 1, last = line.find(": ");
    list += (list.empty() ? "" : " ") + line.substr(first, last - first);
    begin = end + 1;
  }
  return list;
}

}  // namespace

TEST_CASE("raw impact problem: a coefficient that cannot be read hides none of the others") {
  const auto told = [](const std::string& contact, const std::string& law) {
    return complaint_of_impact(
        "impact:\n  mass: [[2, 0], [0, 1]]\n  velocity: [0, -1]\n  elements:\n    - {name: tip, " + contact +
        "}\nlaw: " + law + "\n");
  };
  const std::string rough = "kind: contact, normal: [0, 1], tangent: [1, 0], ";
  CHECK(places(told(rough + "restitution: 0.2, tangential_restitution: 0.9, friction: [1, 2, 3]", "poisson")) ==
        "5:85 5:124");
  CHECK(places(told(rough + "restitution: x, tangential_restitution: 0.9, friction: 1", "poisson")) == "5:80");
  CHECK(places(told(rough + "restitution: x, tangential_restitution: -2, friction: y", "newton")) == "5:80 5:83 5:121");
  CHECK(places(told("kind: contact, normal: [0, 1], restitution: x, friction: 1", "newton")) == "5:63 5:76");
  CHECK(places(told("kind: contakt, normal: [0, y], restitution: x", "newton")) == "5:25 5:46 5:63");
}

TEST_CASE("raw impact problem: coupled contacts are told beside a restitution that cannot be read") {
  const std::string told = complaint_of_impact(
      "impact:\n"
      "  mass: [[2, 0], [0, 1]]\n"
      "  velocity: [0, -1]\n"
      "  elements:\n"
      "    - {name: a, kind: contact, normal: [0, 1], restitution: x}\n"
      "    - {name: b, kind: contact, normal: [1, 1], restitution: 0.5}\n"
      "law: stronge\n");
  CHECK(places(told) == "5:61 6:17");
}

TEST_CASE("raw impact problem: a velocity off its constraint is told beside a direction that is none") {
  const std::string told = complaint_of_impact(
      "impact:\n"
      "  mass: [[2, 0], [0, 1]]\n"
      "  velocity: [1, -1]\n"
      "  elements:\n"
      "    - {name: a, kind: contact, normal: [0, 0]}\n"
      "    - {name: b, kind: bilateral, direction: [1, 0]}\n"
      "law: newton\n");
  CHECK(places(told) == "3:3 5:32");
}

TEST_CASE("a coefficient that no law takes is told with its range, one that another law takes with that") {
  const auto told = [](const char* restitution) {
    return complaint_of_impact(
        std::string(
            "impact:\n  mass: [[1]]\n  velocity: [-1]\n  elements:\n    - {name: a, kind: contact, normal: [1], "
            "restitution: ") +
        restitution + "}\nlaw: newton\n");
  };
  CHECK(told("1.5") ==
        "f.yaml:5:45: impact.elements.a: restitution 1.5 is outside the range of 'newton' (0 .. 1); poisson takes it "
        "with "
        "a warning");
  CHECK(told("-1").find("(0 .. 1); choose one within it") != std::string::npos);
}

TEST_CASE("scene: a joint, clutch, force or contact with a misnamed body is read to its end") {
  const auto told = [](const std::string& part) {
    return places(
        complaint("bodies:\n"
                  "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n"
                  "  box: {shape: block, size: [1, 1], mass: 1, position: [3, 1]}\n" +
                  part + "\n"));
  };
  CHECK(told("joints: [{revolute: [world, bal], at: {bal: [0]}, point: [0, 0, 0]}]") == "4:29 4:45 4:58");
  CHECK(told("joints: [{distance: [box, bal], length: -1, at: {box: edge}}]") == "4:27 4:41 4:55");
  CHECK(told("joints: [{distance: [world, bal], length: x}]") == "4:10 4:29 4:43");
  CHECK(told("clutches: [{rotation: [world, bal], restitution: -1, reverse: maybe}]") == "4:31 4:37 4:63");
  CHECK(told("clutches: [{translation: [world, bal], restitution: x}]") == "4:12 4:34 4:53");
  CHECK(told("forces: [{spring: [ball, bx], stiffness: -1, rest: -1}]") == "4:26 4:42 4:52");
  CHECK(told("forces: [{load: bx, force: [\"sni(t)\", 0, 1]}]") == "4:17 4:28 4:29");
  CHECK(told("contacts: {a: {body: bal, plane: {point: [x, 0]}, friction: -1, restitution: 7}}") ==
        "4:22 4:43 4:61 4:65");
  CHECK(told("contacts: {a: {between: [ball], friction: -1}}") == "4:25 4:43");
  CHECK(told("contacts: {a: {bdy: ball, friction: -1, plane: {pont: [0, 0]}}}") == "4:16 4:37 4:49");
}

TEST_CASE("scene: a restitution that cannot be read is not held against the other contacts") {
  const auto told = [](const std::string& coefficients, const std::string& law) {
    return places(
        complaint("bodies:\n"
                  "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n"
                  "contacts:\n"
                  "  a: {body: ball, plane: {point: [0, 0]}, restitution: 0.4}\n"
                  "  b: {body: ball, plane: {point: [-1, 0], normal: [1, 0]}, " +
                  coefficients + "}\nlaw: " + law + "\n"));
  };
  CHECK(told("restitution: x", "moreau") == "5:73");
  CHECK(told("eps: 0.4", "moreau") == "5:60");
  CHECK(told("restitution: x, tangential_restitution: 0.9, friction: 1", "poisson") == "5:73");
  CHECK(told("restitution: 0.2", "moreau") == "5:60");
  CHECK(told("restitution: 0.2", "{type: moreau, restitution: x}") == "6:34");
}

TEST_CASE("scene: values of a body whose shape is misnamed are looked at") {
  CHECK(places(complaint("bodies:\n  ball: {shape: dsk, radius: -1, mass: x, position: [0]}\n")) ==
        "2:17 2:30 2:40 2:53");
  CHECK(places(complaint("bodies:\n  ball: {radius: -1, mass: x}\n")) == "2:9 2:18 2:28");
  CHECK(places(complaint("bodies:\n  ball: {shape: disk, radius: 1, static: true}\n")) == "2:34");
  CHECK(places(complaint("bodies:\n  ball: {shape: disk, radius: 1, fixed: yes, density: x}\n")) == "2:41 2:55");
  CHECK(places(complaint("bodes:\n  ball: {}\njoints: [{revolute: [a], at: 1, nme: x}]\n")) == "1:1 3:21 3:33");
}

TEST_CASE("scene: names under initial, output and law are looked at in a scene with other mistakes") {
  const std::string told = complaint(
      "bodies:\n"
      "  ball: {shape: disk, radius: 0.1, mass: x, position: [0, 1]}\n"
      "contacts:\n"
      "  floor: {body: ball, plane: {point: [0, 0]}}\n"
      "initial: {bal.x: 1, ball.vx: fast}\n"
      "law: {type: sequential, order: [flor]}\n"
      "output: {contacts: [flour]}\n");
  CHECK(places(told) == "2:42 5:18 5:30 6:33 7:21");
}

TEST_CASE("scene: all values of a model that do not fit are told, at their keys, and those of an unknown model") {
  CHECK(places(complaint("model:\n  type: double-pendulum\n  mass: [1, 2, 3]\n  length: [1, 2, 3]\n  friction: -1\n"
                         "initial: {link-9.angle: 1}\n")) == "3:9 4:11 5:13 6:25");
  CHECK(places(complaint("model: {type: double-pendulm, mas: 1, friction: 0.5}\n")) == "1:15 1:31");
}

TEST_CASE("scene: a decimal comma in gravity is told as such, and the scene is planar all the same") {
  const std::string ball = "bodies:\n  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1,5]}\n";
  const std::string told = complaint("gravity: [0, -9,81]\n" + ball);
  CHECK(places(told) == "1:10 3:55");
  CHECK(told.find("decimals have a point, not a comma: -9.81") != std::string::npos);
  CHECK(told.find("decimals have a point, not a comma: 1.5") != std::string::npos);
  CHECK(complaint("gravity: [0,0,-9]\nbodies: {ball: {shape: sphere, radius: 1, mass: 1}}\n").empty());
  CHECK(complaint("gravity: [1, 2, 3]\nbodies: {ball: {shape: sphere, radius: 1, mass: 1}}\n").empty());
}

TEST_CASE("scene: all parts that an assembly cannot be made of are told, beside names that are not there") {
  CHECK(places(complaint("gravity: [0, 0, -9.81]\n"
                         "bodies:\n"
                         "  a: {shape: rod, length: 1, mass: 1}\n"
                         "  b: {shape: rod, length: 1, mass: 1, position: [3, 0, 0]}\n"
                         "  c: {shape: sphere, radius: 1, mass: 1, position: [6, 0, 0]}\n"
                         "joints: [{distance: [a, c], at: {a: [6, 0, 0]}}]\n"
                         "initial: {c.vq: 1}\n"
                         "output: {contacts: [d]}\n")) == "3:6 4:6 6:10 7:17 8:21");
}

TEST_CASE("scene: a misspelt gravity makes a scene spatial all the same") {
  CHECK(places(complaint(
            "gravty: [0, 0, -9.81]\nbodies: {a: {shape: sphere, radius: 1, mass: 1, position: [0, 0, 1]}}\n")) ==
        "1:1");
}

TEST_CASE("scene: a repetition is looked at to its end though there is a mistake before it") {
  CHECK(places(complaint("bodies:\n"
                         "  ball: {shape: disk, radius: 0.1, mass: x, repeat: {count: 3, offset: [1, 0]}}\n"
                         "forces: [{spring: [\"ball{i}\", \"ball{i+1}\"], stiffness: 1, repeat: 3}]\n")) ==
        "2:42 3:31");
}

TEST_CASE("sweep: an axis with mistakes hides none of other axes, of what follows from it or of measures") {
  CHECK(places(complaint_of_sweep("scene: {model: ball}\n"
                                  "vary:\n"
                                  "  a: {path: model.mass, from: x, to: 1, count: 2}\n"
                                  "  b: {path: model.restitution, normal: [1, 1]}\n"
                                  "  c: {path: model.position, vals: [1]}\n"
                                  "derived: {model.radius: \"{a}*{bb}\", model.gravity: \"{a}\"}\n"
                                  "measures: [wrk, {max: energy/total, work: }]\n")) == "3:31 4:6 5:29 6:25 7:12 7:37");
}
