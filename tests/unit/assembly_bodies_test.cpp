#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/kane_pendulum.h"
#include "tests/unit/assembly_parts.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST_CASE("assembly: moving a spatial body turns it about its own axes, exactly, and the result may be the argument") {
  RandomNumbers random;
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
    for (const Coordinate& coordinate : coordinates) all += coordinate.name + " [" + coordinate.unit() + "] ";
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
  wrong = body("d", rod(1));
  wrong.mass = 0;
  wrong.point_masses = {{{0.5, 0, 0}, 1}};
  says(one(wrong), "all of its mass is in one point");
  wrong.point_masses.push_back({{-0.5, 0, 0}, 1});
  CHECK(refusal(one(wrong)).empty());
  wrong = body("d", disk(1));
  wrong.position.x() = std::nan("");
  says(one(wrong), "not a number");
  says(one(body("d", disk(0))), "size that is not positive");
  says(one(body("b", block(1, 1)), false), "size that is not positive");
  says(one(body("r", rod(1)), false), "give a rod a thickness");
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
  load.torque[2] = Expression("1");
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
