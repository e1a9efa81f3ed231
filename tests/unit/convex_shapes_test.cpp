// Polyhedra and cylinders: hulls and what is inside, and contact that proves itself: points of both shapes as far apart
// as a plane between them has room.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/contact_geometry.h"
#include "models/shape.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector3d;
using testing::Random;
using Kind = Shape::Kind;

namespace {

Shape polyhedron(const std::vector<Vector3d>& points) {
  Polytope hull = hull_of(points);
  const Vector3d centroid = solid_of(hull).centroid;
  for (Vector3d& vertex : hull.vertices) vertex -= centroid;
  Shape shape;
  shape.kind = Kind::polyhedron;
  shape.polytope = std::make_shared<const Polytope>(std::move(hull));
  return shape;
}

Shape make(Kind kind, double radius, double length, const Vector3d& size = Vector3d::Zero()) {
  Shape shape;
  shape.kind = kind;
  shape.radius = radius;
  shape.length = length;
  shape.size = size;
  return shape;
}

std::vector<Vector3d> random_points(Random& random, int count) {
  const Vector3d scale(random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0.2, 0.8));
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) points.push_back(scale.cwiseProduct(Vector3d(random.vector(3).normalized())));
  return points;
}

Shape random_shape(Random& random) {
  switch (random.integer(0, 4)) {
    case 0:
      return make(Kind::disk, random.uniform(0.1, 0.5), 0);
    case 1:
      return make(Kind::rod, random.uniform(0.05, 0.3), random.uniform(0.3, 1.5));
    case 2:
      return make(Kind::block, 0, 0, {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)});
    default:
      return polyhedron(random_points(random, random.integer(4, 14)));
  }
}

Placement random_pose(Random& random, double away) {
  Eigen::Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  return {away * random.vector(3).normalized(), q.normalized().toRotationMatrix()};
}

// How far a shape reaches along a direction.
double support(const Shape& shape, const Placement& pose, const Vector3d& direction) {
  const Vector3d local = pose.rotation.transpose() * direction;
  double reach = 0;
  if (shape.kind == Kind::disk) reach = shape.radius;
  if (shape.kind == Kind::rod) reach = std::abs(local.x()) * shape.length / 2 + shape.radius;
  if (shape.kind == Kind::cylinder)
    reach = std::abs(local.x()) * shape.length / 2 + local.tail<2>().norm() * shape.radius;
  if (shape.kind == Kind::block) reach = (local.cwiseAbs().cwiseProduct(shape.size) / 2).sum();
  if (shape.kind == Kind::polyhedron) {
    reach = -HUGE_VAL;
    for (const Vector3d& v : shape.polytope->vertices) reach = std::max(reach, local.dot(v));
  }
  return direction.dot(pose.origin) + reach;
}

// How far outside a shape a point is, at least.
double outside(const Shape& shape, const Placement& pose, const Vector3d& point) {
  const Vector3d local = pose.rotation.transpose() * (point - pose.origin);
  if (shape.kind == Kind::disk) return local.norm() - shape.radius;
  if (shape.kind == Kind::block) return (local.cwiseAbs() - shape.size / 2).maxCoeff();
  if (shape.kind == Kind::cylinder)
    return std::max(std::abs(local.x()) - shape.length / 2, local.tail<2>().norm() - shape.radius);
  if (shape.kind == Kind::polyhedron) {
    double most = -HUGE_VAL;
    for (const Polytope::Face& face : shape.polytope->faces)
      most =
          std::max(most, face.normal.dot(local - shape.polytope->vertices[static_cast<std::size_t>(face.corners[0])]));
    return most;
  }
  const Vector3d foot(std::clamp(local.x(), -shape.length / 2, shape.length / 2), 0, 0);
  return (local - foot).norm() - shape.radius;
}

struct Pair {
  Shape a, b;
  Placement at_a, at_b;

  double separation(const Vector3d& n) const { return -support(a, at_a, -n) - support(b, at_b, n); }
  std::vector<Touch> touches(double reach) const {
    std::vector<Touch> found;
    find_touches(a, at_a, b, at_b, false, reach, found);
    return found;
  }
};

const Touch& nearest(const std::vector<Touch>& touches) {
  return *std::min_element(touches.begin(), touches.end(),
                           [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

// The nearest points are points of the shapes, and along their normal there is as much room between the shapes.
double error_of(const Pair& pair, const Touch& near) {
  return std::max({outside(pair.a, pair.at_a, near.point_a), outside(pair.b, pair.at_b, near.point_b),
                   (near.point_b + near.gap * near.normal - near.point_a).norm(), std::abs(near.normal.norm() - 1),
                   std::abs(pair.separation(near.normal) - near.gap)});
}

}  // namespace

TEST_CASE("the hull of points has them all, closes, and is the box that its corners make") {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 3 : 1, i & 2 ? 2 : 1, i & 4 ? 5 : 1);
  corners.emplace_back(2, 1.5, 1);    // inside a face
  corners.emplace_back(2, 1, 1);      // on an edge
  corners.emplace_back(2, 1.5, 2.5);  // inside
  corners.push_back(corners.front());
  const Polytope box = hull_of(corners);
  CHECK(box.vertices.size() == 8);
  CHECK(box.edges.size() == 12);
  REQUIRE(box.faces.size() == 6);
  for (const Polytope::Face& face : box.faces) CHECK(face.corners.size() == 4);
  const Solid solid = solid_of(box);
  CHECK(solid.volume == doctest::Approx(8));
  CHECK(solid.centroid.isApprox(Vector3d(2, 1.5, 3), 1e-14));
  CHECK(solid.gyration.isApprox(spatial_gyration(make(Kind::block, 0, 0, {2, 1, 4})), 1e-14));

  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto points = random_points(random, random.integer(4, 30));
    const Polytope hull = hull_of(points);
    CHECK(hull.vertices.size() - hull.edges.size() + hull.faces.size() == 2);
    for (const Polytope::Edge& edge : hull.edges) {
      REQUIRE(edge.right >= 0);
      const Vector3d along =
          hull.vertices[static_cast<std::size_t>(edge.to)] - hull.vertices[static_cast<std::size_t>(edge.from)];
      const Vector3d left = hull.faces[static_cast<std::size_t>(edge.left)].normal;
      CHECK(left.cross(hull.faces[static_cast<std::size_t>(edge.right)].normal).dot(along) > 0);
    }
    for (const Polytope::Face& face : hull.faces)
      for (const Vector3d& p : points)
        CHECK(face.normal.dot(p - hull.vertices[static_cast<std::size_t>(face.corners[0])]) < 1e-9);
  }
  CHECK(hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).faces.empty());
}

TEST_CASE("hulls of hundreds of points, of a lattice, and of points that are nearly in a plane, on a line or one") {
  std::vector<Vector3d> lattice, ball, line, flat;
  Random random(11);
  for (int i = 0; i < 216; ++i) {
    lattice.emplace_back(i % 6, i / 6 % 6, i / 36);
    ball.push_back(Vector3d(random.vector(3)).normalized());
    line.push_back(random.uniform(-1, 1) * Vector3d(1, 2, 3));
    flat.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), 1e-15 * random.uniform(-1, 1));
  }
  const Polytope box = hull_of(lattice);
  CHECK(box.vertices.size() == 8);
  CHECK(box.faces.size() == 6);
  CHECK(solid_of(box).volume == doctest::Approx(125));
  const Polytope round = hull_of(ball);
  CHECK(round.vertices.size() == 216);
  CHECK(round.vertices.size() - round.edges.size() + round.faces.size() == 2);
  CHECK(solid_of(round).volume == doctest::Approx(4.0 / 3 * std::numbers::pi).epsilon(0.06));
  CHECK(hull_of(line).faces.empty());
  CHECK(hull_of(flat).faces.empty());
  CHECK(hull_of(std::vector<Vector3d>(20, Vector3d(1, 2, 3))).faces.empty());
  CHECK(hull_of({}).faces.empty());
}

TEST_CASE("the inertia of a tetrahedron, and of a body moved and turned") {
  // With three edges of length 1 along the axes: ∫x² = 1/60, ∫xy = 1/120 about the corner, volume 1/6.
  const Solid solid = solid_of(hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  CHECK(solid.volume == doctest::Approx(1.0 / 6));
  CHECK(solid.centroid.isApprox(Vector3d::Constant(0.25), 1e-14));
  CHECK(solid.gyration(0, 0) == doctest::Approx(2 * (0.1 - 0.0625)));
  CHECK(solid.gyration(0, 1) == doctest::Approx(-(0.05 - 0.0625)));
  Random random(3);
  const auto points = random_points(random, 12);
  const Placement pose = random_pose(random, 2);
  std::vector<Vector3d> moved;
  for (const Vector3d& p : points) moved.push_back(pose.at(p));
  const Solid one = solid_of(hull_of(points)), two = solid_of(hull_of(moved));
  CHECK(two.volume == doctest::Approx(one.volume));
  CHECK(two.centroid.isApprox(pose.at(one.centroid), 1e-12));
  CHECK(two.gyration.isApprox(pose.rotation * one.gyration * pose.rotation.transpose(), 1e-12));
}

TEST_CASE("polyhedra on polyhedra, blocks, rods and spheres: nearest points prove themselves, no direction is better") {
  int overlapping = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 10000; ++seed) {
    Random random(seed);
    Pair pair{polyhedron(random_points(random, random.integer(4, 14))), random_shape(random), random_pose(random, 0),
              random_pose(random, random.uniform(0.2, 1.6))};
    if (seed % 2) {
      std::swap(pair.a, pair.b);
      std::swap(pair.at_a, pair.at_b);
    }
    const auto touches = pair.touches(10);
    REQUIRE_FALSE(touches.empty());
    const Touch& near = nearest(touches);
    const double error = error_of(pair, near);
    CHECK_MESSAGE(error < 1e-8, "seed ", seed, " gap ", near.gap);
    double best = -HUGE_VAL;
    for (int k = 0; k < 100; ++k) {
      const Vector3d n = near.normal + (k % 2 ? 0.02 : 1.0) * random.vector(3);
      best = std::max(best, pair.separation(n.normalized()));
    }
    CHECK_MESSAGE(best <= near.gap + 1e-9, "seed ", seed, " gap ", near.gap, " by ", best - near.gap);
    ++(near.gap < 0 ? overlapping : apart);
  }
  CHECK(overlapping > 1500);
  CHECK(apart > 1500);
}

TEST_CASE("a box as the hull of its corners touches as the block does") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Vector3d size(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Shape block = make(Kind::block, 0, 0, size);
    std::vector<Vector3d> corners;
    for (int i = 0; i < 8; ++i) corners.push_back(block_corner(block, false, i));
    Pair pair{block, random_shape(random), random_pose(random, 0), random_pose(random, random.uniform(0.3, 1))};
    auto of_block = pair.touches(0.2);
    pair.a = polyhedron(corners);
    auto of_hull = pair.touches(0.2);
    if (pair.b.kind == Kind::disk) continue;  // one that is deep in a block has its own code
    REQUIRE(of_block.size() == of_hull.size());
    const auto by_gap = [](const Touch& a, const Touch& b) { return a.gap < b.gap; };
    std::sort(of_block.begin(), of_block.end(), by_gap);
    std::sort(of_hull.begin(), of_hull.end(), by_gap);
    for (std::size_t i = 0; i < of_block.size(); ++i) CHECK(of_block[i].gap == doctest::Approx(of_hull[i].gap));
  }
}

TEST_CASE("a cylinder on a plane touches with its lowest points, standing with as many as its prism has") {
  Random random(7);
  Shape floor;
  floor.kind = Kind::plane;
  floor.normal = Vector3d::UnitZ();
  const Shape coin = make(Kind::cylinder, 0.5, 0.1);
  for (int k = 0; k < 200; ++k) {
    const Pair pair{coin, floor, random_pose(random, 1), Placement{}};
    const auto touches = pair.touches(HUGE_VAL);
    CHECK(touches.size() == 2 * prism_sides);
    CHECK(nearest(touches).gap == doctest::Approx(-support(coin, pair.at_a, -Vector3d::UnitZ())));
    CHECK(nearest(touches).feature <= 1);  // the lowest side is always the first
    for (const Touch& touch : touches) CHECK(std::abs(outside(coin, pair.at_a, touch.point_a)) < 1e-14);
  }
  const Placement flat{{0, 0, 0.05}, Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitY()).toRotationMatrix()};
  const auto standing = Pair{coin, floor, flat, Placement{}}.touches(0.01);
  CHECK(standing.size() == prism_sides);
  for (const Touch& touch : standing) CHECK(std::abs(touch.gap) < 1e-15);
}

TEST_CASE("cylinders on other shapes: nearest points prove themselves at rims too, but for some rims on rims") {
  int others = 0, cylinders = 0, inexact = 0, deep = 0, not_least = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    Random random(seed);
    const Shape cylinder = make(Kind::cylinder, random.uniform(0.1, 0.5), random.uniform(0.1, 1));
    const bool both = seed % 3 == 0;
    const Shape other =
        both ? make(Kind::cylinder, random.uniform(0.1, 0.5), random.uniform(0.1, 1)) : random_shape(random);
    const Pair pair{cylinder, other, random_pose(random, 0), random_pose(random, random.uniform(0.3, 1.6))};
    const auto touches = pair.touches(10);
    REQUIRE_FALSE(touches.empty());
    const Touch& near = nearest(touches);
    const double error = error_of(pair, near);
    if (near.gap >= 0) {
      (both ? cylinders : others) += 1;
      if (!both) CHECK_MESSAGE(error < 1e-7, "seed ", seed, " gap ", near.gap);
      inexact += error > 1e-7;
      continue;
    }
    ++deep;
    double best = -HUGE_VAL;
    for (int k = 0; k < 100; ++k)
      best = std::max(best, pair.separation((near.normal + (k % 2 ? 0.02 : 1.0) * random.vector(3)).normalized()));
    not_least += best > near.gap + 1e-7;
  }
  CHECK(others > 8000);
  CHECK(cylinders > 4000);
  CHECK(deep > 5000);
  CHECK(inexact < 0.01 * cylinders);
  CHECK(not_least < 0.005 * deep);
}

TEST_CASE("cylinders that lie on each other side by side touch at both ends") {
  const Shape log = make(Kind::cylinder, 0.1, 1);
  for (const double angle : {0.0, 1e-12, 1e-9, 1e-6}) {
    const Placement upper{{0.2, 0, 0.2}, Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix()};
    const auto touches = Pair{log, log, upper, Placement{}}.touches(0.001);
    REQUIRE(touches.size() >= 2);
    const auto [left, right] = std::minmax_element(
        touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.point_a.x() < b.point_a.x(); });
    CHECK(left->point_a.x() == doctest::Approx(-0.3));
    CHECK(right->point_a.x() == doctest::Approx(0.5));
    for (const Touch& touch : touches) CHECK(std::abs(touch.gap) < 1e-12);
  }
}
