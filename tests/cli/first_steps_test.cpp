// What a new user meets first: help, starters, keys, and mistakes that many make.

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/embedded.h"
#include "config/schema.h"
#include "config/spec_reader.h"
#include "tests/cli/program.h"

using namespace carom;
using namespace carom::testing;
using nlohmann::json;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// What `simulate` says on stderr of a scene with this line in place of a body's.
Run run_with_body(const std::string& body, const std::string& rest = "collide: all") {
  const std::string scene = write_file("first.yaml", "gravity: [0, -9.81]\nbodies:\n  floor: {shape: plane}\n  " + body +
                                                         "\nintegrator: {duration: 0.01}\n" + rest + "\n");
  return run_carom("simulate " + scene + " -o " + free_path("first.h5"));
}

}  // namespace

TEST_CASE("carom alone tells how to start, and help is the same as --help") {
  const Run alone = run_carom("");
  CHECK(alone.code == 0);
  CHECK(holds(alone.out, "carom new pendulum"));
  const Run help = run_carom("help simulate"), option = run_carom("simulate --help");
  CHECK(help.code == 0);
  CHECK(help.out == option.out);
  CHECK(run_carom("help").out == run_carom("--help").out);
  refused("help simulat", "did you mean 'simulate'?");
}

TEST_CASE("an unknown option suggests the one that is meant") {
  refused("simulate x.yaml --lwa newton", "there is no option '--lwa' (did you mean '--law'?)");
  refused("impact x.yaml --all-solution=1", "did you mean '--all-solutions'?");
}

TEST_CASE("every starter runs as it is written, without a warning") {
  for (const EmbeddedFile& file : starter_files()) {
    CAPTURE(file.name);
    const std::string path = free_path("starter-" + file.name);
    std::filesystem::remove(path);
    const std::string name = std::filesystem::path(file.name).stem().string();
    const Run written = run_carom("new " + name + " -o " + path);
    REQUIRE(written.code == 0);
    refused("new " + name + " -o " + path, "is there already");
    const std::string result = free_path("starter-" + name + ".h5");
    const Run run = run_carom((name == "sweep" ? "sweep " : "simulate ") + path + " -o " + result);
    CHECK(run.code == 0);
    CHECK_FALSE(holds(run.err, "warning"));
    CHECK(std::filesystem::exists(result));
  }
  CHECK(holds(run_carom("new").out, "pendulum"));
  refused("new pendlum", "did you mean 'pendulum'?");
}

TEST_CASE("keys: a map with examples, one key with unit and default, names of a user's in the path") {
  CHECK(holds(run_carom("keys").out, "gravity"));
  const Run step = run_carom("keys integrator.step");
  CHECK(holds(step.out, "number s, above 0"));
  CHECK(holds(step.out, "default: 1e-3"));
  CHECK(run_carom("keys contacts.tip.friction").out == run_carom("keys contacts.friction").out);
  CHECK(json::parse(run_carom("keys bodies --json").out)["keys"].size() == map_spec("body").keys.size());
  refused("keys bodies.ball.mas", "did you mean 'mass'?");
}

TEST_CASE("the example of every map is one") {
  for (const MapSpec& map : scene_schema()) {
    CAPTURE(map.name);
    if (map.name == "scene") continue;
    REQUIRE_FALSE(map.example.empty());
    const Document document = Document::from_text("example: " + map.example, "example", {});
    SpecReader(*MapReader(document.root()).get("example"), map).finish();
    CHECK(document.diagnostics().ok());
  }
}

TEST_CASE("shapes under other names are suggested") {
  CHECK(holds(run_with_body("b: {shape: box, size: [1, 1], mass: 1, position: [0, 2]}").err, "did you mean 'block'?"));
  CHECK(holds(run_with_body("b: {shape: circle, radius: 1, mass: 1, position: [0, 2]}").err, "did you mean 'disk'?"));
}

TEST_CASE("an angle of more than a turn may be meant in degrees") {
  const std::string rod = "rod: {shape: rod, length: 1, mass: 1, position: [0, 2], angle: ";
  const Run told = run_with_body(rod + "-60}");
  CHECK(told.code == 0);
  CHECK(holds(told.err, "is -60 rad, more than a turn; degrees are written -60 deg"));
  CHECK_FALSE(holds(run_with_body(rod + "-60 deg}").err, "more than a turn"));
  CHECK_FALSE(holds(run_with_body(rod + "-6}").err, "more than a turn"));
}

TEST_CASE("shapes that nothing keeps apart are told, unless that is meant") {
  const std::string ball = "ball: {shape: disk, radius: 0.1, mass: 1, position: [0, 2]}";
  CHECK(holds(run_with_body(ball, "").err, "'ball' and 'floor' pass through each other"));
  CHECK_FALSE(holds(run_with_body(ball, "collide: none").err, "pass through"));
  CHECK_FALSE(holds(run_with_body(ball).err, "pass through"));
}

TEST_CASE("--set finds joints by the bodies that they connect, and tells what there is") {
  const std::string scene = std::string(CAROM_SOURCE) + "/config/scenes/kane-rods.yaml";
  CHECK(run_carom("impact " + scene + " --set joints.upper-lower.name=knee").code == 0);
  refused("impact " + scene + " --set joints.elbow.name=knee", "it has 0 (world-upper), 1 (upper-lower)");
}

TEST_CASE("in a pipe there are no colours, and minus signs that other programs read") {
  const Run run = run_carom("impact " + std::string(CAROM_SOURCE) + "/config/impacts/kane.yaml");
  CHECK(holds(run.out, "-0."));
  CHECK_FALSE(holds(run.out, "−0"));
  CHECK_FALSE(holds(run.out, "\033["));
}
