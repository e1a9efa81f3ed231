// Bodies, joints and derivatives that the tests of assemblies are made of.

#pragma once

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "models/assembly.h"

namespace carom::testing {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct RandomNumbers {
  std::mt19937 engine{20240511};
  double operator()(double low = -1, double high = 1) { return std::uniform_real_distribution<>(low, high)(engine); }
  Vector3d vector(bool planar) { return {(*this)(), (*this)(), planar ? 0 : (*this)()}; }
  Vec vec(Index size) {
    return Vec::NullaryExpr(size, [this](Index) { return (*this)(); });
  }
};

inline Shape disk(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::disk;
  shape.radius = radius;
  return shape;
}

inline Shape rod(double length, double radius = 0) {
  Shape shape;
  shape.kind = Shape::Kind::rod;
  shape.length = length;
  shape.radius = radius;
  return shape;
}

inline Shape block(double x, double y, double z = 0) {
  Shape shape;
  shape.kind = Shape::Kind::block;
  shape.size = {x, y, z};
  return shape;
}

inline Shape plane(const Vector3d& normal) {
  Shape shape;
  shape.kind = Shape::Kind::plane;
  shape.normal = normal;
  return shape;
}

inline BodyDescription body(const std::string& name, const Shape& shape, const Vector3d& position = Vector3d::Zero()) {
  BodyDescription description;
  description.name = name;
  description.shape = shape;
  description.position = position;
  return description;
}

inline BodyDescription fixed(BodyDescription description) {
  description.fixed = true;
  return description;
}

// Two bodies of unlike inertia, one of them with its centre of mass off the shape's, in random poses.
inline AssemblyDescription two_bodies(bool planar, RandomNumbers& random) {
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

inline Vec moved(const System& system, const Vec& q, const Vec& displacement) {
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

inline Vec gaps_of(const System& system, double t, const Vec& q) {
  Vec g = Vec::Zero(system.geometric_joint_rows());
  system.joint_gaps(t, q, g);
  return g;
}

struct Directions {
  Rows B;
  Vec b;
};

inline Directions directions_of(const System& system, double t, const Vec& q) {
  Directions directions;
  directions.b = Vec::Zero(system.joint_rows());
  system.joint_directions(t, q, directions.B, directions.b);
  return directions;
}

struct BothForces {
  Vec inner, applied;
};

inline BothForces forces_of(const System& system, double t, const Vec& q, const Vec& u) {
  BothForces forces{Vec::Zero(u.size()), Vec::Zero(u.size())};
  system.forces(t, q, u, forces.inner, forces.applied);
  return forces;
}

inline Contacts contacts_of(const System& system, const Vec& q, const Vec& u, double h = 0) {
  Contacts contacts;
  system.contacts(q, u, h, contacts);
  return contacts;
}

inline const ContactPoint& point_with(const Contacts& contacts, std::uint64_t key) {
  for (const ContactPoint& point : contacts.points)
    if (point.key == key) return point;
  FAIL("no contact has the key " << key);
  return contacts.points.front();
}

inline Mat dense(const std::vector<ForceGradient::Entry>& entries, Index size) {
  Mat matrix = Mat::Zero(size, size);
  for (const ForceGradient::Entry& entry : entries) matrix(entry.row, entry.column) += entry.value;
  return matrix;
}

inline double kinetic_energy(const System& system, const Vec& q, const Vec& u) {
  MassMatrix M;
  system.mass(q, M);
  return M.kinetic_energy(u);
}

inline std::string refusal(const AssemblyDescription& description) {
  try {
    Assembly assembly(description);
  } catch (const std::invalid_argument& reason) {
    return reason.what();
  }
  return {};
}

inline Joint joint(Joint::Kind kind, const Anchor& a, const Anchor& b) {
  Joint result;
  result.kind = kind;
  result.name = "joint";
  result.a = a;
  result.b = b;
  return result;
}

}  // namespace carom::testing
