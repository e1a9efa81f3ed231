// The points of a sweep: which values a point has, and what its scene becomes.

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "config/random_draw.h"
#include "config/scene.h"
#include "config/sweep_file.h"

using namespace carom;

namespace {

SweepFile sweep_from(const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("carom-unit-sweep-" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(path) << text;
  SweepFile sweep = read_sweep_file(path.string());
  std::filesystem::remove(path);
  return sweep;
}

const std::string scene =
    "scene:\n  model: {type: double-pendulum, position: [20 deg, 30 deg], restitution: 0.5}\n  law: poisson\n";

std::string value_at(const Document& document, const std::string& key, const std::string& below) {
  MapReader root(document.root());
  MapReader map(*root.get(key));
  return map.get(below)->text();
}

}  // namespace

TEST_CASE("points of a grid run through the last axis first") {
  const SweepFile sweep =
      sweep_from(scene +
                 "vary:\n  model.restitution: [0.1, 0.2]\n  model.friction: {from: 0, to: 1, count: 3}\n"
                 "measures: [work]\n");
  CHECK(sweep.shape() == std::vector<std::size_t>{2, 3});
  CHECK(sweep.point_count() == 6);
  Document document = sweep.scene.copy();
  const char* restitution[] = {"0.1", "0.1", "0.1", "0.2", "0.2", "0.2"};
  const char* friction[] = {"0", "0.5", "1", "0", "0.5", "1"};
  // In any order: nothing of a point stays for the next.
  for (const std::size_t point : {5u, 0u, 3u, 1u, 4u, 2u}) {
    sweep.set_point(point, document);
    CHECK(value_at(document, "model", "restitution") == restitution[point]);
    CHECK(value_at(document, "model", "friction") == friction[point]);
  }
  CHECK(value_at(sweep.scene, "model", "restitution") == "0.5");  // a copy was changed
}

TEST_CASE("a law given as a map leaves nothing behind for the next point") {
  const SweepFile sweep = sweep_from(
      scene +
      "vary:\n  law: [{type: restitution-matrix, metric: contact}, newton, {type: sequential, each: stronge}]\n"
      "measures: [work]\n");
  Document document = sweep.scene.copy();
  const char* laws[] = {"restitution-matrix", "newton", "sequential"};
  for (const std::size_t point : {0u, 1u, 2u, 1u, 0u}) {
    sweep.set_point(point, document);
    const Scene read = read_scene(document);
    CHECK(read.law.type == laws[point]);
    CHECK(read.law.parameters.has("metric") == (point == 0));
    CHECK(read.law.parameters.has("each") == (point == 2));
  }
}

TEST_CASE("ranges meet their ends, logarithmic ones have a constant ratio, degrees go to the scene as radians") {
  const SweepFile sweep = sweep_from(scene +
                                     "vary:\n  model.friction: {from: 1e-3, to: 10, count: 9, scale: log}\n"
                                     "  model.restitution: {from: 0.1, to: 0.7, count: 7}\n"
                                     "  model.position.0: {from: 15 deg, to: 20 deg, count: 2}\nmeasures: [work]\n");
  const std::vector<double>& log = sweep.axes[0].numbers;
  CHECK(log.front() == 1e-3);
  CHECK(log.back() == 10);
  for (std::size_t i = 1; i < log.size(); ++i) CHECK(log[i] / log[i - 1] == doctest::Approx(std::sqrt(10.0)));
  CHECK(sweep.axes[1].numbers.front() == 0.1);
  CHECK(sweep.axes[1].numbers.back() == 0.7);
  CHECK(sweep.axes[2].in_degrees);
  Document document = sweep.scene.copy();
  sweep.set_point(sweep.point_count() - 1, document);
  CHECK(read_scene(document).q(0) == read_scene(sweep.scene).q(0));  // 20 deg, the same bits
}

TEST_CASE("draws depend on seed, name and place only, and fill their interval") {
  const RandomStream a(1, "x"), b(1, "y"), c(2, "x");
  std::set<double> seen;
  double mean = 0, square = 0;
  constexpr int count = 20000;
  for (std::uint64_t i = 0; i < count; ++i) {
    CHECK(a.uniform(i) == RandomStream(1, "x").uniform(i));
    seen.insert({a.uniform(i), b.uniform(i), c.uniform(i)});
    mean += a.normal(i) / count;
    square += a.normal(i) * a.normal(i) / count;
  }
  CHECK(seen.size() == 3 * count);
  CHECK(*seen.begin() > 0);
  CHECK(*seen.rbegin() < 1);
  CHECK(std::abs(mean) < 0.03);
  CHECK(std::abs(square - 1) < 0.05);
}

TEST_CASE("derived values are expressions of the axes") {
  const SweepFile sweep =
      sweep_from(scene +
                 "vary:\n  a: {path: [], values: [30 deg, 60 deg]}\n  b: {path: model.friction, values: [0.25, 0.5]}\n"
                 "derived:\n  model.restitution: \"sin({a})*{b}\"\nmeasures: [work]\n");
  Document document = sweep.scene.copy();
  sweep.set_point(1, document);
  CHECK(std::stod(value_at(document, "model", "restitution")) == doctest::Approx(0.25));
  CHECK(value_at(document, "model", "friction") == "0.5");
}
