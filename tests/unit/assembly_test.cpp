#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>

#include "models/assembly.h"
#include "models/kane_pendulum.h"

using namespace carom;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

struct Random {
  std::mt19937 engine{20240511};
  double operator()(double low = -1, double high = 1) { return std::uniform_real_distribution<>(low, high)(engine); }
  Vector3d vector(bool planar) { return {(*this)(), (*this)(), planar ? 0 : (*this)()}; }
  Vec vec(Index size) {
    return Vec::NullaryExpr(size, [this](Index) { return (*this)(); });
  }
};

Shape disk(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::disk;
  shape.radius = radius;
  return shape;
}

Shape rod(double length, double radius = 0) {
  Shape shape;
  shape.kind = Shape::Kind::rod;
  shape.length = length;
  shape.radius = radius;
  return shape;
}

Shape block(double x, double y, double z = 0) {
  Shape shape;
  shape.kind = Shape::Kind::block;
  shape.size = {x, y, z};
  return shape;
}

Shape plane(const Vector3d& normal) {
  Shape shape;
  shape.kind = Shape::Kind::plane;
  shape.normal = normal;
  return shape;
}

BodyDescription body(const std::string& name, const Shape& shape, const Vector3d& position = Vector3d::Zero()) {
  BodyDescription description;
  description.name = name;
  description.shape = shape;
  description.position = position;
  return description;
}

BodyDescription fixed(BodyDescription description) {
  description.fixed = true;
  return description;
}

// Two bodies of unlike inertia, one of them with its centre of mass off the shape's, in random poses.
AssemblyDescription two_bodies(bool planar, Random& random) {
  AssemblyDescription description;
  description.planar = planar;
  description.bodies = {body("first", block(0.4, 0.7, 0.9), random.vector(planar)),
                        body("second", rod(1.3, 0.1), random.vector(planar))};
  description.bodies[1].mass = 2.5;
  description.bodies[1].point_masses = {{planar ? Vector3d(0.4, 0.2, 0) : Vector3d(0.4, 0.2, -0.3), 0.8}};
  for (BodyDescription& each : description.bodies) {
    each.angle = random();
    if (!planar) each.orientation = Quaterniond(random(), random(), random(), random()).normalized();
  }
  return description;
}

Vec moved(const System& system, const Vec& q, const Vec& displacement) {
  Vec result;
  system.move(q, displacement, result);
  return result;
}

// The derivative of f along a displacement in velocity coordinates, by central differences.
template <class F>
auto derivative(const System& system, const Vec& q, const Vec& displacement, F&& f) -> decltype(f(q)) {
  const double step = 1e-5;
  const auto plus = f(moved(system, q, step * displacement));
  const auto minus = f(moved(system, q, -step * displacement));
  return (plus - minus) / (2 * step);
}

Vec gaps_of(const System& system, double t, const Vec& q) {
  Vec g = Vec::Zero(system.geometric_joint_rows());
  system.joint_gaps(t, q, g);
  return g;
}

struct Directions {
  Rows B;
  Vec b;
};

Directions directions_of(const System& system, double t, const Vec& q) {
  Directions directions;
  directions.b = Vec::Zero(system.joint_rows());
  system.joint_directions(t, q, directions.B, directions.b);
  return directions;
}

struct BothForces {
  Vec inner, applied;
};

BothForces forces_of(const System& system, double t, const Vec& q, const Vec& u) {
  BothForces forces{Vec::Zero(u.size()), Vec::Zero(u.size())};
  system.forces(t, q, u, forces.inner, forces.applied);
  return forces;
}

Contacts contacts_of(const System& system, const Vec& q, const Vec& u, double h = 0) {
  Contacts contacts;
  system.contacts(q, u, h, contacts);
  return contacts;
}

const ContactPoint& point_with(const Contacts& contacts, std::uint64_t key) {
  for (const ContactPoint& point : contacts.points)
    if (point.key == key) return point;
  FAIL("no contact has the key " << key);
  return contacts.points.front();
}

Mat dense(const std::vector<ForceGradient::Entry>& entries, Index size) {
  Mat matrix = Mat::Zero(size, size);
  for (const ForceGradient::Entry& entry : entries) matrix(entry.row, entry.column) += entry.value;
  return matrix;
}

double kinetic_energy(const System& system, const Vec& q, const Vec& u) {
  MassMatrix M;
  system.mass(q, M);
  return M.kinetic_energy(u);
}

std::string refusal(const AssemblyDescription& description) {
  try {
    Assembly assembly(description);
  } catch (const std::invalid_argument& reason) {
    return reason.what();
  }
  return {};
}

Joint joint(Joint::Kind kind, const Anchor& a, const Anchor& b) {
  Joint result;
  result.kind = kind;
  result.name = "joint";
  result.a = a;
  result.b = b;
  return result;
}

}  // namespace

TEST_CASE("assembly: the rows of every joint are the derivatives of its gaps, in the plane and in space") {
  using Kind = Joint::Kind;
  struct Case {
    Kind kind;
    Index planar_rows, spatial_rows;
  };
  Random random;
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
  Random random;
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

TEST_CASE("assembly: forces are the slope of the potential, for every spring, in the plane and in space") {
  Random random;
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
  Random random;
  for (const bool planar : {true, false}) {
    AssemblyDescription description = two_bodies(planar, random);
    Spring spring;
    spring.a = {0, random.vector(planar)};
    spring.b = {1, random.vector(planar)};
    spring.stiffness = 70;
    spring.damping = 5;
    spring.rest = 0.4;
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
  Random random;
  for (const bool planar : {true, false}) {
    AssemblyDescription description = two_bodies(planar, random);
    Spring spring;
    spring.a = {0, random.vector(planar)};
    spring.b = {1, random.vector(planar)};
    spring.stiffness = 70;
    spring.damping = 5;
    spring.rest = 0.1;
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
  Random random;
  for (const bool planar : {true, false}) {
    for (const bool follows : {false, true}) {
      AssemblyDescription description = two_bodies(planar, random);
      Load load;
      load.at = {1, random.vector(planar)};
      load.force[0] = Expression("3*t");
      load.force[1] = Expression::constant(-2);
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
  load.force[0] = Expression::constant(2);
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
  Random random;
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

TEST_CASE("assembly: moving a spatial body turns it about its own axes, exactly, and the result may be the argument") {
  Random random;
  AssemblyDescription description = two_bodies(false, random);
  const Assembly assembly(description);
  const Vec start = assembly.initial_positions();
  const Vec u = random.vec(12);
  Vec q = start;
  for (int step = 0; step < 100; ++step) assembly.move(q, 0.05 * u, q);
  const Vec once = moved(assembly, start, 5 * u);  // a constant body-frame rotation adds up
  for (const Index i : {0, 1}) {
    const Eigen::Vector4d many = q.segment<4>(7 * i + 3), one = once.segment<4>(7 * i + 3);
    CHECK(many.norm() == doctest::Approx(1).epsilon(1e-15));
    CHECK(std::min((many - one).norm(), (many + one).norm()) < 1e-13);
    CHECK((q.segment<3>(7 * i) - once.segment<3>(7 * i)).norm() < 1e-13);
    const Quaterniond Q(start(7 * i + 3), start(7 * i + 4), start(7 * i + 5), start(7 * i + 6));
    const Vector3d omega = 5 * u.segment<3>(6 * i + 3);
    const Matrix3d expected =
        Q.toRotationMatrix() * Eigen::AngleAxisd(omega.norm(), omega.normalized()).toRotationMatrix();
    CHECK((Quaterniond(one(0), one(1), one(2), one(3)).toRotationMatrix() - expected).norm() < 1e-13);
  }
  CHECK((moved(assembly, start, Vec::Zero(12)) - start).norm() < 1e-15);
}

TEST_CASE("assembly: an attached mass shifts centre, inertia and velocity; the pose stays that of the shape") {
  // A uniform bar (m, l) with a point mass M at its end: C at lM/2(m + M), J = ml²/12 + mMl²/4(m + M).
  const double m = 3, M = 1.5, l = 2;
  AssemblyDescription description;
  description.bodies = {body("bar", rod(l), {1, 2, 0})};
  BodyDescription& bar = description.bodies[0];
  bar.mass = m;
  bar.point_masses = {{{l / 2, 0, 0}, M}};
  bar.angle = std::acos(-1) / 2;
  bar.velocity = {0.1, 0.2, 0};
  bar.angular_velocity = {0, 0, 3};
  const Assembly assembly(description);
  const double c = l * M / (2 * (m + M));
  CHECK((assembly.initial_positions() - Vec(Vector3d(1, 2 + c, bar.angle))).norm() < 1e-15);
  CHECK((assembly.initial_velocities() - Vec(Vector3d(0.1 - 3 * c, 0.2, 3))).norm() < 1e-15);
  MassMatrix mass;
  assembly.mass(assembly.initial_positions(), mass);
  CHECK(mass.block_count() == 3);
  CHECK(mass.block(0)(0, 0) == m + M);
  CHECK(mass.block(2)(0, 0) == doctest::Approx(m * l * l / 12 + m * M * l * l / (4 * (m + M))).epsilon(1e-14));
  double pose[3];
  assembly.pose(assembly.initial_positions(), 0, pose);
  CHECK((Vector3d(pose[0], pose[1], pose[2]) - Vector3d(1, 2, bar.angle)).norm() < 1e-15);

  // The same kinetic energy as bar and mass on their own.
  const double v_end = 0.1 - 3 * l / 2;
  const double apart = 0.5 * (m * 0.05 + m * l * l / 12 * 9 + M * (v_end * v_end + 0.04));
  CHECK(kinetic_energy(assembly, assembly.initial_positions(), assembly.initial_velocities()) ==
        doctest::Approx(apart).epsilon(1e-14));
}

TEST_CASE("assembly: in space an attached mass gives a full inertia matrix and the kinetic energy of the parts") {
  AssemblyDescription description;
  description.planar = false;
  description.bodies = {body("block", block(1, 2, 3), {4, 5, 6})};
  BodyDescription& part = description.bodies[0];
  part.mass = 2;
  part.point_masses = {{{0.5, 1, 1.5}, 0.7}, {{-0.5, 1, 0.2}, 0.4}};
  part.orientation = Quaterniond(0.3, -0.5, 0.7, 0.1).normalized();
  part.velocity = {1, -2, 0.5};
  part.angular_velocity = {0.3, 0.8, -1.1};
  const Assembly assembly(description);
  const Vector3d& w = part.angular_velocity;
  double T = 0.5 * part.mass * part.velocity.squaredNorm() +
             0.5 * w.dot(Vector3d(4 + 9, 1 + 9, 1 + 4).asDiagonal() * w) * part.mass / 12;
  for (const PointMass& point : part.point_masses)
    T += 0.5 * point.mass * (part.velocity + part.orientation * w.cross(point.at)).squaredNorm();
  CHECK(kinetic_energy(assembly, assembly.initial_positions(), assembly.initial_velocities()) ==
        doctest::Approx(T).epsilon(1e-14));
  double pose[7];
  assembly.pose(assembly.initial_positions(), 0, pose);
  CHECK((Vector3d(pose[0], pose[1], pose[2]) - part.position).norm() < 1e-14);
  CHECK(pose[3] == doctest::Approx(part.orientation.w()));
}

TEST_CASE("assembly: coordinates, bodies and poses by name; points have no angle and fixed bodies no coordinates") {
  AssemblyDescription planar;
  planar.bodies = {fixed(body("floor", plane({0, 2, 0}))), body("p", Shape{}), body("d", disk(1))};
  const Assembly flat(planar);
  const auto names = [](const std::vector<Coordinate>& coordinates) {
    std::string all;
    for (const Coordinate& coordinate : coordinates) all += coordinate.name + " [" + coordinate.unit + "] ";
    return all;
  };
  CHECK(names(flat.positions()) == "p.x [m] p.y [m] d.x [m] d.y [m] d.angle [rad] ");
  CHECK(names(flat.velocities()) == "p.vx [m/s] p.vy [m/s] d.vx [m/s] d.vy [m/s] d.omega [rad/s] ");
  CHECK(flat.body_of(1) == "p");
  CHECK(flat.body_of(4) == "d");
  CHECK(flat.poses().bodies == std::vector<std::string>{"floor", "p", "d"});

  AssemblyDescription spatial;
  spatial.planar = false;
  spatial.bodies = {body("p", Shape{}), body("s", disk(1))};
  const Assembly deep(spatial);
  CHECK(names(deep.positions()) ==
        "p.x [m] p.y [m] p.z [m] s.x [m] s.y [m] s.z [m] s.qw [1] s.qx [1] s.qy [1] s.qz [1] ");
  CHECK(names(deep.velocities()) ==
        "p.vx [m/s] p.vy [m/s] p.vz [m/s] s.vx [m/s] s.vy [m/s] s.vz [m/s] s.wx [rad/s] s.wy [rad/s] s.wz [rad/s] ");
  CHECK(deep.poses().size == 7);
}

TEST_CASE("assembly: Kane's pendulum described as two hinged rods has the rows of the published one") {
  const KanePendulum kane;
  const double l = kane.length, quarter = std::acos(-1) / 2;
  // A rod's x axis runs from its upper end along (sin φ, −cos φ).
  const Vector3d along1(std::sin(kane.angle1), -std::cos(kane.angle1), 0);
  const Vector3d along2(std::sin(kane.angle2), -std::cos(kane.angle2), 0);
  AssemblyDescription description;
  description.bodies = {body("upper", rod(l), l / 2 * along1), body("lower", rod(l), l * along1 + l / 2 * along2)};
  description.bodies[0].angle = kane.angle1 - quarter;
  description.bodies[1].angle = kane.angle2 - quarter;
  for (BodyDescription& each : description.bodies) each.mass = kane.mass;
  const Vector3d start(-l / 2, 0, 0), end(l / 2, 0, 0);
  description.joints = {joint(Joint::Kind::revolute, {world, Vector3d::Zero()}, {0, start}),
                        joint(Joint::Kind::revolute, {1, start}, {0, end})};
  ContactDescription tip;
  tip.name = "tip";
  tip.a = {1, end};
  tip.point_of_a = true;
  tip.plane_point = l * along1 + l * along2;
  tip.coefficients.restitution = 0.5;
  tip.coefficients.friction.setConstant(0.5);
  description.contacts = {tip};
  const Assembly assembly(description);
  const Vec q = assembly.initial_positions();
  CHECK(gaps_of(assembly, 0, q).norm() < 1e-14);

  const ImpactProblem published = kane.as_hinged_rods();
  MassMatrix M;
  assembly.mass(q, M);
  CHECK((M.dense() - published.M()).norm() < 1e-14);
  const Mat B = directions_of(assembly, 0, q).B.dense(6);
  REQUIRE(B.rows() == 4);
  for (Index row = 0; row < 4; ++row)
    CHECK((B.row(row).transpose() - published.elements()[static_cast<std::size_t>(row) + 1].bilateral()->direction)
              .norm() < 1e-14);
  const Contacts contacts = contacts_of(assembly, q, Vec::Zero(6));
  REQUIRE(contacts.points.size() == 1);
  CHECK(std::abs(contacts.points[0].gap) < 1e-14);
  CHECK(contacts.points[0].tangents == 1);
  const Mat W = contacts.W.dense(6);
  const Contact& expected = *published.elements()[0].contact();
  CHECK((W.row(0).transpose() - expected.normal).norm() < 1e-14);
  CHECK((W.row(1) + expected.tangent.row(0)).norm() < 1e-14);  // the papers' tangent points to −x, ours to +x
  CHECK(assembly.joint_name(0) == "joint.x");
  CHECK(assembly.contact_name(0) == "tip");
}

TEST_CASE("assembly: the normal velocity of a contact is the rate of its gap, and tangents are right-handed with it") {
  Random random;
  struct Case {
    const char* name;
    bool planar;
    Shape a, b;
    double distance;
  };
  const double far = 3;
  for (const Case& each : {Case{"disk on plane", true, disk(0.3), plane({0.6, 0.8, 0}), far},
                           {"block on plane", true, block(0.5, 0.9), plane({0.6, 0.8, 0}), far},
                           {"disk on disk", true, disk(0.3), disk(0.5), far},
                           {"disk on rod", true, disk(0.3), rod(1.2, 0.05), far},
                           {"disk on block", true, disk(0.3), block(1, 2), far},
                           {"overlapping disks", true, disk(0.3), disk(0.5), 0.4},
                           {"sphere on plane", false, disk(0.3), plane({0.6, 0.8, 0}), far},
                           {"block on plane in space", false, block(0.5, 0.9, 1.3), plane({0, 0.6, 0.8}), far},
                           {"sphere on sphere", false, disk(0.3), disk(0.5), far},
                           {"sphere on rod", false, disk(0.3), rod(1.2, 0.05), far},
                           {"overlapping spheres", false, disk(0.3), disk(0.5), 0.4}}) {
    CAPTURE(each.name);
    AssemblyDescription description = two_bodies(each.planar, random);
    description.bodies[0].shape = each.a;
    description.bodies[1].shape = each.b;
    description.bodies[1].inertia = Matrix3d::Identity();
    description.bodies[0].point_masses = {{random.vector(each.planar), 0.3}};
    description.bodies[0].position =
        description.bodies[1].position + each.distance * random.vector(each.planar).normalized();
    ContactDescription contact;
    contact.name = "c";
    contact.a.body = 0;
    contact.b = 1;
    contact.coefficients.friction = {0.3, 0.3};
    description.contacts = {contact};
    const Assembly assembly(description);
    const Vec q = assembly.initial_positions(), u = random.vec(assembly.initial_velocities().size());
    const Contacts contacts = contacts_of(assembly, q, u);
    REQUIRE(!contacts.points.empty());
    for (const ContactPoint& point : contacts.points) {
      CHECK(point.tangents == (each.planar ? 1 : 2));
      const double rate = derivative(
          assembly, q, u, [&](const Vec& x) { return point_with(contacts_of(assembly, x, u), point.key).gap; });
      CHECK(contacts.W.dot(point.first_row, u) == doctest::Approx(rate).epsilon(1e-7));
      // In the velocity coordinates of the first body's centre the rows are n and its tangents.
      const Mat W = contacts.W.dense(u.size());
      const Index size = each.planar ? 2 : 3;
      const Mat frame = W.block(point.first_row, 0, point.tangents + 1, size);
      CHECK((frame * frame.transpose() - Mat::Identity(size, size)).norm() < 1e-14);
      Mat tangents_first(size, size);
      tangents_first << frame.bottomRows(size - 1), frame.row(0);
      CHECK(tangents_first.determinant() == doctest::Approx(1));
    }
  }
}

TEST_CASE("assembly: a rolling disk has no velocity of slip, in the plane and in space") {
  for (const bool planar : {true, false}) {
    AssemblyDescription description;
    description.planar = planar;
    const Vector3d up = planar ? Vector3d::UnitY() : Vector3d::UnitZ();
    description.bodies = {body("ball", disk(0.25), 0.25 * up)};
    if (!planar) description.bodies[0].orientation = Quaterniond(0.5, 0.1, -0.7, 0.5).normalized();
    ContactDescription floor;
    floor.name = "floor";
    floor.a.body = 0;
    floor.plane_normal = 3 * up;
    floor.coefficients.friction.setConstant(0.4);
    description.contacts = {floor};
    const Assembly assembly(description);
    Vec u = Vec::Zero(planar ? 3 : 6);
    // ω = up × v / r rolls.
    const Vector3d v = planar ? Vector3d(2, 0, 0) : Vector3d(2, -1, 0);
    const Vector3d omega = up.cross(v) / 0.25;
    if (planar) {
      u << v.x(), v.y(), omega.z();
    } else {
      u << v, description.bodies[0].orientation.conjugate() * omega;
    }
    const Contacts contacts = contacts_of(assembly, assembly.initial_positions(), u);
    REQUIRE(contacts.points.size() == 1);
    CHECK(std::abs(contacts.points[0].gap) < 1e-15);
    for (Index row = 0; row < contacts.W.count(); ++row) CHECK(std::abs(contacts.W.dot(row, u)) < 1e-14);
    u.tail(planar ? 1 : 3).setZero();
    CHECK(contacts.W.dot(1, u) == doctest::Approx(2));  // the first tangent on a floor is x
  }
}

TEST_CASE("assembly: an orthotropic contact takes its first tangent from the friction axis") {
  AssemblyDescription description;
  description.planar = false;
  description.bodies = {body("ball", disk(0.25), {0, 0, 0.25})};
  ContactDescription floor;
  floor.a.body = 0;
  floor.plane_normal = Vector3d::UnitZ();
  floor.coefficients.friction = {0.4, 0.1};
  floor.friction_axis = {1, 1, 5};
  description.contacts = {floor};
  const Assembly assembly(description);
  const Contacts contacts = contacts_of(assembly, assembly.initial_positions(), Vec::Zero(6));
  const Mat W = contacts.W.dense(6);
  CHECK((W.row(1).head<3>().transpose() - Vector3d(1, 1, 0).normalized()).norm() < 1e-15);
  CHECK((W.row(2).head<3>().transpose() - Vector3d(-1, 1, 0).normalized()).norm() < 1e-15);
}

TEST_CASE("assembly: the keys of a block on the floor follow its corners; without friction there are no tangents") {
  AssemblyDescription description;
  description.bodies = {body("block", block(2, 1), {0, 0.5, 0}), body("ball", disk(0.1), {5, 5, 0})};
  ContactDescription floor;
  floor.name = "floor";
  floor.a.body = 0;
  ContactDescription ball = floor;
  ball.name = "ball";
  ball.a.body = 1;
  description.contacts = {floor, ball};
  const Assembly assembly(description);
  REQUIRE(assembly.named_contacts() == 5);
  CHECK(assembly.contact_name(0) == "floor.1");
  CHECK(assembly.contact_name(3) == "floor.4");
  CHECK(assembly.contact_name(4) == "ball");
  Vec q = assembly.initial_positions();
  const Vec u = Vec::Zero(6);
  const auto keys = [&] {
    std::set<std::uint64_t> all;
    for (const ContactPoint& point : contacts_of(assembly, q, u).points) {
      CHECK(point.tangents == 0);
      all.insert(point.key);
    }
    return all;
  };
  CHECK(keys() == std::set<std::uint64_t>{0, 1, 4});  // far ones are listed too
  q(2) = std::acos(-1) / 2;                           // on its left side
  q(1) = 1;
  CHECK(keys() == std::set<std::uint64_t>{0, 3, 4});
  CHECK(contacts_of(assembly, q, u).points[0].gap == doctest::Approx(0));
}

TEST_CASE("assembly: two blocks in a named contact have two points, in order along the edge") {
  AssemblyDescription description;
  description.bodies = {body("upper", block(1, 1), {0.3, 1, 0}), body("lower", block(1, 1), {0, 0, 0})};
  ContactDescription contact;
  contact.name = "stack";
  contact.a.body = 0;
  contact.b = 1;
  description.contacts = {contact};
  const Assembly assembly(description);
  REQUIRE(assembly.named_contacts() == 2);
  Vec q = assembly.initial_positions();
  for (const double x : {0.3, -0.3, 0.0}) {
    q(0) = x;
    const Contacts contacts = contacts_of(assembly, q, Vec::Zero(6));
    REQUIRE(contacts.points.size() == 2);
    // The normal is +y and the lever of the upper block's rotation is the place along x.
    const Mat W = contacts.W.dense(6);
    for (const Index i : {0, 1}) {
      CHECK(contacts.points[static_cast<std::size_t>(i)].key == static_cast<std::uint64_t>(i));
      CHECK(std::abs(contacts.points[static_cast<std::size_t>(i)].gap) < 1e-14);
    }
    const double left = std::max(x, 0.0) - 0.5, right = std::min(x, 0.0) + 0.5;
    CHECK(W(0, 2) == doctest::Approx(left - x));
    CHECK(W(1, 2) == doctest::Approx(right - x));
  }
}

TEST_CASE("assembly: contacts found between shapes: near ones, moving ones in time, none that are joined or excepted") {
  AssemblyDescription description;
  description.bodies = {fixed(body("floor", plane({0, 1, 0}))), fixed(body("wall", plane({1, 0, 0}), {-10, 0, 0})),
                        body("a", disk(0.5), {0, 0.5, 0}),      body("b", disk(0.5), {1, 0.5, 0}),
                        body("c", disk(0.5), {2.5, 3, 0}),      body("box", block(1, 1), {5, 0.5, 0})};
  description.collide = Collide{};
  const auto found = [&](double speed, double h) {
    const Assembly assembly(description);
    Vec u = Vec::Zero(12);
    u(7) = -speed;  // c falls
    std::set<std::string> names;
    std::set<std::uint64_t> keys;
    for (const ContactPoint& point : contacts_of(assembly, assembly.initial_positions(), u, h).points) {
      names.insert(assembly.contact_name(point.key));
      keys.insert(point.key);
      CHECK(point.key >= assembly.named_contacts());
    }
    CHECK(keys.size() == names.size());
    return names;
  };
  const std::set<std::string> touching = {"a-floor", "a-b", "b-floor", "box-floor.1", "box-floor.2"};
  CHECK(found(0, 0) == touching);
  CHECK(found(10, 0.1) == touching);  // half a step moves 0.5, the gap is 2.5
  CHECK(found(100, 0.051).contains("c-floor"));

  description.collide->except = {{3, 2}};
  std::set<std::string> expected = touching;
  expected.erase("a-b");
  CHECK(found(0, 0) == expected);

  description.collide->except.clear();
  description.joints = {joint(Joint::Kind::distance, {2, Vector3d::Zero()}, {3, Vector3d::Zero()})};
  CHECK(found(0, 0) == expected);
  description.collide->joined_too = true;
  CHECK(found(0, 0) == touching);

  ContactDescription named;
  named.name = "pair";
  named.a.body = 2;
  named.b = 3;
  description.contacts = {named};
  const Assembly assembly(description);
  int pairs = 0;
  for (const ContactPoint& point : contacts_of(assembly, assembly.initial_positions(), Vec::Zero(12)).points) {
    const std::string name = assembly.contact_name(point.key);
    if (name == "pair") ++pairs;
    CHECK(name != "a-b");
  }
  CHECK(pairs == 1);
}

TEST_CASE("assembly: a plane that moves and turns meets what is near it and, while it turns, all it could sweep") {
  AssemblyDescription description;
  description.bodies = {body("paddle", plane({0, 1, 0})), body("near", disk(0.5), {100, 0.5, 0}),
                        body("far", disk(0.5), {0, 3, 0})};
  description.bodies[0].inertia = Matrix3d::Identity();
  description.collide = Collide{};
  const Assembly assembly(description);
  const Vec q = assembly.initial_positions();
  Vec u = Vec::Zero(9);
  u(2) = 1;
  const auto found = [&](double h) {
    const Contacts contacts = contacts_of(assembly, q, u, h);
    if (contacts.points.size() == 1) {
      CHECK(assembly.contact_name(contacts.points[0].key) == "paddle-near");
      CHECK(contacts.W.dot(0, u) == doctest::Approx(-100));  // n = −y from the disk to the plane; it rises there
    }
    return contacts.points.size();
  };
  CHECK(found(0) == 1);
  CHECK(found(0.1) == 2);
}

TEST_CASE("assembly: coefficients of found contacts come from the most specific pair of materials") {
  AssemblyDescription description;
  description.bodies = {fixed(body("floor", plane({0, 1, 0}))), body("steel", disk(0.5), {0, 0.5, 0}),
                        body("wood", disk(0.5), {1, 0.5, 0}), body("bare", disk(0.5), {2, 0.5, 0})};
  description.bodies[0].material = "stone";
  description.bodies[1].material = "steel";
  description.bodies[2].material = "wood";
  description.collide = Collide{};
  const auto pair = [](const char* first, const char* second, double restitution) {
    MaterialPair result{first, second, {}};
    result.coefficients.restitution = restitution;
    return result;
  };
  const auto restitution = [&](const std::string& name) {
    const Assembly assembly(description);
    for (const ContactPoint& point : contacts_of(assembly, assembly.initial_positions(), Vec::Zero(9)).points)
      if (assembly.contact_name(point.key) == name) return point.coefficients->restitution;
    return -1.0;
  };
  CHECK(restitution("steel-floor") == 0);
  description.materials = {pair("steel", "stone", 0.9), pair("*", "wood", 0.5), pair("*", "*", 0.2)};
  CHECK(restitution("steel-floor") == 0.9);
  CHECK(restitution("wood-floor") == 0.5);
  CHECK(restitution("steel-wood") == 0.5);
  CHECK(restitution("bare-floor") == 0.2);
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

TEST_CASE("assembly: descriptions that make no system are refused with what is wrong") {
  const auto one = [](const BodyDescription& only, bool planar = true) {
    AssemblyDescription description;
    description.planar = planar;
    description.bodies = {only};
    return description;
  };
  const auto says = [](const AssemblyDescription& description, const std::string& words) {
    CAPTURE(words);
    const std::string sentence = refusal(description);
    CAPTURE(sentence);
    CHECK(sentence.find(words) != std::string::npos);
  };
  AssemblyDescription description = one(body("d", disk(1)));
  CHECK(refusal(description).empty());

  says(one(fixed(body("d", disk(1)))), "no body can move");
  BodyDescription wrong = body("d", disk(1));
  wrong.mass = 0;
  says(one(wrong), "mass is not positive");
  wrong = body("d", disk(1));
  wrong.point_masses = {{Vector3d::Zero(), -1}};
  says(one(wrong), "attached mass");
  wrong = body("d", disk(1));
  wrong.position.x() = std::nan("");
  says(one(wrong), "not a number");
  says(one(body("d", disk(0))), "size that is not positive");
  says(one(body("b", block(1, 1)), false), "size that is not positive");
  says(one(body("r", rod(1)), false), "give a rod a radius");
  CHECK(refusal(one(body("r", rod(1, 0.1)), false)).empty());
  wrong = fixed(body("d", disk(1)));
  wrong.velocity.x() = 1;
  says(one(wrong), "it is fixed");
  says(one(body("p", plane(Vector3d::Zero()))), "no direction");
  description.bodies.push_back(body("d", disk(1)));
  says(description, "two of this name");

  using Kind = Joint::Kind;
  const auto with_joint = [&](const Joint& only, const Shape& shape = disk(1)) {
    AssemblyDescription result = one(body("d", shape));
    result.joints = {only};
    return result;
  };
  says(with_joint(joint(Kind::revolute, {}, {})), "neither");
  says(with_joint(joint(Kind::revolute, {0, {}}, {0, {}})), "same body");
  says(with_joint(joint(Kind::revolute, {}, {7, {}})), "no body number 7");
  says(with_joint(joint(Kind::distance, {}, {0, Vector3d::Zero()})), "coincide");
  says(with_joint(joint(Kind::revolute, {}, {0, Vector3d::UnitX()}), Shape{}), "no other points");
  Joint motion = joint(Kind::motion, {}, {0, Vector3d::Zero()});
  motion.coordinate = 2;
  says(with_joint(motion), "x, y or angle in the plane");
  Joint sliding = joint(Kind::prismatic, {}, {0, Vector3d::Zero()});
  sliding.axis.setZero();
  says(with_joint(sliding), "no direction");

  Spring spring;
  spring.b.body = 0;
  spring.stiffness = -1;
  description = one(body("d", disk(1)));
  description.springs = {spring};
  says(description, "stiffness or damping");
  spring.stiffness = 1;
  spring.kind = Spring::Kind::torsion;
  description = one(body("p", Shape{}));
  description.springs = {spring};
  says(description, "no angle");

  Load load;
  load.at.body = 0;
  load.torque[2] = Expression::constant(1);
  description = one(body("p", Shape{}));
  description.loads = {load};
  says(description, "no torque");

  spring.axis.setZero();
  description = one(body("b", block(1, 1, 1)), false);
  description.springs = {spring};
  says(description, "no direction");

  BodyDescription line = body("a", rod(1));  // lines in space pass beside each other
  line.inertia = Eigen::Matrix3d::Identity();
  description = one(line, false);
  line.name = "b";
  description.bodies.push_back(line);
  description.collide = Collide{};
  says(description, "'a' and 'b'");
  description.collide->except = {{0, 1}};
  CHECK(refusal(description).empty());
}
