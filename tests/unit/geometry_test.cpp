#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/contact_geometry.h"
#include "models/shape.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::Random;
using Kind = Shape::Kind;

namespace {

Shape point() { return {}; }

Shape disk(double radius) {
  Shape shape;
  shape.kind = Kind::disk;
  shape.radius = radius;
  return shape;
}

Shape rod(double length, double radius = 0) {
  Shape shape;
  shape.kind = Kind::rod;
  shape.length = length;
  shape.radius = radius;
  return shape;
}

Shape block(double x, double y, double z = 1) {
  Shape shape;
  shape.kind = Kind::block;
  shape.size = {x, y, z};
  return shape;
}

Shape polygon(std::vector<Vector2d> vertices) {
  Shape shape;
  shape.kind = Kind::polygon;
  shape.vertices = std::move(vertices);
  return shape;
}

Shape plane(const Vector3d& normal) {
  Shape shape;
  shape.kind = Kind::plane;
  shape.normal = normal.normalized();
  return shape;
}

// On an ellipse: strictly convex, counter-clockwise.
Shape random_polygon(Random& random) {
  const int n = random.integer(3, 9);
  std::vector<Vector2d> vertices;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * (i + random.uniform(0.05, 0.95)) / n;
    vertices.emplace_back(1.3 * std::cos(angle), 0.7 * std::sin(angle));
  }
  return polygon(vertices);
}

Shape random_planar(Random& random) {
  switch (random.integer(0, 5)) {
    case 0:
      return disk(random.uniform(0.1, 1));
    case 1:
      return rod(random.uniform(0.5, 2));
    case 2:
      return rod(random.uniform(0.5, 2), random.uniform(0.05, 0.3));
    case 3:
      return block(random.uniform(0.3, 2), random.uniform(0.3, 2));
    case 4:
      return point();
    default:
      return random_polygon(random);
  }
}

Placement planar(double x, double y, double angle = 0) {
  return {{x, y, 0}, Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix()};
}

Placement random_planar_pose(Random& random, double spread) {
  return planar(random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-4, 4));
}

Placement random_spatial_pose(Random& random, double spread) {
  Eigen::Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  const Vector3d at(random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-spread, spread));
  return {at, q.normalized().toRotationMatrix()};
}

std::vector<Touch> touches_of(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b,
                              bool in_plane = true, double reach = HUGE_VAL) {
  std::vector<Touch> touches;
  const int count = find_touches(a, pose_a, b, pose_b, in_plane, reach, touches);
  CHECK(count == static_cast<int>(touches.size()));
  return touches;
}

const Touch& nearest(const std::vector<Touch>& touches) {
  REQUIRE_FALSE(touches.empty());
  return *std::min_element(touches.begin(), touches.end(),
                           [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

std::vector<int> features(const std::vector<Touch>& touches) {
  std::vector<int> result;
  for (const Touch& touch : touches) result.push_back(touch.feature);
  std::sort(result.begin(), result.end());
  return result;
}

// How far a shape reaches along a direction.
double support(const Shape& shape, const Placement& pose, const Vector3d& direction, bool in_plane) {
  const Vector3d local = pose.rotation.transpose() * direction;
  double reach = 0;
  if (shape.kind == Kind::rod) reach = std::abs(local.x()) * shape.length / 2;
  if (shape.kind == Kind::block) {
    reach = (local.cwiseAbs().cwiseProduct(shape.size) / 2).sum();
    if (in_plane) reach -= std::abs(local.z()) * shape.size.z() / 2;
  }
  if (shape.kind == Kind::polygon) {
    reach = -HUGE_VAL;
    for (const Vector2d& v : shape.vertices) reach = std::max(reach, local.head<2>().dot(v));
  }
  return direction.dot(pose.origin) + reach + shape.radius;
}

// The distance of two convex shapes, or minus the least depth: max over directions u of min_A u·a − max_B u·b, by
// search over the circle and then ever finer around the best direction.
double brute_force_gap(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b) {
  const auto separation = [&](double angle) {
    const Vector3d u(std::cos(angle), std::sin(angle), 0);
    return -support(a, pose_a, -u, true) - support(b, pose_b, u, true);
  };
  double best = 0;
  double window = std::numbers::pi;
  for (int round = 0; round < 7; ++round) {
    const double centre = best;
    constexpr int samples = 360;
    for (int i = -samples; i <= samples; ++i) {
      const double angle = centre + window * i / samples;
      if (separation(angle) > separation(best)) best = angle;
    }
    window *= 2.0 / samples;
  }
  return separation(best);
}

void check_swapped(const std::vector<Touch>& touches, const std::vector<Touch>& swapped) {
  REQUIRE(touches.size() == swapped.size());
  for (std::size_t i = 0; i < touches.size(); ++i) {
    CHECK(touches[i].gap == swapped[i].gap);
    CHECK(touches[i].normal == -swapped[i].normal);
    CHECK(touches[i].point_a == swapped[i].point_b);
    CHECK(touches[i].point_b == swapped[i].point_a);
  }
}

void check_touch(const Touch& touch) {
  CHECK(touch.normal.norm() == doctest::Approx(1).epsilon(1e-14));
  CHECK((touch.point_b + touch.gap * touch.normal - touch.point_a).norm() < 1e-13);
}

}  // namespace

TEST_CASE("planar pairs: least gap as by search over all directions, both orders alike") {
  int overlapping = 0;
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Shape a = random_planar(random);
    const Shape b = random_planar(random);
    std::string why_not;
    if (!can_touch(a, b, true, why_not)) continue;
    const Placement pose_a = random_planar_pose(random, 1.2);
    const Placement pose_b = random_planar_pose(random, 1.2);
    const std::vector<Touch> touches = touches_of(a, pose_a, b, pose_b);
    REQUIRE(touches.size() >= 1);
    REQUIRE(touches.size() <= 2);
    for (const Touch& touch : touches) check_touch(touch);
    if (touches.size() == 2) CHECK(touches[0].feature != touches[1].feature);
    const Touch& near = nearest(touches);
    CHECK(near.gap == doctest::Approx(brute_force_gap(a, pose_a, b, pose_b)).epsilon(1e-9));
    // The normal is the direction of that gap, and the points are where the shapes end along it.
    CHECK(-support(a, pose_a, -near.normal, true) - support(b, pose_b, near.normal, true) ==
          doctest::Approx(near.gap).epsilon(1e-12));
    CHECK(near.normal.dot(near.point_a) == doctest::Approx(-support(a, pose_a, -near.normal, true)).epsilon(1e-12));
    CHECK(near.normal.dot(near.point_b) == doctest::Approx(support(b, pose_b, near.normal, true)).epsilon(1e-12));
    check_swapped(touches, touches_of(b, pose_b, a, pose_a));
    ++(near.gap < 0 ? overlapping : apart);
  }
  CHECK(overlapping > 300);
  CHECK(apart > 300);
}

TEST_CASE("points on sharp shapes lie on their boundaries") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Shape a = random_polygon(random);
    const Shape b = random.integer(0, 1) ? random_polygon(random) : block(1, 2);
    const Placement pose_a = random_planar_pose(random, 1.5);
    const Placement pose_b = random_planar_pose(random, 1.5);
    for (const Touch& touch : touches_of(a, pose_a, b, pose_b)) {
      const Placement at_a = {touch.point_a, Eigen::Matrix3d::Identity()};
      CHECK(std::abs(nearest(touches_of(point(), at_a, a, pose_a)).gap) < 1e-12);
      if (touch.gap != nearest(touches_of(a, pose_a, b, pose_b)).gap) continue;
      const Placement at_b = {touch.point_b, Eigen::Matrix3d::Identity()};
      CHECK(std::abs(nearest(touches_of(point(), at_b, b, pose_b)).gap) < 1e-12);
    }
  }
}

TEST_CASE("disks: the gap is the distance of the centres less the radii") {
  const auto touches = touches_of(disk(0.5), planar(3, 4), disk(1.5), planar(0, 0));
  REQUIRE(touches.size() == 1);
  CHECK(touches[0].gap == 3);
  CHECK(touches[0].normal == Vector3d(0.6, 0.8, 0));
  CHECK((touches[0].point_b - Vector3d(0.9, 1.2, 0)).norm() < 1e-15);
  const auto same = touches_of(disk(0.5), planar(1, 1), disk(1.5), planar(1, 1));
  CHECK(same[0].gap == -2);
  CHECK(same[0].normal == Vector3d::UnitY());
}

TEST_CASE("reach leaves out what is farther") {
  CHECK(touches_of(disk(0.5), planar(3, 4), disk(1.5), planar(0, 0), true, 3.0).size() == 1);
  CHECK(touches_of(disk(0.5), planar(3, 4), disk(1.5), planar(0, 0), true, 2.999).empty());
  // A tilted block over another: one corner near, one far.
  const Placement tilted = planar(0, 1.1, 0.1);
  CHECK(touches_of(block(1, 1), tilted, block(3, 1), planar(0, 0)).size() == 2);
  CHECK(touches_of(block(1, 1), tilted, block(3, 1), planar(0, 0), true, 0.1).size() == 1);
  CHECK(touches_of(block(1, 1), tilted, block(3, 1), planar(0, 0), true, 0.0).empty());
  CHECK(touches_of(block(1, 1), tilted, plane(Vector3d::UnitY()), planar(0, 0.5), true, 0.1).size() == 1);
}

TEST_CASE("corner to corner: exact distance and normal") {
  const auto touches = touches_of(block(1, 1), planar(1.3, 1.4), block(1, 1), planar(0, 0));
  REQUIRE(touches.size() == 1);
  CHECK(touches[0].gap == doctest::Approx(0.5).epsilon(1e-15));
  CHECK((touches[0].normal - Vector3d(0.6, 0.8, 0)).norm() < 1e-15);
  const auto in_line = touches_of(rod(2, 0.1), planar(3, 0), rod(2, 0.1), planar(0, 0));
  REQUIRE(in_line.size() == 1);
  CHECK(in_line[0].gap == doctest::Approx(0.8).epsilon(1e-15));
  CHECK((in_line[0].normal - Vector3d::UnitX()).norm() < 1e-15);
  const auto touching = touches_of(block(1, 1), planar(1, 1), block(1, 1), planar(0, 0));
  REQUIRE(touching.size() == 1);
  CHECK(touching[0].gap == 0);
  CHECK(touching[0].normal.norm() == 1);
}

TEST_CASE("faces on each other keep two points with the same features under rounding") {
  struct Stack {
    Shape upper, lower;
    double offset;  // along the faces
  };
  const Shape hexagon = polygon({{1, 0}, {0.5, 0.5}, {-0.5, 0.5}, {-1, 0}, {-0.5, -0.5}, {0.5, -0.5}});
  const std::vector<Stack> stacks = {
      {block(1, 1), block(1, 1), 0},    {block(1, 1), block(1, 1), 0.3}, {block(1, 1), block(3, 1), 0.2},
      {block(3, 1), block(1, 1), -0.2}, {hexagon, block(1, 1), 0},       {hexagon, hexagon, 0.25},
      {rod(2), block(1, 1), 0},         {rod(1, 0.5), block(1, 1), 0},   {rod(1, 0.5), rod(1, 0.5), 0}};
  const auto half_height = [](const Shape& s) { return s.kind == Kind::rod ? s.radius : 0.5; };
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    CAPTURE(k);
    const Stack& stack = stacks[k];
    const double height = half_height(stack.upper) + half_height(stack.lower);
    for (const double turn : {0.0, 0.5 * std::numbers::pi, 0.3, 2.0, 4.1}) {
      CAPTURE(turn);
      std::vector<int> expected;
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Random random(seed);
        const auto noise = [&] { return 2e-15 * random.uniform(-1, 1); };
        const double tilt = seed % 2 ? noise() : 1e-6 * random.uniform(-1, 1);
        const Placement world = planar(5, -3, turn);
        // A line has no inside: just above.
        const double gap = height == 0 ? 1e-5 : noise();
        const Vector3d up = world.at({stack.offset + noise(), height + gap, 0});
        const Placement pose = planar(up.x(), up.y(), turn + tilt);
        const auto touches = touches_of(stack.upper, pose, stack.lower, world);
        check_swapped(touches, touches_of(stack.lower, world, stack.upper, pose));
        REQUIRE(touches.size() == 2);
        for (const Touch& touch : touches) {
          CHECK(std::abs(touch.gap) < 2e-5);
          CHECK((touch.normal - world.rotation * Vector3d::UnitY()).norm() < 2e-6);
        }
        if (expected.empty()) expected = features(touches);
        CHECK(features(touches) == expected);
      }
    }
  }
}

TEST_CASE("a block rocking on another keeps its two corners") {
  for (double angle = -0.2; angle <= 0.2; angle += 0.01) {
    CAPTURE(angle);
    const auto touches = touches_of(block(1, 1), planar(0, 1.2, angle), block(3, 1), planar(0, 0));
    CHECK(features(touches) == std::vector<int>{0, 1});
  }
}

TEST_CASE("planar shapes on a plane: ends of a rod, two lowest corners") {
  const Shape ground = plane({0, 1, 0});
  const Placement origin = planar(0, 0);
  CHECK(touches_of(disk(0.5), planar(2, 2), ground, origin)[0].gap == 1.5);
  CHECK(touches_of(point(), planar(2, -2), ground, origin)[0].gap == -2);
  const auto rod_touches = touches_of(rod(2, 0.1), planar(0, 1, std::numbers::pi / 2), ground, origin);
  REQUIRE(rod_touches.size() == 2);
  CHECK(rod_touches[0].gap == doctest::Approx(-0.1));
  CHECK(rod_touches[1].gap == doctest::Approx(1.9));
  CHECK(rod_touches[1].feature == 1);
  // Flat, with rounding, on an inclined plane far from the origin.
  for (int i = -20; i <= 20; ++i) {
    const double slope = 0.3;
    const Placement foot = planar(1000, 500, slope);
    const Vector3d centre = foot.at({3, 0.5, 0});
    const Placement pose = planar(centre.x(), centre.y(), slope + 1e-16 * i);
    const auto touches = touches_of(block(1, 1), pose, ground, foot);
    CHECK(features(touches) == std::vector<int>{0, 1});
    for (const Touch& touch : touches) CHECK(std::abs(touch.gap) < 1e-12);
    check_swapped(touches, touches_of(ground, foot, block(1, 1), pose));
  }
  // On a corner: the two others are as high; the one with the lower number is taken.
  const auto on_corner = touches_of(block(1, 1), planar(0, 2, std::numbers::pi / 4), ground, origin);
  CHECK(features(on_corner) == std::vector<int>{0, 1});
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Shape shape = random_polygon(random);
    const Placement pose = random_planar_pose(random, 2);
    std::vector<double> heights;
    for (const Vector2d& v : shape.vertices) heights.push_back(pose.at({v.x(), v.y(), 0}).y());
    const auto touches = touches_of(shape, pose, ground, origin);
    REQUIRE(touches.size() == 2);
    for (const Touch& touch : touches) {
      check_touch(touch);
      CHECK(touch.gap == doctest::Approx(heights[static_cast<std::size_t>(touch.feature)]).epsilon(1e-12));
    }
    std::sort(heights.begin(), heights.end());
    CHECK(nearest(touches).gap == doctest::Approx(heights[0]));
    CHECK(std::max(touches[0].gap, touches[1].gap) == doctest::Approx(heights[1]));
  }
}

TEST_CASE("degenerate planar shapes have a unit normal") {
  for (const Shape& thin : {rod(0, 0.1), block(1, 0), block(0, 0), rod(1)}) {
    for (const Shape& other : {disk(0.5), block(1, 1), rod(1, 0.2), block(1, 0)}) {
      for (const Touch& touch : touches_of(thin, planar(0, 0, 0.5), other, planar(0, 0, 0.5))) check_touch(touch);
      for (const Touch& touch : touches_of(thin, planar(2, 1, 0.5), other, planar(0, 0, 0.1))) check_touch(touch);
    }
  }
}

TEST_CASE("spatial pairs with a sphere: least gap as by search over points") {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Shape ball = i % 3 ? disk(random.uniform(0.1, 0.5)) : point();
    const std::vector<Shape> others = {disk(0.4), rod(1.5, 0.2), block(1, 0.6, 1.4)};
    const Shape& other = others[static_cast<std::size_t>(random.integer(0, 2))];
    const Placement pose = random_spatial_pose(random, 1);
    const Placement at = random_spatial_pose(random, 1);
    const auto touches = touches_of(ball, at, other, pose, false);
    REQUIRE(touches.size() == 1);
    const Touch& touch = touches[0];
    check_touch(touch);
    check_swapped(touches, touches_of(other, pose, ball, at, false));
    // No direction separates the shapes more, and this one as much as the gap.
    const auto separation = [&](const Vector3d& u) {
      return -support(ball, at, -u, false) - support(other, pose, u, false);
    };
    CHECK(separation(touch.normal) == doctest::Approx(touch.gap).epsilon(1e-12));
    for (int k = 0; k < 300; ++k) {
      const Vector3d near_by = touch.normal + (k % 2 ? 0.01 : 1) * random.vector(3);
      CHECK(separation(near_by.normalized()) <= touch.gap + 1e-12);
    }
  }
}

TEST_CASE("a sphere inside a block or on a rod's line has a normal") {
  const Placement origin;
  const auto inside = touches_of(disk(0.1), {{0.3, 0.1, 0}, origin.rotation}, block(1, 1, 1), origin, false);
  CHECK(inside[0].normal == Vector3d::UnitX());
  CHECK(inside[0].gap == doctest::Approx(-0.3));
  const auto on_face = touches_of(point(), {{0.1, 0.5, 0}, origin.rotation}, block(1, 1, 1), origin, false);
  CHECK(on_face[0].normal == Vector3d::UnitY());
  CHECK(on_face[0].gap == 0);
  const auto on_rod = touches_of(disk(0.1), {{0.3, 0, 0}, origin.rotation}, rod(1, 0.1), origin, false);
  CHECK(on_rod[0].gap == doctest::Approx(-0.2));
  CHECK(on_rod[0].normal == Vector3d::UnitY());
  const auto same = touches_of(disk(0.1), origin, disk(0.2), origin, false);
  CHECK(same[0].normal.norm() == 1);
}

TEST_CASE("rods and blocks in space: least gap as by search over directions, both orders alike") {
  int overlapping = 0;
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto any = [&] {
      if (random.integer(0, 1)) return rod(random.uniform(0.3, 2), random.uniform(0.05, 0.3));
      return block(random.uniform(0.3, 1.5), random.uniform(0.3, 1.5), random.uniform(0.3, 1.5));
    };
    const Shape a = any(), b = any();
    const Placement at_a = random_spatial_pose(random, 0.9), at_b = random_spatial_pose(random, 0.9);
    const auto touches = touches_of(a, at_a, b, at_b, false);
    REQUIRE(touches.size() >= 1);
    for (const Touch& touch : touches) check_touch(touch);
    const std::vector<int> names = features(touches);
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    const Touch& near = nearest(touches);
    const auto separation = [&](const Vector3d& u) {
      return -support(a, at_a, -u, false) - support(b, at_b, u, false);
    };
    CHECK(separation(near.normal) == doctest::Approx(near.gap).epsilon(1e-9));
    CHECK(near.normal.dot(near.point_a) == doctest::Approx(-support(a, at_a, -near.normal, false)).epsilon(1e-9));
    for (int k = 0; k < 300; ++k) {
      const Vector3d other = near.normal + (k % 3 ? (k % 2 ? 0.01 : 0.2) : 3) * random.vector(3);
      CHECK(separation(other.normalized()) <= near.gap + 1e-11);
    }
    const Touch swapped = nearest(touches_of(b, at_b, a, at_a, false));
    CHECK(swapped.gap == doctest::Approx(near.gap).epsilon(1e-12));
    CHECK((swapped.normal + near.normal).norm() < 1e-9);
    ++(near.gap < 0 ? overlapping : apart);
  }
  CHECK(overlapping > 150);
  CHECK(apart > 150);
}

TEST_CASE("faces of blocks on each other in space: corners of the common part, the same under rounding") {
  const Shape lower = block(1, 1, 1), upper = block(0.8, 0.6, 0.4);
  const Placement origin;
  const auto pose = [](double x, double y, double z, double turned) {
    return Placement{{x, y, z}, Eigen::AngleAxisd(turned, Vector3d::UnitZ()).toRotationMatrix()};
  };
  // Within, over an edge, over a corner: always four, each on the border of the common part.
  for (const Placement& at : {pose(0, 0, 0.7, 0), pose(0.3, 0, 0.7, 0), pose(0.3, 0.4, 0.7, 0)}) {
    const auto touches = touches_of(upper, at, lower, origin, false);
    REQUIRE(touches.size() == 4);
    for (const Touch& touch : touches) {
      CHECK(std::abs(touch.gap) < 1e-15);
      CHECK(touch.normal == Vector3d::UnitZ());
      const Vector3d on_upper = touch.point_a - at.origin;
      CHECK(std::abs(on_upper.x()) <= 0.4 + 1e-15);
      CHECK(std::abs(on_upper.y()) <= 0.3 + 1e-15);
      CHECK(touch.point_b.cwiseAbs().maxCoeff() <= 0.5 + 1e-15);
    }
  }
  // Two equal cubes: edges lie on each other, and rounding of the pose changes no name.
  const auto flush = touches_of(lower, pose(0, 0, 1, 0), lower, origin, false);
  REQUIRE(flush.size() == 4);
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    Placement at = pose(1e-15 * random.normal(), 1e-15 * random.normal(), 1 + 1e-15 * random.normal(), 0);
    at.rotation = Eigen::AngleAxisd(1e-15, random.vector(3).normalized()).toRotationMatrix();
    CHECK(features(touches_of(lower, at, lower, origin, false)) == features(flush));
  }
  // Turned by 45° the common part has eight corners, all as far from the centre.
  const auto turned = touches_of(lower, pose(0, 0, 1, std::numbers::pi / 4), lower, origin, false);
  REQUIRE(turned.size() == 8);
  for (const Touch& touch : turned)
    CHECK(touch.point_a.head<2>().norm() == doctest::Approx(0.5 / std::cos(std::numbers::pi / 8)));
}

TEST_CASE("rods in space: crossed one point, side by side two, on a block two") {
  const Placement origin;
  const auto turned = [](double z, double angle) {
    return Placement{{0, 0, z}, Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix()};
  };
  const auto crossed = touches_of(rod(2, 0.1), turned(0.3, 1), rod(2, 0.1), origin, false, 0.2);
  REQUIRE(crossed.size() == 1);
  CHECK(crossed[0].gap == doctest::Approx(0.1));
  CHECK(crossed[0].normal.isApprox(Vector3d::UnitZ(), 1e-14));
  const auto beside = touches_of(rod(2, 0.1), {{0.5, 0, 0.25}, origin.rotation}, rod(2, 0.1), origin, false);
  REQUIRE(beside.size() == 2);
  for (const Touch& touch : beside) CHECK(touch.gap == doctest::Approx(0.05));
  CHECK(std::abs(beside[0].point_a.x() - beside[1].point_a.x()) == doctest::Approx(1.5));
  const auto lying = touches_of(rod(2, 0.1), turned(0.6, 0.3), block(1, 1, 1), origin, false);
  REQUIRE(lying.size() == 2);
  for (const Touch& touch : lying) CHECK(std::abs(touch.gap) < 1e-15);
  // A line without thickness on a block, and rods whose lines meet.
  CHECK(std::abs(nearest(touches_of(rod(2), turned(0.5, 0.3), block(1, 1, 1), origin, false)).gap) < 1e-15);
  const auto meeting = touches_of(rod(2, 0.1), turned(0, 1), rod(2, 0.1), origin, false);
  CHECK(nearest(meeting).gap == doctest::Approx(-0.2));
  CHECK(nearest(meeting).normal.norm() == doctest::Approx(1));
}

TEST_CASE("spatial shapes on a plane") {
  Random random(11);
  const Shape slope = plane({1, 2, 3});
  for (int i = 0; i < 50; ++i) {
    const Placement pose = random_spatial_pose(random, 1);
    const Placement foot = random_spatial_pose(random, 1);
    const Vector3d n = foot.rotation * slope.normal;
    const Shape box = block(1, 0.5, 2);
    const auto corners = touches_of(box, pose, slope, foot, false);
    REQUIRE(corners.size() == 8);
    for (const Touch& touch : corners) {
      check_touch(touch);
      const Vector3d corner = pose.at(block_corner(box, false, touch.feature));
      CHECK((corner - touch.point_a).norm() < 1e-14);
      CHECK(touch.gap == doctest::Approx(n.dot(corner - foot.origin)).epsilon(1e-12));
    }
    CHECK(nearest(corners).gap == doctest::Approx(-support(box, pose, -n, false) - n.dot(foot.origin)).epsilon(1e-12));
    check_swapped(corners, touches_of(slope, foot, box, pose, false));
    const auto near = touches_of(box, pose, slope, foot, false, 0.2);
    CHECK(static_cast<long>(near.size()) ==
          std::count_if(corners.begin(), corners.end(), [](const Touch& touch) { return touch.gap <= 0.2; }));
    CHECK(touches_of(disk(0.3), pose, slope, foot, false)[0].gap ==
          doctest::Approx(n.dot(pose.origin - foot.origin) - 0.3).epsilon(1e-12));
    CHECK(nearest(touches_of(rod(2, 0.1), pose, slope, foot, false)).gap ==
          doctest::Approx(-support(rod(2, 0.1), pose, -n, false) - n.dot(foot.origin)).epsilon(1e-12));
  }
}

TEST_CASE("pairs that are not known say what is") {
  std::string why_not;
  CHECK_FALSE(can_touch(polygon({{0, 1}, {-1, -1}, {1, -1}}), block(1, 1), false, why_not));
  CHECK(why_not ==
        "contact of a polygon and a block is not known in space: a polygon is a planar shape; use a polyhedron");
  CHECK_FALSE(can_touch(rod(1), rod(1), false, why_not));
  CHECK(why_not == "a rod and a rod without thickness cannot touch each other: give a rod a thickness");
  CHECK_FALSE(can_touch(Shape{}, Shape{}, true, why_not));
  CHECK(why_not == "a point and a point without thickness cannot touch each other: take a disk for one of them");
  CHECK(can_touch(rod(1), rod(1, 0.1), false, why_not));
  CHECK(can_touch(rod(1), block(1, 1), false, why_not));
  CHECK_FALSE(can_touch(plane(Vector3d::UnitY()), plane(Vector3d::UnitX()), true, why_not));
  CHECK(why_not.find("two planes") != std::string::npos);
  CHECK_FALSE(can_touch(point(), rod(1), true, why_not));
  CHECK(why_not.starts_with("a point and a rod without thickness cannot touch each other: give a rod a thickness"));
  CHECK_FALSE(can_touch(point(), point(), false, why_not));
  CHECK_FALSE(can_touch(polygon({{0, 1}, {-1, -1}, {1, -1}}), plane(Vector3d::UnitY()), false, why_not));
  CHECK(can_touch(point(), rod(1, 0.1), false, why_not));
  CHECK_FALSE(can_touch(rod(1), rod(1), true, why_not));
  CHECK(can_touch(rod(1), rod(1, 0.1), true, why_not));
  std::vector<Touch> touches;
  CHECK_THROWS_AS(find_touches(rod(1), {}, rod(1), {}, false, 1, touches), std::invalid_argument);
}

TEST_CASE("inertia of shapes") {
  CHECK(planar_gyration(point()) == 0);
  CHECK(planar_gyration(disk(2)) == 2);
  CHECK(planar_gyration(rod(6)) == 3);
  CHECK(planar_gyration(rod(6, 2)) == doctest::Approx(planar_gyration(block(6, 4))));
  CHECK(planar_gyration(block(3, 4)) == doctest::Approx(25.0 / 12));
  CHECK(planar_gyration(polygon({{-1.5, -2}, {1.5, -2}, {1.5, 2}, {-1.5, 2}})) == doctest::Approx(25.0 / 12));
  // A right triangle with legs b, h: (b² + h²)/18 about its centroid.
  CHECK(planar_gyration(polygon({{-1, -2}, {2, -2}, {-1, 4}})) == doctest::Approx(45.0 / 18));
  std::vector<Vector2d> circle;
  for (int i = 0; i < 1000; ++i)
    circle.emplace_back(2 * std::cos(i * std::numbers::pi / 500), 2 * std::sin(i * std::numbers::pi / 500));
  CHECK(planar_gyration(polygon(circle)) == doctest::Approx(2).epsilon(1e-4));
  CHECK(spatial_gyration(disk(1)).isApprox(0.4 * Eigen::Matrix3d::Identity()));
  CHECK(spatial_gyration(rod(6)).diagonal() == Vector3d(0, 3, 3));
  CHECK(spatial_gyration(rod(6, 2)).diagonal() == Vector3d(2, 4, 4));  // a cylinder
  CHECK(spatial_gyration(block(1, 2, 3)).diagonal().isApprox(Vector3d(13, 10, 5) / 12));
  CHECK_THROWS_AS(spatial_gyration(polygon(circle)), std::invalid_argument);
}

TEST_CASE("points of shapes by name") {
  const auto at = [](const Shape& shape, bool in_plane, const char* name) {
    Vector3d found = Vector3d::Constant(-99);
    CAPTURE(name);
    REQUIRE(find_point(shape, in_plane, name, found));
    return found;
  };
  CHECK(at(rod(2), true, "start") == Vector3d(-1, 0, 0));
  CHECK(at(rod(2), false, "end") == Vector3d(1, 0, 0));
  CHECK(at(block(2, 4), true, "bottom-left") == Vector3d(-1, -2, 0));
  CHECK(at(block(2, 4), true, "bottom-right") == Vector3d(1, -2, 0));
  CHECK(at(block(2, 4), true, "top-right") == Vector3d(1, 2, 0));
  CHECK(at(block(2, 4), true, "top-left") == Vector3d(-1, 2, 0));
  CHECK(at(block(2, 4), true, "top") == Vector3d(0, 2, 0));
  CHECK(at(block(2, 4, 6), false, "top") == Vector3d(0, 0, 3));
  CHECK(at(block(2, 4, 6), false, "front") == Vector3d(0, -2, 0));
  CHECK(at(block(2, 4, 6), false, "corner+-+") == Vector3d(1, -2, 3));
  CHECK(at(block(2, 4, 6), false, "corner---") == Vector3d(-1, -2, -3));
  CHECK(at(disk(3), true, "left") == Vector3d(-3, 0, 0));
  CHECK(at(disk(3), true, "bottom") == Vector3d(0, -3, 0));
  CHECK(at(disk(3), false, "bottom") == Vector3d(0, 0, -3));
  CHECK(at(polygon({{0, 1}, {-1, -1}, {1, -1}}), true, "vertex-3") == Vector3d(1, -1, 0));
  Vector3d untouched = Vector3d::Ones();
  CHECK_FALSE(find_point(disk(1), true, "start", untouched));
  CHECK_FALSE(find_point(block(1, 1), true, "corner+++", untouched));
  CHECK(untouched == Vector3d::Ones());
  for (const Shape& shape : {point(), disk(1), rod(1), block(1, 2, 3)}) {
    for (bool in_plane : {true, false}) {
      CHECK(at(shape, in_plane, "centre") == Vector3d::Zero());
      for (const std::string& name : named_points(shape, in_plane)) at(shape, in_plane, name.c_str());
    }
  }
  CHECK(named_points(block(1, 1), false).size() == 1 + 8 + 6);
}
