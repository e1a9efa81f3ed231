#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "tests/unit/assembly_parts.h"

using namespace carom;
using namespace carom::testing;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST_CASE("assembly: the normal velocity of a contact is the rate of its gap, and tangents are right-handed with it") {
  RandomNumbers random;
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

TEST_CASE("assembly: two blocks in a named contact have two points, named after the corners of the upper one") {
  AssemblyDescription description;
  description.bodies = {body("upper", block(1, 1), {0.3, 1, 0}), body("lower", block(1, 1), {0, 0, 0})};
  ContactDescription contact;
  contact.name = "stack";
  contact.a.body = 0;
  contact.b = 1;
  description.contacts = {contact};
  const Assembly assembly(description);
  REQUIRE(assembly.named_contacts() == 8);  // four corners each
  Vec q = assembly.initial_positions();
  for (const double x : {0.3, -0.3, 0.0}) {
    q(0) = x;
    const Contacts contacts = contacts_of(assembly, q, Vec::Zero(6));
    REQUIRE(contacts.points.size() == 2);
    // The normal is +y and the lever of the upper block's rotation is the place along x.
    const Mat W = contacts.W.dense(6);
    const double left = std::max(x, 0.0) - 0.5, right = std::min(x, 0.0) + 0.5;
    std::set<std::uint64_t> keys;
    for (const ContactPoint& point : contacts.points) {
      keys.insert(point.key);
      CHECK(std::abs(point.gap) < 1e-14);
      CHECK(W(point.first_row, 2) == doctest::Approx((point.key == 0 ? left : right) - x));
    }
    CHECK(keys == std::set<std::uint64_t>{0, 1});
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
      CHECK((keys.empty() || *keys.rbegin() < point.key));  // nothing has to be sorted by them
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

TEST_CASE("assembly: what has not moved since the last search is found as by the first one, bit by bit") {
  AssemblyDescription description;
  const auto add = [&](const Shape& shape, double x, double y) {
    BodyDescription body;
    body.name = "body" + std::to_string(description.bodies.size());
    body.shape = shape;
    body.fixed = shape.kind == Shape::Kind::plane;
    body.position = {x, y, 0};
    description.bodies.push_back(body);
  };
  add(plane({0, 1, 0}), 0, 0);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 6; ++column)
      add(column % 3 == 2 ? block(0.2, 0.2) : disk(0.1), 0.1 + 0.2 * column, 0.1 + 0.2 * row);
  description.materials = {{.first = "*", .second = "*", .coefficients = {.friction = {0.5, 0.5}}}};
  description.collide = Collide{};
  const Assembly assembly(description);
  Vec q = assembly.initial_positions(), u = assembly.initial_velocities();
  RandomNumbers random;
  const auto one_of = [&](Vec& v) -> double& {
    return v(static_cast<Index>(random(0, static_cast<double>(v.size()))));
  };
  struct Search {
    Vec q, u;
    double h;
    Contacts found;
  };
  std::vector<Search> searches;
  for (int k = 0; k < 60; ++k) {
    if (k % 3 > 0) one_of(q) += 0.02 * random();  // a body moves or turns
    if (k % 5 > 2) one_of(u) += random();         // or becomes faster
    const double h = k % 20 == 19 ? 2e-3 : 1e-3;
    searches.push_back({q, u, h, contacts_of(assembly, q, u, h)});
  }
  for (const Search& search : searches) {
    const Contacts expected = contacts_of(Assembly(description), search.q, search.u, search.h), &found = search.found;
    CHECK(found.points.size() > 20);
    REQUIRE(found.points.size() == expected.points.size());
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      CHECK(found.points[i].key == expected.points[i].key);
      CHECK(found.points[i].gap == expected.points[i].gap);
      CHECK(found.points[i].first_row == expected.points[i].first_row);
      CHECK(found.points[i].tangents == expected.points[i].tangents);
    }
    CHECK(found.W.dense(u.size()) == expected.W.dense(u.size()));
  }
}

TEST_CASE("assembly: contacts are found again where nothing moved that they depend on") {
  AssemblyDescription description;
  const auto add = [&](const char* name, const Shape& shape, double x) {
    BodyDescription body;
    body.name = name;
    body.shape = shape;
    body.fixed = shape.kind == Shape::Kind::plane;
    body.position = {x, body.fixed ? 0 : 0.1, 0};
    description.bodies.push_back(body);
  };
  add("floor", plane({0, 1, 0}), 0);
  add("first", disk(0.1), 0.3);
  add("second", disk(0.1), 0.5);
  add("third", block(0.2, 0.2), 1.5);
  description.collide = Collide{};
  const Assembly assembly(description);
  const double h = 1e-3;
  const Vec q = assembly.initial_positions(), u = assembly.initial_velocities();
  const Contacts found = contacts_of(assembly, q, u, h);
  CHECK(found.points.size() == 5);
  CHECK(!assembly.finds_again(Contacts{}, q, u, h));
  CHECK(assembly.finds_again(found, q, u, h));
  const auto changed = [](Vec v, Index i, double by) {
    v(i) += by;
    return v;
  };
  for (const Index i : {0, 1, 3, 4, 6, 7, 8})
    CHECK(!assembly.finds_again(found, changed(q, i, 1e-16 + 1e-15 * q(i)), u, h));
  for (const Index i : {2, 5}) CHECK(assembly.finds_again(found, changed(q, i, 0.3), u, h));  // disks turn
  for (const Index i : {0, 1, 8}) {
    CHECK(assembly.finds_again(found, q, changed(u, i, 1e-12), h));  // rounding
    CHECK(!assembly.finds_again(found, q, changed(u, i, 1), h));     // comes within reach of others
  }
  CHECK(assembly.finds_again(found, q, changed(u, 2, 1), h));
  const Vec turned = changed(changed(q, 2, 0.3), 5, -1e-9);
  const Contacts there = contacts_of(assembly, turned, changed(u, 0, 1e-12), h);
  REQUIRE(there.points.size() == found.points.size());
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    CHECK(there.points[i].key == found.points[i].key);
    CHECK(there.points[i].gap == found.points[i].gap);
  }
  CHECK(there.W.dense(u.size()) == found.W.dense(u.size()));
}
