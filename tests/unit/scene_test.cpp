#include "config/scene.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/scene_text.h"

using namespace carom;
using testing::complaint;

namespace {

// A good scene, one part a line; `replaced` puts a mistake into it.
const std::string good =
    "gravity: [0, -9.81]\n"                                                   // 1
    "bodies:\n"                                                               // 2
    "  upper: {shape: rod, length: 2, mass: 3, angle: -70 deg}\n"             // 3
    "  lower: {shape: rod, length: 2, mass: 3, angle: -60 deg}\n"             // 4
    "  ball: {shape: disk, radius: 0.1, mass: 1, position: [5, 1]}\n"         // 5
    "joints:\n"                                                               // 6
    "  - {revolute: [world, upper], at: start, point: [0, 0]}\n"              // 7
    "  - {revolute: [upper, lower], at: {upper: end, lower: start}}\n"        // 8
    "contacts:\n"                                                             // 9
    "  tip: {point: lower.end, plane: {point: [0, -4]}, restitution: 0.5}\n"  // 10
    "  ground: {body: ball, plane: {point: [0, 0]}, friction: 0.3}\n"         // 11
    "law: newton\n"                                                           // 12
    "integrator: {step: 1e-3, duration: 1}\n";                                // 13

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Slip {
  const char* from;
  const char* to;
  const char* complaint;  // its beginning, with the place
};

double coordinate(const Scene& scene, const std::string& name) {
  const auto positions = scene.system->positions();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i].name == name) return scene.q(static_cast<Index>(i));
  }
  const auto velocities = scene.system->velocities();
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    if (velocities[i].name == name) return scene.u(static_cast<Index>(i));
  }
  FAIL("no coordinate " << name);
  return 0;
}

}  // namespace

TEST_CASE("a good scene has no mistakes") { CHECK(complaint(good) == ""); }

TEST_CASE("mistakes are named with their place") {
  const Slip slips[] = {
      {"mass: 3, angle: -70", "mas: 3, angle: -70",
       "f.yaml:3:34: bodies.upper: unknown key 'mas' (did you mean 'mass'?)"},
      {"mass: 1, ", "", "f.yaml:5:9: bodies.ball: key 'mass' is missing"},
      {"mass: 1, ", "mass: 0, ", "f.yaml:5:42: bodies.ball.mass: a body that moves has a mass above 0"},
      {"mass: 1, ", "mass: -1, ", "f.yaml:5:42: bodies.ball.mass: must be at least 0, but is -1"},
      {"mass: 1, ", "mass: 1e-310, ", "f.yaml:5:9: bodies.ball: body 'ball': its mass is too small: its inverse is no"},
      {"radius: 0.1, mass: 1, ", "radius: 1e-5, mass: 1e-300, ",
       "f.yaml:5:9: bodies.ball: body 'ball': its moment of inertia is too small: its inverse is no"},
      {"mass: 1, ", "mass: \"2*1 deg\", ", "f.yaml:5:42: bodies.ball.mass: must be a number without 'deg': it is no"},
      {"radius: 0.1", "radius: 0", "f.yaml:5:31: bodies.ball.radius: must be above 0, but is 0"},
      {"radius: 0.1", "radius: .nan", "f.yaml:5:31: bodies.ball.radius: must be a number, but is '.nan'"},
      {"radius: 0.1", "length: 0.1", "f.yaml:5:23: bodies.ball: 'length' is for rod, cylinder, not for a disk"},
      {"shape: disk", "shape: dsik",
       "f.yaml:5:17: bodies.ball.shape: unknown shape 'dsik' (did you mean 'disk'?); choose from point, disk,"},
      {"shape: disk", "shape: sphere", "f.yaml:5:17: bodies.ball.shape: a sphere is spatial, but the scene is planar"},
      {"position: [5, 1]", "position: [5, 1, 0]",
       "f.yaml:5:55: bodies.ball.position: must have 2 numbers in a planar scene, but has 3"},
      {"[0, -9.81]", "[0, -9.81, 0, 1]", "f.yaml:1:10: gravity: must have two numbers"},
      {"angle: -70 deg", "angle: -70 degrees", "f.yaml:3:50: bodies.upper.angle: '-70 degrees' has a unit behind it"},
      {"angle: -70 deg", "angle: sin(t)", "f.yaml:3:50: bodies.upper.angle: 'sin(t)' depends on time"},
      {"[upper, lower]", "[upper, lowr]",
       "f.yaml:8:24: joints[1].revolute[1]: there is no body 'lowr' (did you mean 'lower'?)"},
      {"[upper, lower]", "[upper, upper]", "f.yaml:8:16: joints[1].revolute: connects 'upper' with itself"},
      {"[upper, lower]", "[upper]", "f.yaml:8:16: joints[1].revolute: must have 2 names, but has 1"},
      {"upper: end,", "upper: edn,",
       "f.yaml:8:44: joints[1].at.upper: 'upper' has no point 'edn' (did you mean 'end'?)"},
      {"upper: end,", "ball: centre,", "f.yaml:8:43: joints[1].at.ball: 'ball' is not one of the two bodies"},
      {"- {revolute: [world", "- {revolut: [world",
       "f.yaml:7:6: joints[0]: unknown key 'revolut' (did you mean 'revolute'?)"},
      {", at: start, point: [0, 0]", "", "f.yaml:7:5: joints[0]: needs the point that the bodies share"},
      {"point: lower.end", "point: lower.tip", "f.yaml:10:16: contacts.tip.point: 'lower' has no point 'tip'"},
      {"plane: {point: [0, -4]}, ", "", "f.yaml:10:8: contacts.tip: needs what it meets"},
      {"restitution: 0.5", "restitution: 1.5",
       "f.yaml:10:52: contacts.tip: restitution 1.5 is outside the range of 'newton' (0 .. 1)"},
      {"law: newton", "law: compliant",
       "f.yaml:11:48: contacts.ground: 'ground' has friction, which compliant does not model; use poisson, newton, "
       "moreau, or "},
      {"friction: 0.3}\nlaw: newton", "friction: 0.3, tangential_restitution: 0.2}\nlaw: stronge",
       "f.yaml:11:63: contacts.ground: tangential_restitution 0.2 is outside the range of 'stronge' (only 0); newton"},
      {"friction: 0.3}\nlaw: newton", "friction: 0.3, tangential_restitution: 0.2}\nlaw: poisson",
       "f.yaml:11:63: contacts.ground: poisson needs tangential_restitution ≤ restitution"},
      {"law: newton", "law: {type: sequential, each: compliant}",
       "f.yaml:11:48: contacts.ground: 'ground' has friction, which compliant"},
      {"law: newton", "clutches: [{rotation: [world, ball]}]\nlaw: restitution-matrix",
       "f.yaml:12:12: clutches[0]: restitution-matrix maps the velocities of contacts, but 'world-ball' is a clutch"},
      {"law: newton", "clutches: [{rotation: [world, ball]}]\nlaw: stronge",
       "f.yaml:12:12: clutches[0]: stronge resolves one contact at a time, but the impact couples 'ground' and"},
      {"law: newton", "clutches: [{rotation: [world, ball], restitution: 2}]",
       "f.yaml:12:38: clutches[0]: restitution 2 is outside the range of 'newton'"},
      {"restitution: 0.5", "restituton: 0.5",
       "f.yaml:10:52: contacts.tip: unknown key 'restituton' (did you mean 'restitution'?)"},
      {"friction: 0.3", "friction: -0.3", "f.yaml:11:58: contacts.ground.friction: must be at least 0, but is -0.3"},
      {"friction: 0.3", "friction: [0.3, 0.1]",
       "f.yaml:11:58: contacts.ground.friction: two coefficients of friction need two tangents"},
      {"law: newton", "law: newtn", "f.yaml:12:6: law: unknown law 'newtn' (did you mean 'newton'?)"},
      {"law: newton", "law: {type: newton, several: no}", "f.yaml:12:30: law.several: must be sequential or refuse"},
      {"law: newton", "law: {type: sequential, order: [tipp]}",
       "f.yaml:12:33: law.order[0]: 'tipp' is not a contact (did you mean 'tip'?)"},
      {"step: 1e-3", "step: 0", "f.yaml:13:20: integrator.step: must be above 0, but is 0"},
      {"step: 1e-3", "step: 1e-12",
       "f.yaml:13:13: integrator: a duration of 1 s in steps of 1e-12 s is more than 1e+09 steps"},
      {"step: 1e-3", "step: 10",
       "f.yaml:13:20: integrator.step: a step of 10 s is longer than the run of 1 s: a 'step' of at most that, or a"},
      {"step: 1e-3, duration: 1", "duration: 1e-4",
       "f.yaml:13:24: integrator.duration: a step of 0.001 s is longer than the run of 0.0001 s"},
      {"step: 1e-3", "step: 1e-3, theta: 2", "f.yaml:13:33: integrator.theta: must be 0 .. 1, but is 2"},
      {"bodies:", "bodis:", "f.yaml:2:1: unknown key 'bodis' (did you mean 'bodies'?); 'bodies' is required"},
      {"bodies:", "nothing:", "f.yaml:1:1: a scene has 'bodies' or a 'model'"},
      {"law: newton", "model: double-pendulum", "f.yaml:1:1: gravity: does not go with a 'model'"},
      {"plane: {point: [0, -4]}", "plane: {point: [0, -3.5]}",
       "f.yaml:10:8: contacts.tip: contact 'tip' penetrates by 0.1114 m initially (--fix projects the state"},
      {"mass: 3, angle: -60 deg", "mass: 3, angle: -60 deg, position: [2, -3]",
       "f.yaml:8:5: joints[1]: joint 'upper-lower.x' is open by "},
      {"ball: {", "ba ll: {", "f.yaml:5:10: bodies.ba ll: 'ba ll' cannot be a name"},
      {"ball: {", "world: {", "f.yaml:5:10: bodies.world: 'world' cannot be a name"},
      {"law: newton", "collide: [bal]", "f.yaml:12:11: collide[0]: there is no body 'bal' (did you mean 'ball'?)"},
      {"law: newton", "collide: []",
       "f.yaml:12:10: collide: names no body; list some, write all, or leave collide out"},
      {"law: newton", "collide: {bodies: []}",
       "f.yaml:12:19: collide.bodies: names no body; list some, write all, or leave collide out"},
      {"law: newton", "output: {contacts: [tap]}",
       "f.yaml:12:21: output.contacts[0]: there is no named contact 'tap' (did you mean 'tip'?)"},
      {"law: newton", "initial: {ball: {positon: [1, 1]}}", "f.yaml:12:18: initial.ball: unknown key 'positon'"},
      {"law: newton", "initial: {ball.z: 1}", "f.yaml:12:19: initial.ball.z: there is no body or coordinate 'ball.z'"},
      {"law: newton", "initial: {q: [1, 2]}", "f.yaml:12:14: initial.q: must have 9 numbers, but has 2"},
      {"law: newton", "forces: [{load: ball, force: [1, sin(]}]",
       "f.yaml:12:34: forces[0].force[1]: 'sin(' is neither"},
      {"law: newton", "forces: [{spring: [world, ball], stiffness: 1}]",
       "f.yaml:12:10: forces[0]: key 'point' is missing"},
      {"shape: disk, radius: 0.1, mass: 1,", "shape: point, mass: 1, angular_velocity: 2,",
       "f.yaml:5:51: bodies.ball.angular_velocity: a point does not turn"},
      {"position: [5, 1]", "position: [5, 1], velocity: [1e200, 0]",
       "f.yaml:5:9: bodies.ball: 'ball.vx' = 1e+200 m/s goes so far in a step"},
      {"ball: {", "\"ba\\all\": {", "f.yaml:5:3: bodies: holds the control character U+0007"},
      {"law: newton", "solver: lemk",
       "f.yaml:12:9: solver: unknown solver 'lemk' (did you mean 'lemke'?); choose from"},
  };
  for (const Slip& slip : slips) {
    const std::string told = complaint(replaced(good, slip.from, slip.to));
    INFO(slip.to << "\n" << told);
    CHECK(("\n" + told).find("\n" + std::string(slip.complaint)) != std::string::npos);
  }
}

TEST_CASE("no two contacts bear one name") {
  const auto with = [](const char* contact, const char* third, const char* collide) {
    return std::string("gravity: [0, -9.81]\nbodies:\n  a: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n") +
           "  a-b: {shape: disk, radius: 0.1, mass: 1, position: [1, 1]}\n" +
           "  c: {shape: disk, radius: 0.1, mass: 1, position: [2, 1]}\n" + "  " + third +
           ": {shape: disk, radius: 0.1, mass: 1, position: [3, 1]}\n" + "contacts: {" + contact +
           ": {between: [a, c]}}\ncollide: " + collide + "\n";
  };
  CHECK(complaint(with("a-c", "d", "all")) == "");  // the pair it is between
  CHECK(complaint(with("a-d", "d", "all")).rfind("f.yaml:7:17: contacts.a-d: contact 'a-d': 'collide' finds one", 0) ==
        0);
  CHECK(complaint(with("d-a", "d", "all")) == "");  // found ones are called in the order of the bodies
  CHECK(complaint(with("a-d", "d", "[a, c]")) == "");
  CHECK(complaint(with("x", "b-c", "all")).rfind("f.yaml:6:8: bodies.b-c: body 'b-c': its contact with 'a'", 0) == 0);
  CHECK(complaint(with("x", "b-c", "{except: [[a, b-c]]}")) == "");
}

TEST_CASE("a prescribed motion may have kinks and steep parts, but no jumps") {
  const auto with = [](const std::string& motion) {
    return replaced(good, "joints:\n", "joints:\n  - {motion: ball.x, as: \"" + motion + "\"}\n");
  };
  for (const char* followed : {"4.7 + abs(t - 0.3)", "5 + tanh(1e6*(t - 0.3)) + 1", "5 + step(t - 0.3)*(t - 0.3)",
                               "5 + sin(9000*t)", "5 + min(1, max(0, (t - 0.3)/0.01))", "5 + step(t - 2)"}) {
    INFO(followed);
    CHECK(complaint(with(followed)) == "");
  }
  CHECK(complaint(with("5 + 0.2*step(t - 0.3)"))
            .rfind("f.yaml:7:5: joints[0].as: '5 + 0.2*step(t - 0.3)' jumps by 0.2 at t = 0.3 s", 0) == 0);
  CHECK(complaint(with("5 + tan(3*t)")).find("has a pole at t = 0.523599 s") != std::string::npos);
  CHECK(complaint(with("6 - exp(-t)*step(0.7 - t)")).find("jumps by 0.4966 at t = 0.7 s") != std::string::npos);
}

TEST_CASE("steps that do not come out even, or that skip what drives the scene, are warned of") {
  const auto warnings = [](const std::string& text) { return read_scene_text(text, "f.yaml").warnings; };
  const auto with = [&](const std::string& motion) {
    return warnings(replaced(good, "joints:\n", "joints:\n  - {motion: ball.x, as: \"" + motion + "\"}\n"));
  };
  CHECK(warnings(good).empty());
  CHECK(warnings(replaced(good, "step: 1e-3", "step: 1e-4")).empty());
  CHECK(
      warnings(replaced(good, "step: 1e-3", "step: 0.3")) ==
      std::vector<std::string>{"f.yaml:13:13: integrator: a duration of 1 s is no whole number of steps of 0.3 s: the "
                               "run ends at t = 1.2 s"});

  for (const char* slow : {"5 + 0.1*sin(300*t)", "5 + sin(t)^2 + cos(t)^2 - 1", "5 + t + 1e-5*sin(9000*t)", "5"}) {
    INFO(slow);
    CHECK(with(slow).empty());
  }
  CHECK(with("5 + 0.1*sin(2000*t)") ==
        std::vector<std::string>{
            "f.yaml:7:5: joints[0].as: '5 + 0.1*sin(2000*t)' goes back and forth within about 3 steps of "
            "0.001 s, which do not resolve it"});
  CHECK(with("5 + 0.1*sin(5e5*t)").size() == 1);
  const std::string driven = "forces: [{load: ball, force: [\"sin(2000*t)\", 0]}]\nlaw: newton";
  CHECK(warnings(replaced(good, "law: newton", driven)).size() == 1);
}

TEST_CASE("all mistakes of a scene are told at once, by line") {
  const std::string text = replaced(replaced(replaced(good, "radius: 0.1", "radius: -1"), "step: 1e-3", "step: no"),
                                    "friction: 0.3", "frction: 0.3");
  CHECK(complaint(text) ==
        "f.yaml:5:31: bodies.ball.radius: must be above 0, but is -1\n"
        "f.yaml:11:48: contacts.ground: unknown key 'frction' (did you mean 'friction'?)\n"
        "f.yaml:13:20: integrator.step: must be a number, but is 'no'");
}

TEST_CASE("a contact of an unknown body tells its other mistakes too, and a mass has no degrees") {
  const std::string text = replaced(
      replaced(good, "body: ball, plane: {point: [0, 0]}, friction: 0.3", "body: bal, plane: {}, friction: -1"),
      "mass: 1, position: [5, 1]", "mass: 1 deg, position: [5, 1]");
  CHECK(complaint(text) ==
        "f.yaml:5:42: bodies.ball.mass: must be a number without 'deg': it is no angle\n"
        "f.yaml:11:18: contacts.ground.body: there is no body 'bal' (did you mean 'ball'?)\n"
        "f.yaml:11:44: contacts.ground.friction: must be at least 0, but is -1");
}

TEST_CASE("what follows from a mistake is not told as another") {
  const auto with = [](const std::string& bodies, const std::string& rest) {
    return complaint("gravity: [0, -9.81]\nbodies:\n  floor: {shape: plane}\n  " + bodies + "\n" + rest);
  };
  const auto lines = [](const std::string& text) { return 1 + std::count(text.begin(), text.end(), '\n'); };
  const std::string ball = "ball: {shape: dsik, radius: 0.1, mass: 1, position: [0, 1]}";
  for (const char* contact :
       {"{point: ball.bottom, on: floor}", "{point: {body: ball, at: top}, plane: {}}", "{between: [ball, dot]}"}) {
    CAPTURE(contact);
    const std::string told = with(ball + "\n  dot: {shape: point, mass: 1, position: [3, 3]}",
                                  std::string("contacts: {c: ") + contact + "}");
    CHECK(told.starts_with("f.yaml:4:17: bodies.ball.shape: unknown shape 'dsik'"));
    CHECK(lines(told) == 1);
  }
  const std::string polygon = with("p: {shape: polygon, vertices: [[0, 0], [1, 0], [0.5, 0.1], [0, 1]], mass: 1}",
                                   "contacts: {c: {point: p.vertex-4, on: floor}}");
  CHECK(polygon.starts_with("f.yaml:4:33: bodies.p.vertices: must be the corners of a convex polygon"));
  CHECK(lines(polygon) == 1);
  const std::string repeated =
      with("b: {shape: disk, radius: 0.1, mass: 1, repeat: {count: 0.5, offset: [0.3, 0]}}",
           "joints: [{distance: [b1, b7]}]\ncollide: [b, floor]\ncontacts: {c: {body: b9, on: floor}}");
  CHECK(repeated.starts_with("f.yaml:4:58: bodies.b.repeat.count: must be"));
  CHECK(lines(repeated) == 1);
  const std::string named =
      with("b b: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}", "contacts: {c: {body: b b, on: floor}}");
  CHECK(named.starts_with("f.yaml:4:8: bodies.b b: 'b b' cannot be a name"));
  CHECK(lines(named) == 1);
  const std::string law =
      replaced(replaced(good, "law: newton", "law: poison"), "restitution: 0.5", "restitution: 1.5");  // Poisson's may
  CHECK(complaint(law).starts_with("f.yaml:12:6: law: unknown law 'poison' (did you mean 'poisson'?)"));
  CHECK(lines(complaint(law)) == 1);
  const std::string newton = complaint(replaced(law, "poison", "newtn"));  // Newton's may not
  CHECK(lines(newton) == 2);
  CHECK(newton.find("restitution 1.5 is outside the range of 'newton'") != std::string::npos);
  const std::string common = complaint(replaced(law, "law: poison", "law: {type: newton, restitution: 7}"));
  CHECK(common.starts_with("f.yaml:12:21: "));  // the law's own counts, and is told where it stands
  CHECK(common.find("restitution 7 is outside the range of 'newton'") != std::string::npos);
  const std::string parameters =
      complaint(replaced(good, "law: newton",
                         "law: {type: nobody, exponent: -1, metric: kinetik, each: newtn, max_collisions: 0, rst: 1}"));
  for (const char* text :
       {"law.type: unknown law 'nobody'", "law.exponent: -1 is outside", "law.metric: ", "law.each: unknown",
        "law.max_collisions: 0 is outside", "unknown key 'rst' (did you mean 'rest'?)"}) {
    CAPTURE(text);
    CHECK(parameters.find(text) != std::string::npos);
  }
  CHECK(lines(parameters) == 6);
  CHECK(lines(complaint(replaced(good, "step: 1e-3, duration: 1", "step: -1, duration: 1e-4"))) == 1);
}

TEST_CASE("--set names a body or contact that there is") {
  CHECK(complaint(good, {{"contacts.grund.friction=0.1"}, false}) ==
        "--set contacts.grund.friction=0.1: there is no 'grund' under contacts (did you mean 'ground'?)");
  // What is misspelt may well be in the file, rightly spelt.
  CHECK(complaint(good, {{"contacts.tip.restituton=0.1"}, false}) ==
        "--set contacts.tip.restituton=0.1: unknown key 'restituton' (did you mean 'restitution'?)");
  CHECK(complaint(good, {{"law.typ=poisson"}, false}) ==
        "--set law.typ=poisson: unknown key 'typ' (did you mean 'type'?)");
}

TEST_CASE("moreau needs one restitution for the whole scene") {
  const std::string text = replaced(good, "law: newton", "law: moreau");
  CHECK(complaint(text).find("f.yaml:11:11: contacts.ground: moreau has one restitution") != std::string::npos);
  CHECK(complaint(replaced(good, "law: newton", "law: {type: moreau, restitution: 0.2}")) == "");
}

TEST_CASE("a law outside its domain is told at the coefficients of contacts that there are") {
  const std::string text =
      "gravity: [0, -9.81]\n"
      "defaults: {body: {shape: disk, radius: 1, mass: 1}, contact: {friction: 0.7}}\n"
      "materials:\n"
      "  - {between: [steel, steel], friction: 0.3}\n"
      "  - {between: [steel, wood], friction: 0}\n"
      "  - {between: [gold, gold], restitution: 9}\n"
      "bodies:\n"
      "  a: {position: [0, 0], material: steel}\n"
      "  b: {position: [3, 0], material: steel}\n"
      "  c: {position: [6, 0], material: wood}\n"
      "collide: all\n"
      "law: compliant\n";
  CHECK(complaint(text).starts_with(
      "f.yaml:4:31: collide: 'a-b' has friction, which compliant does not model; use poisson"));
  CHECK(complaint(replaced(text, "friction: 0.3", "friction: 0")) == "");  // nothing has the defaults' or gold's
  CHECK(complaint(replaced(text, "material: wood", "")).find("f.yaml:2:63: collide: 'c-a' has friction") !=
        std::string::npos);
  CHECK(complaint(replaced(text, "collide: all", "collide: {except: [[a, b]]}")) == "");
  CHECK(complaint(replaced(text, "collide: all", "collide: [b, c]")) == "");
  // By the command line, at the same place; an override has none of its own.
  const std::string with_newton = replaced(text, "law: compliant", "law: newton");
  CHECK(complaint(with_newton) == "");
  CHECK(
      complaint(with_newton, {{"law.type=compliant"}, false}).starts_with("f.yaml:4:31: collide: 'a-b' has friction"));
  CHECK(complaint("model: {type: rocking-block, friction: 0.5}\nlaw: compliant")
            .starts_with("f.yaml:1:30: model: 'bottom-left' has friction, which compliant does not model"));
}

TEST_CASE("a clutch that no contact acts on does not keep a one-point law from a scene") {
  const std::string text =
      "gravity: [0, -9.81]\n"
      "bodies: {p: {shape: point, mass: 1, position: [0, 1]}}\n"
      "contacts: {floor: {body: p, plane: {normal: [0, 1]}, restitution: 0.5}}\n"
      "clutches: [{translation: [world, p], direction: [1, 0]}]\n"
      "law: stronge\n";
  CHECK(complaint(text) == "");
  CHECK(
      complaint(replaced(text, "direction: [1, 0]", "direction: [1, 0.1]")).find("f.yaml:4:12: clutches[0]: stronge") !=
      std::string::npos);
}

TEST_CASE("bodies without a position hang on their joints, and move with them") {
  const std::string text = replaced(replaced(good, "angle: -70 deg", "angle: -70 deg, angular_velocity: -0.1"),
                                    "angle: -60 deg", "angle: -60 deg, angular_velocity: -0.2");
  const Scene scene = read_scene_text(text, "f.yaml");
  const double a = 20 * std::numbers::pi / 180, b = 30 * std::numbers::pi / 180;
  CHECK(coordinate(scene, "upper.x") == doctest::Approx(std::sin(a)).epsilon(1e-14));
  CHECK(coordinate(scene, "upper.y") == doctest::Approx(-std::cos(a)).epsilon(1e-14));
  CHECK(coordinate(scene, "lower.x") == doctest::Approx(2 * std::sin(a) + std::sin(b)).epsilon(1e-14));
  CHECK(coordinate(scene, "lower.y") == doctest::Approx(-2 * std::cos(a) - std::cos(b)).epsilon(1e-14));
  CHECK(coordinate(scene, "lower.vx") == doctest::Approx(-0.2 * std::cos(a) - 0.2 * std::cos(b)).epsilon(1e-14));
  CHECK(coordinate(scene, "lower.vy") == doctest::Approx(-0.2 * std::sin(a) - 0.2 * std::sin(b)).epsilon(1e-14));
}

TEST_CASE("the joint tree is walked in any order, also from a body that floats") {
  const Scene scene = read_scene_text(
      "bodies:\n"
      "  c: {shape: rod, length: 1, mass: 1}\n"
      "  b: {shape: rod, length: 1, mass: 1, angle: 90 deg}\n"
      "  a: {shape: rod, length: 1, mass: 1, position: [3, 0], velocity: [0, 1], angular_velocity: 2}\n"
      "joints:\n"
      "  - {revolute: [c, b], at: {c: start, b: end}}\n"
      "  - {weld: [a, b], at: {a: end, b: start}}\n",
      "f.yaml");
  CHECK(coordinate(scene, "b.x") == doctest::Approx(3.5));
  CHECK(coordinate(scene, "b.y") == doctest::Approx(0.5));
  CHECK(coordinate(scene, "c.x") == doctest::Approx(4));
  CHECK(coordinate(scene, "c.y") == doctest::Approx(1));
  CHECK(coordinate(scene, "b.omega") == doctest::Approx(2));
  CHECK(coordinate(scene, "b.vy") == doctest::Approx(2));   // the end of a: 1 + 2·½, and no arm along x
  CHECK(coordinate(scene, "b.vx") == doctest::Approx(-1));  // −ω·½
  CHECK(coordinate(scene, "c.vx") == doctest::Approx(-2));
}

TEST_CASE("a prescribed motion says where its body starts") {
  const Scene scene = read_scene_text(
      "bodies: {slider: {shape: block, size: [1, 1], mass: 1}, arm: {shape: rod, length: 2, mass: 1}}\n"
      "joints:\n"
      "  - {motion: slider.x, as: \"0.5 + sin(3*t)\"}\n"
      "  - {revolute: [slider, arm], at: {slider: centre, arm: start}}\n",
      "f.yaml");
  CHECK(coordinate(scene, "slider.x") == 0.5);
  CHECK(coordinate(scene, "slider.vx") == doctest::Approx(3));
  CHECK(coordinate(scene, "arm.x") == doctest::Approx(1.5));
  CHECK(coordinate(scene, "arm.vx") == doctest::Approx(3));
}

TEST_CASE("repetition makes rows and grids, and names count") {
  const Scene row = read_scene_text(
      "bodies: {ball: {shape: disk, radius: 0.5, mass: 1, position: [1, 2], repeat: {count: 3, offset: [1, 0]}}}\n"
      "contacts: {pair: {between: [\"ball{i}\", \"ball{i+1}\"], restitution: 1, repeat: 2}}\n"
      "forces: [{spring: [\"ball{i}.x\", \"ball{i+1}.x\"], stiffness: 5, repeat: 2}]\n"
      "collide: [ball]\n",
      "f.yaml");
  CHECK(coordinate(row, "ball3.x") == 3);
  CHECK(coordinate(row, "ball3.y") == 2);
  CHECK(row.system->named_contacts() == 2);
  CHECK(row.system->contact_name(1) == "pair2");
  const Scene grid = read_scene_text(
      "bodies:\n  b{i}a: {shape: disk, radius: 0.1, mass: 1, repeat: {count: [3, 2], spacing: [1, 5]}}\n", "f.yaml");
  CHECK(grid.q.size() == 18);
  CHECK(coordinate(grid, "b6a.x") == 2);
  CHECK(coordinate(grid, "b6a.y") == 5);
  CHECK(complaint("bodies: {b: {shape: point, mass: 1, repeat: {count: 2000000}}}\n") ==
        "f.yaml:1:53: bodies.b.repeat.count: must be 1 .. 1e+06, but is 2e+06");
  CHECK(complaint("bodies: {b: {shape: point, mass: 1, repeat: {count: [2000, 2000], spacing: [1, 1]}}}\n")
            .find("makes more than 1000000 bodies") != std::string::npos);
}

TEST_CASE("rows of rows: any lattice, with velocities and angles that grow along them") {
  const Scene scene = read_scene_text(
      "defaults: {body: {shape: disk, radius: 0.1, density: 1000}}\n"
      "bodies:\n"
      "  d: {position: [0, 1], velocity: [0, 2], repeat: [{count: 3, offset: [1, 0], velocity: [0.5, 0]},\n"
      "      {count: 40, offset: [0.5, 0.9], angle: 0.1, angular_velocity: -1}]}\n",
      "f.yaml");
  CHECK(scene.system->poses().bodies.size() == 120);
  CHECK(coordinate(scene, "d6.x") == doctest::Approx(2.5));
  CHECK(coordinate(scene, "d6.y") == doctest::Approx(1.9));
  CHECK(coordinate(scene, "d6.angle") == doctest::Approx(0.1));
  CHECK(coordinate(scene, "d6.vx") == doctest::Approx(1));
  CHECK(coordinate(scene, "d6.vy") == doctest::Approx(2));
  CHECK(coordinate(scene, "d120.omega") == doctest::Approx(-39));
  const std::string in_space =
      "gravity: [0, 0, 0]\n"
      "bodies: {b: {shape: block, size: [1, 1, 1], mass: 1, repeat: {count: 3, offset: [0, 0, 2], turn: {axis: [0, 0, "
      "1], angle: 90 deg}}}}\n";
  const Scene turned = read_scene_text(in_space, "f.yaml");
  CHECK(coordinate(turned, "b3.z") == 4);
  CHECK(std::abs(coordinate(turned, "b3.qz")) == doctest::Approx(1));
  CHECK(complaint(replaced(in_space, "turn: {axis: [0, 0, 1], angle: 90 deg}", "angle: 1"))
            .starts_with("f.yaml:2:99: bodies.b.repeat.angle: is for planar scenes; here it is 'turn'"));
  CHECK(complaint("bodies: {b: {shape: point, mass: 1, repeat: [{count: 2000, offset: [1, 0]}, {count: 2000}]}}")
            .find("repetition makes more than 1000000 bodies") != std::string::npos);
  CHECK(complaint("bodies: {b: {shape: point, mass: 1, repeat: {count: [2, 2], spacing: [1, 1], angle: 2}}}")
            .find("'angle' is for a row") != std::string::npos);
}

TEST_CASE("a density in place of a mass") {
  const auto mass_of = [](const std::string& body, const std::string& gravity = "[0, 0]") {
    const Scene scene = read_scene_text("gravity: " + gravity + "\nbodies: {b: " + body + "}\n", "f.yaml");
    MassMatrix M;
    scene.system->mass(scene.q, M);
    return M.dense()(0, 0);
  };
  const double pi = std::numbers::pi;
  CHECK(mass_of("{shape: disk, radius: 2, density: 3}") == doctest::Approx(12 * pi));
  CHECK(mass_of("{shape: block, size: [2, 3], density: 4}") == doctest::Approx(24));
  CHECK(mass_of("{shape: polygon, vertices: [[0, 0], [2, 0], [0, 3]], density: 5}") == doctest::Approx(15));
  CHECK(mass_of("{shape: rod, length: 2, thickness: 0.1, density: 7}") == doctest::Approx(1.4));
  CHECK(mass_of("{shape: sphere, radius: 2, density: 3}", "[0, 0, 0]") == doctest::Approx(32 * pi));
  CHECK(mass_of("{shape: block, size: [1, 2, 3], density: 2}", "[0, 0, 0]") == doctest::Approx(12));
  CHECK(mass_of("{shape: rod, length: 2, thickness: 0.2, density: 1}", "[0, 0, 0]") == doctest::Approx(0.02 * pi));
  CHECK(complaint("bodies: {b: {shape: rod, length: 1, density: 2}}") ==
        "f.yaml:1:46: bodies.b.density: the body has no area: give it a thickness or a mass");
  CHECK(complaint("bodies: {b: {shape: disk, radius: 1, mass: 1, density: 2}}") ==
        "f.yaml:1:56: bodies.b.density: the body has a mass already: one of them");
  CHECK(complaint("bodies: {b: {shape: disk, radius: 1, density: 0}}").find("must be above 0") != std::string::npos);
  CHECK(complaint("bodies: {b: {shape: point, density: 1}}").find("'density' is for disk") != std::string::npos);
}

TEST_CASE("a step that springs are too fast for is warned of, and only that") {
  const std::string text =
      "bodies: {a: {shape: point, mass: 1, position: [1, 0]}, b: {shape: point, mass: 1e-3, position: [2, 0]}}\n"
      "forces:\n"
      "  - {spring: [world, a], point: [0, 0], stiffness: 100}\n"
      "  - {spring: [a, b], stiffness: 4.9e6}\n"
      "integrator: {step: 1e-3, duration: 1}\n";
  const std::vector<std::string> warnings = read_scene_text(text, "f.yaml").warnings;
  REQUIRE(warnings.size() == 1);  // ω = √(4.9e6·1001) = 7.0e4/s
  CHECK(warnings[0] ==
        "f.yaml:5:14: integrator: springs at 'b' oscillate with a period of 9e-05 s, and a step has 0.001 s: that "
        "motion is not resolved (a step of 4e-06 s makes 20 of a period)");
  CHECK(read_scene_text(replaced(text, "4.9e6", "3900"), "f.yaml").warnings.empty());
  CHECK(read_scene_text(replaced(text, "4.9e6", "4100"), "f.yaml").warnings.size() == 1);
}

TEST_CASE("a damper whose velocity would alternate from step to step is warned of, by its body; theta: 1 is not") {
  const std::string text =
      "bodies:\n"
      "  a: {shape: rod, length: 1, mass: 3, position: [0.5, 0]}\n"
      "  b: {shape: point, mass: 1, position: [2, 0]}\n"
      "joints: [{revolute: [world, a], at: start, point: [0, 0]}]\n"
      "forces:\n"
      "  - {torsion: [world, a], damping: 1000}\n"
      "  - {spring: [a, b], stiffness: 10, damping: 1}\n"
      "integrator: {step: 0.1, duration: 1}\n";
  const std::vector<std::string> warnings = read_scene_text(text, "f.yaml").warnings;
  REQUIRE(warnings.size() == 1);  // c/J = 1000/s, J = ml²/3; (1 − hλ/2)/(1 + hλ/2) = −49/51
  CHECK(
      warnings[0] ==
      "f.yaml:8:14: integrator: damping at 'a' stops a motion within 0.001 s, but a step has 0.1 s: with theta 0.5 its "
      "velocity alternates instead, times -0.961 a step (theta: 1 lets it decay, the loss then counts as drift; a "
      "step of 0.001 s follows it)");
  CHECK(read_scene_text(replaced(text, "step: 0.1", "step: 0.1, theta: 1"), "f.yaml").warnings.empty());
  CHECK(read_scene_text(replaced(text, "step: 0.1", "step: 0.008"), "f.yaml").warnings.size() == 1);
  CHECK(read_scene_text(replaced(text, "step: 0.1", "step: 0.005"), "f.yaml").warnings.empty());  // gone in a few steps
}

TEST_CASE("the effective scene has a name") {
  const Scene scene = read_scene_text("bodies: {p: {shape: point, mass: 1}}\n", "some/where/top down.yaml");
  CHECK(scene.name == "top down");
  const Scene again = read_scene_text(scene.effective_yaml, "other.h5");
  CHECK(again.name == "top down");
  CHECK(again.effective_yaml == scene.effective_yaml);
}

TEST_CASE("a polygon may be given clockwise and anywhere; its vertices keep their names") {
  const Scene scene = read_scene_text(
      "bodies: {p: {shape: polygon, vertices: [[10, 10], [10, 11], [12, 11], [12, 10]], mass: 1}}\n"
      "contacts:\n"
      "  a: {point: p.vertex-1, plane: {point: [0, -2]}}\n"
      "  b: {point: p.vertex-2, plane: {point: [0, -2]}}\n"
      "  c: {point: p.vertex-4, plane: {point: [0, -2]}}\n",
      "f.yaml");
  Contacts contacts;
  scene.system->contacts(scene.q, scene.u, 0, contacts);
  REQUIRE(contacts.points.size() == 3);
  CHECK(contacts.points[0].gap == doctest::Approx(1.5));
  CHECK(contacts.points[1].gap == doctest::Approx(2.5));
  CHECK(contacts.points[2].gap == doctest::Approx(1.5));
  CHECK(complaint("bodies: {p: {shape: polygon, vertices: [[0, 0], [1, 1], [1, 0], [0, 1]], mass: 1}}\n")
            .find("convex polygon") != std::string::npos);
}

TEST_CASE("coefficients come from the contact, else from the materials, else from the defaults") {
  const Scene scene = read_scene_text(
      "defaults: {body: {shape: disk, radius: 1, mass: 1}, contact: {restitution: 0.1, friction: 0.7}}\n"
      "materials: [{between: [steel, \"*\"], restitution: 0.2}, {between: [steel, wood], restitution: 0.3}]\n"
      "bodies:\n"
      "  a: {material: steel}\n"
      "  b: {material: wood, position: [3, 0]}\n"
      "  c: {position: [6, 0]}\n"
      "contacts:\n"
      "  ab: {between: [a, b]}\n"
      "  ac: {between: [a, c]}\n"
      "  bc: {between: [b, c]}\n"
      "  own: {body: a, plane: {point: [0, -5], material: wood}, restitution: 0.9}\n",
      "f.yaml");
  Contacts contacts;
  scene.system->contacts(scene.q, scene.u, 0, contacts);
  REQUIRE(contacts.points.size() == 4);
  const double restitutions[] = {0.3, 0.2, 0.1, 0.9};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(contacts.points[i].coefficients->restitution == restitutions[i]);
    CHECK(contacts.points[i].coefficients->friction(0) == 0.7);
  }
}

TEST_CASE("spatial scenes: orientation, frames of the angular velocity, joints") {
  const Scene scene = read_scene_text(
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  top: {shape: block, size: [1, 2, 3], mass: 2, orientation: {axis: [0, 0, 1], angle: 90 deg},\n"
      "        angular_velocity: [1, 0, 0], frame: world}\n"
      "joints: [{ball: [world, top], at: bottom, point: [1, 1, 1]}]\n",
      "f.yaml");
  CHECK(coordinate(scene, "top.z") == doctest::Approx(2.5));
  CHECK(coordinate(scene, "top.wx") == doctest::Approx(0).epsilon(1e-12));
  CHECK(coordinate(scene, "top.wy") == doctest::Approx(-1));
  CHECK(coordinate(scene, "top.vy") == doctest::Approx(-1.5));
  CHECK(complaint("gravity: [0, 0, 1]\nbodies: {a: {shape: sphere, radius: 1, mass: 1, angle: 3}}\n") ==
        "f.yaml:2:56: bodies.a.angle: is for planar scenes; here it is 'orientation'");
  CHECK(complaint("gravity: [0, 0, 1]\nbodies: {a: {shape: sphere, radius: 1, mass: 1, inertia: [1, 1, 3]}}\n")
            .find("no body has this inertia") != std::string::npos);
}

TEST_CASE("initial states by body, by coordinate and as a whole agree") {
  const auto with = [](const std::string& initial) {
    return read_scene_text("bodies: {a: {shape: disk, radius: 1, mass: 1}}\ninitial: " + initial + "\n", "f.yaml");
  };
  const Scene by_body = with("{a: {position: [1, 2], angle: 3, velocity: [4, 5], angular_velocity: 6}}");
  for (const char* same : {"{a.x: 1, a.y: 2, a.angle: 3, a.vx: 4, a.vy: 5, a.omega: 6}", "{q: [1, 2, 3], u: [4, 5, 6]}",
                           "{q: {a.x: 1, a.y: 2, a.angle: 3}, u: {a.vx: 4, a.vy: 5, a.omega: 6}}"}) {
    const Scene scene = with(same);
    CHECK(scene.q == by_body.q);
    CHECK(scene.u == by_body.u);
  }
}

TEST_CASE("lengths left out are those of the initial coordinates") {
  const Scene scene = read_scene_text(
      "bodies: {a: {shape: point, mass: 1}}\n"
      "joints: [{distance: [world, a], point: [0, 0]}]\n"
      "initial: {q: [3, 4]}\n",
      "f.yaml");
  Vec gap(1);
  scene.system->joint_gaps(0, scene.q, gap);
  CHECK(gap(0) == doctest::Approx(0).epsilon(1e-14));
}

TEST_CASE("--set reaches every value, and the effective scene reads back to the same bits") {
  const SceneOptions options{{"law.several=refuse", "law.type=stronge", "bodies.ball.position.1=1.25",
                              "joints.0.point=[0, 0.5]", "contacts.tip.friction=1/3", "integrator.step=1e-4",
                              "initial.ball.velocity=[0.1, -0.2]"}};
  const Scene scene = read_scene_text(good, "f.yaml", options);
  CHECK(scene.law.type == "stronge");
  CHECK(!scene.sequential_for_several);
  CHECK(scene.integrator.step == 1e-4);
  CHECK(coordinate(scene, "ball.y") == 1.25);
  CHECK(coordinate(scene, "ball.vy") == -0.2);
  CHECK(coordinate(scene, "upper.y") == doctest::Approx(0.5 - std::cos(std::numbers::pi / 9)));
  const Scene again = read_scene_text(scene.effective_yaml, "g.yaml");
  CHECK(again.effective_yaml == scene.effective_yaml);
  CHECK(again.q == scene.q);
  CHECK(again.u == scene.u);
  CHECK(again.law.type == "stronge");
  CHECK(complaint(good, {{"bodies.ball.mass=-1"}}) == "--set bodies.ball.mass=-1: must be at least 0, but is -1");
  CHECK(complaint(good, {{"joints.7.point=[0, 0]"}}) ==
        "--set joints.7.point=[0, 0]: there is no '7' in the list; it has 0 (world-upper), 1 (upper-lower)");
}

TEST_CASE("what the emitter could change stays what it is") {
  const std::string text =
      "scene: '007'\nabout: \"a: b # c\\n\\ttwo lines\"\nbodies:\n  b{i}: {shape: disk, radius: 1e0, mass: 010, "
      "material: 'null', repeat: {count: 2, offset: [3, 0]}}\nforces: [{load: b1, force: ['-t', 0.1]}]\n";
  const Scene scene = read_scene_text(text, "f.yaml");
  const Scene again = read_scene_text(scene.effective_yaml, "f.yaml");
  CHECK(again.effective_yaml == scene.effective_yaml);
  CHECK(again.name == "007");
  CHECK(again.about == "a: b # c\n\ttwo lines");
  CHECK(again.q == scene.q);
}

TEST_CASE("--fix projects the initial state, and the effective scene keeps it") {
  const std::string broken = replaced(good, "plane: {point: [0, -4]}", "plane: {point: [0, -3.5]}");
  const Scene scene = read_scene_text(broken, "f.yaml", {{}, true});
  CHECK(initial_violations(*scene.system, scene.q, scene.u).empty());
  REQUIRE(scene.notes.size() == 1);
  CHECK(scene.notes[0].find("--fix moved ") != std::string::npos);
  CHECK(scene.notes[0].find("upper.angle from -1.222 to ") != std::string::npos);
  const Scene again = read_scene_text(scene.effective_yaml, "f.yaml");
  CHECK(again.q == scene.q);
  CHECK(again.u == scene.u);
  CHECK(again.effective_yaml == scene.effective_yaml);
}

TEST_CASE("--fix leaves what the scene gives as it is, if the rest can close the joints") {
  const std::string four_bar =
      "gravity: [0, -9.81]\n"
      "defaults: {body: {shape: rod, mass: 1}}\n"
      "bodies:\n"
      "  crank: {length: 1, angle: 60 deg, angular_velocity: 3}\n"
      "  coupler: {length: 3}\n"
      "  rocker: {length: 2}\n"
      "joints:\n"
      "  - {revolute: [world, crank], at: start, point: [0, 0]}\n"
      "  - {revolute: [crank, coupler], at: {crank: end, coupler: start}}\n"
      "  - {revolute: [coupler, rocker], at: {coupler: end, rocker: end}}\n"
      "  - {revolute: [world, rocker], at: start, point: [3, 0]}\n";
  const double given = std::acos(-1) / 3;
  const Scene scene = read_scene_text(four_bar, "f.yaml", {{}, true});
  CHECK(initial_violations(*scene.system, scene.q, scene.u).empty());
  CHECK(coordinate(scene, "crank.angle") == doctest::Approx(given).epsilon(1e-15));
  CHECK(coordinate(scene, "crank.omega") == doctest::Approx(3).epsilon(1e-12));
  CHECK(std::abs(coordinate(scene, "coupler.angle")) < 1.6);  // not round and round
  CHECK(scene.notes.at(0).find("crank") == std::string::npos);
  CHECK(scene.notes.at(0).ends_with("; what the scene gives stays as it is"));
  // Given as a coordinate, likewise.
  const Scene named = read_scene_text(replaced(four_bar, ", angle: 60 deg", "") + "initial: {crank.angle: 60 deg}\n",
                                      "f.yaml", {{}, true});
  CHECK(coordinate(named, "crank.angle") == doctest::Approx(given).epsilon(1e-15));
  // All angles given, and none of them right: each moves.
  const std::string rigid =
      replaced(replaced(four_bar, "length: 3", "length: 3, angle: 10 deg"), "length: 2", "length: 2, angle: 100 deg");
  const Scene moved = read_scene_text(rigid, "f.yaml", {{}, true});
  CHECK(initial_violations(*moved.system, moved.q, moved.u).empty());
  CHECK(std::abs(coordinate(moved, "crank.angle") - given) > 1e-3);
  CHECK_FALSE(moved.notes.at(0).ends_with("stays as it is"));
  CHECK(moved.notes.at(0).find("crank.angle from 1.047 to") != std::string::npos);
}

TEST_CASE("--fix lifts a block that stands on its corner out of the floor as it stands") {
  const Scene scene = read_scene_text(
      "gravity: [0, -9.81]\n"
      "bodies:\n"
      "  box: {shape: block, size: [0.2, 0.2], mass: 1, position: [0, -0.5], angle: 45 deg}\n"
      "contacts:\n"
      "  floor: {body: box, plane: {}}\n"
      "law: newton\n",
      "f.yaml", {{}, true});
  CHECK(coordinate(scene, "box.angle") == doctest::Approx(std::acos(-1) / 4));
  CHECK(coordinate(scene, "box.y") == doctest::Approx(0.1 * std::sqrt(2)));
}

TEST_CASE("a model without its type, or with that misspelt, is refused") {
  CHECK(complaint("model: {typ: ball}\n") ==
        "f.yaml:1:9: model: unknown key 'typ' (did you mean 'type'?); 'type' is required");
  CHECK(complaint("model: {length: 1}\n").rfind("f.yaml:1:8: model: key 'type' is missing", 0) == 0);
}

TEST_CASE("models take parameters, initial coordinates and nothing of an assembly") {
  const Scene scene = read_scene_text(
      "model: {type: double-pendulum, position: [20 deg, 30 deg]}\ninitial: {u: {link-2.angle: 0.25}}\n", "f.yaml");
  CHECK(scene.q(0) == doctest::Approx(0.3490658503988659).epsilon(1e-15));
  CHECK(scene.u(1) == 0.25);
  CHECK(complaint("model: duble-pendulum\n")
            .find("f.yaml:1:8: model: unknown model 'duble-pendulum' (did you mean 'double-pendulum'?)") == 0);
  CHECK(complaint("model: {type: double-pendulum, mas: 3}\n") ==
        "f.yaml:1:32: model: unknown key 'mas' (did you mean 'mass'?)");
  CHECK(
      complaint("model: {type: double-pendulum, mass: [1, -2]}\n").find("f.yaml:1:42: model.mass[1]: -2 is outside") ==
      0);
  CHECK(complaint("model: {type: ball, mass: 2 deg}\n") ==
        "f.yaml:1:27: model.mass: must be a number without 'deg': it is no angle");
  CHECK(complaint("model: {type: double-pendulum, restitution: 7}\nlaw: newton\n")
            .find("f.yaml:1:32: model: restitution 7 is outside the range of 'newton'") == 0);
}
