// carom sweep as a user runs it: the figures against single impacts and an enumeration of its own, the same bytes
// however the work is divided, sweeps that are killed and go on, mistakes with their places.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <sstream>

#include "tests/cli/program.h"
#include "tools/run_file/sweep_file.h"

using namespace carom;
using namespace carom::testing;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string source = CAROM_SOURCE;
const std::string kane = source + "/config/scenes/kane.yaml";

std::string result_path(const std::string& name) { return free_path(name + ".h5"); }

struct Swept {
  Run run;
  SweepArrays arrays;
};

// A sweep written here, or with a path the one that is there; `arguments` go behind it.
Swept sweep(const std::string& name, const std::string& yaml, const std::string& arguments = "") {
  const std::string file = yaml.find('\n') == std::string::npos ? yaml : write_file(name + ".yaml", yaml);
  const std::string result = result_path(name);
  const Run run = run_carom("sweep " + file + " -o " + result + " " + arguments);
  INFO(run.err);
  REQUIRE(run.code == 0);
  return {run, read_sweep_arrays(result)};
}

const std::vector<double>& measure(const SweepArrays& arrays, const std::string& name) {
  const auto found = std::find_if(arrays.measures.begin(), arrays.measures.end(),
                                  [&](const SweepMeasure& m) { return m.name == name; });
  INFO(name);
  REQUIRE(found != arrays.measures.end());
  return found->values;
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void check_same(const SweepArrays& a, const SweepArrays& b) {
  REQUIRE(a.measures.size() == b.measures.size());
  for (std::size_t m = 0; m < a.measures.size(); ++m) {
    CAPTURE(a.measures[m].name);
    CHECK(same_bytes(a.measures[m].values, b.measures[m].values));
  }
  for (std::size_t k = 0; k < a.axes.size(); ++k) CHECK(same_bytes(a.axes[k].numbers, b.axes[k].numbers));
  CHECK(a.point_status == b.point_status);
  CHECK(a.done == b.done);
  CHECK(a.reasons == b.reasons);
}

std::string shell_output(const std::string& command) {
  const std::string out = write_file("shell-output", "");
  if (std::system((command + " >" + out + " 2>&1").c_str()) == -1) return "";
  std::ostringstream text;
  text << std::ifstream(out).rdbuf();
  return text.str();
}

// Kane's pendulum in the published state, from its energy: two uniform rods of 3 kg and 2 m at 20° and 30°.
struct KaneByHand {
  double M11 = 16, M12 = 6 * std::cos(std::numbers::pi / 18), M22 = 4;
  double wN[2] = {2 * std::sin(std::numbers::pi / 9), 2 * std::sin(std::numbers::pi / 6)};
  double wT[2] = {-2 * std::cos(std::numbers::pi / 9), -2 * std::cos(std::numbers::pi / 6)};
  double u[2] = {-0.1, -0.2};

  double inverse_product(const double* a, const double* b) const {
    const double determinant = M11 * M22 - M12 * M12;
    return (M22 * a[0] * b[0] - M12 * (a[0] * b[1] + a[1] * b[0]) + M11 * a[1] * b[1]) / determinant;
  }

  // Newton's inclusion for one contact, by its three cases. The work is ½Λᵀ(γ⁺ + γ⁻).
  double newton_work(double epsilon, double mu) const {
    const double GNN = inverse_product(wN, wN), GNT = inverse_product(wN, wT), GTT = inverse_product(wT, wT);
    const double gN = wN[0] * u[0] + wN[1] * u[1], gT = wT[0] * u[0] + wT[1] * u[1];
    const double rN = -(1 + epsilon) * gN;
    const double determinant = GNN * GTT - GNT * GNT;
    double LN = (GTT * rN + GNT * gT) / determinant, LT = (-GNT * rN - GNN * gT) / determinant;
    int found = LN >= 0 && std::abs(LT) <= mu * LN;
    for (const double s : {1.0, -1.0}) {  // slip with γ_T⁺ of sign s
      const double slope = GNN - s * mu * GNT;
      if (!(slope > 0)) continue;
      const double sN = rN / slope, sT = -s * mu * sN;
      if (s * (GNT * sN + GTT * sT + gT) <= 0) continue;
      LN = sN;
      LT = sT;
      ++found;
    }
    REQUIRE(found == 1);
    const double gN_after = GNN * LN + GNT * LT + gN, gT_after = GNT * LN + GTT * LT + gT;
    return 0.5 * (LN * (gN_after + gN) + LT * (gT_after + gT));
  }
};

std::string kane_sweep(const std::string& vary, const std::string& measures) {
  return "scene: " + kane + "\nvary:\n" + vary + "measures: " + measures + "\n";
}

}  // namespace

TEST_CASE("a sweep of Kane's pendulum gives what carom impact gives at each point, to the bit") {
  const Swept swept =
      sweep("impacts", kane_sweep("  law.type: [newton, poisson, stronge, compliant]\n"
                                  "  e: {path: model.restitution, values: [0, 0.3, 0.7]}\n"
                                  "  model.friction: {from: 0.1, to: 0.9, count: 3}\n",
                                  "[work, kinetic_before, velocity_after, {state: tip}, {impulse: tip.tangential}]"));
  const SweepArrays& arrays = swept.arrays;
  CHECK(arrays.shape() == std::vector<std::size_t>{4, 3, 3});
  const char* laws[] = {"newton", "poisson", "stronge", "compliant"};
  const char* restitutions[] = {"0", "0.3", "0.7"};
  const char* frictions[] = {"0.1", "0.5", "0.9"};
  const std::vector<std::string> states = {"open", "closed", "stick", "slip", "reverse"};
  for (std::size_t p = 0; p < arrays.points(); ++p) {
    const std::string law = laws[p / 9];
    const Run run =
        run_carom("impact " + kane + " --json --law " + law + " --set model.restitution=" + restitutions[p / 3 % 3] +
                  " --set model.friction=" + frictions[p % 3]);
    CAPTURE(p);
    if (law == "compliant") {
      CHECK(run.code == 2);
      CHECK(arrays.point_status[p] == static_cast<std::uint8_t>(PointStatus::refused));
      CHECK(arrays.reasons.at(p).find("which compliant does not model") != std::string::npos);
      for (const SweepMeasure& m : arrays.measures) CHECK(std::isnan(m.values[p]));
      continue;
    }
    const Json result = Json::parse(run.out)["results"][0];
    CHECK(arrays.point_status[p] == 0);
    CHECK(arrays.reasons.count(p) == 0);
    CHECK(measure(arrays, "work")[p] == result["work"].get<double>());
    CHECK(measure(arrays, "kinetic_before")[p] == result["kinetic_energy_before"].get<double>());
    CHECK(measure(arrays, "velocity_after_link-2.angle")[p] == result["velocity_after"][1].get<double>());
    CHECK(measure(arrays, "impulse_tip.tangential")[p] == result["elements"][0]["impulse"][1].get<double>());
    CHECK(states[static_cast<std::size_t>(measure(arrays, "state_tip")[p])] == result["elements"][0]["state"]);
  }
}

TEST_CASE("the shipped map of Kane's pendulum: published points, and the line above which Newton creates energy") {
  const Swept swept = sweep("kane-laws", source + "/config/sweeps/kane-laws.yaml",
                            "--set vary.restitution.count=21 --set vary.friction.count=21");
  const SweepArrays& arrays = swept.arrays;
  REQUIRE(arrays.axes[0].texts[2] == "newton");
  CHECK(std::count(arrays.point_status.begin(), arrays.point_status.end(), 0) ==
        static_cast<std::ptrdiff_t>(arrays.points()));
  const std::vector<double>& work = measure(arrays, "work");
  const auto at = [&](std::size_t law, std::size_t e, std::size_t mu) { return work[(law * 21 + e) * 21 + mu]; };
  CHECK(std::abs(at(2, 10, 10) - 0.1634) < 5e-5);  // Glocker 2014, Table 2
  CHECK(std::abs(at(2, 14, 10) - 0.4889) < 5e-5);
  const KaneByHand by_hand;
  for (std::size_t e = 0; e < 21; ++e) {
    for (std::size_t mu = 0; mu < 21; ++mu) {
      const double expected = by_hand.newton_work(arrays.axes[1].numbers[e], arrays.axes[2].numbers[mu]);
      CAPTURE(e);
      CAPTURE(mu);
      CHECK(std::abs(at(2, e, mu) - expected) < 1e-13);
    }
  }
  for (std::size_t law = 0; law < arrays.axes[0].size(); ++law) {
    const std::string& name = arrays.axes[0].texts[law];
    const bool creates = name == "newton" || name == "newton-routh" || name == "sequential";
    const double highest = *std::max_element(work.begin() + static_cast<std::ptrdiff_t>(law * 441),
                                             work.begin() + static_cast<std::ptrdiff_t>((law + 1) * 441));
    CAPTURE(name);
    CHECK((highest > 1e-9) == creates);
  }
  // Where the tip sticks (μ = 0.5), between 0.35 and 0.4 of ε.
  CHECK(at(2, 7, 10) < 0);
  CHECK(at(2, 8, 10) > 0);
}

TEST_CASE("the other shipped sweeps show what they say") {
  SUBCASE("angles") {
    const SweepArrays arrays = sweep("kane-angles", source + "/config/sweeps/kane-angles.yaml",
                                     "--set vary.upper.from='10 deg' --set vary.upper.count=6 "
                                     "--set vary.lower.from='10 deg' --set vary.lower.count=6")
                                   .arrays;
    CHECK(arrays.axes[1].units == "deg");
    CHECK(arrays.axes[1].numbers == std::vector<double>{10, 20, 30, 40, 50, 60});
    CHECK(measure(arrays, "work")[1 * 6 + 2] == doctest::Approx(0.16342746861381577).epsilon(1e-14));  // 20°, 30°
    for (std::size_t i = 0; i < 6; ++i) {  // in line: no solution below arctan 0.5
      CAPTURE(i);
      const bool solvable = arrays.axes[1].numbers[i] > 26.6;
      CHECK((arrays.point_status[7 * i] == 0) == solvable);
      CHECK(std::isnan(measure(arrays, "work")[7 * i]) != solvable);
    }
    for (std::size_t p = 36; p < arrays.points(); ++p) CHECK(measure(arrays, "work")[p] < 0);
  }
  SUBCASE("cradle") {
    const SweepArrays arrays =
        sweep("cradle-stiffness", source + "/config/sweeps/cradle-stiffness.yaml", "--set vary.ratio.count=9").arrays;
    for (std::size_t exponent = 0; exponent < 2; ++exponent) {
      const std::size_t soft = 9 * exponent, stiff = soft + 8;
      for (std::size_t ball = 0; ball < 3; ++ball) {
        const std::vector<double>& u = measure(arrays, "velocity_after_" + std::to_string(ball));
        CHECK(std::abs(u[soft] - (ball == 2 ? 1.0 : 0.0)) < 1e-3);                    // one after the other
        CHECK(std::abs(u[stiff] - (ball == 0 ? -1.0 / 3 : 2.0 / 3)) < 2e-3);          // all at once
        CHECK(std::is_sorted(u.begin() + 9 * exponent, u.begin() + 9 * exponent + 9,  // from the one to the other
                             [&](double a, double b) { return ball == 1 ? a < b : a > b; }));
      }
    }
  }
  SUBCASE("bar") {
    const SweepArrays arrays = sweep("bar", source + "/config/sweeps/bar-inertia.yaml",
                                     "--set vary.alpha.count=3 --set 'vary.u={path: [], values: [0.1, 0.5, 2]}'")
                                   .arrays;
    CHECK(measure(arrays, "kinetic_before")[4] == doctest::Approx(0.675).epsilon(1e-14));
    CHECK(measure(arrays, "kinetic_after")[4] == doctest::Approx(1.11375).epsilon(1e-12));
    for (std::size_t p = 9; p < 18; ++p) CHECK(measure(arrays, "work")[p] < 0);
  }
}

namespace {

const std::string divided = kane_sweep(
    "  law: [newton, compliant, {type: sequential, each: stronge}]\n"
    "  e: {path: model.restitution, uniform: [0, 1], count: 30}\n"
    "  model.friction: {from: 0.01, to: 1, count: 20, scale: log}\n",
    "[work, velocity_after, {state: tip}, consistent]");

}  // namespace

TEST_CASE("one worker, two, and shards that are joined give the same bytes") {
  const SweepArrays one = sweep("one", divided, "-j 1").arrays;
  CHECK(one.points() == 1800);
  CHECK(std::count(one.point_status.begin(), one.point_status.end(), 1) == 600);
  check_same(one, sweep("two", divided, "-j 2").arrays);
  check_same(one, sweep("five", divided, "-j 5").arrays);

  const std::string file = write_file("sharded.yaml", divided);
  const std::string whole = result_path("sharded");
  std::size_t points = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Run early = run_carom("sweep " + file + " --join -o " + whole);
    CHECK(early.code == 2);
    REQUIRE(run_carom("sweep " + file + " -o " + whole + " --shard " + shard).code == 0);
    const SweepArrays part = read_sweep_arrays(whole.substr(0, whole.size() - 3) + ".shard-" + shard[0] + "-of-3.h5");
    CHECK(part.status == std::string("shard ") + shard);
    points += part.done_count();
  }
  CHECK(points == 1800);
  REQUIRE(run_carom("sweep " + file + " --join -o " + whole).code == 0);
  const SweepArrays joined = read_sweep_arrays(whole);
  CHECK(joined.status == "complete");
  check_same(one, joined);
}

TEST_CASE("two ranks of MPI give the same bytes") {
  if (std::system("command -v mpirun >/dev/null") != 0) {
    MESSAGE("skipped: there is no mpirun");
    return;
  }
  const SweepArrays one = sweep("alone", divided, "-j 1").arrays;
  const std::string file = write_file("ranks.yaml", divided), result = result_path("ranks");
  const std::string output = shell_output(
      "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 " CAROM_PROGRAM
      " sweep " +
      file + " -o " + result);
  if (output.find("built without MPI") != std::string::npos) {
    MESSAGE("skipped: built without MPI");
    return;
  }
  INFO(output);
  REQUIRE(fs::exists(result));
  check_same(one, read_sweep_arrays(result));
  CHECK(output.find("1800 points") == output.rfind("1800 points"));  // one of them tells
  for (const auto& entry : fs::directory_iterator(fs::path(result).parent_path()))
    CHECK(entry.path().string().find("ranks.h5.") == std::string::npos);  // no parts left
}

namespace {

// Half a second or more of work on any machine.
const std::string long_sweep =
    "scene: " + kane +
    "\nset: {integrator.duration: 0.5, integrator.step: 2e-4}\n"
    "vary:\n  law: [newton, poisson, stronge]\n  model.restitution: {from: 0, to: 1, count: 70}\n"
    "measures: [work, impacts, {end: u}, {max: energy/total}]\n";

// Sends a signal to a sweep as soon as it has begun its file. Returns the exit code.
int signalled(const std::string& file, const std::string& result, const std::string& signal) {
  return run_carom_until(result + ".part", "sweep " + file + " -o " + result + " -j 1 --quiet",
                         "kill -" + signal + " $p");
}

}  // namespace

TEST_CASE("a sweep that is killed leaves what it has done, and goes on from there") {
  const SweepArrays whole = sweep("not-killed", long_sweep).arrays;
  const std::string file = write_file("killed.yaml", long_sweep), result = result_path("killed");
  const std::string part = result + ".part";
  REQUIRE(signalled(file, result, "KILL") == 128 + 9);
  CHECK(!fs::exists(result));
  REQUIRE(fs::exists(part));
  const SweepArrays left = read_sweep_arrays(part);
  CHECK(left.status == "running");
  CHECK(left.done_count() > 0);
  CHECK(left.done_count() < left.points());
  for (std::size_t p = 0; p < left.points(); ++p) {
    const double expected = left.done[p] ? whole.measures[0].values[p] : std::nan("");
    CHECK((left.measures[0].values[p] == expected || (std::isnan(left.measures[0].values[p]) && !left.done[p])));
  }
  // Another sweep does not take it over.
  const std::string other = write_file("killed-other.yaml", long_sweep + "seed: 3\n");
  const Run refused = run_carom("sweep " + other + " -o " + result);
  CHECK(refused.code == 2);
  CHECK(refused.err.find("the sweep file has changed") != std::string::npos);
  const Run on = run_carom("sweep " + file + " -o " + result);
  CHECK(on.code == 0);
  CHECK(on.err.find("going on: " + std::to_string(left.done_count()) + " of 210") != std::string::npos);
  CHECK(!fs::exists(part));
  check_same(whole, read_sweep_arrays(result));
}

TEST_CASE("a sweep that is interrupted leaves a readable file, and --resume goes on") {
  const SweepArrays whole = sweep("not-stopped", long_sweep).arrays;
  const std::string file = write_file("stopped.yaml", long_sweep), result = result_path("stopped");
  REQUIRE(signalled(file, result, "INT") == 130);
  const SweepArrays left = read_sweep_arrays(result);
  CHECK(left.status == "interrupted");
  CHECK(left.done_count() < left.points());
  const Run again = run_carom("sweep " + file + " -o " + result);
  CHECK(again.code == 2);
  CHECK(again.err.find("--resume goes on") != std::string::npos);
  REQUIRE(run_carom("sweep " + file + " -o " + result + " --resume").code == 0);
  check_same(whole, read_sweep_arrays(result));
  CHECK(run_carom("sweep " + file + " -o " + result + " --resume").code == 0);
  CHECK(run_carom("sweep " + file + " -o " + result).code == 2);
  CHECK(run_carom("sweep " + file + " -o " + result + " --force --quiet").code == 0);
}

TEST_CASE("only the first impact is computed if nothing more is asked for") {
  // Ten million steps otherwise, at every point.
  const Swept swept = sweep("first", "scene: " + kane +
                                         "\nset: {integrator.duration: 1000}\n"
                                         "vary: {model.restitution: {from: 0, to: 1, count: 50}}\n"
                                         "measures: [work, impact_time]\n");
  CHECK(measure(swept.arrays, "impact_time") == std::vector<double>(50, 0.0));
}

TEST_CASE("measures of a run, against closed forms") {
  // A ball dropped from h meets the floor at √(2h/g) and keeps ε² of its energy.
  const std::string ball =
      "scene:\n  model: {type: ball, position: 1, radius: 0, restitution: 0.5}\n  law: poisson\n"
      "  integrator: {step: 1e-4, duration: 0.6}\n";
  const Swept swept = sweep("ball", ball +
                                        "vary:\n  height: {path: model.position, values: [0.2, 1, 5]}\n"
                                        "measures: [impact_time, relative_gain, impacts, created_energy_of_run, "
                                        "{max: energy/kinetic}, {min: energy/total}, {end: time}, "
                                        "{end: energy/work_impacts, name: lost}]\n");
  const SweepArrays& arrays = swept.arrays;
  const double g = 9.81;
  for (std::size_t p = 0; p < 2; ++p) {
    const double h = p == 0 ? 0.2 : 1;
    CAPTURE(p);
    CHECK(measure(arrays, "impact_time")[p] == doctest::Approx(std::sqrt(2 * h / g)).epsilon(1e-3));
    CHECK(measure(arrays, "relative_gain")[p] == doctest::Approx(-0.75).epsilon(1e-9));
    CHECK(measure(arrays, "max_energy_kinetic")[p] == doctest::Approx(g * h).epsilon(1e-3));
    CHECK(measure(arrays, "end_time")[p] == doctest::Approx(0.6));
  }
  CHECK(measure(arrays, "impacts")[1] == 1);
  CHECK(measure(arrays, "lost")[1] == doctest::Approx(-0.75 * g).epsilon(1e-3));
  // From 5 m it is still falling after 0.6 s: the first impact has no measures, the run has.
  CHECK(arrays.point_status == std::vector<std::uint8_t>{0, 0, 3});
  CHECK(std::isnan(measure(arrays, "relative_gain")[2]));
  CHECK(measure(arrays, "impacts")[2] == 0);
  CHECK(arrays.reasons.at(2) == "no impact within 0.6 s");
}

TEST_CASE("zip, random draws, several paths of one name and derived values") {
  SUBCASE("zip") {
    const SweepArrays arrays = sweep("zip", "scene: " + source +
                                                "/config/impacts/cradle.yaml\nset: {law: poisson}\nmode: zip\n"
                                                "vary:\n  both: {path: [impact.elements.A.restitution, "
                                                "impact.elements.B.restitution], values: [0, 0.5, 1]}\n"
                                                "  impact.velocity.0: [1, 2, 3]\nmeasures: [velocity_after, work]\n")
                                   .arrays;
    CHECK(arrays.shape() == std::vector<std::size_t>{3});
    // u⁺ = (1 − 2e/…): inelastic (1/3, 1/3, 1/3), elastic (−1/3, 2/3, 2/3) times the speed.
    for (std::size_t p = 0; p < 3; ++p) {
      const double v = static_cast<double>(p + 1), e = 0.5 * static_cast<double>(p);
      CHECK(measure(arrays, "velocity_after_0")[p] == doctest::Approx(v * (1 - 2 * e) / 3).epsilon(1e-12));
      CHECK(measure(arrays, "velocity_after_2")[p] == doctest::Approx(v * (1 + e) / 3).epsilon(1e-12));
    }
  }
  SUBCASE("sampled") {
    const std::string text = "scene: " + kane +
                             "\nmode: sampled\nsamples: 4000\nvary:\n  model.restitution: {uniform: [0.2, 0.6]}\n"
                             "  model.friction: {log-uniform: [0.01, 1]}\n"
                             "  model.velocity.0: {normal: [-0.1, 0.01]}\n  law: [newton, poisson]\n"
                             "measures: [work]\n";
    const SweepArrays a = sweep("sampled", text + "seed: 5\n", "-j 1").arrays;
    check_same(a, sweep("sampled-again", text + "seed: 5\n", "-j 2").arrays);
    CHECK(!same_bytes(a.axes[0].numbers, sweep("sampled-other", text + "seed: 6\n").arrays.axes[0].numbers));
    const auto mean = [](const std::vector<double>& x, auto f) {
      double sum = 0;
      for (const double value : x) sum += f(value);
      return sum / static_cast<double>(x.size());
    };
    const auto same = [](double x) { return x; };
    CHECK(mean(a.axes[0].numbers, same) == doctest::Approx(0.4).epsilon(0.02));
    CHECK(*std::min_element(a.axes[0].numbers.begin(), a.axes[0].numbers.end()) > 0.2);
    CHECK(*std::max_element(a.axes[0].numbers.begin(), a.axes[0].numbers.end()) < 0.6);
    CHECK(mean(a.axes[1].numbers, [](double x) { return std::log10(x); }) == doctest::Approx(-1).epsilon(0.05));
    CHECK(mean(a.axes[2].numbers, same) == doctest::Approx(-0.1).epsilon(0.01));
    CHECK(std::sqrt(mean(a.axes[2].numbers, [](double x) { return (x + 0.1) * (x + 0.1); })) ==
          doctest::Approx(0.01).epsilon(0.05));
    const auto newtons = std::count(a.axes[3].texts.begin(), a.axes[3].texts.end(), "newton");
    CHECK(newtons > 1850);
    CHECK(newtons < 2150);
  }
  SUBCASE("derived: the floor follows the angles of two hinged rods") {
    const std::string rods = "scene: " + source +
                             "/config/scenes/kane-rods.yaml\nset: {law: newton}\nvary:\n"
                             "  upper: {path: [], from: 15 deg, to: 40 deg, count: 4}\n"
                             "  lower: {path: [], values: [20 deg, 30 deg]}\nderived:\n"
                             "  bodies.upper.angle: \"{upper} - pi/2\"\n  bodies.lower.angle: \"{lower} - pi/2\"\n"
                             "  contacts.tip.plane.point.1: \"-2*(cos({upper}) + cos({lower}))\"\nmeasures: [work]\n";
    const std::string angles = "scene: " + kane +
                               "\nset: {law: newton}\nvary:\n"
                               "  upper: {path: model.position.0, from: 15 deg, to: 40 deg, count: 4}\n"
                               "  lower: {path: model.position.1, values: [20 deg, 30 deg]}\nmeasures: [work]\n";
    const SweepArrays a = sweep("rods", rods).arrays, b = sweep("angles", angles).arrays;
    CHECK(a.axes[0].units == "deg");
    for (std::size_t p = 0; p < 8; ++p)
      CHECK(measure(a, "work")[p] == doctest::Approx(measure(b, "work")[p]).epsilon(1e-9));
  }
}

TEST_CASE("where an axis changes the system, measures of what is not there are missing") {
  const SweepArrays arrays =
      sweep("balls", "scene: " + source +
                         "/config/scenes/cradle-3.yaml\nvary: {model.balls: [2, 4, 3], law: "
                         "[sequential, stronge]}\nmeasures: [velocity_after, {state: contact-3}]\n")
          .arrays;
  const std::vector<double>& third = measure(arrays, "velocity_after_ball-3.x");
  const std::vector<double>& fourth = measure(arrays, "velocity_after_ball-4.x");
  CHECK(measure(arrays, "velocity_after_ball-2.x")[0] == doctest::Approx(1));
  CHECK(std::isnan(third[0]));
  CHECK(fourth[2] == doctest::Approx(1));
  CHECK(third[4] == doctest::Approx(1));
  CHECK(std::isnan(fourth[4]));
  // One contact suits Stronge's law, coupled ones do not.
  CHECK(arrays.point_status == std::vector<std::uint8_t>{0, 0, 0, 1, 0, 1});
  CHECK(arrays.reasons.at(3).find("sequential") != std::string::npos);
}

TEST_CASE("results are not written onto what is read, onto each other, or onto what is there") {
  const std::string file = write_file("onto.yaml", kane_sweep("  model.friction: [0.1, 0.5]\n", "[work]"));
  const std::string there = write_file("onto.csv", "mine\n");
  for (const std::string& arguments :
       {" -o " + file + " --force", " -o onto.h5 --csv " + file + " --force",
        std::string(" -o onto.h5 --csv onto.h5 --force"), " -o onto.h5 --csv " + there}) {
    const Run run = run_carom("sweep " + file + arguments);
    CAPTURE(arguments);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(!fs::exists("onto.h5"));
  }
  std::ostringstream kept;
  kept << std::ifstream(there).rdbuf();
  CHECK(kept.str() == "mine\n");
  CHECK(run_carom("sweep " + file + " --quiet -o " + result_path("onto")).code == 0);
}

TEST_CASE("a table and a summary of a sweep") {
  const std::string csv = write_file("table.csv", "");
  fs::remove(csv);
  const Swept swept = sweep(
      "table",
      kane_sweep("  law: [newton, compliant]\n  model.friction: [0.1, 0.5]\n", "[work, {max: time, name: \"a, b\"}]"),
      "--csv " + csv);
  std::ostringstream text;
  text << std::ifstream(csv).rdbuf();
  std::istringstream lines(text.str());
  std::string line;
  std::getline(lines, line);
  CHECK(line == "law,model.friction,work,\"a, b\",status,reason");
  std::getline(lines, line);
  std::getline(lines, line);
  REQUIRE(line.rfind("newton,0.5,0.1634", 0) == 0);
  CHECK(std::stod(line.substr(line.find(",0.1634") + 1)) == doctest::Approx(0.16342746861381577).epsilon(1e-12));
  CHECK(line.find(",2,ok,") != std::string::npos);
  std::getline(lines, line);
  CHECK(line.rfind("compliant,0.10000000000000001,nan,", 0) == 0);
  CHECK(line.find(",refused,") != std::string::npos);
  CHECK(line.find("which compliant does not model") != std::string::npos);
  CHECK(swept.run.out.find("2 ok, 2 refused") != std::string::npos);
  const std::string result = write_file("table-path", "");
  const std::string path = (fs::path(result).parent_path() / "table.h5").string();
  CHECK(run_carom("inspect " + path).out.find("law compliant") == std::string::npos);
  const Json json = Json::parse(run_carom("inspect " + path + " --json").out);
  CHECK(json["shape"] == Json({2, 2}));
  CHECK(json["point_status"]["refused"] == 2);
  CHECK(json["measures"][0]["greatest"].get<double>() == measure(swept.arrays, "work")[1]);
  CHECK(run_carom("inspect " + path + " --impacts").code == 2);

  fs::resize_file(path, fs::file_size(path) / 2);
  const Run damaged = run_carom("inspect " + path);
  CHECK(damaged.code == 2);
  CHECK(damaged.err.find(path) == 0);
  CHECK(std::count(damaged.err.begin(), damaged.err.end(), '\n') == 1);
  fs::copy_file(path, path + ".part");
  fs::remove(path);
  const Run resumed = run_carom("sweep " + path.substr(0, path.size() - 3) + ".yaml -o " + path);
  CHECK(resumed.code == 2);
  CHECK(resumed.err.find("--force throws it away") != std::string::npos);
  CHECK(run_carom("sweep " + path.substr(0, path.size() - 3) + ".yaml --quiet --force -o " + path).code == 0);
  CHECK(!fs::exists(path + ".part"));
}

TEST_CASE("mistakes in a sweep are named with their place, all at once, and nothing is written") {
  struct Bad {
    std::string text;
    std::string message;
  };
  const std::string head = "scene: " + kane + "\n";
  const Bad cases[] = {
      {"vary: {model.restituton: [0, 1]}\nmeasures: [work]", ":2:26: vary.model.restituton: "},
      {"vary: {law.type: [newton, poison]}\nmeasures: [work]", "unknown law 'poison' (did you mean 'poisson'?)"},
      {"vary: {model.restitution: {from: 0, to: 1, cout: 3}}\nmeasures: [work]",
       ":2:44: vary.model.restitution: unknown key 'cout' (did you mean 'count'?)"},
      {"vary: {model.restitution: {from: 0, to: 1, count: 0}}\nmeasures: [work]",
       ":2:51: vary.model.restitution.count: "},
      {"vary: {model.restitution: {from: 0, to: 1, count: 1e9}}\nmeasures: [work]", ":2:51: "},
      {"vary: {model.restitution: {from: 0, to: 1, count: 3, scale: log}}\nmeasures: [work]",
       "a logarithmic range needs positive ends"},
      {"vary: {model.restitution: {from: 0, to: 1, count: 20000}, model.friction: {from: 0, to: 1, count: 20000}}\n"
       "measures: [work]",
       "at most 1e+07"},
      {"vary: {model.restitution: {from: 0, uniform: [0, 1]}}\nmeasures: [work]",
       "from and uniform do not go together"},
      {"vary: {model.position.0: {from: 1 deg, to: 2, count: 3}}\nmeasures: [work]", ":2:44: "},
      {"vary: {model.restitution: [0, 1], e: {path: model.restitution, values: [1]}}\nmeasures: [work]",
       "'model.restitution' is varied twice"},
      {"vary: {model.restitution: [.nan]}\nmeasures: [work]", ":2:"},
      {"vary: {model.restitution: {from: 0, to: .inf, count: 2}}\nmeasures: [work]", ":2:41: "},
      {"vary: {e: {path: [], values: [1]}}\nmeasures: [work]", "nothing under 'derived' uses it"},
      {"vary: {e: {path: [], values: [1]}}\nderived: {model.friction: \"{f}\"}\nmeasures: [work]",
       ":3:27: derived.model.friction: no axis is called 'f'"},
      {"vary: {model.restitution: [0]}\nderived: {model.frction: \"1\"}\nmeasures: [{state: tipp}]",
       ":3:26: derived.model.frction: "},
      {"vary: {model.restitution: [0]}\nderived: {model.frction: \"1\"}\nmeasures: [{state: tipp}]",
       ":4:20: measures[0]: there is no contact 'tipp'"},
      {"vary: {model.restitution: [0]}\nmeasures: [wrk]",
       ":3:12: measures[0]: unknown measure 'wrk' (did you mean 'work'?)"},
      {"vary: {model.restitution: [0]}\nmeasures: [{state: tipp}]", "there is no contact 'tipp' (did you mean 'tip'?)"},
      {"vary: {model.restitution: [0]}\nmeasures: [{max: energy/totl}]", "(did you mean 'total'?)"},
      {"vary: {model.restitution: [0]}\nmeasures: [{end: q.2}]", ":3:18: measures[0]: there is no coordinate '2'"},
      {"vary: {model.restitution: [0]}\nmeasures: [work, work]", ":3:18: measures[1]: 'work' is measured twice"},
      {"vary: {model.restitution: [0]}\nmeasures: []", ":3:11: measures: there is nothing to measure"},
      {"vary: {}\nmeasures: [work]", ":2:7: vary: nothing varies"},
      {"vary: {model.restitution: [0]}\nmeasures: [work]\nmode: zipp",
       ":4:7: mode: unknown mode 'zipp' (did you mean 'zip'?); choose from grid, zip, sampled"},
      {"vary: {model.restitution: [0, 1], model.friction: [1]}\nmode: zip\nmeasures: [work]",
       ":2:51: vary.model.friction: has 1 values, but 'model.restitution' has 2"},
      {"vary: {model.restitution: {uniform: [0, 1]}}\nmode: sampled\nmeasures: [work]", "mode sampled needs 'samples'"},
      {"vary: {model.restitution: [-2, -1]}\nset: {law: poisson}\nmeasures: [work]", ":2:27: vary.model.restitution: "},
  };
  for (const Bad& bad : cases) {
    CAPTURE(bad.text);
    const std::string file = write_file("bad.yaml", head + bad.text + "\n");
    const std::string result = result_path("bad");
    const Run run = run_carom("sweep " + file + " -o " + result);
    CHECK(run.code == 2);
    INFO(run.err);
    CHECK(run.err.find("bad.yaml:") != std::string::npos);
    CHECK(run.err.find(bad.message) != std::string::npos);
    CHECK(run.out.empty());
    CHECK(!fs::exists(result));
  }
  const Run several =
      run_carom("sweep " + write_file("bad.yaml", "scene: nowhere.yaml\nvary: {a: 1}\nmeasure: [work]\n"));
  CHECK(several.code == 2);
  CHECK(std::count(several.err.begin(), several.err.end(), '\n') == 3);
  CHECK(several.err.find(":1:8: scene: ") != std::string::npos);
  CHECK(several.err.find("unknown key 'measure' (did you mean 'measures'?)") != std::string::npos);
  const Run raw = run_carom("sweep " + write_file("bad.yaml", "scene: " + source +
                                                                  "/config/impacts/cradle.yaml\nvary: "
                                                                  "{impact.elements.B.stiffness: [1]}\n"
                                                                  "measures: [work, impacts]\n"));
  CHECK(raw.err.find(":3:18: measures[1]: 'impacts' is of a motion") != std::string::npos);
  // The scene's own mistakes come with those of the sweep, but for what the sweep puts in its place.
  write_file("bad-scene.yaml",
             "bodies:\n  ball: {shape: disk, radius: -1, mas: 1, position: [0, 1]}\ncontacts:\n  floor: {body: ball, "
             "plane: {}, friction: -1}\n");
  const std::string both = write_file(
      "bad.yaml",
      "scene: bad-scene.yaml\nvary: {contacts.floor.friction: [0, 1], gravity: {frm: 0}}\nmeasures: [wrk]\n");
  const Run with_scene = run_carom("sweep " + both);
  CHECK(with_scene.code == 2);
  INFO(with_scene.err);
  for (const char* text :
       {"bad.yaml:2:51: vary.gravity", "bad.yaml:3:12: measures[0]: unknown measure 'wrk'",
        "bad-scene.yaml:2:31: bodies.ball.radius: ", "bad-scene.yaml:2:35: bodies.ball: unknown key 'mas'"}) {
    CAPTURE(text);
    CHECK(with_scene.err.find(text) != std::string::npos);
  }
  CHECK(with_scene.err.find("friction") == std::string::npos);
  // A value that the sweep gives is not missing, whatever it is, and what else is wrong beside it is told.
  write_file("bad-scene.yaml",
             "bodies:\n  ball: {shape: disk, radius: 0.1, position: [0, 1]}\ncontacts:\n  floor: {body: ball, "
             "plane: {}, restitution: 3}\n");
  const Run beside = run_carom("sweep " + write_file("bad.yaml",
                                                     "scene: bad-scene.yaml\nvary: {bodies.ball.mass: {from: 1}, "
                                                     "contacts.floor.friction: {to: 1}}\nmeasures: [work]\n"));
  CHECK(beside.err.find("mass' is missing") == std::string::npos);
  CHECK(beside.err.find("bad-scene.yaml:4:34: contacts.floor: restitution 3 is outside the range") !=
        std::string::npos);
  // Also in a list.
  write_file("bad-scene.yaml",
             "bodies:\n  ball: {shape: disk, radius: 0.1, mas: 1, position: [0, 1]}\n"
             "forces:\n  - {spring: [world.x, ball.x], stiffness: -1}\n");
  const Run in_list = run_carom("sweep " + write_file("bad.yaml",
                                                      "scene: bad-scene.yaml\nvary: {forces.0.stiffness: [1, 2]}\n"
                                                      "measures: [wrk]\n"));
  CHECK(in_list.err.find("bad-scene.yaml:2:36: bodies.ball: unknown key 'mas'") != std::string::npos);
  CHECK(in_list.err.find("stiffness") == std::string::npos);
  write_file("bad-scene.yaml", "bodies:\n  ball: {shape: disk, radius: -1, mas: 1, position: [0, 1]}\n");
  // A path that leads nowhere is no reason to keep quiet about the scene.
  const Run nowhere = run_carom("sweep " + write_file("bad.yaml",
                                                      "scene: bad-scene.yaml\nvary: {bodies.bal.mass: [1]}\n"
                                                      "measures: [work]\n"));
  CHECK(nowhere.err.find("bad.yaml:2:") != std::string::npos);
  CHECK(nowhere.err.find("there is no 'bal' under bodies") != std::string::npos);
  CHECK(nowhere.err.find("bad-scene.yaml:2:31: ") != std::string::npos);
  // What only the points of the sweep tell is told of the option that gives it.
  const std::string whole =
      write_file("whole.yaml", head + "vary: {model.restitution: [0]}\nset: {law: poisson}\nmeasures: [work]\n");
  for (const char* set : {"vary={model.restitution: [-2, -1]}", "measures=[{state: nowhere}]"})
    refused("sweep " + whole + " --set '" + set + "' -o " + result_path("bad"), "--set " + std::string(set) + ": ");
  CHECK(run_carom("sweep " + kane + " -j 0").code == 2);
  CHECK(run_carom("sweep " + kane + " --shard 3/2").code == 2);
  CHECK(run_carom("inspect " + kane).code == 2);
}
