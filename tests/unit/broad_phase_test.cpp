#include "models/broad_phase.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector3d;
using testing::Random;

namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

Pairs every_pair(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      bool apart = false;
      for (Index k = 0; k < 3; ++k)
        apart = apart || boxes[i].low(k) > boxes[j].high(k) || boxes[j].low(k) > boxes[i].high(k);
      if (!apart) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

Box random_box(Random& random, const Vector3d& spread, double size) {
  const Vector3d low(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
  const Vector3d extent(random.uniform(0, size), random.uniform(0, size), random.uniform(0, size));
  return {low.cwiseProduct(spread), low.cwiseProduct(spread) + (spread.array() > 0).select(extent, 0.0)};
}

std::vector<Box> random_boxes(Random& random, int count, const Vector3d& spread) {
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(random_box(random, spread, random.integer(0, 20) == 0 ? 10 : 1));
  return boxes;
}

const Box everywhere = {Vector3d::Constant(-HUGE_VAL), Vector3d::Constant(HUGE_VAL)};
const Box below_zero = {Vector3d::Constant(-HUGE_VAL), Vector3d(HUGE_VAL, 0, HUGE_VAL)};

}  // namespace

TEST_CASE("the broad phase finds the pairs that comparing all finds, in order") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<Vector3d> layouts = {{20, 20, 0}, {5, 100, 0}, {100, 0, 0}, {8, 8, 8}, {0, 0, 0}};
    std::vector<Box> boxes = random_boxes(random, random.integer(0, 300), layouts[seed % layouts.size()]);
    if (seed % 3 == 0) boxes.insert(boxes.begin() + random.integer(0, static_cast<int>(boxes.size())), everywhere);
    if (seed % 4 == 0) boxes.push_back(below_zero);
    BroadPhase broad_phase;
    CHECK(broad_phase.pairs(boxes) == every_pair(boxes));
    // The same, whatever came before.
    for (int step = 0; step < 3; ++step) {
      for (Box& box : boxes) {
        const Vector3d move(random.uniform(-1, 1), random.uniform(-1, 1), 0);
        box.low += move;
        box.high += move;
      }
      CHECK(broad_phase.pairs(boxes) == every_pair(boxes));
    }
    // Moves by which most boxes stay within their wider ones, for a while.
    for (int step = 0; step < 10; ++step) {
      for (Box& box : boxes) {
        const Vector3d move(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), 0);
        box.low += move;
        box.high += move;
      }
      CHECK(broad_phase.pairs(boxes) == every_pair(boxes));
    }
    boxes.resize(boxes.size() / 2);
    CHECK(broad_phase.pairs(boxes) == every_pair(boxes));
  }
}

TEST_CASE("boxes that touch overlap") {
  BroadPhase broad_phase;
  const Vector3d one = Vector3d::Ones();
  CHECK(broad_phase.pairs({{0 * one, one}, {one, 2 * one}}) == Pairs{{0, 1}});
  CHECK(broad_phase.pairs({{0 * one, one}, {1.001 * one, 2 * one}}).empty());
  CHECK(broad_phase.pairs({{0 * one, 0 * one}, {0 * one, 0 * one}}) == Pairs{{0, 1}});
  CHECK(broad_phase.pairs({everywhere, everywhere, below_zero}) == Pairs{{0, 1}, {0, 2}, {1, 2}});
  CHECK(broad_phase.pairs({}).empty());
  const Vector3d far = 1.7e308 * one;
  CHECK(broad_phase.pairs({{-far, -far}, {far, far}, {-far, far}}) == Pairs{{0, 2}, {1, 2}});
}

TEST_CASE("a box that is none is refused") {
  BroadPhase broad_phase;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector3d one = Vector3d::Ones();
  CHECK_THROWS_AS(broad_phase.pairs({{one, Vector3d(1, nan, 1)}}), std::invalid_argument);
  CHECK_THROWS_AS(broad_phase.pairs({{one, 0 * one}}), std::invalid_argument);
  CHECK(broad_phase.pairs({{0 * one, one}}).empty());
  CHECK_THROWS_AS(broad_phase.pairs({{0.6 * one, 0.5 * one}}), std::invalid_argument);
}
