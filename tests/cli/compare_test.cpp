// compare as a user runs it: the impact, the matched coefficients, the laws through time, and the file.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string scenes = std::string(CAROM_SOURCE) + "/config/scenes/";
const std::string kane = scenes + "kane.yaml ";

json compared(const std::string& arguments) {
  const Run run = run_carom("compare " + arguments + " --json");
  CAPTURE(arguments);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return json::parse(run.out);
}

json of_law(const json& list, const std::string& law) {
  for (const json& entry : list) {
    if (entry["law"] == law) return entry;
  }
  return nullptr;
}

std::string csv(const std::string& arguments) {
  const Run run = run_carom("inspect " + arguments);
  CAPTURE(arguments);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return run.out;
}

// A comparison too long to end, stopped by a signal after a while. Returns its exit code.
int stopped_compare(const std::string& path, const std::string& signal) {
  return run_carom_until(
      path + ".part", "compare " + kane + "--laws newton,poisson -o " + path + " --duration 9000 --set output.every=7",
      "sleep 1; kill -" + signal + " $p");
}

}  // namespace

TEST_CASE("a comparison that finds no room ends with one sentence and leaves what it has written") {
  const std::string path = free_path("no-room.h5");
  const Run run = run_carom("compare " CAROM_SOURCE "/config/scenes/kane.yaml --quiet -o " + path, "ulimit -f 2000;");
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  CHECK(run.err.find("File too large; what was written before can be read: carom recover") != std::string::npos);
  CHECK(run_carom("inspect " + path + ".part").code == 0);
}

TEST_CASE("compare: Kane's pendulum, the published figures side by side") {
  const json told = compared(kane + "--impact-only");
  CHECK(told["scene"] == "kane");
  CHECK(told["impact"]["time"] == 0.0);
  CHECK(told["match"]["reference"] == "poisson");
  CHECK(told["runs"].empty());
  const auto work = [&](const char* law) { return of_law(told["impact"]["results"], law)["work"].get<double>(); };
  CHECK(work("newton") == doctest::Approx(0.1634).epsilon(5e-4));          // Glocker 2014, Table 2
  CHECK(work("poisson") == doctest::Approx(-0.1266).epsilon(5e-4));        // Glocker 2014, Table 3
  CHECK(work("stronge") == doctest::Approx(-0.1243).epsilon(5e-4));        // Djerassi 2010, Table 2
  CHECK(work("poisson-routh") == doctest::Approx(-0.1265).epsilon(5e-4));  // Djerassi 2010, sect. 7
  CHECK(work("newton-routh") == doctest::Approx(-0.0731).epsilon(5e-4));
  CHECK(of_law(told["impact"]["results"], "newton")["consistency"]["energetic"] == false);
  CHECK(of_law(told["impact"]["results"], "stronge")["type"] == 4);
  CHECK(of_law(told["impact"]["not_applicable"], "compliant")["reason"].get<std::string>().find("friction") !=
        std::string::npos);

  const Run table = run_carom("compare " + kane + "--impact-only");
  CHECK(table.code == 0);
  CHECK(table.out.find("creates energy (+59 %)") != std::string::npos);
  CHECK(table.out.find("not applicable: 'tip' has friction, which compliant does not model") != std::string::npos);
}

TEST_CASE("compare: a scene's own figures are those of its raw impact") {
  const json scene = compared(kane + "--impact-only"),
             raw = compared(std::string(CAROM_SOURCE) + "/config/impacts/kane.yaml");
  CHECK(raw["runs"].empty());
  for (const json& result : raw["impact"]["results"]) {
    CAPTURE(result["law"]);
    const json other = of_law(scene["impact"]["results"], result["law"]);
    CHECK(other["work"].get<double>() == doctest::Approx(result["work"].get<double>()).epsilon(1e-9));
  }
}

TEST_CASE("compare --match energy: the equivalents of Djerassi 2010, sect. 7") {
  struct Row {
    const char *law, *restitution, *friction;
    double stronge;
  };
  const Row rows[] = {{"poisson-routh", "0.5", "0.2", 0.4814}, {"poisson-routh", "0.5", "0.5", 0.4587},
                      {"poisson-routh", "0.3", "0.5", 0.2997}, {"poisson-routh", "0.7", "0.5", 0.5851},
                      {"poisson-routh", "0.9", "0.5", 0.6967}, {"newton-routh", "0.5", "0.2", 0.6222},
                      {"newton-routh", "0.3", "0.5", 0.3766},  {"newton-routh", "0.5", "0.5", 1.131},
                      {"newton-routh", "0.7", "0.5", 1.728},   {"newton-routh", "0.9", "0.5", 2.294}};
  for (const Row& row : rows) {
    CAPTURE(row.law);
    CAPTURE(row.restitution);
    const json told = compared(kane + "--impact-only --match energy --laws stronge --reference " + row.law +
                               " --set model.restitution=" + row.restitution + " --set model.friction=" + row.friction);
    const json match = of_law(told["match"]["laws"], "stronge");
    // The paper rounds 0.45875 and 0.69675 down.
    CHECK(std::abs(match["equivalent"].get<double>() - row.stronge) < (row.stronge < 1 ? 1e-4 : 5e-4));
    if (row.stronge > 1) {
      CHECK(match["outcome"] == "none");
      CHECK(match["restitution"].is_null());
      CHECK(match["work_range"][1] < told["match"]["work"]);
      CHECK(of_law(told["impact"]["results"], "stronge").is_null());
    } else {
      const json stronge = of_law(told["impact"]["results"], "stronge"),
                 reference = of_law(told["impact"]["results"], row.law);
      CHECK(match["restitution"] == match["equivalent"]);
      for (int i : {0, 1})  // not only the work: the whole outcome
        CHECK(std::abs(stronge["velocity_after"][i].get<double>() - reference["velocity_after"][i].get<double>()) <
              1e-12);
    }
  }
}

TEST_CASE("compare --match energy: every law that is matched does the reference's work") {
  const std::vector<std::string> subjects = {kane, scenes + "disk-in-corner.yaml ", scenes + "particle-in-corner.yaml ",
                                             scenes + "two-sleds.yaml ", scenes + "woodpecker.yaml "};
  int matched = 0;
  for (const std::string& subject : subjects) {
    const json told = compared(subject + "--impact-only --match energy --reference poisson");
    const double work = told["match"]["work"];
    for (const json& match : told["match"]["laws"]) {
      CAPTURE(subject);
      CAPTURE(match);
      if (match["outcome"] != "matched") continue;
      ++matched;
      const json result = of_law(told["impact"]["results"], match["law"]);
      CHECK(std::abs(result["work"].get<double>() - work) < 1e-9 * result["kinetic_energy_before"].get<double>());
      CHECK(match["restitution"].get<double>() >= 0);
      CHECK(match["restitution"].get<double>() <= 1);
    }
  }
  CHECK(matched > 20);
}

TEST_CASE("compare --match energy: work that is not monotone has several coefficients") {
  // A particle that slides throughout: W(ε) = −½(1−ε²) − μ(1+ε) v_T + ½μ²(1+ε)², whose two roots add up to
  // (μ v_T − μ²)/(½ + ½μ²).
  const std::string path = write_file("slide.yaml",
                                      "impact:\n"
                                      "  mass: [[1, 0], [0, 1]]\n"
                                      "  velocity: [1, -1]\n"
                                      "  elements:\n"
                                      "    - {name: foot, kind: contact, normal: [0, 1], tangent: [1, 0], "
                                      "restitution: 0.25, friction: 0.2}\n");
  const json told =
      compared(path + " --match energy --reference newton --laws poisson,stronge,moreau,inelastic,restitution-matrix");
  const double other = (0.2 - 0.04) / 0.52 - 0.25;
  for (const char* law : {"poisson", "stronge"}) {
    CAPTURE(law);
    const json match = of_law(told["match"]["laws"], law);
    REQUIRE(match["roots"].size() == 2);
    CHECK(match["roots"][0].get<double>() == doctest::Approx(other).epsilon(1e-9));
    CHECK(match["roots"][1].get<double>() == doctest::Approx(0.25).epsilon(1e-9));
    CHECK(match["restitution"] == match["roots"][0]);  // the smallest
  }
  CHECK(of_law(told["match"]["laws"], "inelastic")["outcome"] == "no coefficient");
  // Without friction W = −½(1−ε²).
  CHECK(of_law(told["match"]["laws"], "restitution-matrix")["outcome"] == "none");
  const json matrix = compared(
      path + " --match energy --reference newton --laws restitution-matrix --set impact.elements.foot.friction=0");
  CHECK(of_law(matrix["match"]["laws"], "restitution-matrix")["restitution"].get<double>() ==
        doctest::Approx(0.25).epsilon(1e-9));
  // On Routh's path the reference's own end is taken, not the smallest root.
  const json routh = compared(path + " --match energy --reference newton-routh --laws poisson-routh");
  CHECK(of_law(routh["match"]["laws"], "poisson-routh")["restitution"].get<double>() ==
        doctest::Approx(0.25).epsilon(1e-12));
}

TEST_CASE("compare: trajectories part as two separate runs do") {
  const std::string both = "--duration 0.2 --set output.every=3";
  const json told = compared(kane + both + " --laws newton,poisson,stronge --reference stronge");
  std::map<std::string, std::vector<std::vector<double>>> rows;
  for (const char* law : {"newton", "poisson", "stronge"}) {
    const std::string path = free_path(std::string("part-") + law + ".h5");
    REQUIRE(run_carom("simulate " + kane + both + " --law " + law + " -o " + path).code == 0);
    rows[law] = rows_of(csv(path + " --csv time,q"));
  }
  for (const char* law : {"newton", "poisson"}) {
    CAPTURE(law);
    double extent = 0, parted = -1, until = 0;
    std::vector<double> largest(2, 0.0);
    REQUIRE(rows[law].size() == rows["stronge"].size());
    for (std::size_t k = 0; k < rows[law].size(); ++k) {
      double difference = 0;
      for (std::size_t i : {1u, 2u}) {
        const double of_reference = rows["stronge"][k][i];
        extent = std::max(extent, std::abs(of_reference));
        difference = std::max(difference, std::abs(rows[law][k][i] - of_reference));
        largest[i - 1] = std::max(largest[i - 1], std::abs(rows[law][k][i] - of_reference));
      }
      until = rows[law][k][0];
      if (parted < 0 && difference > 1e-9 * extent) parted = until;
    }
    const json difference = of_law(told["runs"], law)["difference"];
    CHECK(difference["parted"] == parted);
    CHECK(difference["by_coordinate"] == json(largest));
    CHECK(difference["largest"]["value"] == *std::max_element(largest.begin(), largest.end()));
    CHECK(difference["compared_until"] == until);
  }
  CHECK(of_law(told["runs"], "stronge")["difference"].is_null());
}

TEST_CASE("compare: any number of workers gives the bits of separate runs") {
  const std::string more = "--duration 0.1 --laws newton,poisson,stronge,moreau,compliant ";
  const std::string one = free_path("one.h5"), three = free_path("three.h5");
  const json serial = compared(kane + more + "-j 1 -o " + one), parallel = compared(kane + more + "-j 3 -o " + three);
  CHECK(serial == parallel);
  for (const char* law : {"newton", "poisson", "stronge", "moreau"}) {
    CAPTURE(law);
    const std::string alone = free_path(std::string("alone-") + law + ".h5");
    REQUIRE(run_carom("simulate " + kane + "--duration 0.1 --law " + law + " -o " + alone).code == 0);
    for (const char* columns :
         {"time,step,q,u,energy/total,energy/work_impacts", "contacts/tip/impulse,contacts/tip/gap",
          "impacts/time,impacts/work,impacts/q,impacts/u", "impacts/elements/impulse,impacts/elements/state"}) {
      const std::string told = csv(alone + " --csv " + columns);
      CHECK(told == csv(one + " --law " + law + " --csv " + columns));
      CHECK(told == csv(three + " --law " + law + " --csv " + columns));
    }
  }
}

TEST_CASE("compare: a law that stops or refuses is a row, not a failure") {
  const json told = compared(kane + "--duration 0.01 --laws poisson,compliant");
  const json compliant = of_law(told["runs"], "compliant");
  CHECK(compliant["status"].get<std::string>().find("not run: ") == 0);
  CHECK(of_law(told["runs"], "poisson")["status"] == "complete");

  const json cradle = compared(scenes + "cradle-3.yaml --duration 0.01");
  CHECK(of_law(cradle["impact"]["not_applicable"], "stronge")["reason"].get<std::string>().find("couples") !=
        std::string::npos);
  CHECK(of_law(cradle["runs"], "stronge")["status"] == "complete");
  CHECK(of_law(cradle["runs"], "stronge")["notes"][0].get<std::string>().find("in turn") != std::string::npos);

  const json bar =
      compared(scenes + "inhomogeneous-bar.yaml --duration 0.001 --laws poisson,moreau,restitution-matrix");
  CHECK(of_law(bar["runs"], "moreau")["status"].get<std::string>().find("not run: ") == 0);
  CHECK(of_law(bar["runs"], "poisson")["outside_set"] == 0);
  CHECK(of_law(bar["runs"], "restitution-matrix")["outside_set"] == 1);
  CHECK(of_law(bar["runs"], "poisson")["energy_created"].get<double>() == doctest::Approx(0.4388).epsilon(1e-3));

  const json refusing =
      compared(scenes + "cradle-3.yaml --duration 0.01 --laws sequential,stronge --set law.several=refuse");
  CHECK(of_law(refusing["runs"], "stronge")["status"].get<std::string>().find("failed") == 0);
}

TEST_CASE("compare: friction acts on all coordinates of a free disk, by every law") {
  // A disk drops on a rough floor without restitution: it sticks, so that of γ_T = v_x and ω = 0 before, a third goes
  // into the impulse (G_TT = 1/m + r²/J = 3/m) and v_x⁺ = 2/3 v_x. The mass matrix does not couple x, y and angle.
  const std::string drop =
      write_file("drop.yaml",
                 "gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  disk: {shape: disk, radius: 0.05, mass: 1, position: [0, 0.1], velocity: [0.3, 0]}\n"
                 "contacts:\n"
                 "  foot: {body: disk, plane: {point: [0, 0]}, friction: 0.3}\n"
                 "law: poisson\n"
                 "integrator: {step: 1e-3, duration: 0.2}\n");
  const std::string path = free_path("drop.h5");
  const json told =
      compared(drop + " --laws inelastic,moreau,newton,poisson,stronge,poisson-routh,sequential -o " + path);
  for (const json& run : told["runs"]) {
    CAPTURE(run);
    CHECK(run["status"] == "complete");
    const std::string law = run["law"];
    CHECK(rows_of(csv(path + " --law " + law + " --csv u")).back()[0] == doctest::Approx(0.2).epsilon(1e-6));
  }
}

TEST_CASE("compare: a scene in which nothing impacts is compared through time alone") {
  const std::string top = scenes + "symmetric-top.yaml ";
  const json told = compared(top + "--duration 0.1 --laws newton,poisson");
  CHECK(told["impact"].is_null());
  CHECK(of_law(told["runs"], "poisson")["difference"]["parted"].is_null());
  CHECK(run_carom("compare " + top + "--duration 0.1 --impact-only").code == 2);
  CHECK(run_carom("compare " + top + "--duration 0.1 --match energy").code == 2);
}

TEST_CASE("compare --match energy: the coefficients found go through time, and runs can be run again") {
  const std::string path = free_path("matched.h5");
  const json told =
      compared(kane + "--duration 0.05 --laws stronge,moreau,inelastic --reference poisson --match energy -o " + path);
  for (const char* law : {"stronge", "moreau"}) {
    CAPTURE(law);
    const json run = of_law(told["runs"], law);
    const double epsilon = of_law(told["match"]["laws"], law)["restitution"];
    CHECK(run["restitution"] == epsilon);
    std::ostringstream set;
    set.precision(17);
    set << " --set model.restitution=" << epsilon;
    const std::string alone = free_path("alone.h5");
    REQUIRE(run_carom("simulate " + kane + "--duration 0.05 --law " + law + set.str() + " -o " + alone).code == 0);
    CHECK(csv(alone + " --csv time,q,u") == csv(path + " --law " + law + " --csv time,q,u"));
  }
  CHECK(of_law(told["runs"], "inelastic")["restitution"].is_null());

  // Without an answer to the impact there is nothing to match, and an unmatched run would mislead.
  const json cradle = compared(scenes +
                               "cradle-3.yaml --duration 0.01 --match energy --laws poisson,stronge "
                               "--reference poisson --set model.restitution=0.6");
  CHECK(of_law(cradle["runs"], "stronge")["status"].get<std::string>().find("not run: not matched") == 0);
  CHECK(of_law(cradle["runs"], "poisson")["status"] == "complete");
}

TEST_CASE("law.restitution stands for the coefficient of every contact") {
  const std::string scene = write_file("two.yaml",
                                       "gravity: [0, -9.81]\n"
                                       "defaults: {contact: {restitution: 0.1}}\n"
                                       "bodies:\n"
                                       "  a: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.3]}\n"
                                       "  b: {shape: disk, radius: 0.1, mass: 1, position: [1, 0.4]}\n"
                                       "contacts:\n"
                                       "  left: {body: a, plane: {point: [0, 0]}, restitution: 0.2}\n"
                                       "  right: {body: b, plane: {point: [0, 0]}}\n"
                                       "law: {type: poisson, restitution: 0.6}\n"
                                       "integrator: {step: 1e-3, duration: 1}\n");
  const std::string one = free_path("one-for-all.h5"), each = free_path("each.h5");
  REQUIRE(run_carom("simulate " + scene + " -o " + one).code == 0);
  REQUIRE(run_carom("simulate " + scene +
                    " --law poisson --set contacts.left.restitution=0.6 --set "
                    "contacts.right.restitution=0.6 -o " +
                    each)
              .code == 0);
  CHECK(csv(one + " --csv time,q,u") == csv(each + " --csv time,q,u"));
  const Run wrong = run_carom("simulate " + scene + " --set 'law={type: stronge, restitution: 1.5}'");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("restitution 1.5 is outside the range of 'stronge'") != std::string::npos);
}

TEST_CASE("compare -o: a file with one run a law") {
  const std::string path = free_path("all.h5");
  const json told = compared(scenes + "cradle-3.yaml --duration 0.01 -o " + path);
  const json inside = json::parse(csv(path + " --json"));
  CHECK(inside["format"] == "carom-compare");
  CHECK(inside["status"] == "complete");
  CHECK(inside["reference"] == "sequential");
  CHECK(inside["runs"].size() == told["runs"].size());
  for (const json& run : inside["runs"]) {
    const json other = of_law(told["runs"], run["law"]);
    CHECK(run["status"] == other["status"]);
    CHECK(run["impacts"]["count"] == other["impacts"]);
    CHECK(run["energy"]["total"]["end"] == other["energy"]["end"]);
  }
  CHECK(csv(path).find("--law NAME") != std::string::npos);
  CHECK(csv(path + " --law poisson").find("law poisson") != std::string::npos);

  const Run unknown = run_carom("inspect " + path + " --law poison");
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("did you mean 'poisson'") != std::string::npos);
  CHECK(run_carom("inspect " + path + " --csv time").code == 2);
  const Run resumed = run_carom("simulate --resume " + path);
  CHECK(resumed.code == 2);
  CHECK(resumed.err.find("several laws") != std::string::npos);

  const Run again = run_carom("compare " + scenes + "cradle-3.yaml --duration 0.01 -o " + path);
  CHECK(again.code == 2);
  CHECK(again.err.find("--force") != std::string::npos);
  CHECK(run_carom("compare " + scenes + "cradle-3.yaml --duration 0.01 --force -o " + path).code == 0);
}

TEST_CASE("compare: Ctrl-C closes the file as interrupted") {
  const std::string path = free_path("stopped.h5");
  CHECK(stopped_compare(path, "INT") == 130);
  REQUIRE(fs::exists(path));
  CHECK(!fs::exists(path + ".part"));
  const json inside = json::parse(csv(path + " --json"));
  CHECK(inside["status"] == "interrupted");
  for (const json& run : inside["runs"]) {
    CHECK(run["status"] == "interrupted");
    CHECK(run["samples"] > 1);
  }
}

TEST_CASE("compare: what a killed program left can be recovered") {
  const std::string path = free_path("killed.h5");
  CHECK(stopped_compare(path, "KILL") == 128 + 9);
  REQUIRE(fs::exists(path + ".part"));
  CHECK(!fs::exists(path));
  const Run recovered = run_carom("recover " + path + ".part");
  CAPTURE(recovered.err);
  REQUIRE(recovered.code == 0);
  const json inside = json::parse(csv(path + " --json"));
  CHECK(inside["status"] == "interrupted");
  CHECK(inside["runs"].size() == 2);
  for (const json& run : inside["runs"]) CHECK(run["recovered"] == true);
}

TEST_CASE("compare: q and −q are one orientation") {
  // Friction slows one ball's spin, the other's goes on: they turn past each other again and again. Of two quaternions
  // that are chosen near each other no component differs by more than √2.
  const std::string spin =
      write_file("spin.yaml",
                 "gravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  ball: {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.2],\n"
                 "         angular_velocity: [0, 20, 0]}\n"
                 "contacts:\n"
                 "  floor: {body: ball, plane: {point: [0, 0, 0]}, restitution: 0.5, friction: 0.4}\n"
                 "law: poisson\n"
                 "integrator: {step: 1e-3, duration: 2}\n");
  const json difference = compared(spin + " --laws poisson,restitution-matrix")["runs"][1]["difference"];
  for (std::size_t i = 3; i < 7; ++i) CHECK(difference["by_coordinate"][i].get<double>() < 1.4143);
  CHECK(difference["by_coordinate"][3].get<double>() > 1);
}

TEST_CASE("compare: bad input is named, and nothing is written") {
  const std::string path = free_path("never.h5");
  const auto writes_nothing = [&](const std::string& arguments, const std::string& says) {
    refused("compare " + arguments + " -o " + path, says);
    CHECK(!fs::exists(path));
    CHECK(!fs::exists(path + ".part"));
  };
  writes_nothing(kane + "--laws newton,poison", "did you mean 'poisson'");
  writes_nothing(kane + "--reference nobody", "--reference: unknown law 'nobody'");
  writes_nothing(kane + "--match speed", "--match");
  writes_nothing(kane + "-j 0", "-j");
  writes_nothing(kane + "-j many", "-j");
  writes_nothing(kane + "--set model.restituton=0.4", "restituton");
  writes_nothing(kane + "--duration never", "duration");
  writes_nothing("nowhere.yaml", "nowhere.yaml");
  writes_nothing(scenes + "cradle-3.yaml --match energy --reference stronge", "--reference names another law");
  writes_nothing(std::string(CAROM_SOURCE) + "/config/impacts/kane.yaml --duration 2", "single impact");
  CHECK(run_carom("compare " + kane + "-o /nowhere/at/all.h5").code != 0);
}
