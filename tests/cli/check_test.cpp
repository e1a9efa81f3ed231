// carom check as a user runs it.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

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
  CHECK(early.err.find("nothing impacts within 0.001 s; --duration looks further") != std::string::npos);
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
  CHECK(impact["laws"].size() == 10);
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
  const std::string path = (std::filesystem::temp_directory_path() / "carom-check-run.h5").string();
  REQUIRE(run_carom("simulate " + scenes + "rod-on-plane.yaml --duration 0.8 --force -o " + path).code == 0);
  const Run run = run_carom("check --run " + path + " --law poisson,newton --json");
  REQUIRE(run.code == 0);
  const json document = json::parse(run.out);
  CHECK(document["impacts"].size() > 1);
  CHECK(document["impacts"][0]["time"].get<double>() == doctest::Approx(0.366).epsilon(0.01));
  const Run text = run_carom("check --run " + path);
  CHECK(text.out.find("poisson: guaranteed at") != std::string::npos);
  CHECK(text.out.find("critical friction along the run") != std::string::npos);
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
