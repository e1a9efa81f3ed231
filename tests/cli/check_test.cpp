// carom check as a user runs it.

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "solvers/laws/list.h"
#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;

namespace {

const std::string impacts = std::string(CAROM_SOURCE) + "/config/impacts/";
const std::string scenes = std::string(CAROM_SOURCE) + "/config/scenes/";

void check_finite(const json& value) {
  if (value.is_number_float()) CHECK(std::isfinite(value.get<double>()));
  if (value.is_structured())
    for (const json& item : value) check_finite(item);
}

}  // namespace

TEST_CASE("the first impact is looked for as long as --duration says") {
  const Run early = run_carom("check " + scenes + "bouncing-ball.yaml --duration 0.001");
  CHECK(early.code == 2);
  CHECK(early.err.find("no impact within 0.001 s; a longer --duration searches further") != std::string::npos);
  CHECK(run_carom("check " + scenes + "bouncing-ball.yaml --duration 1").code == 0);
}

TEST_CASE("the short verdict: Kane's pendulum, Newton not guaranteed and by how much, Poisson by which theorem") {
  const Run run =
      run_carom("check " + impacts + "kane.yaml --law newton,poisson --set impact.elements.tip.restitution=0.7");
  CHECK(run.code == 0);
  for (const char* text : {"newton: not guaranteed", "creates 0.4889 J here (+176 %)", "at most", "poisson: guaranteed",
                           "one frictional contact (Glocker 2014, sect. 7)"}) {
    CAPTURE(text);
    CHECK(run.out.find(text) != std::string::npos);
  }
  CHECK(run.err.empty());
}

TEST_CASE("within ranges: the worst case says whether it is exact or searched, with its coefficients") {
  const Run run =
      run_carom("check " + impacts + "kane.yaml --law newton,sequential --ranges restitution=0..1.5,friction=0.2..0.4");
  CHECK(run.code == 0);
  for (const char* text : {"within the ranges (restitution 0..1, the law", "with ε 1, μ 0.4 at 'tip'", " %, exact)"}) {
    CAPTURE(text);
    CHECK(run.out.find(text) != std::string::npos);
  }
  CHECK(run.out.find("searched") == std::string::npos);
  const Run cut = run_carom("check " + impacts + "kane.yaml --law poisson --ranges tangential_restitution=0..0.8");
  CHECK(cut.out.find("(where ε_T ≤ ε_N") != std::string::npos);
  const Run none = run_carom("check " + impacts + "kane.yaml --law newton --ranges restitution=1.1..1.5");
  CHECK(none.out.find("the law takes no coefficient in") != std::string::npos);
}

TEST_CASE("--strict exits 3 when the file's own law is not guaranteed, and only then") {
  CHECK(run_carom("check " + scenes + "inhomogeneous-bar.yaml --strict").code == 3);
  CHECK(run_carom("check " + scenes + "inhomogeneous-bar.yaml").code == 0);
  CHECK(run_carom("check " + scenes + "kane.yaml --strict").code == 0);
  CHECK(run_carom("check " + scenes + "kane.yaml --law newton,poisson --strict").code == 0);  // its own is poisson
  CHECK(run_carom("check " + scenes + "kane.yaml --set law=newton --strict").code == 3);
}

TEST_CASE("JSON holds every figure, finite or null; --verbose the same for the eye") {
  const Run run = run_carom("check " + impacts + "inhomogeneous-bar.yaml --law all --json");
  REQUIRE(run.code == 0);
  const json document = json::parse(run.out);
  check_finite(document);
  const json& impact = document["impacts"][0];
  CHECK(impact["laws"].size() == carom::impact_laws().size());
  bool found = false;
  for (const json& law : impact["laws"]) {
    if (law["law"] != "poisson") continue;
    CHECK(law["verdict"] == "not guaranteed");
    CHECK(law["here"]["work"].get<double>() == doctest::Approx(0.43875));
    CHECK(law["worst"]["gain"].get<double>() > 0.65);
    CHECK(law["worst"]["exact"] == true);
    CHECK(law["worst"]["bound"] == law["worst"]["gain"]);
    for (const json& certificate : law["certificates"]) {
      for (const char* key :
           {"name", "source", "statement", "verdict", "why", "margin", "figures", "velocity", "friction_in_octagons"})
        CHECK(certificate.contains(key));
      if (certificate["name"] != "similar coefficients") continue;
      found = true;
      CHECK(certificate["verdict"] == "does not hold");
      CHECK(certificate["figures"][1]["value"].get<double>() == doctest::Approx(1.0 / 20));
    }
  }
  CHECK(found);
  const Run verbose = run_carom("check " + impacts + "inhomogeneous-bar.yaml --law poisson --verbose");
  CHECK(verbose.out.find("Glocker 2014 (117)") != std::string::npos);
  CHECK(verbose.out.find("P-matrix") != std::string::npos);
}

TEST_CASE("scenes: the first impact; runs: every impact") {
  const Run dropped = run_carom("check " + scenes + "rod-on-plane.yaml");
  CHECK(dropped.code == 0);
  CHECK(dropped.out.find("first impact, t = 0.36") != std::string::npos);
  const std::string path = free_path("check-run.h5");
  REQUIRE(run_carom("simulate " + scenes + "rod-on-plane.yaml --duration 0.8 -o " + path).code == 0);
  const Run run = run_carom("check --run " + path + " --law poisson,newton --json");
  REQUIRE(run.code == 0);
  const json document = json::parse(run.out);
  CHECK(document["impacts"].size() > 1);
  CHECK(document["impacts"][0]["time"].get<double>() == doctest::Approx(0.366).epsilon(0.01));
  const Run text = run_carom("check --run " + path);
  CHECK(text.out.find("poisson: guaranteed at") != std::string::npos);
  CHECK(text.out.find("critical friction along the run") != std::string::npos);
}

TEST_CASE("Painlevé's rod: the least critical friction over its configurations is 4/3") {
  const Run run = run_carom("check " + scenes + "painleve-rod.yaml --json");
  REQUIRE(run.code == 0);
  const json rod = json::parse(run.out)["critical_friction"][0];
  CHECK(rod["least"].get<double>() == doctest::Approx(4.0 / 3).epsilon(1e-9));
  CHECK(rod["here"].get<double>() == doctest::Approx(1.6667).epsilon(1e-3));
  CHECK(rod["distance"].get<double>() == doctest::Approx(4.0 / 3 - 5.0 / 3).epsilon(1e-9));
}

TEST_CASE("Painlevé's rod along its run: critical friction falls to the rod's own where it locks") {
  const std::string path = free_path("check-painleve.h5");
  REQUIRE(run_carom("simulate " + scenes + "painleve-rod.yaml --duration 0.83 -o " + path).code == 0);
  const Run run = run_carom("check --run " + path + " --json");
  REQUIRE(run.code == 0);
  const json document = json::parse(run.out);
  const json& rod = document["critical_friction"][0];
  REQUIRE(rod["time"].size() > 20);  // it slides, long before the first impact
  CHECK(rod["critical"][0].get<double>() > 1.7);
  const double theta = 31 * M_PI / 180;  // at the beginning
  CHECK(rod["critical"][0].get<double>() ==
        doctest::Approx((1 + 3 * std::cos(theta) * std::cos(theta)) / (3 * std::sin(theta) * std::cos(theta))));
  CHECK(rod["least"]["critical"].get<double>() < 1.6667);
  CHECK(rod["least"]["distance"].get<double>() < 0);
  CHECK(rod["least"]["time"].get<double>() == doctest::Approx(0.82).epsilon(0.02));
}

TEST_CASE("--ranges: the worst coefficients, and mistakes in them by name") {
  const Run run =
      run_carom("check " + impacts + "kane.yaml --law newton --ranges restitution=0..1,friction=0..1 --json");
  REQUIRE(run.code == 0);
  const json worst = json::parse(run.out)["impacts"][0]["laws"][0]["worst"];
  CHECK(worst["gain"].get<double>() > 1.5);
  CHECK(worst["contacts"][0]["restitution"].get<double>() <= 1);
  for (const char* bad : {"restitution=1..0", "restituton=0..1", "friction=-1..1", "restitution=a..1", "restitution",
                          "friction=0..1,friction=0..0.5"}) {
    CAPTURE(bad);
    const Run refused = run_carom("check " + impacts + "kane.yaml --ranges " + bad);
    CHECK(refused.code == 2);
    CHECK(refused.err.find("--ranges") != std::string::npos);
  }
}

TEST_CASE("bad usage of check gets a sentence") {
  CHECK(run_carom("check").code == 2);
  CHECK(run_carom("check " + impacts + "kane.yaml --law newtn").code == 2);
  CHECK(run_carom("check " + impacts + "kane.yaml --run x.h5").code == 2);
  CHECK(run_carom("check nowhere.yaml").code == 2);
}

TEST_CASE("a prescribed motion is judged by the contacts' work, as seen from the drive") {
  const Run run = run_carom("check " + scenes + "shaker.yaml --json --set 'joints.1.as=-0.05+0.01*(1-cos(40*t))'");
  REQUIRE(run.code == 0);
  const json impact = json::parse(run.out)["impacts"][0];
  CHECK(impact["prescribed_motions"].size() == 1);
  CHECK(impact["relative_to_prescribed_motions"] == true);
  CHECK(impact["laws"][0]["verdict"] == "guaranteed");
  const json& here = impact["laws"][0]["here"];
  CHECK(here["work"].get<double>() < 0);
  CHECK(-here["work"].get<double>() <= impact["kinetic_energy_before"].get<double>());
  const Run rest = run_carom("check " + scenes + "shaker.yaml");  // the ball stays on the table
  CHECK(rest.out.find("no impact") != std::string::npos);
}

TEST_CASE("inspect and check say whose kinetic energy they give") {
  const std::string scene =
      write_file("two-balls.yaml",
                 "gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  a: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.15], velocity: [1, 0]}\n"
                 "  b: {shape: disk, radius: 0.1, mass: 2, position: [5, 3], velocity: [3, 0]}\n"
                 "contacts: {a: {body: a, plane: {}, restitution: 0.5, friction: 0.3}}\n"
                 "law: poisson\n"
                 "integrator: {step: 1e-3, duration: 0.2}\n");
  const std::string run = scene + ".h5";
  REQUIRE(run_carom("simulate " + scene + " --quiet --force -o " + run).code == 0);
  CHECK(run_carom("check --run " + run).out.find("T⁻ = 10.9774 J of all bodies, 0.9957 J of those that take part") !=
        std::string::npos);
  const std::string shown = run_carom("inspect " + run).out;
  CHECK(shown.find("a stick  0.9957") != std::string::npos);
  CHECK(shown.find("T⁻ and T⁺ are of the bodies that take part") != std::string::npos);
}

TEST_CASE("a contact that a prescribed motion alone closes has no solution: impact, compare and check say so") {
  const std::string scene = " " + write_file("driven-shut.yaml", R"(scene: driven-shut
gravity: [0, 0]
bodies:
  piston: {shape: block, size: [1, 1], mass: 7, position: [0, 0], velocity: [2, 0]}
  wall: {shape: plane, normal: [-1, 0], position: [0.5, 0]}
joints:
  - {prismatic: [world, piston], axis: [1, 0], at: centre, point: [0, 0]}
  - {motion: piston.x, as: "2*t"}
contacts:
  hit: {point: {body: piston, at: [0.5, 0]}, on: wall, restitution: 0.5}
law: newton
integrator: {step: 1e-4, duration: 0.01}
)");
  const std::string why = "contact 'hit' is closed at 2 m/s";
  for (const char* law : {"newton", "poisson", "stronge", "restitution-matrix", "compliant"}) {
    CAPTURE(law);
    const Run impact = run_carom("impact" + scene + " --law " + law);
    CHECK(impact.code == 1);
    CHECK(impact.err.find(why) != std::string::npos);
    const Run check = run_carom("check" + scene + " --strict --law " + law);
    CHECK(check.code == 3);
    CHECK(check.out.find("no solution here") != std::string::npos);
  }
  CHECK(run_carom("compare" + scene + " --impact-only --laws newton,poisson").out.find(why) != std::string::npos);
  const json law = json::parse(run_carom("check" + scene + " --json").out)["impacts"][0]["laws"][0];
  CHECK(law["unsolved"].get<std::string>().find(why) == 0);
  CHECK(law["here"].is_null());
}

TEST_CASE("--strict exits 3 where the impact has no solution, though a theorem excludes gains") {
  // One motion, along which friction locks the contact: ε has nothing to return.
  const std::string wedge = write_file("wedge.yaml", R"(impact:
  mass: [[1]]
  velocity: [-1]
  elements:
    - {name: wedge, kind: contact, normal: [1], tangent: [1], friction: 2, restitution: 0.5}
law: newton
)");
  const Run run = run_carom("check " + wedge + " --strict");
  CHECK(run.code == 3);
  CHECK(run.out.find("newton: no solution here") != std::string::npos);
  CHECK(run_carom("check " + wedge + " --strict --law poisson").code == 0);
}

TEST_CASE("no zero of a JSON document has a sign") {
  const Run run = run_carom("check " + impacts + "cradle.yaml --json");
  CHECK(run.out.find("\"margin\": 0") != std::string::npos);
  CHECK(run.out.find(": -0,") == std::string::npos);
}
