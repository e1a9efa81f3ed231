// Bodies in space do not sink into each other: overlaps are measured here, by directions that could separate two
// blocks, not by the code that finds contacts.

#include <doctest/doctest.h>
#include <spdlog/fmt/fmt.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "tests/scenes/run_scene.h"
#include "tests/support/random_problem.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Vector3d;

namespace {

struct Box {
  Vector3d half;
  Vector3d at = Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();

  double reach(const Vector3d& n) const { return (axes.transpose() * n).cwiseAbs().dot(half); }
  double height() const { return at.z() - reach(Vector3d::UnitZ()); }
};

// Distance or minus depth of two boxes that overlap or nearly do.
double separation(const Box& a, const Box& b) {
  double most = -HUGE_VAL;
  const auto look = [&](const Vector3d& across) {
    if (across.norm() < 1e-9) return;
    const Vector3d n = across.normalized();
    most = std::max(most, std::abs(n.dot(a.at - b.at)) - a.reach(n) - b.reach(n));
  };
  for (int i = 0; i < 3; ++i) {
    look(a.axes.col(i));
    look(b.axes.col(i));
    for (int j = 0; j < 3; ++j) look(a.axes.col(i).cross(b.axes.col(j)));
  }
  return most;
}

double deepest(std::vector<Box>& boxes, const Vec& q) {
  double least = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto pose = q.segment(7 * static_cast<Index>(i), 7);
    boxes[i].at = pose.head<3>();
    boxes[i].axes = Eigen::Quaterniond(pose(3), pose(4), pose(5), pose(6)).normalized().toRotationMatrix();
    least = std::min(least, boxes[i].height());
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, separation(boxes[i], boxes[j]));
  }
  return least;
}

// The deepest overlap of a motion of boxes on a floor stays below what the fastest of them go in a step, and in its
// last third it does not grow.
void check_overlaps(const std::string& scene, std::vector<Box> boxes, double step) {
  const Motion motion = motion_of(scene);
  double fastest = 0, most = 0, at_two_thirds = 0;
  const std::size_t count = motion.moments.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Moment& moment = motion.moments[k];
    for (std::size_t i = 0; i < boxes.size(); ++i)
      fastest = std::max(fastest, moment.u.segment(6 * static_cast<Index>(i), 3).norm() +
                                      moment.u.segment(6 * static_cast<Index>(i) + 3, 3).norm() * boxes[i].half.norm());
    most = std::max(most, -deepest(boxes, moment.q));
    if (k == 2 * count / 3) at_two_thirds = -deepest(boxes, moment.q);
  }
  CHECK(most < step * fastest);
  CHECK(-deepest(boxes, motion.end().q) < at_two_thirds + 1e-6);
}

}  // namespace

TEST_CASE("A plank dropped across another, tilted, comes to rest on it and stays there") {
  const std::string scene = R"(
gravity: [0, 0, -9.81]
defaults: {contact: {friction: 0.3}}
bodies:
  floor: {shape: plane}
  lower: {shape: block, size: [0.4, 0.1, 0.05], mass: 1, position: [0, 0, 0.025]}
  upper: {shape: block, size: [0.1, 0.4, 0.05], mass: 1, position: [0, 0, 0.095], orientation: {axis: [1, 0.5, 0], angle: 2 deg}}
collide: all
law: newton
integrator: {step: 5e-4, duration: 1}
)";
  check_overlaps(scene, {{{0.2, 0.05, 0.025}}, {{0.05, 0.2, 0.025}}}, 5e-4);
  const Motion motion = motion_of(scene);
  CHECK(motion.end().q(9) == doctest::Approx(0.075).epsilon(1e-3));
  CHECK(motion.end().u.cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("Boxes dropped into a narrow shaft come to rest on each other, whatever their poses and the step") {
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    for (const double step : {1e-3, 4e-3}) {
      CAPTURE(seed);
      CAPTURE(step);
      Random random(static_cast<std::uint64_t>(seed));
      const int count = seed == 6 ? 6 : 2;
      const double width = count == 2 ? 0.12 : 0.2;
      std::vector<Box> boxes;
      std::string scene = fmt::format(
          "gravity: [0, 0, -9.81]\n"
          "defaults: {{contact: {{restitution: {}, friction: {}}}}}\n"
          "bodies:\n"
          "  floor: {{shape: plane}}\n"
          "  w1: {{shape: plane, normal: [1, 0, 0], position: [{}, 0, 0]}}\n"
          "  w2: {{shape: plane, normal: [-1, 0, 0], position: [{}, 0, 0]}}\n"
          "  w3: {{shape: plane, normal: [0, 1, 0], position: [0, {}, 0]}}\n"
          "  w4: {{shape: plane, normal: [0, -1, 0], position: [0, {}, 0]}}\n",
          seed % 2 ? 0 : 0.4, seed % 3 ? 0.4 : 0, -width / 2, width / 2, -width / 2, width / 2);
      for (int i = 0; i < count; ++i) {
        const Vector3d size(random.uniform(0.04, 0.065), random.uniform(0.04, 0.065), random.uniform(0.04, 0.065));
        boxes.push_back({size / 2});
        scene += fmt::format(
            "  b{}: {{shape: block, size: [{}, {}, {}], density: 1000, position: [{}, {}, {}], orientation: "
            "{{axis: [{}, {}, {}], angle: {}}}}}\n",
            i, size.x(), size.y(), size.z(), random.uniform(-0.005, 0.005), random.uniform(-0.005, 0.005),
            0.07 + 0.12 * i, random.normal(), random.normal(), random.normal(), random.uniform(0, 3));
      }
      scene += fmt::format("collide: all\nlaw: {}\nintegrator: {{step: {}, duration: 1}}\n",
                           seed % 2 ? "newton" : "poisson", step);
      check_overlaps(scene, boxes, step);
    }
  }
}
