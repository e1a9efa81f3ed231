#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/assembly_parts.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

// Between two bodies, on points anywhere.
Spring damped_spring(bool planar, double rest, RandomNumbers& random) {
  Spring spring;
  spring.a = {0, random.vector(planar)};
  spring.b = {1, random.vector(planar)};
  spring.stiffness = 70;
  spring.damping = 5;
  spring.rest = rest;
  return spring;
}

}  // namespace

TEST_CASE("assembly: forces are the slope of the potential, for every spring, in the plane and in space") {
  RandomNumbers random;
  for (const bool planar : {true, false}) {
    AssemblyDescription description = two_bodies(planar, random);
    description.gravity = {0.3, -9.81, planar ? 0 : 1.2};
    const auto spring = [&](Spring::Kind kind, int a, double rest) {
      Spring result;
      result.kind = kind;
      result.a = {a, random.vector(planar)};
      result.b = {1, random.vector(planar)};
      result.coordinate = 1;
      result.stiffness = 40;
      result.rest = rest;
      return result;
    };
    description.springs = {spring(Spring::Kind::points, world, 0.5), spring(Spring::Kind::points, 0, 3),
                           spring(Spring::Kind::points, 0, 0), spring(Spring::Kind::coordinates, 0, 0.2)};
    if (planar) description.springs.push_back(spring(Spring::Kind::torsion, 0, 0.1));
    const Assembly assembly(description);
    CHECK_FALSE(assembly.forces_are_constant());
    const Vec q = assembly.initial_positions();
    const Vec zero = Vec::Zero(assembly.initial_velocities().size());
    for (int trial = 0; trial < 10; ++trial) {
      const Vec d = random.vec(zero.size());
      const double slope = derivative(assembly, q, d, [&](const Vec& x) { return assembly.potential(0, x); });
      CHECK(forces_of(assembly, 0, q, zero).inner.dot(d) == doctest::Approx(-slope).epsilon(1e-7));
    }
  }
}

TEST_CASE(
    "assembly: springs and dampers between bodies change neither momentum nor angular momentum; dampers take energy") {
  RandomNumbers random;
  for (const bool planar : {true, false}) {
    AssemblyDescription description = two_bodies(planar, random);
    Spring spring = damped_spring(planar, 0.4, random);
    description.springs = {spring};
    if (planar) {
      spring.kind = Spring::Kind::torsion;
      description.springs.push_back(spring);
    }
    const Assembly assembly(description);
    const Index half = planar ? 3 : 6;
    const Vec q = assembly.initial_positions();
    // Rigid motions of both together: what they feel no power of, they conserve the momentum of.
    for (int trial = 0; trial < 5; ++trial) {
      const Vector3d v = random.vector(planar);
      const Vector3d omega = planar ? Vector3d(0, 0, random()) : random.vector(false);
      Vec rigid(2 * half);
      for (Index i = 0; i < 2; ++i) {
        const Vector3d centre = planar ? Vector3d(q(3 * i), q(3 * i + 1), 0) : Vector3d(q.segment<3>(7 * i));
        const Vector3d at_centre = v + omega.cross(centre);
        if (planar) {
          rigid.segment<3>(3 * i) << at_centre.x(), at_centre.y(), omega.z();
        } else {
          const Quaterniond Q(q(7 * i + 3), q(7 * i + 4), q(7 * i + 5), q(7 * i + 6));
          rigid.segment<6>(6 * i) << at_centre, Q.conjugate() * omega;
        }
      }
      const Vec u = random.vec(2 * half);
      const BothForces at_rest = forces_of(assembly, 0, q, Vec::Zero(2 * half));
      const BothForces moving = forces_of(assembly, 0, q, u);
      CHECK(at_rest.inner.norm() > 1);
      CHECK(std::abs(at_rest.inner.dot(rigid)) < 1e-12 * at_rest.inner.norm());
      CHECK(std::abs(moving.applied.dot(rigid)) < 1e-12 * moving.applied.norm());
      CHECK(moving.applied.dot(u) < 0);
      CHECK(forces_of(assembly, 0, q, rigid).applied.norm() < 1e-12);
    }
  }
}

TEST_CASE(
    "assembly: force gradients are symmetric and positive; exact for dampers and for stretched springs on points") {
  RandomNumbers random;
  for (const bool planar : {true, false}) {
    AssemblyDescription description = two_bodies(planar, random);
    Spring spring = damped_spring(planar, 0.1, random);
    description.springs = {spring};
    const Assembly assembly(description);
    const Vec q = assembly.initial_positions();
    const Vec u = random.vec(assembly.initial_velocities().size());
    ForceGradient gradient;
    assembly.force_gradient(0, q, u, gradient);
    const Mat K = dense(gradient.stiffness, u.size()), C = dense(gradient.damping, u.size());
    CHECK((K - K.transpose()).norm() < 1e-12);
    CHECK(K.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > -1e-10);
    CHECK(K.norm() > 1);
    const Vec du = random.vec(u.size());
    const Vec change = forces_of(assembly, 0, q, u + du).applied - forces_of(assembly, 0, q, u).applied;
    CHECK((change + C * du).norm() < 1e-11);

    for (const double rest : {0.0, 0.2}) {
      for (const bool apart : {true, false}) {
        if (!apart && rest > 0) continue;
        AssemblyDescription points;
        points.planar = planar;
        points.bodies = {body("a", Shape{}), body("b", Shape{}, apart ? random.vector(planar) : Vector3d::Zero())};
        spring.a = {0, Vector3d::Zero()};
        spring.b = {1, Vector3d::Zero()};
        spring.rest = rest;
        points.springs = {spring};
        const Assembly string(points);
        const Vec x = string.initial_positions(), v = Vec::Zero(x.size()), d = random.vec(x.size());
        gradient.clear();
        string.force_gradient(0, x, v, gradient);
        const Vec slope = derivative(string, x, d, [&](const Vec& y) { return forces_of(string, 0, y, v).inner; });
        CHECK((slope + dense(gradient.stiffness, x.size()) * d).norm() < 1e-6);
      }
    }
  }
}

TEST_CASE(
    "assembly: a line spring of no length pulls nowhere; its damper acts against the velocity that parts its ends") {
  AssemblyDescription description;
  description.bodies = {body("a", Shape{})};
  Spring spring;
  spring.b = {0, Vector3d::Zero()};
  spring.stiffness = 100;
  spring.damping = 3;
  spring.rest = 0.5;
  description.springs = {spring};
  const Assembly assembly(description);
  const BothForces at_rest = forces_of(assembly, 0, Vec::Zero(2), Vec::Zero(2));
  CHECK(at_rest.inner.norm() == 0);
  CHECK(at_rest.applied.norm() == 0);
  const Vec u = Eigen::Vector2d(3, -4);
  CHECK((forces_of(assembly, 0, Vec::Zero(2), u).applied + 3 * u).norm() < 1e-14);
  CHECK(assembly.potential(0, Vec::Zero(2)) == doctest::Approx(12.5));
}

TEST_CASE("assembly: loads act at their point in world directions or turn with the body, and their power is theirs") {
  RandomNumbers random;
  for (const bool planar : {true, false}) {
    for (const bool follows : {false, true}) {
      AssemblyDescription description = two_bodies(planar, random);
      Load load;
      load.at = {1, random.vector(planar)};
      load.force[0] = Expression("3*t");
      load.force[1] = Expression("-2");
      load.torque[2] = Expression("cos(t)");
      load.follows_body = follows;
      description.loads = {load};
      const Assembly assembly(description);
      const double t = 0.4;
      const Vec q = assembly.initial_positions(), u = random.vec(assembly.initial_velocities().size());
      const auto turned = [&](const Vec& x) -> Matrix3d {
        double pose[7];
        assembly.pose(x, 1, pose);
        return planar ? Eigen::AngleAxisd(pose[2], Vector3d::UnitZ()).toRotationMatrix()
                      : Quaterniond(pose[3], pose[4], pose[5], pose[6]).toRotationMatrix();
      };
      const auto point = [&](const Vec& x) -> Vector3d {
        double pose[7];
        assembly.pose(x, 1, pose);
        return Vector3d(pose[0], pose[1], planar ? 0 : pose[2]) + turned(x) * load.at.at;
      };
      const Vector3d v = derivative(assembly, q, u, [&](const Vec& x) { return Vector3d(point(x)); });
      const Vector3d omega = planar ? Vector3d(0, 0, u(5)) : Vector3d(turned(q) * u.tail<3>());
      Vector3d force(3 * t, -2, 0), torque(0, 0, std::cos(t));
      if (follows) {
        force = turned(q) * force;
        torque = turned(q) * torque;
      }
      CHECK(forces_of(assembly, t, q, u).applied.dot(u) ==
            doctest::Approx(force.dot(v) + torque.dot(omega)).epsilon(1e-7));
    }
  }
}

TEST_CASE("assembly: forces are constant only where nothing in them changes") {
  AssemblyDescription planar;
  planar.gravity = {0, -9.81, 0};
  planar.bodies = {body("ball", disk(0.1))};
  CHECK(Assembly(planar).forces_are_constant());
  Load load;
  load.at.body = 0;
  load.force[0] = Expression("2");
  planar.loads = {load};
  CHECK(Assembly(planar).forces_are_constant());
  planar.loads[0].at.at = {0.1, 0, 0};
  CHECK_FALSE(Assembly(planar).forces_are_constant());  // the lever turns
  planar.loads[0] = load;
  planar.loads[0].follows_body = true;
  CHECK_FALSE(Assembly(planar).forces_are_constant());
  planar.loads[0] = load;
  planar.loads[0].force[0] = Expression("t");
  CHECK_FALSE(Assembly(planar).forces_are_constant());

  AssemblyDescription spatial;
  spatial.planar = false;
  spatial.bodies = {body("ball", disk(0.1))};
  CHECK(Assembly(spatial).forces_are_constant());
  spatial.bodies.push_back(body("block", block(1, 2, 3)));
  CHECK_FALSE(Assembly(spatial).forces_are_constant());  // gyroscopic
}

TEST_CASE(
    "assembly: a free spatial body obeys Euler's equations: no power, and constant angular momentum in the world") {
  RandomNumbers random;
  AssemblyDescription description = two_bodies(false, random);
  const Assembly assembly(description);
  MassMatrix M;
  assembly.mass(assembly.initial_positions(), M);
  REQUIRE(M.block_count() == 8);
  REQUIRE(M.factor());
  const Vec q = assembly.initial_positions(), u = random.vec(12);
  const Vec inner = forces_of(assembly, 0, q, u).inner;
  CHECK(inner.norm() > 1e-3);
  CHECK(std::abs(inner.dot(u)) < 1e-14);
  Vec acceleration = inner;
  M.solve_in_place(acceleration);
  for (const Index i : {0, 1}) {
    const Matrix3d J = M.block(4 * i + 3);
    const auto momentum = [&](const Vec& x, const Vec& w) {
      return Vector3d(Quaterniond(x(7 * i + 3), x(7 * i + 4), x(7 * i + 5), x(7 * i + 6)) *
                      (J * w.segment<3>(6 * i + 3)));
    };
    const double h = 1e-6;
    const Vec ahead = u + h * acceleration, behind = u - h * acceleration;
    const Vector3d rate =
        (momentum(moved(assembly, q, h * u), ahead) - momentum(moved(assembly, q, -h * u), behind)) / (2 * h);
    CHECK(rate.norm() < 1e-8);
  }
}
