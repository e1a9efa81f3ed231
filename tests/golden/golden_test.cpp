// Every step of every shipped scene by every law is what it was when the files beside this one were written.
// CAROM_RENEW_GOLDEN=1 writes them anew.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "config/diagnostics.h"
#include "solvers/laws/list.h"
#include "tests/golden/golden_file.h"

using namespace carom;
using namespace carom::testing;

namespace {

constexpr double relative_tolerance = 1e-9;  // elsewhere than where the files were made
constexpr double most_seconds = 2;           // a run, of processor time, when it is written for the first time

std::vector<std::string> shipped_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CAROM_SOURCE "/config/scenes"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string golden_path(const std::string& scene) { return CAROM_SOURCE "/tests/golden/" + scene + ".golden"; }

// By its own law as it is given, or by another one as --law gives it; none where the law does not take it.
std::optional<Scene> scene_by(const std::string& name, const std::string& law, std::vector<Setting> settings = {}) {
  const std::string path = CAROM_SOURCE "/config/scenes/" + name + ".yaml";
  if (read_scene(path).law.type != law) settings.push_back("law=" + law);
  try {
    return read_scene(path, {settings});
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

std::optional<std::string> difference(const std::string& scene, const std::string& law, const GoldenFile& golden) {
  const auto known = golden.laws.find(law);
  if (known == golden.laws.end()) return "not in the file; tests/golden/renew adds it";
  const std::optional<Trace>& expected = known->second;
  const std::optional<Scene> given = scene_by(scene, law);
  if (!given && !expected) return std::nullopt;
  if (!given) return "the law refuses the scene now";
  if (!expected) return "the law takes the scene now";
  const Trace found = trace_of(*given, expected->length);
  return golden.made_with == toolchain() ? difference_of_bits(*expected, found)
                                         : difference_of_values(*expected, found, relative_tolerance);
}

// Runs keep the lengths they have in the file; new ones get as long as time allows.
Trace traced_anew(const Scene& scene, const std::string& law, const GoldenFile& before) {
  const auto known = before.laws.find(law);
  if (known == before.laws.end() || !known->second) return trace_of(scene, before.length, most_seconds);
  return trace_of(scene, known->second->length);
}

GoldenFile made_anew(const std::string& scene, const GoldenFile& before) {
  GoldenFile golden{toolchain(), before.length, {}};
  for (const LawEntry& law : impact_laws()) {
    const std::optional<Scene> given = scene_by(scene, law.name);
    golden.laws[law.name] = given ? std::optional(traced_anew(*given, law.name, before)) : std::nullopt;
  }
  return golden;
}

}  // namespace

TEST_CASE("every step of every scene by every law is what it was") {
  const bool renew = std::getenv("CAROM_RENEW_GOLDEN") != nullptr;
  for (const std::string& scene : shipped_scenes()) {
    const std::optional<GoldenFile> golden = read_golden(golden_path(scene));
    if (!golden && !renew) FAIL_CHECK(scene, ": has no file in tests/golden; tests/golden/renew writes it");
    for (const LawEntry& law : impact_laws()) {
      if (!golden) break;
      const std::optional<std::string> differs = difference(scene, law.name, *golden);
      const std::string told = fmt::format("{} by {}: {}", scene, law.name, differs.value_or("as it was"));
      if (differs && renew) std::cout << told << '\n';
      if (!renew) CHECK_MESSAGE(!differs, told);
    }
    if (renew) write_golden(golden_path(scene), made_anew(scene, golden.value_or(GoldenFile{})));
  }
}

TEST_CASE("a change in the last digits of any quantity is told with its step") {
  const auto traced = [](std::vector<Setting> settings) {
    return trace_of(scene_by("bouncing-ball", "poisson", std::move(settings)).value(), {600, 10});
  };
  const Trace golden = traced({});
  REQUIRE(golden.marks[impacts].find_first_not_of('.') != std::string::npos);
  CHECK(!difference_of_bits(golden, traced({})));
  CHECK(!difference_of_values(golden, traced({}), relative_tolerance));

  const Trace heavier = traced({"model.gravity=9.81000000000001"});
  CHECK(difference_of_bits(golden, heavier).value_or("").starts_with("steps 1 to 10: other "));
  CHECK(!difference_of_values(golden, heavier, relative_tolerance));
  CHECK(difference_of_values(golden, traced({"model.gravity=9.8100001"}), relative_tolerance).has_value());

  for (std::size_t i = 0; i < quantity_names.size(); ++i) {
    Trace other = golden;
    other.marks[i][17] = other.marks[i][17] == 'A' ? 'B' : 'A';
    CHECK(difference_of_bits(golden, other).value_or("") ==
          fmt::format("steps 171 to 180: other {}", quantity_names[i]));
  }
}

TEST_CASE("what is written of traces is what is read") {
  const std::string path = "golden_test.golden";
  GoldenFile golden{toolchain(), {40, 2}, {}};
  golden.laws["newton"] = trace_of(scene_by("kane", "newton").value(), golden.length);
  golden.laws["poisson"] = trace_of(scene_by("kane", "poisson").value(), {20, 2});
  golden.laws["stronge"] = golden.laws["newton"];
  golden.laws["moreau"] = std::nullopt;
  write_golden(path, golden);
  const std::optional<GoldenFile> read = read_golden(path);
  std::filesystem::remove(path);
  REQUIRE(read);
  CHECK(read->made_with == toolchain());
  CHECK(read->laws == golden.laws);
  CHECK(read->laws.at("poisson")->length.steps == 20);
  for (const auto& [law, trace] : read->laws)
    if (trace) CHECK(!difference_of_values(*golden.laws.at(law), *trace, 1e-11));
}
