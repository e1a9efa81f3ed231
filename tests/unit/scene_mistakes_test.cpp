// Mistakes that leave every number of a scene a number: values of the command line, files of another kind, characters
// that act on terminals, contacts given twice, states without digits or without a direction.

#include <doctest/doctest.h>

#include "config/file_kind.h"
#include "tests/unit/scene_text.h"

using namespace carom;
using testing::complaint;

namespace {

const std::string ball =
    "bodies:\n"
    "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n"
    "contacts:\n"
    "  floor: {body: ball, plane: {point: [0, 0]}, friction: 0.3}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

bool is_in(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a mistake in a setting names the option as it was given, not the file") {
  const auto says = [](const Setting& setting, const std::string& sentence) {
    CAPTURE(setting.given_as);
    CHECK(complaint(ball, {{setting}}).rfind(sentence, 0) == 0);
  };
  says("contacts.floor.restitution=x", "--set contacts.floor.restitution=x: ");
  says("contacts.floor.friction=-1", "--set contacts.floor.friction=-1: must be at least 0, but is -1");
  says("bodies.ball.mas=1", "--set bodies.ball.mas=1: unknown key 'mas' (did you mean 'mass'?)");
  says("bodies.ball={shape: disk, radius: 1}", "--set bodies.ball={shape: disk, radius: 1}: key 'mass' is missing");
  says("contacts.flor.friction=1", "--set contacts.flor.friction=1: there is no 'flor' under contacts (did you mean");
  says("contacts.floor.friction.x=1",
       "--set contacts.floor.friction.x=1: 'friction' has no key 'x' below it: in the file it is '0.3', not a map "
       "(f.yaml:4:57)");
  says("law={type: newton", "--set law={type: newton: not valid YAML");
  says({"law=newtn", "--law newtn"}, "--law newtn: unknown law 'newtn'");
  says({"integrator.step=0", "--step 0"}, "--step 0: integrator.step: must be above 0");
  says({"integrator.duration=soon", "--duration soon"}, "--duration soon: integrator.duration: ");
  says({"law=compliant", "--law compliant"},
       "--law compliant: contacts.floor: 'floor' has friction, which compliant does not model");
  // What the law has against a coefficient is told where the coefficient was given.
  says("contacts.floor.restitution=2", "--set contacts.floor.restitution=2: ");
}

TEST_CASE("a coefficient that a law refuses beside another is not passed with a warning for its size") {
  for (const char* tangential : {"0.9", "1.01"}) {
    const std::string text =
        replaced(ball, "friction: 0.3", std::string("friction: 0.3, tangential_restitution: ") + tangential);
    CHECK(is_in(complaint(text + "law: poisson\n"), "poisson needs tangential_restitution ≤ restitution"));
  }
}

TEST_CASE("a law whose parameters do not fit the impact that a scene begins with is told at its key") {
  const std::string landing = replaced(ball, "position: [0, 1]", "position: [0, 0.1], velocity: [1, -1]");
  const std::string law = "law:\n  type: restitution-matrix\n";
  CHECK(is_in(complaint(landing + law + "  basis: [[1, 0, 0]]\n"), "f.yaml:7:3: law.basis: basis spans 1 "));
  CHECK(is_in(complaint(landing + law + "  tt: 0.5\n"), "f.yaml:7:3: law.tt: restitution-matrix asks for a velocity"));
  CHECK(is_in(complaint(landing + law, {{Setting("law.tt=0.5")}}),
              "--set law.tt=0.5: restitution-matrix asks for a velocity"));
  CHECK(complaint(ball + law + "  tt: 0.5\n").empty());  // nothing meets yet
  // A step asks the law about bodies that act on each other, and about nothing else.
  const std::string others =
      replaced(landing, "contacts:", "  idle: {shape: disk, radius: 0.1, mass: 2, position: [1, 5]}\ncontacts:");
  CHECK(complaint(others + law + "  tt: [[-1, 0], [0, -1]]\n") == "");
  CHECK(is_in(complaint(others + law + "  basis: [[1, 0, 0, 0, 0, 0]]\n"), "law.basis: "));
}

TEST_CASE("all mistakes of the command line are told at once, after those of the file") {
  const std::string told =
      complaint(ball + "gravty: [0, 0]\n", {{"bodies.ball.mas=1", "contacts.floor.friction=-1", "law=newtn"}});
  CHECK(is_in(told, "f.yaml:5:1: unknown key 'gravty' (did you mean 'gravity'?)\n--set bodies.ball.mas=1: "));
  CHECK(is_in(told, "\n--set contacts.floor.friction=-1: "));
  CHECK(is_in(told, "\n--set law=newtn: "));
  CHECK(complaint(ball, {{"contacts.a.friction=1", "nonsense"}}) ==
        "--set contacts.a.friction=1: there is no 'a' under contacts\n--set nonsense: a setting is key=value");
}

TEST_CASE("a file of another kind is named in one sentence, with the command that takes it") {
  CHECK(complaint("scene: a.yaml\nvary: {x: [1, 2]}\nmeasures: [work]\n") ==
        "f.yaml: is a sweep (it has 'vary'), not a scene: 'carom sweep' computes it");
  const std::string impact = "impact: {mass: [[1]], velocity: [-1], elements: []}\n";
  CHECK(complaint(impact) ==
        "f.yaml: is a raw impact problem (it has 'impact'), not a scene: 'carom impact' resolves it");
  CHECK(is_in(other_kind(Document::from_text(ball, "f.yaml"), FileKind::sweep), "is a scene (it has 'bodies'), not a"));
  CHECK(other_kind(Document::from_text(impact, "f.yaml"), FileKind::impact) == "");
  // With the keys of two kinds nobody can say which was meant.
  CHECK(is_in(complaint(ball + "vary: {x: [1]}\n"), "unknown key 'vary'"));
}

TEST_CASE("control characters are refused where they stand, and messages do not pass them on") {
  for (const char* control : {"\\e[31m", "\\a", "\\r", "\\x7f", "\\x9b", "\\u202e"}) {
    CAPTURE(control);
    const std::string in_value = complaint("about: \"a" + std::string(control) + "b\"\n" + ball);
    CHECK(in_value.rfind("f.yaml:1:8: about: holds the control character U+", 0) == 0);
    const std::string in_key = complaint(ball + "  \"flo" + control + "or\": {body: ball, plane: {}}\n");
    CHECK(is_in(in_key, "f.yaml:5:3: contacts: holds the control character U+"));
    CHECK(in_key.find_first_of("\x1b\a\r\x7f") == std::string::npos);
  }
  CHECK(complaint(ball + "  \"flo\\nor\": {point: ball, plane: {}}\n")
            .rfind("f.yaml:5:3: contacts: a key has no line breaks", 0) == 0);
  CHECK(complaint("scene: \"two\\nlines\"\n" + ball) == "f.yaml:1:8: scene: a name has no line breaks and no tabs");
  CHECK(complaint("about: \"two\\n\\tlines\"\n" + ball) == "");
}

TEST_CASE("contacts between the same features are refused, with both places") {
  const auto twice = [](const std::string& second) { return complaint(ball + "  again: " + second + "\n"); };
  CHECK(
      twice("{body: ball, plane: {point: [3, 0]}}") ==
      "f.yaml:5:10: contacts.again: is between the same as 'floor' in line 4, and both would hold and brake it; leave "
      "one of them out");
  CHECK(twice("{body: ball, plane: {point: [0, -1]}}") == "");
  CHECK(twice("{body: ball, plane: {point: [-1, 0], normal: [1, 0]}}") == "");
  CHECK(twice("{point: ball, plane: {point: [0, 0]}}") == "");

  const std::string pair =
      "bodies:\n"
      "  a: {shape: disk, radius: 0.1, mass: 1}\n"
      "  b: {shape: disk, radius: 0.1, mass: 1, position: [1, 0]}\n"
      "contacts:\n"
      "  one: {between: [a, b]}\n";
  CHECK(complaint(pair) == "");
  CHECK(complaint(pair + "collide: all\n") == "");  // the named contact alone is there
  CHECK(complaint(pair + "  two: {between: [b, a]}\n")
            .rfind("f.yaml:6:8: contacts.two: is between the same as 'one' in line 5", 0) == 0);
  CHECK(is_in(complaint(pair + "  two: {body: a, on: b}\n"), "'one' in line 5"));

  const std::string ground = replaced(ball, "contacts:", "  ground: {shape: plane}\ncontacts:");
  CHECK(complaint(ground) == "");
  CHECK(complaint(ground + "collide: all\n")
            .rfind("f.yaml:5:10: contacts.floor: its plane is also the body 'ground', which 'collide'", 0) == 0);
  CHECK(is_in(complaint(ground + "collide: [ball, ground]\n"), "its plane is also the body 'ground'"));
  CHECK(complaint(ground + "collide: {except: [[ground, ball]]}\n") == "");
  CHECK(complaint(replaced(ground, "plane}", "plane, position: [0, -1]}") + "collide: all\n") == "");
}

TEST_CASE("contacts are the same by what meets, not by how they are written") {
  const std::string rod =
      "bodies:\n"
      "  r: {shape: rod, length: 1, mass: 1, position: [0, 1]}\n"
      "  ground: {shape: plane}\n"
      "contacts:\n"
      "  one: {body: r, on: ground}\n"
      "  two: ";
  const std::string same = "f.yaml:6:8: contacts.two: is between the same as 'one' in line 5";
  for (const char* second : {"{body: r, plane: {}}", "{between: [ground, r]}",
                             "{point: r.start, plane: {point: [7, 0]}}", "{point: {body: r, at: [0.5, 0]}, on: ground}",
                             "{body: r, plane: {normal: [1e-9, 1]}}", "{body: r, plane: {point: [0, 1e-9]}}"}) {
    CAPTURE(second);
    CHECK(complaint(rod + second + "\n").rfind(same, 0) == 0);
  }
  for (const char* other : {"{point: r.centre, on: ground}", "{body: r, plane: {normal: [1e-3, 1]}}",
                            "{body: r, plane: {point: [0, -0.1]}}"}) {
    CAPTURE(other);
    CHECK(complaint(rod + other + "\n") == "");
  }
  // The end of a thick rod is not where its shape touches.
  CHECK(complaint(replaced(rod, "length: 1", "length: 1, thickness: 0.1") + "{point: r.start, plane: {}}\n") == "");

  const std::string blocks =
      "bodies:\n"
      "  a: {shape: block, size: [1, 1], mass: 1}\n"
      "  b: {shape: block, size: [1, 1], mass: 1, position: [0, 2]}\n"
      "contacts:\n"
      "  one: {between: [a, b]}\n"
      "  two: ";
  CHECK(complaint(blocks + "{point: b.bottom-left, on: a}\n").rfind(same, 0) == 0);
  const std::string corner = replaced(blocks, "{between: [a, b]}", "{point: a.top-right, on: b}");
  CHECK(complaint(corner + "{point: b.bottom-left, on: a}\n") == "");  // each on the other: both can touch
  CHECK(complaint(blocks + "{point: b.bottom, on: a}\n") == "");
}

TEST_CASE("masses whose impulses have no squares are refused, of bodies, models and matrices") {
  const auto of_mass = [](const std::string& mass) { return complaint(replaced(ball, "mass: 1", "mass: " + mass)); };
  CHECK(of_mass("1e-200").rfind("f.yaml:2:9: bodies.ball: the mass of 'ball.vx', 1e-200 kg, is outside 1e-120", 0) ==
        0);
  CHECK(of_mass("1e200").rfind("f.yaml:2:9: bodies.ball: the mass of 'ball.vx', 1e+200 kg, is outside 1e-120", 0) == 0);
  CHECK(of_mass("1, inertia: 1e-200").rfind("f.yaml:2:9: bodies.ball: the moment of inertia of 'ball.omega'", 0) == 0);
  CHECK(of_mass("1e-100") == "");
  CHECK(of_mass("1e100") == "");
  CHECK(complaint("model: {type: ball, mass: 1e-200}\ninitial: {ball.y: 2}\n")
            .rfind("f.yaml:1:1: model: the mass of 'ball.y', 1e-200 kg, is outside", 0) == 0);
}

TEST_CASE("the length of a direction does not matter, that of a body does") {
  for (const char* normal : {"[0, 1e200]", "[0, 1e-200]", "[0, 1e-320]"})
    CHECK(complaint(replaced(ball, "point: [0, 0]", "normal: " + std::string(normal))) == "");
  CHECK(is_in(complaint(replaced(ball, "point: [0, 0]", "normal: [0, 0]")), "but has no length"));
  CHECK(complaint(replaced(ball, "radius: 0.1", "radius: 1e160")) ==
        "f.yaml:2:9: bodies.ball: body 'ball': its moment of inertia is too large to be a number");
}

TEST_CASE("coordinates without digits left are refused") {
  const auto says = [](const std::string& text, const std::string& sentence) {
    CAPTURE(text);
    CHECK(complaint(text).rfind(sentence, 0) == 0);
  };
  says("model: {type: double-pendulum}\ninitial: {q: [1e300, 0]}\n",
       "f.yaml:2:1: initial: 'link-1.angle' = 1e+300 rad is so large");
  const std::string free = "bodies:\n  a: {shape: disk, radius: 1, mass: 1, ";
  says(free + "angle: 1e9}\n", "f.yaml:2:6: bodies.a: 'a.angle' = 1e+09 rad is so large that no digits are left");
  says(free + "position: [0, 1e13]}\n", "f.yaml:2:6: bodies.a: 'a.y' = 1e+13 m is so large");
  says(free + "angular_velocity: 1e12}\n", "f.yaml:2:6: bodies.a: 'a.omega' = 1e+12 rad/s goes so far in a step");
  // Where they are given, not at the body.
  const std::string initial = free + "}\ninitial: ";
  says(initial + "{a.x: 1e300}\n", "f.yaml:3:1: initial: 'a.x' = 1e+300 m is so large");
  says(initial + "{u: [0, 1e300, 0]}\n", "f.yaml:3:1: initial: 'a.vy' = 1e+300 m/s goes so far");
  says(initial + "{a: {velocity: [1e300, 0]}}\n", "f.yaml:3:14: initial.a: 'a.vx' = 1e+300 m/s goes so far");
  CHECK(complaint(free + "position: [0, 1.5e11], angle: 1e4, velocity: [3e4, 0]}\n") == "");
}

TEST_CASE("a spring whose ends are at one point has a direction only if it is at rest there") {
  const auto spring = [](const std::string& rest) {
    return complaint(
        "bodies:\n  a: {shape: disk, radius: 1, mass: 1}\nforces:\n  - {spring: [world, a], point: [0, 0], " + rest +
        "stiffness: 1}\n");
  };
  CHECK(spring("rest: 0.5, ").rfind("f.yaml:4:5: forces[0]: its ends are at one point initially", 0) == 0);
  CHECK(spring("rest: 0, ") == "");
  CHECK(spring("") == "");
}

TEST_CASE("coordinates that contradict what a body says of itself are told; they count") {
  const auto read = [](const std::string& initial) { return read_scene_text(ball + "initial: " + initial, "f.yaml"); };
  const Scene scene = read("{q: [0, 3, 0]}");
  CHECK(scene.q(1) == 3);
  REQUIRE(scene.warnings.size() == 1);
  CHECK(scene.warnings[0] ==
        "f.yaml:5:18: initial: gives ball.y = 3, but bodies.ball (line 2) says 1; what is given here counts");
  CHECK(read("{q: [0, 1, 0]}").warnings.empty());
  CHECK(read("{q: [0, 1, 0.5]}").warnings.empty());  // of its angle it says nothing
  CHECK(read("{ball.x: 2}").warnings.size() == 1);
  const Scene posed = read("{ball: {position: [0, 3]}}");
  CHECK(posed.q(1) == 3);
  REQUIRE(posed.warnings.size() == 1);
  CHECK(posed.warnings[0] ==
        "f.yaml:5:18: initial.ball: gives position of 'ball' = [0, 3], but bodies.ball (line 2) says [0, 1]; what is "
        "given here counts");
  CHECK(read("{ball: {position: [0, 1], angle: 2, velocity: [1, 0]}}").warnings.empty());
  const Scene twice = read("{ball: {position: [0, 1]}, ball.y: 3}");
  CHECK(twice.q(1) == 3);
  REQUIRE(twice.warnings.size() == 1);
  CHECK(twice.warnings[0] ==
        "f.yaml:5:37: initial: gives ball.y = 3, but initial.ball (line 5) says 1; what is given here counts");
  CHECK(complaint(ball + "initial: {q: [0, 1, 0], ball.y: 3}\n")
            .rfind("f.yaml:5:33: initial.ball.y: is given twice", 0) == 0);
  CHECK(is_in(complaint(ball + "initial: {ball.y: 3, q: [0, 1, 0]}\n"), "leave one of them out"));
  // A scene that --fix has made says both, and is read again when its run goes on.
  CHECK(read_scene_text(ball + "initial: {q: [0, 3, 0]}", "f.yaml", {{}, true}).warnings.empty());
}

TEST_CASE("one of repeated bodies may be given otherwise than the others, but not the others otherwise than it") {
  const auto warnings = [](const std::string& initial) {
    const std::string balls =
        "bodies:\n"
        "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1], velocity: [0, 0], repeat: {count: 3, offset: "
        "[1, "
        "0]}}\n"
        "collide: none\n";
    return read_scene_text(balls + "initial: " + initial, "f.yaml").warnings;
  };
  CHECK(warnings("{ball1: {velocity: [1, 0]}}").empty());
  CHECK(warnings("{ball1.vx: 1}").empty());
  CHECK(warnings("{ball1: {angle: 1}, ball: {angle: 2}}").size() == 1);
  CHECK(warnings("{ball: {angle: 2}, ball1: {angle: 1}}").empty());
  CHECK(warnings("{ball1: {angle: 1}, ball1.angle: 2}").size() == 1);
}

TEST_CASE("a contact that penetrates more than rounded digits explain is told, with the way out") {
  const auto warnings = [](const char* height) {
    return read_scene_text(replaced(ball, "position: [0, 1]", std::string("position: [0, ") + height + "]"), "f.yaml")
        .warnings;
  };
  CHECK(warnings("0.1").empty());
  CHECK(warnings("0.0999995").empty());
  REQUIRE(warnings("0.099995").size() == 1);
  CHECK(warnings("0.099995")[0].rfind("f.yaml:4:10: contacts.floor: contact 'floor' penetrates by 5e-06 m initially",
                                      0) == 0);
  CHECK(is_in(warnings("0.099995")[0], "--fix"));
  const std::string low = replaced(ball, "position: [0, 1]", "position: [0, 0.099995]");
  const Scene fixed = read_scene_text(low, "f.yaml", {{}, true});
  CHECK(fixed.q(1) == doctest::Approx(0.1).epsilon(1e-12));
  CHECK(fixed.warnings.empty());
  CHECK(fixed.notes.size() == 1);
  // A run that goes on has a state of its own.
  CHECK(read_scene_text(low, "f.yaml", {{}, true, true}).notes.empty());
}

TEST_CASE("a pair of materials that nothing is of is told") {
  const auto warnings = [](const char* names) {
    return read_scene_text("materials: [{between: [" + std::string(names) + "], restitution: 0.5}]\n" +
                               replaced(ball, "mass: 1", "mass: 1, material: steel"),
                           "f.yaml")
        .warnings;
  };
  CHECK(warnings("steel, \"*\"").empty());
  REQUIRE(warnings("steel, wood").size() == 1);
  CHECK(warnings("steel, wood")[0] ==
        "f.yaml:1:31: materials[0].between[1]: nothing is of the material 'wood', so that the pair counts nowhere");
}

TEST_CASE("what does nothing is told where it stands") {
  const std::string two =
      "bodies:\n"
      "  a: {shape: disk, radius: 0.1, mass: 1}\n"
      "  p: {shape: point, mass: 1, position: [1, 0]}\n"
      "  f: {shape: block, size: [1, 1], fixed: true, position: [5, 0]}\n";
  const auto says = [&](const std::string& part, const std::string& sentence) {
    CAPTURE(part);
    CHECK(complaint(two + part).rfind(sentence, 0) == 0);
  };
  says("forces: [{spring: [a, p]}]\n", "f.yaml:5:10: forces[0]: needs a 'stiffness' or a 'damping'");
  says("forces: [{torsion: [a, p], stiffness: 1}]\n", "f.yaml:5:10: forces[0]: spring 'a-p': a body without");
  says("forces: [{load: p, torque: 1}]\n", "f.yaml:5:10: forces[0]: load 'p': a body without rotational inertia");
  says("collide: {except: [[a, a]]}\n", "f.yaml:5:20: collide.except[0]: 'a' does not meet itself");
  CHECK(complaint(two + "forces: [{load: a, force: 1}]\n") ==
        "f.yaml:5:27: forces[0].force: must be a list, but is a single value");
  const auto warnings = [&](const std::string& part) { return read_scene_text(two + part, "f.yaml").warnings; };
  CHECK(warnings("collide: [a]\n") ==
        std::vector<std::string>{"f.yaml:5:10: collide: finds no contact: it takes two bodies to meet"});
  CHECK(warnings("collide: [f, f]\n").size() == 1);
  CHECK(warnings("collide: [a, f]\n").empty());
  CHECK(warnings("collide: all\n").empty());
}

TEST_CASE("a force or motion with a pole within the run is refused") {
  const auto with = [](const std::string& force, const std::string& motion = "0") {
    return complaint(
        "bodies:\n  a: {shape: disk, radius: 1, mass: 1}\n  b: {shape: disk, radius: 1, mass: 1}\njoints:\n" +
        ("  - {motion: b.x, as: \"" + motion) + "\"}\nforces:\n  - {load: a, force: [\"" + force +
        "\", 0]}\nintegrator: {step: 1e-3, duration: 1}\n");
  };
  CHECK(with("1/(t - 0.5)") ==
        "f.yaml:7:5: forces[0]: '1/(t - 0.5)' has a pole at t = 0.5 s, within the run: there it exceeds every number");
  for (const char* pole : {"1/t", "(t - 0.12345)^-2", "tan(3*t)", "5 + 1/(1e6*(t - 0.7))", "1/sin(pi*t/0.9)"})
    CHECK(is_in(with(pole), "has a pole at t = "));
  CHECK(is_in(with("0", "t + 1/(t - 0.25)^2"),
              "f.yaml:5:5: joints[0].as: 't + 1/(t - 0.25)^2' has a pole at t = 0.25 s"));
  CHECK(is_in(with("1/t"), "has a pole at t = 0 s"));
  CHECK(with("0", "sqrt(t)") ==
        "f.yaml:5:5: joints[0].as: 'sqrt(t)' has no finite velocity at t = 0, with which a body could begin");
  CHECK(is_in(with("0", "log(t)"), "joints[0].as: 'log(t)' is not a finite number at t = 0"));
  // A pole outside, moments without a value, and what grows slower than its time shrinks.
  for (const char* good :
       {"sqrt(0.5 - t)", "1/(t - 1.5)", "1/(t + 0.1)", "sin(t)/(t + 0*t)", "log(t)", "1/sqrt(t)", "1/(2 + sin(50*t))"})
    CHECK(with(good) == "");
}
