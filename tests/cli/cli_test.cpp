#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "solvers/laws/list.h"
#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;

namespace {

const std::string kane = std::string(CAROM_SOURCE) + "/config/impacts/kane.yaml";

// A good problem; `replace` puts a mistake into it.
const std::string good =
    "impact:\n"
    "  mass: [[2, 0], [0, 1]]\n"
    "  velocity: [-1, 0.5]\n"
    "  elements:\n"
    "    - {name: wall, kind: contact, normal: [1, 0], tangent: [0, 1], restitution: 0.5, friction: 0.3}\n"
    "law: poisson\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the main job: every law on Kane's pendulum, with the published figures") {
  const Run run = run_carom("impact " + kane + " --law all");
  CHECK(run.code == 0);
  for (const char* text : {"3.4079", "1.4676", "+0.1634", "creates energy (+59 %)", "-0.1266", "reverse slip (type 4)",
                           "-0.1243", "which compliant does not model"}) {
    CAPTURE(text);
    CHECK(run.out.find(text) != std::string::npos);
  }
  CHECK(run.err.empty());
  CHECK(run.out.find('\033') == std::string::npos);  // no colours on a pipe
}

TEST_CASE("JSON has the agreed form, with numbers that read back to the same bits") {
  const Run run = run_carom("impact " + kane + " --law poisson,stronge --json");
  REQUIRE(run.code == 0);
  const json document = json::parse(run.out);
  CHECK(document["scene"] == "kane");
  REQUIRE(document["results"].size() == 2);
  const json& poisson = document["results"][0];
  for (const char* key : {"law", "velocity_before", "velocity_after", "kinetic_energy_before", "kinetic_energy_after",
                          "work", "consistency", "elements", "solver"}) {
    CAPTURE(key);
    CHECK(poisson.contains(key));
  }
  CHECK(!poisson.contains("type"));
  CHECK(document["results"][1]["type"] == 4);
  CHECK(poisson["consistency"] == json({{"kinematic", true}, {"kinetic", true}, {"energetic", true}}));
  const json& tip = poisson["elements"][0];
  CHECK(tip["name"] == "tip");
  CHECK(tip["kind"] == "contact");
  CHECK(tip["state"] == "stick");
  CHECK(tip["impulse"][0].get<double>() == doctest::Approx(0.6823).epsilon(1e-4));
  CHECK(tip["compression"][0].get<double>() == doctest::Approx(0.4549).epsilon(1e-4));
  CHECK(poisson["solver"]["solutions"] == 1);
  CHECK(poisson["solver"]["residual"].get<double>() < 1e-12);
  CHECK(run.out.find("-0.10000000000000001") != std::string::npos);
  const json newton = json::parse(run_carom("impact " + kane + " --law newton --json").out);
  CHECK(newton["results"][0]["elements"][0]["compression"].is_null());
  CHECK(newton["results"][0]["consistency"]["energetic"] == false);
}

TEST_CASE("options: --set, --solver, --strict, --all-solutions") {
  const Run set = run_carom("impact " + kane + " --law newton --set impact.elements.tip.restitution=0.7");
  CHECK(set.out.find("5.4995") != std::string::npos);
  for (const char* solver : {"enumerate", "lemke", "gauss-seidel", "auto"}) {
    const Run run = run_carom("impact " + kane + " --law poisson --solver " + solver);
    CHECK(run.code == 0);
    CHECK(run.out.find("-0.1266") != std::string::npos);
  }
  CHECK(run_carom("impact " + kane + " --law newton --strict").code == 3);
  CHECK(run_carom("impact " + kane + " --law poisson --strict").code == 0);
  CHECK(run_carom("impact " + kane + " --all-solutions --solver lemke").code == 2);

  const std::string jam = write_file("jam.yaml",
                                     "impact:\n  mass: [[3.5714285714285716, -2.1428571428571428], "
                                     "[-2.1428571428571428, 1.7857142857142858]]\n  velocity: [0.1, 1]\n"
                                     "  elements:\n    - {name: rod, kind: contact, normal: [1, 0], tangent: [0, 1], "
                                     "friction: 1.5}\nlaw: inelastic\n");
  const json all = json::parse(run_carom("impact " + jam + " --all-solutions --json").out);
  CHECK(all["results"].size() == 3);
  CHECK(all["results"][0]["solver"]["solutions"] == 3);
  CHECK(json::parse(run_carom("impact " + jam + " --json").out)["results"].size() == 1);
}

TEST_CASE("every shipped problem runs, by its own law and by all") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CAROM_SOURCE) + "/config/impacts")) {
    const std::string path = entry.path().string();
    CAPTURE(path);
    CHECK(run_carom("impact " + path).code == 0);
    const Run all = run_carom("impact " + path + " --law all --json");
    CHECK(all.code == 0);
    CHECK(json::parse(all.out)["results"].size() >= 5);
    ++files;
  }
  CHECK(files >= 6);
  const json hinged =
      json::parse(run_carom("impact " + std::string(CAROM_SOURCE) + "/config/impacts/kane-hinged.yaml --json").out);
  const json angles = json::parse(run_carom("impact " + kane + " --json").out);
  CHECK(hinged["results"][0]["velocity_after"][2].get<double>() ==
        doctest::Approx(angles["results"][0]["velocity_after"][0].get<double>()).epsilon(1e-10));
  CHECK(hinged["results"][0]["velocity_after"][5].get<double>() ==
        doctest::Approx(angles["results"][0]["velocity_after"][1].get<double>()).epsilon(1e-10));
}

TEST_CASE("laws and solvers tell what they are") {
  const Run laws = run_carom("laws");
  CHECK(laws.code == 0);
  CHECK(laws.out.find("restitution-matrix") != std::string::npos);
  const Run one = run_carom("laws sequential");
  for (const char* text : {"equation", "source", "domain", "known failures", "max_collisions", "100000"}) {
    CAPTURE(text);
    CHECK(one.out.find(text) != std::string::npos);
  }
  CHECK(json::parse(run_carom("laws --json").out).size() == carom::impact_laws().size());
  CHECK(json::parse(run_carom("laws poisson --json").out)["name"] == "poisson");
  CHECK(run_carom("solvers").out.find("gauss-seidel") != std::string::npos);
  CHECK(json::parse(run_carom("solvers --json").out).size() == 6);
  const json ladder = json::parse(run_carom("solvers auto --json").out)["ladder"];
  REQUIRE(ladder.size() > 10);
  CHECK(ladder[0]["solver"] == "enumerate");
  CHECK(ladder[0]["suits"].get<std::string>().find("300 combinations") != std::string::npos);
  CHECK(run_carom("solvers").out.find("few contacts in space that creep") != std::string::npos);
  const Run unknown = run_carom("laws poison");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean 'poisson'") != std::string::npos);
}

TEST_CASE("verify recomputes every published figure") {
  const Run run = run_carom("verify");
  CHECK(run.code == 0);
  CHECK(run.out.find("0 differ") != std::string::npos);
  CHECK(run.out.find("misprint, should be") != std::string::npos);
  const json document = json::parse(run_carom("verify --json").out);
  CHECK(document["differ"] == 0);
  CHECK(document["checks"].size() == document["total"]);
}

TEST_CASE("bad usage ends with 2 and a sentence") {
  for (const char* arguments :
       {"fly", "impact", "impact --law", "laws a b", "verify --no-such-flag", "impact no-such-file.yaml"}) {
    CAPTURE(arguments);
    const Run run = run_carom(arguments);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(!run.err.empty());
  }
  CHECK(run_carom("--help").code == 0);
  CHECK(run_carom("impact --help").out.find("--all-solutions") != std::string::npos);
  CHECK(run_carom("--version").out.find("carom 0") != std::string::npos);
}

TEST_CASE("bad files: exit 2, nothing on stdout, the mistake with its place") {
  struct Bad {
    std::string from, to, says;
  };
  const std::vector<Bad> list = {
      {"[[2, 0], [0, 1]]", "[[2, 1], [0, 1]]", ":2:3: impact.mass: the mass matrix is not symmetric"},
      {"[[2, 0], [0, 1]]", "[[2, 3], [3, 1]]", "not positive definite"},
      {"[[2, 0], [0, 1]]", "[[2, 0], [0, 0]]", "not positive definite"},
      {"[[2, 0], [0, 1]]", "[[2, 0]]", "must be square"},
      {"[[2, 0], [0, 1]]", "[[2, 0], [0]]", "has 1 numbers, the rows above have 2"},
      {"[[2, 0], [0, 1]]", "[]", "empty"},
      {"[-1, 0.5]", "[-1, 0.5, 3]", "the velocity has 3 numbers"},
      {"[-1, 0.5]", "[-1, .nan, 3]", "the velocity has 3 numbers"},
      {"[-1, 0.5]", "[-1, .nan]", ":3:18: impact.velocity[1]: must be a number, but is '.nan'"},
      {"[-1, 0.5]", "[-1, inf]", "must be a finite number"},
      {"[-1, 0.5]", "[-1, 1e999]", "too large or too small"},
      {"[-1, 0.5]", "[-1e200, 0.5]", "overflows"},
      {"[-1, 0.5]", "[-1e-170, 0]", "too small to be computed with"},
      {"[-1, 0.5]", "{x: 1}", "must be a list of numbers, but is a map"},
      {"normal: [1, 0]", "normal: [0, 0]", "'normal' is zero"},
      {"normal: [1, 0]", "normal: [1, 0, 0]", "'normal' has 3 numbers"},
      {"normal: [1, 0]", "nromal: [1, 0]", "unknown key 'nromal' (did you mean 'normal'?)"},
      {"tangent: [0, 1]", "tangent: [[0, 1], [0, 2]]", "dependent"},
      {"tangent: [0, 1]", "tangent: [[0, 1], [1, 0], [1, 1]]", "at most two tangents"},
      {"tangent: [0, 1], ", "", "a contact with friction needs a tangent"},
      {"restitution: 0.5", "restituton: 0.5",
       ":5:68: impact.elements.wall: unknown key 'restituton' (did you mean 'restitution'?)"},
      {"restitution: 0.5", "restitution: -0.5", "outside the range of 'poisson'"},
      {"friction: 0.3", "friction: -0.3", "negative"},
      {"friction: 0.3", "friction: [0.3, 0.2]", "two friction coefficients need two tangents"},
      {"friction: 0.3", "friction: [0.3]", "must be a number, or two"},
      {"friction: 0.3", "friction: much", "must be a number, but is 'much'"},
      {"friction: 0.3", "friction: 0.3, friction: 0.4", "given twice"},
      {"kind: contact", "kind: contcat", "did you mean 'contact'"},
      {"kind: contact", "", "key 'kind' is missing"},
      {"kind: contact", "kin: contact", "unknown key 'kin' (did you mean 'kind'?)"},
      {"name: wall", "<<: {friction: 1}, name: wall", "merge keys"},
      {"[-1, 0.5]", "[+-1, 0.5]", "must be a number"},
      {"law: poisson", "law: {type: sequential, order: [wal]}", "(did you mean 'wall'?)"},
      {"law: poisson", "law: {type: sequential, each: newton}\n...\nlaw: newton", "second document"},
      {"restitution: 0.5", "tangential_restitution: -1", "outside the range of 'poisson'"},
      {"law: poisson", "law: poison", "did you mean 'poisson'"},
      {"law: poisson", "law: {type: poisson, restitution: 1}", "unknown key 'restitution'"},
      {"law: poisson", "law: {type: compliant, exponent: 0.5}", "outside its range (1 .. 10)"},
      {"law: poisson", "law: {type: sequential, each: sequential}", "cannot be the law of its own collisions"},
      {"law: poisson", "law: {type: restitution-matrix, metric: angular}", "choose from kinetic, contact"},
      {"law: poisson\n", "", "no law"},
      {"restitution: 0.5", "restitution: 0.5, tangential_restitution: 0.6",
       ":5:86: impact.elements.wall: poisson needs tangential_restitution ≤ restitution"},
      {"law: poisson", "law: {type: sequential, each: poisson, max_collisions: 1.5}",
       "law.max_collisions: must be a whole number, but is 1.5"},
      {"law: poisson", "law: {type: restitution-matrix, nn: [[1, 0], [0, 1]]}",
       ":6:33: law.nn: nn is 2×2, but must be 1×1"},
      {"law: poisson", "law: {type: restitution-matrix, nt: [[1, 0]]}", ":6:33: law.nt: nt is 1×2, but must be 1×1"},
      {"law: poisson", "law: {type: restitution-matrix, tn: [[1, 0]]}", "law.tn: tn is 1×2, but must be 1×1"},
      {"law: poisson", "law: {type: restitution-matrix, tt: [[1, 0]]}", "law.tt: tt is 1×2, but must be 1×1"},
      {"law: poisson", "laws: poisson", "did you mean 'law'"},
      {"impact:", "impct:", "did you mean 'impact'"},
      {"  elements:", "  elements: 3\n  other:", "must be a list"},
      {"friction: 0.3}", "friction: 0.3", "not valid YAML"},
      {"law: poisson", "law: poisson\n---\nlaw: newton", "second document"},
  };
  for (std::size_t k = 0; k < list.size(); ++k) {
    CAPTURE(list[k].to);
    const Run run = run_carom(
        "impact " + write_file("bad" + std::to_string(k) + ".yaml", replaced(good, list[k].from, list[k].to)));
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find(list[k].says) != std::string::npos);
  }
  CHECK(run_carom("impact " + write_file("good.yaml", good)).code == 0);
}

TEST_CASE("numbers of an impact file may be expressions of constants") {
  const std::string digits =
      "impact:\n  mass: [[16, 5.9088465180732485], [5.9088465180732485, 4]]\n  velocity: [-0.1, -0.2]\n  elements:\n"
      "    - {name: tip, kind: contact, normal: [0.68404028665133743, 1], tangent: [-1.8793852415718169, "
      "-1.7320508075688774], restitution: 0.5, friction: 0.5}\nlaw: {type: moreau, restitution: 0.5}\n";
  std::string expressions = replaced(digits, "[[16, 5.9088465180732485], [5.9088465180732485, 4]]",
                                     "[[16, \"6*cos(pi/18)\"], [6*cos(pi/18), 4]]");
  expressions = replaced(expressions, "0.68404028665133743", "2*sin(pi/9)");
  expressions = replaced(expressions, "[-1.8793852415718169, -1.7320508075688774]", "[-2*cos(pi/9), -sqrt(3)]");
  expressions = replaced(expressions, "friction: 0.5", "friction: 1/2");
  expressions = replaced(expressions, "moreau, restitution: 0.5", "moreau, restitution: \"1/2\"");
  for (const char* law : {"newton", "moreau"}) {
    const auto after = [&](const std::string& text) {
      const Run run = run_carom("impact " + write_file("expressions.yaml", text) + " --json --law " + law);
      CAPTURE(run.err);
      REQUIRE(run.code == 0);
      return json::parse(run.out)["results"][0]["velocity_after"];
    };
    for (std::size_t k : {0, 1})
      CHECK(after(expressions)[k].get<double>() == doctest::Approx(after(digits)[k].get<double>()).epsilon(1e-14));
  }
  const Run bad = run_carom("impact " + write_file("bad_row.yaml", replaced(digits, "[[16, ", "[[x, ")));
  CHECK(bad.err.find("the rows above have 0") == std::string::npos);
}

TEST_CASE("all mistakes of a file at once, by line") {
  const Run run =
      run_carom("impact " + write_file("many.yaml",
                                       "impact:\n  mass: [[2, 1], [0, 1]]\n  velocity: [-1, x]\n  elements:\n"
                                       "    - {name: a, kind: contact, normal: [1, 0], frition: 0.3}\n    - {name: a, "
                                       "kind: cluch}\nlaw: newtn\nextra: 1\n"));
  CHECK(run.code == 2);
  for (const char* text : {":3:18:", ":5:", "frition", ":6:", "cluch", ":7:", "newtn", ":8:1: unknown key 'extra'"}) {
    CAPTURE(text);
    CHECK(run.err.find(text) != std::string::npos);
  }
}

TEST_CASE("mistakes that a law finds are named with the others, and nothing is made up for what cannot be read") {
  const std::string elements =
      "  velocity: [-1, 0.5]\n  elements:\n"
      "    - {name: hinge, kind: bilateral, direction: [0, 1]}\n"
      "    - {name: wall, kind: contact, normal: [1, 0], tangent: [0, 1], friction: 0.3, restitution: 0.2, "
      "tangential_restitution: 0.4}\nlaw: poisson\n";
  const Run run =
      run_carom("impact " + write_file("unreadable.yaml", "impact:\n  mass: [[2, x], [0, 1]]\n" + elements));
  CHECK(run.code == 2);
  CHECK(run.err.find(":2:14: impact.mass[0][1]: must be a number") != std::string::npos);
  CHECK(run.err.find(":6:101: impact.elements.wall: poisson needs tangential_restitution") != std::string::npos);
  CHECK(run.err.find("nearest velocity") == std::string::npos);
  const Run whole =
      run_carom("impact " + write_file("readable.yaml", "impact:\n  mass: [[2, 0], [0, 1]]\n" + elements));
  CHECK(whole.err.find("nearest velocity") != std::string::npos);
}

TEST_CASE("one mistake in an element or a law does not hide the others") {
  const std::string file = write_file("many.yaml",
                                      "impact:\n"
                                      "  mass: [[1, 0], [0, 1]]\n"
                                      "  velocity: [-1, 1]\n"
                                      "  elements:\n"
                                      "    - {name: a, kind: contact, normal: [1, 0], tangent: [[1, 0], [2, 0]], "
                                      "friction: [0.5, -1], restitution: 7}\n"
                                      "    - {name: a, kind: contact, normal: [0, 1]}\n"
                                      "law: {type: sequential, each: newtn, order: [b]}\n");
  const Run run = run_carom("impact " + file);
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  for (const char* text :
       {":5:48: impact.elements.a: the two tangents are dependent",
        ":5:85: impact.elements.a.friction: friction -1 is negative", ":6:8: impact.elements[1]: the name 'a' is taken",
        ":7:31: law.each: unknown law 'newtn'", ":7:46: law.order[0]: 'b' is not a contact"}) {
    CAPTURE(text);
    CHECK(run.err.find(text) != std::string::npos);
  }
  const std::string stronge = "impact " + file + " --law stronge";
  CHECK(run_carom(stronge).err.find("restitution 7 is outside the range of 'stronge'") != std::string::npos);
}

TEST_CASE("contacts that a one-point law cannot take together are told at their place") {
  const std::string file = write_file("coupled.yaml",
                                      "impact:\n"
                                      "  mass: [[1, 0.5], [0.5, 1]]\n"
                                      "  velocity: [-1, -1]\n"
                                      "  elements:\n"
                                      "    - {name: a, kind: contact, normal: [1, 0]}\n"
                                      "    - {name: b, kind: contact, normal: [0, 1]}\n"
                                      "law: stronge\n");
  const Run run = run_carom("impact " + file);
  CHECK(run.code == 2);
  CHECK(run.err.find(":6:17: impact.elements.b: stronge resolves one contact at a time, but the impact couples 'a' "
                     "and 'b'; use sequential") != std::string::npos);
  CHECK(run_carom("impact " + file + " --law 'sequential,newton'").code == 0);
}

TEST_CASE("what a law asks for and cannot have is told at its key") {
  const std::string floor =
      "impact:\n  mass: [[1, 0], [0, 1]]\n  velocity: [-1, 1]\n  elements:\n"
      "    - {name: a, kind: contact, normal: [1, 0]}\n";
  const auto says = [&](const std::string& rest, const std::string& sentence) {
    const Run run = run_carom("impact " + write_file("asks.yaml", floor + rest));
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find(sentence) != std::string::npos);
  };
  says("law:\n  type: restitution-matrix\n  basis: [[1, 0]]\n", "asks.yaml:8:3: law.basis: basis spans 0");
  says("law:\n  type: restitution-matrix\n  tt: 0.5\n",
       "asks.yaml:8:3: law.tt: restitution-matrix asks for a velocity");
  says("    - {name: b, kind: contact, normal: [1, 0]}\nlaw:\n  type: restitution-matrix\n  nn: [[0.5, 0], [0, 0.2]]\n",
       "asks.yaml:9:3: law.nn: the contacts' normals are dependent");
  says("law:\n  type: sequential\n  each: {type: restitution-matrix, basis: [[1, 0]]}\n",
       "asks.yaml:8:3: law.each: basis spans 0");
  says(
      "    - {name: b, kind: contact, normal: [0, -1]}\nlaw:\n  type: sequential\n  each: {type: restitution-matrix, "
      "tt: 0.5}\n",
      "asks.yaml:8:3: sequential, collision of 'a': restitution-matrix asks for");
  says("    - {name: k, kind: clutch, direction: [0, -1]}\nlaw: stronge\n",
       "asks.yaml:6:17: impact.elements.k: stronge resolves contacts, but clutch 'k' is driven backwards");
}

TEST_CASE("what a law of the command line refuses is told at the element that it speaks of") {
  const std::string file = write_file("driven.yaml",
                                      "impact:\n"
                                      "  mass: [[2, 0], [0, 1]]\n"
                                      "  velocity: [-1, -1]\n"
                                      "  elements:\n"
                                      "    - {name: a, kind: contact, normal: [0, 1]}\n"
                                      "    - {name: b, kind: contact, normal: [1, 0]}\n"
                                      "    - {name: c, kind: clutch, direction: [1, 1]}\n"
                                      "law: {type: sequential, each: stronge}\n");
  const std::string sentence = ": sequential, collision of 'c': stronge resolves contacts, but clutch 'c'";
  CHECK(run_carom("impact " + file).err.find("driven.yaml:8:7" + sentence) != std::string::npos);
  const Run named = run_carom("impact " + file + " --law sequential");
  CHECK(named.code == 2);
  CHECK(named.out.empty());
  CHECK(named.err.find("driven.yaml:7:8" + sentence) != std::string::npos);
}

TEST_CASE("a missing law, and contacts that a law cannot take together, are told with the other mistakes") {
  const std::string file = write_file("several.yaml",
                                      "impact:\n"
                                      "  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
                                      "  velocity: [-1, -1, 1]\n"
                                      "  elements:\n"
                                      "    - {name: a, kind: contact, normal: [1, 1, 0], friction: x}\n"
                                      "    - {name: b, kind: contact, normal: [0, 1, 0]}\n"
                                      "    - {name: h, kind: bilateral, direction: [0, 0, 1]}\n");
  const Run run = run_carom("impact " + file), stronge = run_carom("impact " + file + " --law stronge");
  CHECK(run.err.find("several.yaml:1:1: no law: ") != std::string::npos);
  for (const char* text : {":3:3: impact.velocity: ", ":5:61: impact.elements.a.friction: must be a number"}) {
    CAPTURE(text);
    CHECK(run.err.find(text) != std::string::npos);
    CHECK(stronge.err.find(text) != std::string::npos);
  }
  CHECK(stronge.err.find(":6:17: impact.elements.b: stronge resolves one contact at a time") != std::string::npos);
}

TEST_CASE("--law all takes other names beside it") {
  const Run all = run_carom("impact " + kane + " --law all --json");
  CHECK(run_carom("impact " + kane + " --law all,newton --json").out == all.out);
  const Run wrong = run_carom("impact " + kane + " --law all,newtn");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean 'newton'") != std::string::npos);
}

TEST_CASE("values from --set are named by the option, and paths that lead nowhere are refused") {
  const std::string path = write_file("set.yaml", good);
  const Run negative = run_carom("impact " + path + " --set impact.elements.wall.friction=-2");
  CHECK(negative.code == 2);
  CHECK(negative.err.find("--set impact.elements.wall.friction=-2: friction -2 is negative") != std::string::npos);
  for (const char* set :
       {"law.=moreau", "law.type.foo=poisson", "impact.elements.roof.friction=1", "law", "=1", "law.type=foo"}) {
    CAPTURE(set);
    const Run run = run_carom("impact " + path + " --set " + set);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
  }
}

TEST_CASE("directories, empty files and binaries are no problems") {
  for (const std::string& path : {std::string("/"), write_file("empty.yaml", ""), write_file("blank.yaml", " \n\n"),
                                  write_file("comment.yaml", "# nothing\n"), std::string(CAROM_PROGRAM),
                                  write_file("bom.yaml", "\xff\xfe\x41")}) {
    CAPTURE(path);
    const Run run = run_carom("impact " + path);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find(path) != std::string::npos);
  }
}

TEST_CASE("a law outside its domain names the elements and the laws that would do") {
  const std::string two = write_file(
      "two.yaml", replaced(good, "law: poisson", "    - {name: floor, kind: contact, normal: [1, 1]}\nlaw: stronge"));
  const Run run = run_carom("impact " + two);
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  for (const char* text : {"'wall'", "'floor'", "sequential", "poisson"})
    CHECK(run.err.find(text) != std::string::npos);
  CHECK(run_carom("impact " + two + " --law all").code == 0);
  const Run some = run_carom("impact " + two + " --law newton,stronge");  // in a list it is shown as such
  CHECK(some.code == 0);
  CHECK(some.out.find("not applicable: stronge") != std::string::npos);
  CHECK(run_carom("impact " + two + " --law stronge,poisson-routh").code == 2);  // none applies
}

TEST_CASE("impact --verbose and --json tell the matrices, the phases and Djerassi's quantities of Kane's pendulum") {
  const Run run = run_carom("impact " + kane + " --law poisson,stronge --verbose");
  CHECK(run.code == 0);
  for (const char* text : {"α 1.9908", "r_m 1.5487", "(1+e)r_m 2.3230", "case 3 of Table 1", "T° = 0.1429 J", "G⁻¹ ="})
    CHECK(run.out.find(text) != std::string::npos);
  const json told = json::parse(run_carom("impact " + kane + " --law poisson --json").out);
  const json& phases = told["results"][0]["phases"];
  CHECK(std::abs(phases["kinetic_energy"].get<double>() - 0.1429) < 5e-5);
  CHECK(std::abs(phases["work_compression"].get<double>() + phases["work_decompression"].get<double>() -
                 told["results"][0]["work"].get<double>()) < 1e-12);
  CHECK(told["problem"]["W"][1][0] == 1.0);
}

TEST_CASE("Poisson's cradle with restitution 2 is legal, with a warning") {
  const std::string cradle =
      write_file("cradle.yaml",
                 "impact:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n  velocity: [1, 0, 0]\n  elements:\n"
                 "    - {name: A, kind: contact, normal: [-1, 1, 0], restitution: 0}\n    - {name: B, kind: contact, "
                 "normal: [0, -1, 1], restitution: 2}\nlaw: poisson\n");
  const Run run = run_carom("impact " + cradle + " --json");
  CHECK(run.code == 0);
  CHECK(run.err.find("warning") != std::string::npos);
  const json after = json::parse(run.out)["results"][0]["velocity_after"];
  CHECK(after[2].get<double>() == doctest::Approx(1));
  CHECK(run_carom("impact " + cradle + " --law newton").code == 2);
}

TEST_CASE("what is told fits the impact: one contact has no order, one solution found is not the only one") {
  const std::string apart = write_file("apart.yaml", replaced(good, "[-1, 0.5]", "[1, 0.5]"));
  const Run run = run_carom("impact " + apart + " --law newton,sequential");
  CHECK(run.out.find("nothing approaches here") != std::string::npos);
  CHECK(run.out.find("carom simulate") == std::string::npos);  // of no use to a raw problem
  CHECK(run.out.find("every order") == std::string::npos);
  CHECK(run_carom("impact " + kane).out.find("nothing approaches") == std::string::npos);

  // Six rough feet in space are too many to enumerate by default.
  std::string feet = "impact:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n  velocity: [0.2, 0.1, -1]\n  elements:\n";
  for (int k = 0; k < 6; ++k)
    feet += "    - {name: foot" + std::to_string(k) + ", kind: contact, normal: [0, 0." + std::to_string(k) +
            ", 1], tangent: [[1, 0, 0], [0, 1, -0." + std::to_string(k) + "]], friction: 0.5}\n";
  const std::string plate = write_file("plate.yaml", feet);
  const Run one = run_carom("impact " + plate + " --law newton --json");
  REQUIRE(one.code == 0);
  const json solver = json::parse(one.out)["results"][0]["solver"];
  CHECK(solver["note"].get<std::string>().find("one solution was found") != std::string::npos);
  CHECK(!json::parse(run_carom("impact " + kane + " --json").out)["results"][0]["solver"].contains("note"));
}

TEST_CASE("a law lists the coefficients that it reads") {
  const auto listed = [](const std::string& law) {
    std::vector<std::string> names;
    const json page = json::parse(run_carom("laws " + law + " --json").out);
    for (const json& c : page["coefficients"]) names.push_back(c["name"].get<std::string>());
    return names;
  };
  CHECK(listed("compliant") == std::vector<std::string>{"contact restitution"});
  CHECK(listed("moreau") == std::vector<std::string>{"contact restitution"});
  CHECK(listed("stronge") == std::vector<std::string>{"contact restitution", "contact tangential_restitution"});
  CHECK(listed("newton").size() == 3);
  CHECK(run_carom("laws newton").out.find("-1") != std::string::npos);  // in a pipe the sign that programs read
}
