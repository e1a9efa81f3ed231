// Distances of shapes in space against FCL with libccd, an independent library.

#include <doctest/doctest.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "models/contact_geometry.h"
#include "models/shape.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector3d;
using testing::Random;
using Kind = Shape::Kind;

namespace {

Shape random_shape(Random& random) {
  Shape shape;
  shape.radius = random.uniform(0.05, 0.4);
  shape.length = random.uniform(0.1, 1.2);
  shape.size = {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
  constexpr Kind kinds[] = {Kind::disk, Kind::rod, Kind::block, Kind::cylinder};
  shape.kind = kinds[random.integer(0, 3)];
  return shape;
}

Placement random_pose(Random& random, double away) {
  Eigen::Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
  return {away * Vector3d(random.vector(3)).normalized(), q.normalized().toRotationMatrix()};
}

// FCL's capsules and cylinders lie along z.
fcl::CollisionObjectd as_fcl(const Shape& shape, const Placement& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.translation() = pose.origin;
  transform.linear() = pose.rotation;
  const auto along_z = [&] {
    transform.linear() << pose.rotation.col(1), pose.rotation.col(2), pose.rotation.col(0);
    return transform;
  };
  switch (shape.kind) {
    case Kind::disk:
      return {std::make_shared<fcl::Sphered>(shape.radius), transform};
    case Kind::rod:
      return {std::make_shared<fcl::Capsuled>(shape.radius, shape.length), along_z()};
    case Kind::cylinder:
      return {std::make_shared<fcl::Cylinderd>(shape.radius, shape.length), along_z()};
    default:
      return {std::make_shared<fcl::Boxd>(shape.size), transform};
  }
}

double distance_by_fcl(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  return fcl::distance(&a, &b, request, result);
}

}  // namespace

TEST_CASE("distances of 100 000 pairs of spheres, rods, blocks and cylinders are those of FCL") {
  int apart = 0, far_off = 0, disagree = 0;
  std::vector<Touch> touches;
  for (std::uint64_t seed = 1; seed <= 100000; ++seed) {
    Random random(seed);
    const Shape a = random_shape(random), b = random_shape(random);
    const Placement at_a = random_pose(random, 0), at_b = random_pose(random, random.uniform(0.3, 1.8));
    touches.clear();
    REQUIRE(find_touches(a, at_a, b, at_b, false, HUGE_VAL, touches) > 0);
    const double gap = std::min_element(touches.begin(), touches.end(), [](const Touch& s, const Touch& t) {
                         return s.gap < t.gap;
                       })->gap;
    const double theirs = distance_by_fcl(as_fcl(a, at_a), as_fcl(b, at_b));
    if (std::abs(gap) < 1e-6) continue;
    if ((gap > 0) != (theirs > 0)) ++disagree;
    if (gap < 0 || theirs <= 0) continue;
    ++apart;
    if (std::abs(gap - theirs) > 1e-5) ++far_off;
  }
  CHECK(apart > 50000);
  CHECK(disagree == 0);
  // FCL's own misses, and rims on rims whose best normal was not found.
  CHECK(far_off < 5e-4 * apart);
}
