// Whole contacts of blocks and rods in space, against computations of their own: depth by directions, points by rays
// along the normal, common parts of faces by plane geometry.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "models/contact_geometry.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::Random;
using Kind = Shape::Kind;

namespace {

Shape block(const Vector3d& size) {
  Shape shape;
  shape.kind = Kind::block;
  shape.size = size;
  return shape;
}

Shape rod(double length, double radius) {
  Shape shape;
  shape.kind = Kind::rod;
  shape.length = length;
  shape.radius = radius;
  return shape;
}

Shape random_block(Random& random) {
  return block({random.uniform(0.1, 1.5), random.uniform(0.1, 1.5), random.uniform(0.1, 1.5)});
}

Eigen::Matrix3d random_rotation(Random& random) {
  Eigen::Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  return q.normalized().toRotationMatrix();
}

Eigen::Matrix3d turned(double angle, const Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

std::vector<Touch> touches_of(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b,
                              double reach = HUGE_VAL) {
  std::vector<Touch> touches;
  find_touches(a, pose_a, b, pose_b, false, reach, touches);
  return touches;
}

const Touch& nearest(const std::vector<Touch>& touches) {
  return *std::min_element(touches.begin(), touches.end(),
                           [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

std::set<int> features(const std::vector<Touch>& touches) {
  std::set<int> names;
  for (const Touch& touch : touches) names.insert(touch.feature);
  return names;
}

// How far a shape reaches along a direction, and how far outside of it a point is, at least.
double support(const Shape& shape, const Placement& pose, const Vector3d& direction) {
  const Vector3d local = pose.rotation.transpose() * direction;
  const double core = shape.kind == Kind::rod ? std::abs(local.x()) * shape.length / 2
                                              : (local.cwiseAbs().cwiseProduct(shape.size) / 2).sum();
  return direction.dot(pose.origin) + core + shape.radius;
}
double outside(const Shape& shape, const Placement& pose, const Vector3d& point) {
  const Vector3d local = pose.rotation.transpose() * (point - pose.origin);
  if (shape.kind == Kind::block) return (local.cwiseAbs() - shape.size / 2).maxCoeff();
  const Vector3d foot(std::clamp(local.x(), -shape.length / 2, shape.length / 2), 0, 0);
  return (local - foot).norm() - shape.radius;
}

double separation(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, const Vector3d& n) {
  return -support(a, pose_a, -n) - support(b, pose_b, n);
}

// The largest separation of two blocks along the normals of faces and the perpendiculars of edges.
double widest(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b) {
  double most = -HUGE_VAL;
  const auto look = [&](const Vector3d& n) {
    if (n.norm() < 1e-6) return;
    for (const double sense : {1.0, -1.0})
      most = std::max(most, separation(a, pose_a, b, pose_b, sense * n.normalized()));
  };
  for (int i = 0; i < 3; ++i) {
    look(pose_a.rotation.col(i));
    look(pose_b.rotation.col(i));
    for (int j = 0; j < 3; ++j) look(pose_a.rotation.col(i).cross(pose_b.rotation.col(j)));
  }
  return most;
}

// Where a line enters and leaves a block, in parts of the direction; false if it misses it by more than a hair.
bool through(const Shape& shape, const Placement& pose, const Vector3d& point, const Vector3d& direction, double& in,
             double& out) {
  const Vector3d from = pose.rotation.transpose() * (point - pose.origin);
  const Vector3d along = pose.rotation.transpose() * direction;
  in = -HUGE_VAL;
  out = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const double half = shape.size(k) / 2 + 1e-12;
    if (std::abs(along(k)) < 1e-9) {
      if (std::abs(from(k)) > half) return false;
      continue;
    }
    const double s = (-half - from(k)) / along(k), t = (half - from(k)) / along(k);
    in = std::max(in, std::min(s, t));
    out = std::min(out, std::max(s, t));
  }
  return out > in - 1e-9;
}

}  // namespace

TEST_CASE("blocks in space: nearest points, normal and depth prove themselves, 10^5 pairs") {
  int overlapping = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 100000; ++seed) {
    Random random(seed);
    const Shape a = random_block(random), b = random_block(random);
    const Placement at_a{Vector3d::Zero(), random_rotation(random)};
    const Placement at_b{random.uniform(0.2, 1.6) * random.vector(3).normalized(), random_rotation(random)};
    const auto touches = touches_of(a, at_a, b, at_b, 10);
    const bool has_touches = !touches.empty();
    CHECK_MESSAGE(has_touches, "seed ", seed);
    if (!has_touches) continue;
    const Touch& near = nearest(touches);
    // Points of both shapes that are as far apart as a plane between them has room: nothing can be nearer.
    const bool holds = outside(a, at_a, near.point_a) < 1e-9 && outside(b, at_b, near.point_b) < 1e-9 &&
                       (near.point_b + near.gap * near.normal - near.point_a).norm() < 1e-12 &&
                       std::abs(near.normal.norm() - 1) < 1e-12 &&
                       std::abs(separation(a, at_a, b, at_b, near.normal) - near.gap) < 1e-9 &&
                       widest(a, at_a, b, at_b) <= near.gap + 1e-9;
    CHECK_MESSAGE(holds, "seed ", seed, " gap ", near.gap);
    ++(near.gap < 0 ? overlapping : apart);
  }
  CHECK(overlapping > 20000);
  CHECK(apart > 20000);
}

TEST_CASE("blocks in space: every point has the gap that a ray along the one normal has") {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Shape a = random_block(random), b = random_block(random);
    // One upon the other, tilted by a little, by more or not at all.
    const double tilt = std::array<double, 4>{0, 1e-6, 0.03, 0.5}[seed % 4];
    const Placement at_b{Vector3d::Zero(), random_rotation(random)};
    const Eigen::Matrix3d relative =
        turned(tilt, {random.normal(), random.normal(), 0}) * turned(random.uniform(0, 3), Vector3d::UnitZ());
    const Placement at_a{at_b.rotation * Vector3d(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3),
                                                  (a.size.z() + b.size.z()) / 2 + random.uniform(-0.01, 0.01)),
                         at_b.rotation * relative};
    const auto touches = touches_of(a, at_a, b, at_b, 0.05);
    for (const Touch& touch : touches) {
      CHECK(touch.normal == touches.front().normal);
      double in_a = 0, out_a = 0, in_b = 0, out_b = 0;
      const bool hits = through(a, at_a, touch.point_a, touch.normal, in_a, out_a) &&
                        through(b, at_b, touch.point_a, touch.normal, in_b, out_b);
      CHECK(hits);
      CHECK(std::abs(in_a - out_b - touch.gap) < 1e-7);
    }
    CHECK(features(touches).size() == touches.size());
    several += touches.size() > 2 ? 1 : 0;
  }
  CHECK(several > 8000);
}

TEST_CASE("faces on each other: all corners of the common part and no others") {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Vector3d size_a(random.uniform(0.2, 1), random.uniform(0.2, 1), 0.2);
    const Vector3d size_b(random.uniform(0.2, 1), random.uniform(0.2, 1), 0.3);
    const Vector2d offset(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4));
    const double yaw = random.uniform(0, 6);
    // The common part by plane geometry: every point in which two of the eight lines meet, if it is in both faces.
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(yaw).toRotationMatrix();
    const auto is_in = [](const Vector2d& p, const Vector3d& size) {
      return std::abs(p.x()) <= size.x() / 2 + 1e-12 && std::abs(p.y()) <= size.y() / 2 + 1e-12;
    };
    struct Line {
      Vector2d normal;
      double at;
    };
    std::vector<Line> lines;
    for (int k = 0; k < 2; ++k) {
      for (const double sense : {1.0, -1.0}) {
        lines.push_back({sense * Vector2d::Unit(k), size_b(k) / 2});
        const Vector2d n = sense * turn.col(k);
        lines.push_back({n, size_a(k) / 2 + n.dot(offset)});
      }
    }
    std::vector<Vector2d> corners;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Eigen::Matrix2d both;
        both << lines[i].normal.transpose(), lines[j].normal.transpose();
        if (std::abs(both.determinant()) < 1e-9) continue;
        const Vector2d p = both.inverse() * Vector2d(lines[i].at, lines[j].at);
        if (is_in(p, size_b) && is_in(turn.transpose() * (p - offset), size_a)) corners.push_back(p);
      }
    }
    const Placement at_a{{offset.x(), offset.y(), 0.25}, turned(yaw, Vector3d::UnitZ())};
    const auto touches = touches_of(block(size_a), at_a, block(size_b), Placement{}, 0.05);
    if (corners.empty()) continue;
    CHECK(touches.size() == corners.size());
    for (const Touch& touch : touches) {
      CHECK(std::abs(touch.gap) < 1e-14);
      CHECK(std::any_of(corners.begin(), corners.end(),
                        [&](const Vector2d& p) { return (p - touch.point_a.head<2>()).norm() < 1e-10; }));
    }
  }
}

TEST_CASE("a plank that rocks on another keeps all its points, their names and the heights of the corners") {
  const Shape lower = block({0.4, 0.1, 0.05}), upper = block({0.1, 0.4, 0.05});
  std::set<int> names;
  for (int i = -40; i <= 40; ++i) {
    const double angle = i * 0.001, about_x = i == 0 ? 0 : 0.3 * angle;
    // About the middle of its lower face.
    const Eigen::Matrix3d rotation = turned(angle, Vector3d::UnitY()) * turned(about_x, Vector3d::UnitX());
    const Placement at{Vector3d(0, 0, 0.025) + rotation * Vector3d(0, 0, 0.025), rotation};
    const auto touches = touches_of(upper, at, lower, Placement{}, 0.02);
    REQUIRE(touches.size() == 4);
    if (names.empty()) names = features(touches);
    CHECK(features(touches) == names);
    for (const Touch& touch : touches) {
      const double height = -angle * touch.point_b.x() + about_x * touch.point_b.y();
      CHECK(touch.gap == doctest::Approx(height).epsilon(0.01));
    }
  }
}

TEST_CASE("the least gap changes no faster than bodies move") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Shape a = random_block(random);
    const Shape b = seed % 2 ? random_block(random) : rod(random.uniform(0.3, 1), random.uniform(0.05, 0.2));
    Placement at_a{random.uniform(0.5, 0.9) * random.vector(3).normalized(), random_rotation(random)};
    const Placement at_b{Vector3d::Zero(), random_rotation(random)};
    const Vector3d velocity = random.vector(3).normalized(), spin = random.vector(3).normalized();
    constexpr double step = 1e-3;
    double before = HUGE_VAL;
    for (int k = 0; k < 400; ++k) {
      const auto touches = touches_of(a, at_a, b, at_b);
      REQUIRE_FALSE(touches.empty());
      const double least = nearest(touches).gap;
      if (k > 0) CHECK(std::abs(least - before) <= step * (1 + a.size.norm() / 2));
      before = least;
      at_a.origin += step * velocity;
      at_a.rotation = turned(step, spin) * at_a.rotation;
    }
  }
}

TEST_CASE("every point of a block that rocks and slides on another keeps its gap but for the motion") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Shape a = block({random.uniform(0.3, 1), random.uniform(0.3, 1), 0.3});
    const Shape b = block({random.uniform(0.3, 1), random.uniform(0.3, 1), 0.3});
    const double yaw = random.uniform(0.2, 1.3), start = random.uniform(0, 6);
    const Vector2d way = 0.2 * random.vector(2).normalized();
    double before[4096];
    std::fill(std::begin(before), std::end(before), HUGE_VAL);
    constexpr int steps = 1000;
    const double moved = (0.3 + 0.05 * a.size.norm()) * 6.3 / steps;
    for (int k = 0; k < steps; ++k) {
      const double phase = start + 6.3 * k / steps;
      const Eigen::Matrix3d rotation =
          turned(0.04 * std::sin(3 * phase), {std::cos(phase), std::sin(phase), 0}) * turned(yaw, Vector3d::UnitZ());
      const Placement at{{way.x() * std::sin(phase), way.y() * std::sin(phase), 0.3 + 0.01 * std::sin(2 * phase)},
                         rotation};
      std::set<int> named;
      for (const Touch& touch : touches_of(a, at, b, Placement{}, 0.1)) {
        CHECK(touch.normal.z() > 0.99);
        // Those on the sides of a block are on steep slopes.
        const bool on_faces = (at.rotation.transpose() * (touch.point_a - at.origin)).z() < -0.15 + 1e-9 &&
                              touch.point_b.z() > 0.15 - 1e-9;
        if (!on_faces) continue;
        REQUIRE(touch.feature < 4096);
        double& gap = before[touch.feature];
        if (gap < HUGE_VAL) CHECK(std::abs(touch.gap - gap) <= 2 * moved);
        gap = touch.gap;
        named.insert(touch.feature);
      }
      CHECK(named.size() >= 3);
      for (int i = 0; i < 4096; ++i)
        if (!named.contains(i)) before[i] = HUGE_VAL;
    }
  }
}
