// Bodies of several shapes: mass, points, contacts and their names, and what is said of mistakes.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "config/scene.h"
#include "tests/unit/assembly_parts.h"
#include "tests/unit/scene_text.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

ShapePart part(const char* name, const Shape& shape, const Vector3d& at, double share) {
  return {name, shape, at, Matrix3d::Identity(), share};
}

// A block of 3 × 2 (× 4) in pieces of unlike size, one of them turned by a right angle.
Shape block_in_pieces(bool planar) {
  const double z = planar ? 0 : 4;
  Shape turned = block(2, 1, z);
  std::vector<ShapePart> parts = {part("left", turned, {-1, 0, 0}, 1.0 / 3),
                                  part("right", block(2, 2, z), {0.5, 0, 0}, 2.0 / 3)};
  parts[0].rotation = Eigen::AngleAxisd(std::acos(0.0), Vector3d::UnitZ()).toRotationMatrix();
  return compound_shape(parts);
}

AssemblyDescription alone(const Shape& shape, bool planar) {
  AssemblyDescription description;
  description.planar = planar;
  description.bodies = {body("it", shape, {0.3, 0.2, 0})};
  description.bodies[0].mass = 5;
  return description;
}

Mat mass_of(const Shape& shape, bool planar) {
  const Assembly assembly(alone(shape, planar));
  MassMatrix M;
  assembly.mass(assembly.initial_positions(), M);
  return M.dense();
}

std::vector<double> sorted_gaps(const AssemblyDescription& description) {
  const Assembly assembly(description);
  const Contacts contacts = contacts_of(assembly, assembly.initial_positions(), assembly.initial_velocities());
  std::vector<double> gaps;
  for (const ContactPoint& point : contacts.points) gaps.push_back(point.gap);
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

// A ring of three shapes and a body in it, in a random pose; or the three shapes as bodies of their own.
AssemblyDescription in_ring(bool planar, RandomNumbers& random, bool as_one) {
  const std::vector<ShapePart> parts = {part("1", disk(0.3), {0.8, 0.1, 0}, 0.2),
                                        part("2", rod(1, 0.1), {-0.2, 0.9, 0}, 0.3),
                                        part("3", block(0.3, 1.2, 0.5), {-0.8, -0.1, 0}, 0.5)};
  AssemblyDescription description;
  description.planar = planar;
  BodyDescription ring = body("ring", compound_shape(parts), random.vector(planar));
  ring.angle = random();
  if (!planar) ring.orientation = Eigen::Quaterniond(random(), random(), random(), random()).normalized();
  const Matrix3d turn = planar ? Eigen::AngleAxisd(ring.angle, Vector3d::UnitZ()).toRotationMatrix()
                               : ring.orientation.toRotationMatrix();
  BodyDescription guest = body("guest", block(0.7, 0.8, 0.6), ring.position + 0.1 * random.vector(planar));
  guest.angle = random();
  if (as_one) {
    description.bodies = {ring};
  } else {
    for (const ShapePart& each : parts) {
      BodyDescription own = ring;
      own.name = each.name;
      own.shape = each.shape;
      own.position = ring.position + turn * each.at;
      description.bodies.push_back(own);
    }
  }
  description.bodies.push_back(guest);
  description.collide.emplace();
  description.collide->bodies = {};
  if (!as_one) description.collide->except = {{0, 1}, {0, 2}, {1, 2}};
  return description;
}

}  // namespace

TEST_CASE("several shapes: a block in pieces has mass, centre and inertia of the whole one") {
  for (const bool planar : {true, false}) {
    const Mat whole = mass_of(block(3, 2, planar ? 0 : 4), planar), pieces = mass_of(block_in_pieces(planar), planar);
    CHECK((whole - pieces).norm() < 1e-13 * whole.norm());
  }
  const Shape half = compound_shape({part("a", disk(1), {1, 0, 0}, 0.25), part("b", disk(1), {-1, 0, 0}, 0.75)});
  CHECK(centroid_of(half).isApprox(Vector3d(-0.5, 0, 0)));
  CHECK(planar_gyration(half) == doctest::Approx(0.5 + 0.25 * 2.25 + 0.75 * 0.25));
  // The body's frame is that of its shapes; its coordinates are those of the centre of mass.
  const Assembly assembly(alone(half, true));
  CHECK(assembly.initial_positions()(0) == doctest::Approx(0.3 - 0.5));
  Vector3d at;
  REQUIRE(find_point(half, true, "a.top", at));
  CHECK(at.isApprox(Vector3d(1, 1, 0)));
  REQUIRE(find_point(half, true, "centre", at));
  CHECK(at.isApprox(Vector3d(-0.5, 0, 0)));
}

TEST_CASE("several shapes: contacts are those of the single ones, and gaps change with the velocity along them") {
  for (const bool planar : {true, false}) {
    RandomNumbers random, again;
    for (int trial = 0; trial < 50; ++trial) {
      const AssemblyDescription one = in_ring(planar, random, true), apart = in_ring(planar, again, false);
      const std::vector<double> found = sorted_gaps(one), expected = sorted_gaps(apart);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-12));
      const Assembly assembly(one);
      const Vec q = assembly.initial_positions(), u = random.vec(assembly.initial_velocities().size());
      const Contacts contacts = contacts_of(assembly, q, u);
      if (trial > 0 || contacts.points.empty()) {
        again.engine = random.engine;
        continue;
      }
      for (const ContactPoint& point : contacts.points) {
        const double rate = derivative(
            assembly, q, u, [&](const Vec& x) { return point_with(contacts_of(assembly, x, u), point.key).gap; });
        CHECK(contacts.W.dot(point.first_row, u) == doctest::Approx(rate).epsilon(1e-6));
      }
      again.engine = random.engine;
    }
  }
}

TEST_CASE("several shapes: contacts bear the names of the parts, and those of one pair have one first key") {
  RandomNumbers random;
  const Assembly assembly(in_ring(true, random, true));
  const Contacts contacts = contacts_of(assembly, assembly.initial_positions(), assembly.initial_velocities());
  REQUIRE(!contacts.points.empty());
  std::uint64_t last = 0;
  for (const ContactPoint& point : contacts.points) {
    CHECK(point.key >= last);
    last = point.key;
    const std::string name = assembly.contact_name(point.key);
    CHECK(name.rfind("ring-guest.", 0) == 0);
    for (const ContactPoint& other : contacts.points) {
      const auto stem = [](const std::string& text) { return text.substr(0, std::string("ring-guest.1").size()); };
      const bool same_pair = assembly.contact_pair(other.key) == assembly.contact_pair(point.key);
      CHECK(same_pair == (stem(assembly.contact_name(other.key)) == stem(name)));
    }
  }
}

TEST_CASE("several shapes: a named contact of a body with a plane has the corners of all of them") {
  AssemblyDescription description = alone(block_in_pieces(true), true);
  ContactDescription contact;
  contact.name = "floor";
  contact.a.body = 0;
  contact.plane_point = {0, -1, 0};
  description.contacts = {contact};
  const Assembly assembly(description);
  CHECK(assembly.named_contacts() == 8);
  CHECK(assembly.contact_name(4) == "floor.5");
  CHECK(contacts_of(assembly, assembly.initial_positions(), assembly.initial_velocities()).points.size() == 4);
}

TEST_CASE("several shapes: a scene gives them with masses of their own or of all") {
  const auto scene = [](const std::string& body) {
    return read_scene_text("gravity: [0, -9.81]\nbodies:\n  hook: " + body + "\n", "f.yaml");
  };
  const auto mass = [&](const std::string& body) {
    MassMatrix M;
    const Scene made = scene(body);
    made.system->mass(made.q, M);
    return Vector3d(M.dense().diagonal());
  };
  const std::string bar = "{shape: block, size: [2, 1], position: [0, 0]", tip =
                                                                               "{name: tip, shape: disk, radius: 1, "
                                                                               "position: [1, 0], angle: 10 deg";
  const double pi = std::acos(-1.0);
  CHECK(mass("{density: 2, shapes: [" + bar + "}, " + tip + "}]}")(0) == doctest::Approx(2 * (2 + pi)));
  CHECK(mass("{mass: 7, shapes: [" + bar + "}, " + tip + "}]}")(0) == doctest::Approx(7));
  CHECK(mass("{shapes: [" + bar + ", mass: 3}, " + tip + ", density: 2}]}")(0) == doctest::Approx(3 + 2 * pi));
  CHECK(mass("{density: 5, shapes: [" + bar + "}, " + tip + ", mass: 1}]}")(0) == doctest::Approx(11));
  CHECK(mass("{mass: 1, inertia: 4, shapes: [" + bar + "}, " + tip + "}]}")(2) == doctest::Approx(4));
  CHECK(mass("{shapes: [" + bar + ", mass: 3}, " + tip + ", mass: 1}]}")(2) ==
        doctest::Approx(3 * (5.0 / 12 + 1.0 / 16) + 0.5 + 9.0 / 16));
  // A polygon without a position stands where its corners are.
  CHECK(scene("{density: 1, shapes: [{shape: polygon, vertices: [[1, 0], [2, 0], [2, 1], [1, 1]]}]}").q(0) ==
        doctest::Approx(1.5));
}

TEST_CASE("several shapes: what is wrong with them is told at its place") {
  const auto told = [](const std::string& body) { return complaint("bodies:\n  a: " + body + "\n"); };
  CHECK(told("{mass: 1, shapes: []}") ==
        "f.yaml:2:24: bodies.a.shapes: must be a list of shapes, such as [{shape: block, size: [1, 0.1], position: [0, "
        "0.5]}, ...]");
  CHECK(told("{mass: 1, shapes: [{shape: dsik, radius: 1}]}").find("unknown shape 'dsik' (did you mean 'disk'?)") !=
        std::string::npos);
  CHECK(told("{mass: 1, shapes: [{shape: disk, radius: 1, velocity: [1, 0]}]}").find("unknown key 'velocity'") !=
        std::string::npos);
  CHECK(told("{mass: 1, radius: 2, shapes: [{shape: disk, radius: 1}]}") ==
        "f.yaml:2:16: bodies.a: 'radius' is for disk, sphere, cylinder, not for a body of several shapes");
  CHECK(told("{mass: 1, shape: disk, shapes: [{shape: disk, radius: 1}]}")
            .find("bodies.a.shape: the body has 'shapes' already: one of them") != std::string::npos);
  CHECK(told("{mass: 1, shapes: [{shape: plane}]}").find("a plane cannot move; say 'fixed: true' of the body") !=
        std::string::npos);
  CHECK(told("{shapes: [{shape: disk, radius: 1}]}").find("key 'mass' is missing") != std::string::npos);
  CHECK(told("{shapes: [{shape: disk, radius: 1, mass: 1}, {shape: disk, radius: 1}]}")
            .find("some have a mass and some have none") != std::string::npos);
  CHECK(told("{mass: 2, shapes: [{shape: disk, radius: 1, mass: 1}]}")
            .find("its shapes have masses of their own: one of them") != std::string::npos);
  CHECK(told("{mass: 2, shapes: [{shape: rod, length: 1}]}").find("have no area: give each of them a mass") !=
        std::string::npos);
  CHECK(told("{mass: 2, shapes: [{name: b, shape: disk, radius: 1}, {name: b, shape: disk, radius: 1}]}")
            .find("the name 'b' is taken by a shape above") != std::string::npos);
  CHECK(told("{fixed: true, shapes: [{shape: plane}, {shape: plane, normal: [1, 0]}]}\n"
             "  b: {shape: disk, radius: 1, mass: 1, position: [2, 2]}\ncollide: all") == "");
}
