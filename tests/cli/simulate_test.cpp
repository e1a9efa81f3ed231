// simulate, inspect and recover as a user runs them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

using namespace carom::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// A run too long to end, stopped by what the shell does after a while. Returns its exit code.
int stopped_run(const std::string& path, const std::string& stop, const std::string& scene = ball_file()) {
  return run_carom_until(path + ".part",
                         "simulate " + scene + " -o " + path + " --step 1e-5 --duration 9000 --set output.every=7",
                         "sleep 0.4; " + stop);
}

json inspected(const std::string& path, const std::string& more = "") {
  const Run run = run_carom("inspect " + path + " --json " + more);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return json::parse(run.out);
}

std::string csv(const std::string& path, const std::string& datasets) {
  const Run run = run_carom("inspect " + path + " --csv " + datasets);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return run.out;
}

const std::vector<std::string> tables = {
    "time,step,q,u,energy/kinetic,energy/total,energy/work_impacts,energy/work_contact,energy/drift,bodies/ball/pose",
    "contacts/floor/gap,contacts/floor/velocity,contacts/floor/impulse,contacts/floor/state",
    "impacts/time,impacts/step,impacts/work,impacts/energetic,impacts/residual",
    "impacts/elements/impact,impacts/elements/element,impacts/elements/impulse,impacts/elements/state"};

}  // namespace

TEST_CASE("simulate writes a run that inspect tells about") {
  const std::string path = free_path("ball.h5");
  const Run run = run_carom("simulate " + ball_file() + " -o " + path);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  CHECK(run.err.rfind("note: law ", 0) == 0);  // the verdict before the run, and no progress on a pipe
  CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  CHECK(run_carom("simulate " + ball_file() + " --quiet --force -o " + path).err.empty());
  CHECK(run.out.find("complete") != std::string::npos);
  CHECK(run.out.find(path) != std::string::npos);

  const json told = inspected(path);
  CHECK(told["scene"] == "ball");
  CHECK(told["law"] == "newton");
  CHECK(told["status"] == "complete");
  CHECK(told["steps"] == 1000);
  CHECK(told["samples"] == 101);
  CHECK(told["time"]["end"].get<double>() == doctest::Approx(1));
  const json& energy = told["energy"];
  CHECK(energy["total"]["start"].get<double>() == doctest::Approx(1.1 * 9.81 + 0.5 * 0.09).epsilon(1e-6));
  const double change = energy["total"]["end"].get<double>() - energy["total"]["start"].get<double>();
  CHECK(change == doctest::Approx(energy["work_impacts"].get<double>() + energy["work_contact"].get<double>() +
                                  energy["work_applied"].get<double>() + energy["drift"].get<double>()));
  REQUIRE(told["impacts"]["count"].get<int>() >= 1);
  CHECK(told["impacts"]["list"][0]["time"].get<double>() == doctest::Approx(std::sqrt(2 / 9.81)).epsilon(1e-2));
  CHECK(told["impacts"]["list"][0]["elements"][0]["name"] == "floor");
  CHECK(told["contacts"][0]["name"] == "floor");
  CHECK(told["impacts"]["list"].size() == told["impacts"]["count"].get<std::size_t>());
  CHECK(told["contacts"][0]["impacts"] == told["impacts"]["count"]);

  const Run page = run_carom("inspect " + path);
  CHECK(page.code == 0);
  for (const char* word : {"ball", "newton", "complete", "where it went", "floor", "consistent"})
    CHECK(page.out.find(word) != std::string::npos);
}

TEST_CASE("how deep bodies were in each other is told by simulate and inspect, aloud where they sink") {
  const std::string path = free_path("overlap.h5");
  const Run bounced = run_carom("simulate " + ball_file() + " --step 1e-3 -o " + path);
  REQUIRE(bounced.code == 0);
  CHECK(bounced.out.find("  overlap  ") != std::string::npos);
  CHECK(bounced.err.find("warning") == std::string::npos);
  const json overlap = inspected(path)["penetration"];
  REQUIRE(overlap.size() == 1);
  CHECK(overlap[0]["contact"] == "floor");
  CHECK(overlap[0]["depth"].get<double>() > 0);
  CHECK(overlap[0]["stays_deep"] == false);
  CHECK(run_carom("inspect " + path).out.find("overlap at") != std::string::npos);

  const Run sunk =
      run_carom("simulate " + ball_file() + " --step 0.02 --set contacts.floor.restitution=0 --force -o " + path);
  REQUIRE(sunk.code == 0);
  CHECK(sunk.err.find("warning: the bodies of 'floor'") != std::string::npos);
  CHECK(sunk.err.find("integrator.step") != std::string::npos);
  CHECK(inspected(path)["penetration"][0]["stays_deep"] == true);
}

TEST_CASE("inspect --csv prints what is asked for, and says what there is otherwise") {
  const std::string path = free_path("csv.h5");
  REQUIRE(run_carom("simulate " + ball_file() + " -o " + path + " --quiet").code == 0);
  const std::string text = csv(path, "/time,q,contacts/floor/velocity");
  CHECK(text.substr(0, text.find('\n')) ==
        "time,q.ball.x,q.ball.y,q.ball.angle,contacts/floor/velocity.normal,contacts/floor/velocity.tangential");
  CHECK(std::count(text.begin(), text.end(), '\n') == 102);
  const Run wrong = run_carom("inspect " + path + " --csv energy");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("/energy/total") != std::string::npos);
  const Run mixed = run_carom("inspect " + path + " --csv time,impacts/time");
  CHECK(mixed.code == 2);
  CHECK(mixed.err.find("rows") != std::string::npos);
}

TEST_CASE("inspect --scene prints the scene that ran, and that runs again to the same bits") {
  const std::string path = free_path("fixed.h5"), again = free_path("again.h5"), scene = free_path("fixed.yaml");
  REQUIRE(run_carom("simulate " + ball_file() + " --fix --set bodies.ball.position=[0,-0.5] --quiet -o " + path).code ==
          0);
  const Run printed = run_carom("inspect " + path + " --scene");
  CHECK(printed.code == 0);
  CHECK(printed.out.find("initial:") != std::string::npos);
  std::ofstream(scene) << printed.out;
  REQUIRE(run_carom("simulate " + scene + " --quiet -o " + again).code == 0);
  for (const std::string& table : tables) CHECK(csv(path, table) == csv(again, table));
  CHECK(run_carom("inspect " + path + " --scene --json").code == 2);
}

TEST_CASE("the same scene gives the same bits") {
  const std::string a = free_path("a.h5"), b = free_path("b.h5");
  REQUIRE(run_carom("simulate " + ball_file() + " -o " + a).code == 0);
  REQUIRE(run_carom("simulate " + ball_file() + " -o " + b).code == 0);
  for (const std::string& table : tables) CHECK(csv(a, table) == csv(b, table));
}

TEST_CASE("nothing is overwritten without --force, and nothing written for a bad scene") {
  const std::string path = free_path("there.h5");
  std::ofstream(path) << "precious";
  const Run refused = run_carom("simulate " + ball_file() + " -o " + path);
  CHECK(refused.code == 2);
  CHECK(refused.err.find("--force") != std::string::npos);
  const Run foreign = run_carom("simulate " + ball_file() + " --force -o " + path);
  CHECK(foreign.code == 2);
  CHECK(foreign.err.find("is no result of carom") != std::string::npos);
  CHECK(fs::file_size(path) == 8);
  std::ofstream(path).close();
  for (const char* what : {"an empty file", "a run"}) {
    INFO(what);
    CHECK(run_carom("simulate " + ball_file() + " --force -o " + path).code == 0);
    CHECK(inspected(path)["status"] == "complete");
  }

  const std::string none = free_path("none.h5");
  const Run bad = run_carom("simulate " + write_file("bad.yaml", ball_scene + "restituton: 1\n") + " -o " + none);
  CHECK(bad.code == 2);
  CHECK(bad.err.find("restituton") != std::string::npos);
  CHECK(!fs::exists(none));
  CHECK(!fs::exists(none + ".part"));
  const Run nowhere = run_carom("simulate " + ball_file() + " -o " + none + "/no/run.h5");
  CHECK(nowhere.code == 2);
  CHECK(nowhere.err.find("no such folder") != std::string::npos);
  CHECK(run_carom("simulate").code == 2);
}

TEST_CASE("interrupted and resumed: the same bits as a run that went through") {
  for (const char* stop : {"kill -INT $p", "kill -TERM $p"}) {
    const std::string path = free_path("interrupted.h5"), through = free_path("through.h5");
    REQUIRE(stopped_run(path, stop) == 130);
    const json told = inspected(path);
    CHECK(told["status"] == "interrupted");
    const std::int64_t steps = told["steps"].get<std::int64_t>();
    REQUIRE(steps > 0);
    const std::string duration = std::to_string(1e-5 * static_cast<double>(steps + 1003));

    const Run resumed = run_carom("simulate --resume " + path + " --duration " + duration);
    CAPTURE(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(inspected(path)["status"] == "complete");
    REQUIRE(run_carom("simulate " + ball_file() + " -o " + through + " --step 1e-5 --set output.every=7 --duration " +
                      duration)
                .code == 0);
    for (const std::string& table : tables) CHECK(csv(path, table) == csv(through, table));
    CHECK(inspected(path)["impacts"] == inspected(through)["impacts"]);
    CHECK(inspected(path)["penetration"] == inspected(through)["penetration"]);

    const Run again = run_carom("simulate --resume " + path);
    CHECK(again.code == 2);
    CHECK(again.err.find("--duration") != std::string::npos);
  }
}

TEST_CASE("a request to stop that arrives twice still closes the file") {
  const std::string path = free_path("twice.h5");
  CHECK(stopped_run(path, "kill -TERM $p; sleep 0.005; kill -TERM $p") == 130);
  CHECK(!fs::exists(path + ".part"));
  CHECK(inspected(path)["status"] == "interrupted");
}

TEST_CASE("killed, recovered and resumed") {
  const std::string path = free_path("killed.h5");
  CHECK(stopped_run(path, "sleep 1; kill -KILL $p") == 128 + 9);
  REQUIRE(fs::exists(path + ".part"));
  const Run refused = run_carom("simulate " + ball_file() + " -o " + path);
  CHECK(refused.code == 2);
  CHECK(refused.err.find("carom recover") != std::string::npos);
  for (const char* end : {"", ".part"})
    CHECK(run_carom("simulate --resume " + path + end).err.find("carom recover " + path) != std::string::npos);

  const Run recovered = run_carom("recover " + path + ".part");
  CAPTURE(recovered.err);
  REQUIRE(recovered.code == 0);
  CHECK(!fs::exists(path + ".part"));
  const json told = inspected(path);
  CHECK(told["status"] == "interrupted");
  CHECK(told["recovered"] == true);
  const std::int64_t steps = told["steps"].get<std::int64_t>();
  REQUIRE(steps > 0);

  const std::string longer = free_path("longer.h5");
  const Run resumed = run_carom("simulate --resume " + path + " -o " + longer + " --duration " +
                                std::to_string(1e-5 * static_cast<double>(steps + 700)));
  CAPTURE(resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(inspected(longer)["status"] == "complete");
  CHECK(inspected(longer)["samples"].get<std::int64_t>() == told["samples"].get<std::int64_t>() + 100);
  CHECK(csv(longer, "time").rfind(csv(path, "time"), 0) == 0);
}

TEST_CASE("killed before it got its name, a whole run is recovered as it is") {
  const std::string path = free_path("whole.h5"), other = free_path("whole-other.h5");
  REQUIRE(run_carom("simulate " + ball_file() + " --duration 0.01 -o " + path).code == 0);
  const std::string rows = csv(path, "q");
  fs::copy_file(path, path + ".compressed", fs::copy_options::overwrite_existing);  // begun
  fs::rename(path, path + ".part");
  CHECK(run_carom("recover " + path + ".part -o " + other).code == 0);
  const Run recovered = run_carom("recover " + path + ".part");
  CAPTURE(recovered.err);
  REQUIRE(recovered.code == 0);
  CHECK(!fs::exists(path + ".part"));
  CHECK(!fs::exists(path + ".compressed"));
  for (const std::string& saved : {path, other}) {
    CHECK(inspected(saved)["status"] == "complete");
    CHECK(csv(saved, "q") == rows);
  }
}

TEST_CASE("what cannot be recovered says what to do with it") {
  const std::string path = free_path("remains.h5"), part = path + ".part";
  refused("recover " + part, part + ": no such file");
  std::ofstream(path + ".part.state") << "left";
  refused("recover " + part, part + ": no such file; without it there is nothing to save in " + path + ".part.state");
  const std::string whole = free_path("remains-whole.h5");
  REQUIRE(run_carom("simulate " + ball_file() + " --duration 0.01 --quiet -o " + whole).code == 0);
  for (const std::uintmax_t bytes : {0, 5, 8, 40, 4096}) {
    CAPTURE(bytes);
    fs::copy_file(whole, part, fs::copy_options::overwrite_existing);
    fs::resize_file(part, bytes);
    refused("recover " + part, "; nothing of it can be saved: remove it, or run the scene again with --force");
  }
}

TEST_CASE("killed, recovered and resumed: the same bits as a run that went through") {
  // A table throws the ball up and carries it in turn: in one half of all moments the contact is closed.
  const std::string shaken = write_file("shaken.yaml",
                                        "gravity: [0, -9.81]\n"
                                        "bodies:\n"
                                        "  table: {shape: block, size: [2, 0.1], mass: 1, position: [0, -0.05]}\n"
                                        "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.1]}\n"
                                        "joints:\n"
                                        "  - {motion: table.x, as: 0}\n"
                                        "  - {motion: table.y, as: \"-0.05 + 0.02*sin(30*t)\"}\n"
                                        "  - {motion: table.angle, as: 0}\n"
                                        "contacts: {floor: {body: ball, on: table, restitution: 0.3, friction: 0.5}}\n"
                                        "law: poisson\n"
                                        "output: {every: 7}\n");
  const std::string path = free_path("shaken.h5"), longer = free_path("shaken-on.h5"),
                    whole = free_path("shaken-all.h5");
  CHECK(stopped_run(path, "sleep 0.6; kill -KILL $p", shaken) == 128 + 9);
  REQUIRE(run_carom("recover " + path + ".part").code == 0);
  const double end = 1e-5 * static_cast<double>(inspected(path)["steps"].get<std::int64_t>() + 2000);
  const std::string duration = " --duration " + std::to_string(end);
  REQUIRE(run_carom("simulate --resume " + path + " -o " + longer + duration).code == 0);
  REQUIRE(run_carom("simulate " + shaken + " -o " + whole + " --step 1e-5" + duration).code == 0);
  for (const std::string& table : tables) CHECK(csv(longer, table) == csv(whole, table));
}

namespace {

// Balls on a floor, each on two others where there are more than one row.
std::string resting_balls(const std::string& repeat) {
  return write_file("resting.yaml",
                    "gravity: [0, -9.81]\n"
                    "defaults: {contact: {friction: 0.3, restitution: 0.2}}\n"
                    "bodies:\n"
                    "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.1], repeat: " +
                        repeat +
                        "}\n"
                        "  floor: {shape: plane}\n"
                        "collide: all\n"
                        "output: {record: [state, energy, impacts]}\n");
}

}  // namespace

TEST_CASE("killed while contacts are closed, a run goes on to the same bits from the state it kept") {
  const std::string pile = resting_balls("[{count: 6, offset: [0.2001, 0]}, {count: 3, offset: [0.1, 0.17330]}]");
  const std::string path = free_path("pile.h5"), longer = free_path("pile-on.h5"), whole = free_path("pile-all.h5");
  const std::string options = " --step 1e-4 --set output.every=7 --duration ";
  CHECK(run_carom_until(path + ".part.state", "simulate " + pile + " -o " + path + options + "9000", "kill -KILL $p") ==
        128 + 9);
  const Run recovered = run_carom("recover " + path + ".part");
  CAPTURE(recovered.err);
  REQUIRE(recovered.code == 0);
  for (const char* beside : {".part", ".part.state", ".part.state.next"}) CHECK(!fs::exists(path + beside));
  const double end = 1e-4 * static_cast<double>(inspected(path)["steps"].get<std::int64_t>() + 500);
  const Run resumed = run_carom("simulate --resume " + path + " -o " + longer + " --duration " + std::to_string(end));
  REQUIRE(resumed.code == 0);
  CHECK(resumed.err.find("taken again") == std::string::npos);
  CHECK(resumed.err.find("going on from") == std::string::npos);
  REQUIRE(run_carom("simulate " + pile + " -o " + whole + options + std::to_string(end)).code == 0);
  for (const char* table :
       {"time,step,q,u", "energy/total,energy/work_impacts,energy/drift", "impacts/step,impacts/work"})
    CHECK(csv(longer, table) == csv(whole, table));
  CHECK(inspected(longer)["impacts"] == inspected(whole)["impacts"]);
}

TEST_CASE("a run does not go on from the state of another one") {
  const std::string path = free_path("own.h5"), other = free_path("other.h5"), whole = free_path("own-all.h5");
  const std::string options = " --step 1e-4 --duration ", long_run = "9000";
  for (const std::string& law : {std::string("newton"), std::string("poisson")})
    CHECK(run_carom_until((law == "newton" ? path : other) + ".part.state",
                          "simulate " + ball_file() + " --law " + law + " -o " + (law == "newton" ? path : other) +
                              options + long_run,
                          "sleep 0.5; kill -KILL $p") == 128 + 9);
  fs::rename(other + ".part.state", path + ".part.state");
  REQUIRE(run_carom("recover " + path + ".part").code == 0);
  const std::string end = std::to_string(1e-4 * static_cast<double>(inspected(path)["steps"].get<std::int64_t>() + 50));
  REQUIRE(run_carom("simulate --resume " + path + " --duration " + end).code == 0);
  REQUIRE(run_carom("simulate " + ball_file() + " --law newton -o " + whole + options + end).code == 0);
  // Without a state of its own it goes on to rounding.
  const auto rows = rows_of(csv(path, "time,q,u")), expected = rows_of(csv(whole, "time,q,u"));
  REQUIRE(rows.size() == expected.size());
  double difference = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      difference = std::max(difference, std::abs(rows[i][k] - expected[i][k]));
  CHECK(difference < 1e-9);
}

TEST_CASE("steps that a resumed run takes again are told") {
  const std::string path = free_path("resting.h5");
  CHECK(stopped_run(path, "sleep 1.5; kill -KILL $p", resting_balls("{count: 300, offset: [0.3, 0]}")) == 128 + 9);
  fs::remove(path + ".part.state");  // as if it had been killed before
  REQUIRE(run_carom("recover " + path + ".part").code == 0);
  const double end = 1e-5 * static_cast<double>(inspected(path)["steps"].get<std::int64_t>() + 10);
  const Run resumed = run_carom("simulate --resume " + path + " --duration " + std::to_string(end));
  CAPTURE(resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(resumed.err.find("note: steps from t = 0 to ") != std::string::npos);
}

TEST_CASE("impacts that leave a contact approaching are counted, also where a run goes on") {
  const std::string path = free_path("approaching.h5");
  const std::string matrix = " --law restitution-matrix --set \"law.nn=[[0.5, -0.9], [-0.9, 0.5]]\"";
  const Run run = run_carom("simulate " CAROM_SOURCE "/config/scenes/cradle-3.yaml" + matrix + " -o " + path);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const json impacts = inspected(path)["impacts"];
  REQUIRE(impacts["still_approaching"] == 1);
  REQUIRE(impacts["outside_set"] == 1);
  const std::string verdicts = "1 leaves a contact approaching, 1 with an impulse outside its set";
  CHECK(run.out.find(verdicts) != std::string::npos);
  CHECK(run_carom("simulate --resume " + path + " --duration 0.2").out.find(verdicts) != std::string::npos);
}

TEST_CASE("a guarantee beforehand is one for the contacts that are known") {
  const auto said = [](const std::string& scene) {
    return run_carom("simulate " + scene + " -o " + free_path("guarantee.h5")).err;
  };
  CHECK(said(CAROM_SOURCE "/config/scenes/kane.yaml").find("guaranteed in every configuration") != std::string::npos);
  // A ball rests on a desk; later a bar strikes a rough wall and an elastic pad at once, where Poisson's law gains.
  const std::string bar =
      write_file("bar.yaml",
                 "gravity: [0, 0]\n"
                 "materials:\n"
                 "  - {between: [bar, wall], restitution: 0, friction: 2}\n"
                 "  - {between: [bar, pad], restitution: 1, friction: 0}\n"
                 "  - {between: [ball, desk], restitution: 0.5, friction: 0.3}\n"
                 "bodies:\n"
                 "  wall: {shape: plane, normal: [1, 0], position: [-1.005, 0], material: wall}\n"
                 "  pad: {shape: block, size: [0.4, 0.2], fixed: true, position: [1.09, -0.1], material: pad}\n"
                 "  bar: {shape: rod, length: 2, mass: 1, inertia: 0.1, position: [0, 0.002], velocity: [-0.5, -1.1],\n"
                 "        angular_velocity: 1, material: bar}\n"
                 "  ball: {shape: disk, radius: 0.05, mass: 1, position: [3.1, 0.05], material: ball}\n"
                 "  desk: {shape: block, size: [0.4, 0.2], fixed: true, position: [3.1, -0.1], material: desk}\n"
                 "collide: all\n"
                 "law: poisson\n"
                 "integrator: {step: 1e-3, duration: 0.1}\n");
  CHECK(said(bar).find("guaranteed as long as no other contacts act") != std::string::npos);
}

TEST_CASE("a run that fails says so, in the file too") {
  const std::string path = free_path("failed.h5");
  const Run run = run_carom("simulate " CAROM_SOURCE "/config/scenes/kane.yaml --law newton -o " + path +
                            " --set integrator.on_inconsistent=stop");
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(run.err.find("law newton: not guaranteed") != std::string::npos);
  CHECK(run.err.find("an impact created energy") != std::string::npos);
  CHECK(run.out.find("law newton: failed, t = ") != std::string::npos);
  CHECK(run.out.find("an impact created energy") == std::string::npos);  // told once
  CHECK(inspected(path)["status"].get<std::string>().rfind("failed: ", 0) == 0);
  CHECK(run_carom("simulate --resume " + path).code == 2);
}

TEST_CASE("a step that fails leaves no impact behind") {
  // The ball lands first; the block lands in the same step on two corners, which Stronge's law does not take.
  const std::string path = free_path("half.h5");
  const std::string both =
      "gravity: [0, -9.81]\n"
      "bodies:\n"
      "  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.6]}\n"
      "  block: {shape: block, size: [0.4, 0.2], mass: 1, position: [2, 0.6]}\n"
      "contacts:\n"
      "  first: {body: ball, plane: {}, restitution: 0.5}\n"
      "  second: {body: block, plane: {}, restitution: 0.5}\n"
      "law: {type: stronge, several: refuse}\n"
      "integrator: {step: 1e-3, duration: 1}\n";
  const Run run = run_carom("simulate " + write_file("half.yaml", both) + " -o " + path);
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(run.err.find("second") != std::string::npos);
  CHECK(run.out.find("impacts  0") != std::string::npos);
  const json told = inspected(path, "--impacts");
  CHECK(told["impacts"]["list"].empty());
  CHECK(told["energy"]["work_impacts"] == 0);
}

TEST_CASE("one value is not given twice") {
  const std::string path = free_path("twice.h5");
  for (const char* twice : {"--duration 1 --set integrator.duration=2", "--step 1e-3 --set integrator.step=1e-4",
                            "--law moreau --set law.type=newton"}) {
    const Run run = run_carom("simulate " + ball_file() + " -o " + path + " " + twice);
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.err.find("leave one out") != std::string::npos);
    CHECK(!fs::exists(path));
  }
}

TEST_CASE("a motion that diverges says so, with the body and what helps") {
  const Run run = run_carom("simulate " + write_file("fast.yaml", "model: slider-crank\n") + " --step 0.1 -o " +
                            free_path("fast.h5"));
  CHECK(run.code == 1);
  CHECK(run.err.find("the motion has diverged: '") != std::string::npos);
  CHECK(run.err.find("a smaller integrator.step than 0.1 s") != std::string::npos);
}

TEST_CASE("a force that is no number is told of the body it acts on, also where another one rests") {
  const std::string scene =
      "gravity: [0, -9.81]\n"
      "bodies:\n"
      "  floor: {shape: plane, normal: [0, 1]}\n"
      "  resting: {shape: disk, radius: 0.1, mass: 1, position: [0, 0.1]}\n"
      "  flying: {shape: disk, radius: 0.1, mass: 1, position: [2, 5]}\n"
      "collide: all\n"
      "forces:\n  - {load: flying, force: [\"sqrt(0.12 - t)\", 0]}\n"
      "law: newton\n"
      "integrator: {step: 1e-3, duration: 0.2}\n";
  const Run run = run_carom("simulate " + write_file("flying.yaml", scene) + " -o " + free_path("flying.h5"));
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(run.err.find("a force on 'flying' is not a finite number") != std::string::npos);
}

TEST_CASE("a run that ends between two samples has its end in the file") {
  const std::string path = free_path("between.h5");
  // No real root in step 122, counted from 0.
  const std::string forced = ball_scene + "forces:\n  - {load: ball, force: [\"sqrt(0.1224 - t)\", 0]}\n";
  const Run run = run_carom("simulate " + write_file("forced.yaml", forced) + " -o " + path);
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(run.err.find("at t = 0.122 s: a force on 'ball' is not a finite number") != std::string::npos);
  const json told = inspected(path);
  CHECK(told["steps"] == 122);
  CHECK(told["samples"] == 14);
  CHECK(told["time"]["end"].get<double>() == doctest::Approx(0.122));

  // The same row as in a run that samples every step.
  const std::string all = free_path("between-all.h5");
  CHECK(run_carom("simulate " + write_file("forced.yaml", forced) + " -o " + all + " --set output.every=1").code == 1);
  for (const std::string& table : {tables[0], tables[1]}) {
    const std::string some_rows = csv(path, table), all_rows = csv(all, table);
    CHECK(some_rows.substr(some_rows.rfind('\n', some_rows.size() - 2)) ==
          all_rows.substr(all_rows.rfind('\n', all_rows.size() - 2)));
  }

  const std::string stopped = free_path("stopped.h5");
  CHECK(run_carom("simulate " CAROM_SOURCE "/config/scenes/kane.yaml --law newton -o " + stopped +
                  " --set integrator.on_inconsistent=stop --set output.every=1000")
            .code == 1);
  const json stop = inspected(stopped);
  CHECK(stop["samples"] == 2);
  CHECK(stop["energy"]["work_impacts"].get<double>() > 0);  // of the impact that created energy
}

TEST_CASE("what is not a run file gets one sentence and exit 2") {
  const std::string text = write_file("text.h5", "not HDF5\n"), empty = write_file("empty.h5", "");
  for (const std::string& path : {text, empty, fs::temp_directory_path().string(), std::string("/nowhere/run.h5")}) {
    for (const std::string command : {"inspect ", "recover ", "export --xdmf ", "simulate --resume "}) {
      CAPTURE(command + path);
      const Run run = run_carom(command + path);
      CHECK(run.code == 2);
      CHECK(run.out.empty());
      CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
      CHECK(run.err.find(path) != std::string::npos);
    }
  }
}

TEST_CASE("what is told of a scene when its run begins is not told again when it goes on") {
  const std::string scene = write_file("two-states.yaml",
                                       "bodies:\n  ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 1]}\n"
                                       "initial: {ball: {position: [0, 2]}}\n"
                                       "integrator: {duration: 0.01}\n");
  const std::string path = free_path("two-states.h5");
  CHECK(run_carom("simulate " + scene + " -o " + path).err.find("two-states.yaml:3:18: initial.ball: gives position") !=
        std::string::npos);
  const Run resumed = run_carom("simulate --resume " + path + " --duration 0.02");
  CHECK(resumed.code == 0);
  CHECK(resumed.err.find("gives position") == std::string::npos);
}
