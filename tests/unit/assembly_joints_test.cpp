#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/assembly_parts.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Vector3d;

TEST_CASE("assembly: the rows of every joint are the derivatives of its gaps, in the plane and in space") {
  using Kind = Joint::Kind;
  struct Case {
    Kind kind;
    Index planar_rows, spatial_rows;
  };
  RandomNumbers random;
  for (const Case& each : {Case{Kind::revolute, 2, 5}, Case{Kind::ball, 2, 3}, Case{Kind::prismatic, 2, 5},
                           Case{Kind::weld, 3, 6}, Case{Kind::distance, 1, 1}, Case{Kind::motion, 1, 1}}) {
    for (const bool planar : {true, false}) {
      for (const int a : {world, 0}) {
        CAPTURE(static_cast<int>(each.kind));
        CAPTURE(planar);
        CAPTURE(a);
        AssemblyDescription description = two_bodies(planar, random);
        Joint one = joint(each.kind, {a, random.vector(planar)}, {1, random.vector(planar)});
        one.axis = random.vector(planar);
        one.coordinate = 1;
        one.motion = Expression("2*sin(3*t)");
        description.joints = {one};
        const Assembly assembly(description);
        REQUIRE(assembly.joint_rows() == (planar ? each.planar_rows : each.spatial_rows));
        REQUIRE(assembly.geometric_joint_rows() == assembly.joint_rows());
        const double t = 0.7;
        // Far from the pose the joint was made in, so that its gaps are not small.
        const Vec q =
            moved(assembly, assembly.initial_positions(), 0.5 * random.vec(assembly.initial_velocities().size()));
        const Vec u = random.vec(assembly.initial_velocities().size());
        const Directions directions = directions_of(assembly, t, q);
        const Vec rate = derivative(assembly, q, u, [&](const Vec& x) { return gaps_of(assembly, t, x); });
        REQUIRE(gaps_of(assembly, t, q).norm() > 1e-3);
        CHECK((directions.B.dense(u.size()) * u - rate).norm() < 1e-8);
        const Vec in_time = (gaps_of(assembly, t + 1e-5, q) - gaps_of(assembly, t - 1e-5, q)) / 2e-5;
        CHECK((directions.b + in_time).norm() < 1e-8);
        CHECK((directions.b.norm() > 0.1) == (each.kind == Kind::motion));
      }
    }
  }
}

TEST_CASE("assembly: a joint between points that coincide holds in the initial pose, whatever that is") {
  using Kind = Joint::Kind;
  RandomNumbers random;
  for (const Kind kind : {Kind::revolute, Kind::ball, Kind::prismatic, Kind::weld}) {
    for (const bool planar : {true, false}) {
      AssemblyDescription description = two_bodies(planar, random);
      const BodyDescription& first = description.bodies[0];
      const BodyDescription& second = description.bodies[1];
      const auto rotation = [&](const BodyDescription& of) {
        return planar ? Eigen::AngleAxisd(of.angle, Vector3d::UnitZ()).toRotationMatrix()
                      : of.orientation.toRotationMatrix();
      };
      const Vector3d on_first = random.vector(planar);
      const Vector3d there = first.position + rotation(first) * on_first;
      const Vector3d on_second = rotation(second).transpose() * (there - second.position);
      description.joints = {joint(kind, {0, on_first}, {1, on_second})};
      const Assembly assembly(description);
      CHECK(gaps_of(assembly, 0, assembly.initial_positions()).norm() < 1e-14);
    }
  }
}

TEST_CASE("assembly: a knife edge blocks the velocity of its point along an axis that turns with the body") {
  AssemblyDescription description;
  description.bodies = {body("sled", rod(1), {3, 4, 0})};
  description.bodies[0].angle = 0.3;
  Joint edge = joint(Joint::Kind::knife_edge, {}, {0, {0.2, 0.1, 0}});
  edge.axis = Vector3d::UnitY();
  description.joints = {edge, joint(Joint::Kind::distance, {world, {9, 9, 0}}, {0, Vector3d::Zero()})};
  const Assembly assembly(description);
  CHECK(assembly.joint_rows() == 2);
  CHECK(assembly.geometric_joint_rows() == 1);  // the geometric row is first, whatever the order they were given in
  const Vec q = Vector3d(1, 2, 0.8);
  const Vec u = Vector3d(0.5, -0.7, 1.1);
  // Point at r = R(0.2, 0.1): v = (ẋ − ω r_y, ẏ + ω r_x), axis (−sin φ, cos φ).
  const double c = std::cos(0.8), s = std::sin(0.8);
  const double rx = 0.2 * c - 0.1 * s, ry = 0.2 * s + 0.1 * c;
  const double expected = -s * (0.5 - 1.1 * ry) + c * (-0.7 + 1.1 * rx);
  CHECK(directions_of(assembly, 0, q).B.dot(1, u) == doctest::Approx(expected).epsilon(1e-14));
}

TEST_CASE("assembly: points have no orientation, so welds hold their place and a bead slides along a turning rod") {
  AssemblyDescription description;
  description.bodies = {body("rod", rod(2)), body("bead", Shape{}, {0.5, 0, 0})};
  description.joints = {joint(Joint::Kind::prismatic, {0, Vector3d::Zero()}, {1, Vector3d::Zero()})};
  const Assembly assembly(description);
  REQUIRE(assembly.velocities().size() == 5);
  REQUIRE(assembly.joint_rows() == 1);
  // The rod turned by 90°: the bead is now free along y and 0.3 off in x.
  const Vec q = (Vec(5) << 0, 0, std::acos(-1) / 2, 0.3, 0.7).finished();
  CHECK(std::abs(gaps_of(assembly, 0, q)(0)) == doctest::Approx(0.3));
  const Vec u = (Vec(5) << 0.1, 0.2, 0.3, 0.4, 0.5).finished();
  const Vec rate = derivative(assembly, q, u, [&](const Vec& x) { return gaps_of(assembly, 0, x); });
  CHECK(directions_of(assembly, 0, q).B.dot(0, u) == doctest::Approx(rate(0)).epsilon(1e-8));

  description.joints[0].kind = Joint::Kind::weld;
  CHECK(Assembly(description).joint_rows() == 2);
}

TEST_CASE("assembly: clutches block the relative rotation of two bodies, or a velocity along a direction") {
  AssemblyDescription description;
  description.bodies = {body("a", disk(1)), body("b", disk(1), {3, 0, 0})};
  ClutchDescription sprag;
  sprag.name = "sprag";
  sprag.a.body = 0;
  sprag.b.body = 1;
  sprag.sign = -1;
  sprag.restitution = 0.3;
  ClutchDescription rail = sprag;
  rail.a = {};
  rail.b.at = {0, 1, 0};
  rail.rotation = false;
  rail.sign = 1;
  rail.direction = {2, 0, 0};
  description.clutches = {sprag, rail};
  const Assembly assembly(description);
  Clutches clutches;
  assembly.clutches(assembly.initial_positions(), clutches);
  const Vec u = (Vec(6) << 1, 2, 3, 4, 5, 7).finished();
  REQUIRE(clutches.W.count() == 2);
  CHECK(clutches.W.dot(0, u) == -(7 - 3));
  CHECK(clutches.W.dot(1, u) == doctest::Approx(4 - 7));
  CHECK(clutches.restitution == std::vector<double>{0.3, 0.3});
  CHECK(assembly.clutch_name(0) == "sprag");
}
