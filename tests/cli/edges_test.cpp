// The edges of the program: where results go, values that are empty, contradictory or too large.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/cli/program.h"

using namespace carom::testing;
namespace fs = std::filesystem;

namespace {

const std::string scenes = std::string(CAROM_SOURCE) + "/config/scenes/";
const std::string ball = scenes + "bouncing-ball.yaml";

std::string sweep_file(const std::string& vary, const std::string& more = "") {
  return write_file("edges.yaml", "scene: " + scenes + "kane.yaml\nvary:\n  " + vary + "\nmeasures: [work]\n" + more);
}

std::string short_run() {
  const std::string path = free_path("edges-run.h5");
  REQUIRE(run_carom("simulate " + ball + " --duration 0.01 --quiet -o " + path).code == 0);
  return path;
}

}  // namespace

TEST_CASE("a subcommand that does not exist is named, with the nearest one") {
  const Run run = run_carom("simulte x.yaml");
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err.find("no subcommand 'simulte' (did you mean 'simulate'?)") != std::string::npos);
}

TEST_CASE("a folder that is not there is bad usage, found before anything runs") {
  const std::string run = short_run(), nowhere = " -o /no/such/folder/out", says = "no such folder: /no/such/folder";
  refused("simulate " + ball + nowhere, says);
  refused("compare " + ball + nowhere, says);
  refused("compare " + ball + " --report /no/such/folder/out.html", says);
  refused("sweep " + sweep_file("model.restitution: [0, 1]") + nowhere, says);
  refused("sweep " + sweep_file("model.restitution: [0, 1]") + " --csv /no/such/folder/out", says);
  refused("report " + run + nowhere, says);
  refused("export --xdmf " + run + nowhere, says);
}

TEST_CASE("a name that leaves no room for what is written beside a file is bad usage") {
  const auto named = [](int bytes) {
    return (fs::path(free_path("edges.h5")).parent_path() / fmt::format("{:a>{}}", ".h5", bytes)).string();
  };
  const std::string to = " -o " + named(249), says = "the name is too long: 249 bytes, at most 239 leave";
  refused("simulate " + ball + to, says);
  refused("compare " + ball + to, says);
  refused("sweep " + sweep_file("model.restitution: [0, 1]") + to, says);
  refused("report " + short_run() + " -o " + named(256), "too long");
  CHECK(run_carom("simulate " + ball + " --duration 0.01 --quiet -o " + named(239)).code == 0);
}

TEST_CASE("a finished run is not called what an unfinished one is") {
  refused("simulate " + ball + " --duration 0.01 -o " + free_path("edges.h5.part"),
          ".part is for runs that are not finished");
}

TEST_CASE("links are neither written through nor replaced") {
  const std::string link = free_path("edges-link.h5"), run = short_run();
  for (const std::string& target : {std::string("/no/such/target.h5"), fs::absolute(run).string()}) {
    fs::create_symlink(target, link);
    refused("simulate " + ball + " --duration 0.01 --force -o " + link, "is a link to " + target);
    CHECK(fs::is_symlink(link));
    fs::remove(link);
  }
}

TEST_CASE("a scene is a file, or comes through a pipe of the shell") {
  const std::string pipe = free_path("pipe.yaml");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  refused("simulate " + pipe, "is a named pipe or a device, not a file");
  refused("impact /dev/zero", "is a named pipe or a device, not a file");
  refused("check " + write_file("comma.yaml", ","), "holds no keys and values");
  CHECK(run_carom("impact /dev/stdin --json < " + ball).code == run_carom("impact " + ball + " --json").code);
}

TEST_CASE("a tab that indents is told as such") {
  refused("simulate " + write_file("tab.yaml", "bodies:\n\ta: {shape: disk, radius: 1, mass: 1}\nlaw: newton\n"),
          "tab.yaml:2:3: not valid YAML: a tab indents this line; use spaces");
}

TEST_CASE("empty values are no values") {
  refused("simulate " + ball + " -o ''", "empty");
  refused("simulate " + ball + " --law ''", "empty");
  refused("impact " + ball + " --law ''", "empty");
  refused("compare " + ball + " --laws ''", "empty");
  refused("simulate " + ball + " --set ''", "empty");
  refused("simulate ''", "empty");
}

TEST_CASE("sweeps that cannot be") {
  refused("sweep " + sweep_file("model.restitution: {from: -1e308, to: 1e308, count: 5}"), "longer than the largest");
  refused("sweep " + sweep_file("model.restitution: {from: 1e-300, to: 1e300, count: 5, scale: log}"),
          "edges.yaml:3:41: vary.model.restitution.to: the range is longer");
  refused("sweep " + sweep_file("model.restitution: {from: 0, to: 1, count: 100000000}"), "must be 1 .. 1e+07");
  refused("sweep " + sweep_file("e: {path: [], from: 0, to: 1, count: 3}", "derived: {model.friction: \"{e\"}\n"),
          "'{' without '}'");
  const std::string result = free_path("edges-sweep.h5");
  const std::string good = "sweep " + sweep_file("model.restitution: [0, 1]") + " -o " + result;
  refused(good + " --shard 1/1000000000000", "n up to");
  refused(good + " --shard 1/2 --join", "--join");
  REQUIRE(run_carom(good + " --quiet").code == 0);
  refused("inspect " + result + " --law nope", "leave --law out");
}

TEST_CASE("masses near the largest number are refused as such") {
  refused("impact " + write_file("heavy.yaml",
                                 "impact:\n  mass: [[1e308, 0], [0, 1e308]]\n  velocity: [-1, -2]\n  elements:\n"
                                 "    - {name: tip, kind: contact, normal: [1, 1]}\nlaw: newton\n"),
          "heavy.yaml:2:3: impact.mass: the mass matrix has an entry out of the range of numbers");
}

TEST_CASE("tens of thousands of unknown keys are refused at once") {
  std::string text = "scene: x\n";
  for (int i = 0; i < 50000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  refused("simulate " + write_file("keys.yaml", text), "unknown key 'k0'");
}

TEST_CASE("a value is given once") {
  refused("simulate " + ball + " --set law=newton --set law=poisson",
          "--set law=newton and --set law=poisson give the same; leave one out");
  refused("simulate " + ball + " --set integrator.step=1e-3 --step 1e-4", "both give integrator.step");
}

TEST_CASE("what is wrong between step and duration is wrong with the option") {
  refused("simulate " + ball + " --duration 1e-9", "--duration 1e-9: integrator.duration: a step of");
  refused("simulate " + ball + " --step 1e-15", "--step 1e-15: integrator.step: a duration of");
}

TEST_CASE("a file of another kind is told from a bad one, with the command that takes it") {
  const std::string run = short_run(), sweep = sweep_file("model.restitution: [0, 1]");
  const std::string impact = CAROM_SOURCE "/config/impacts/kane.yaml";
  const std::string here = fs::path(run).filename().string();  // where the result of a sweep of this name would go
  CHECK(run_carom("sweep " + here, "cd " + fs::path(run).parent_path().string() + ";").err.find("is an HDF5 file") !=
        std::string::npos);
  for (const char* command : {"simulate ", "impact ", "compare ", "check ", "sweep "})
    refused(command + run, run + ": is an HDF5 file, not YAML: 'carom inspect' shows");
  for (const char* command : {"simulate ", "impact ", "compare ", "check "})
    refused(command + sweep, sweep + ": is a sweep (it has 'vary'), not a");
  refused("simulate " + impact, impact + ": is a raw impact problem (it has 'impact'), not a scene: 'carom impact'");
  refused("sweep " + ball, ball + ": is a scene (it has 'model'), not a sweep: 'carom simulate'");
  for (const char* command : {"inspect ", "simulate --resume ", "recover "})
    refused(command + ball, ball + ": is not a run file (not HDF5); 'carom simulate' makes one of a scene");
  refused("report " + ball, ball + ": is a scene, which has to be run first: carom compare ");
  refused("sweep " + write_file("edges-nested.yaml", "scene: " + sweep + "\nvary: {x: [1]}\nmeasures: [work]\n"),
          "edges-nested.yaml:1:8: scene: is a sweep (it has 'vary'), not a scene");
}

TEST_CASE("a run is the same with the standard streams closed: nothing that is told goes into it") {
  const std::string open = short_run(), closed = free_path("edges-closed.h5");
  const std::string command =
      fmt::format("{} simulate {} --duration 0.01 -o {} <&- >&- 2>&-", CAROM_PROGRAM, ball, closed);
  CHECK(std::system(command.c_str()) == 0);
  const std::string of = "inspect --csv time,q,u ";
  CHECK(run_carom(of + closed).code == 0);
  CHECK(run_carom(of + closed).out == run_carom(of + open).out);
}

TEST_CASE("what is written beside a page is a new file, not the end of a link") {
  const std::string run = short_run(), page = free_path("edges-page.html"), kept = write_file("edges-kept", "mine");
  fs::remove(page + ".writing");
  fs::create_symlink(kept, page + ".writing");
  CHECK(run_carom("report " + run + " -o " + page).code == 0);
  CHECK(fs::file_size(kept) == 4);
  CHECK(fs::file_size(page) > 10000);
}

TEST_CASE("a scene may be named as a mark of the page") {
  const std::string scene =
      write_file("edges-mark.yaml", std::string(ball_scene).replace(0, 11, "scene: \"/*data*/\""));
  const std::string run = free_path("edges-mark.h5"), page = free_path("edges-mark.html");
  REQUIRE(run_carom("simulate " + scene + " --quiet --duration 0.01 -o " + run).code == 0);
  REQUIRE(run_carom("report " + run + " -o " + page).code == 0);
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(text.find("<title>/*data*/ ") != std::string::npos);
  CHECK(text.find("id=\"data\">{") != std::string::npos);
}
