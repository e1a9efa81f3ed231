#include "models/forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Vector3d;

// A row of at most two bodies on the stack.
struct PairRow {
  std::array<Rows::Entry, 12> entries;
  std::size_t size = 0;

  void add(Index column, double value) { entries[size++] = {column, value}; }
};

// The elongation δ of a spring and what it needs to become a force: δ̇ = w·u for the row w of `direction`.
struct Elongation {
  PlacedBody a, b;
  Vector3d point_a, point_b;
  Vector3d direction = Vector3d::Zero();  // along which the ends are pulled; of the axis for an angle
  bool angular = false;
  double value = 0;

  // Adds w to a row: anything with add(coordinate, value).
  template <class Row>
  void add_row(double factor, Row& row) const {
    add_row_along(factor * direction, row);
  }
  template <class Row>
  void add_row_along(const Vector3d& d, Row& row) const {
    if (angular) {
      b.add_rotation(d, row);
      a.add_rotation(-d, row);
    } else {
      b.add_velocity(d, point_b, row);
      a.add_velocity(-d, point_a, row);
    }
  }
  double rate(const Vec& u) const {
    const Vector3d v =
        angular ? b.angular_velocity(u) - a.angular_velocity(u) : b.velocity(u, point_b) - a.velocity(u, point_a);
    return direction.dot(v);
  }
};

// The angle of a turn about an axis, up to whole turns.
double twist(const Eigen::Matrix3d& R, const Vector3d& axis) {
  const Eigen::Quaterniond turn(R);
  return 2 * std::atan2(turn.vec().dot(axis), turn.w());
}

Elongation elongation(const AssembledSpring& spring, const Bodies& bodies, const Vec& q) {
  const PlacedBody a = bodies.place(spring.a.body, q), b = bodies.place(spring.b.body, q);
  Elongation e{a, b, a.at(spring.a.at), b.at(spring.b.at)};
  const Vector3d d = e.point_b - e.point_a;
  if (spring.kind == Spring::Kind::points) {
    e.value = d.norm();
    if (e.value > 0) e.direction = d / e.value;
  } else if (spring.kind == Spring::Kind::coordinates) {
    e.value = d(spring.coordinate);
    e.direction = Vector3d::Unit(spring.coordinate);
  } else {
    e.angular = true;
    e.direction = Vector3d::UnitZ();
    e.value = b.angle() - a.angle();
    if (!a.body().planar) {
      e.direction = a.rotation() * spring.axis;
      e.value = spring.twist >= 0 ? q(spring.twist) : 0;
    }
  }
  return e;
}

// A line spring of no length has no direction of its own. Its elastic force is zero there (the limit for δ₀ = 0, the
// mean over all directions otherwise); its ends part along their relative velocity, and so acts the damper.
Vector3d damper_direction(const Elongation& e, const Vec& u) {
  if (!e.direction.isZero(0)) return e.direction;
  const Vector3d v = e.b.velocity(u, e.point_b) - e.a.velocity(u, e.point_a);
  const double speed = v.norm();
  return speed > 0 ? Vector3d(v / speed) : Vector3d::Zero();
}

// entries += factor·wwᵀ
void add_dyad(const PairRow& w, double factor, std::vector<ForceGradient::Entry>& entries) {
  for (std::size_t i = 0; i < w.size; ++i)
    for (std::size_t j = 0; j < w.size; ++j)
      entries.push_back({w.entries[i].column, w.entries[j].column, factor * w.entries[i].value * w.entries[j].value});
}

void add_dyad_along(const Elongation& e, const Vector3d& d, double factor, std::vector<ForceGradient::Entry>& entries) {
  PairRow w;
  e.add_row_along(d, w);
  add_dyad(w, factor, entries);
}

// Across its length a stretched line spring resists like a string, k(1 − δ₀/δ); a compressed one pushes aside, and
// that part is left out.
void add_string_stiffness(const Spring& spring, const Elongation& e, bool planar,
                          std::vector<ForceGradient::Entry>& stiffness) {
  const double rest = *spring.rest;
  if (e.value == 0) {
    if (rest > 0) return;
    for (int k = 0; k < (planar ? 2 : 3); ++k) add_dyad_along(e, Vector3d::Unit(k), spring.stiffness, stiffness);
    return;
  }
  const double string = spring.stiffness * (1 - rest / e.value);
  if (!(string > 0)) return;
  Vector3d t1 = planar_tangent(e.direction), t2;
  if (!planar) complete_frame(e.direction, t1, t2);
  add_dyad_along(e, t1, string, stiffness);
  if (!planar) add_dyad_along(e, t2, string, stiffness);
}

Vector3d value_at(const Expression (&expressions)[3], double t) {
  return {expressions[0](t).value, expressions[1](t).value, expressions[2](t).value};
}

bool is_zero(const Expression& expression) { return expression.is_constant() && expression(0).value == 0; }

void require_planar(const Expression& expression, const std::string& what, const std::string& who) {
  if (!is_zero(expression)) throw std::invalid_argument(who + ": there is no " + what + " in the plane");
}

bool is_sphere_like(const Eigen::Matrix3d& J) {
  return J.isApprox(J(0, 0) * Eigen::Matrix3d::Identity(), std::numeric_limits<double>::epsilon());
}

}  // namespace

Forces::Forces(const AssemblyDescription& description, const Bodies& bodies) : gravity_(description.gravity) {
  if (!gravity_.allFinite()) throw std::invalid_argument("gravity is not a number");
  for (std::size_t i = 0; i < description.springs.size(); ++i)
    add_spring(description.springs[i], part_name("spring", description.springs[i].name, i), bodies);
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    add_load(description.loads[i], part_name("load", description.loads[i].name, i), bodies);
  for (int i = 0; i < bodies.count(); ++i)
    if (bodies[i].rotates && !bodies[i].planar && !is_sphere_like(bodies[i].inertia)) gyroscopic_.push_back(i);
  constant_ = constant_ && springs_.empty() && gyroscopic_.empty();
}

void Forces::add_spring(const Spring& described, const std::string& who, const Bodies& bodies) {
  AssembledSpring spring{described};
  bodies.check_pair(spring.a, spring.b, who);
  const bool planar = bodies[world].planar;
  if (!(spring.stiffness >= 0) || !(spring.damping >= 0) || !std::isfinite(spring.stiffness + spring.damping))
    throw std::invalid_argument(who + ": its stiffness or damping is negative");
  if (spring.kind == Spring::Kind::coordinates && spring.coordinate == 3) spring.kind = Spring::Kind::torsion;
  if (spring.kind == Spring::Kind::coordinates && (spring.coordinate < 0 || spring.coordinate > (planar ? 1 : 2)))
    throw std::invalid_argument(
        who + ": a spring between coordinates acts on x, y or angle in the plane, x, y or z in space");
  if (spring.kind == Spring::Kind::torsion) {
    for (const int body : {spring.a.body, spring.b.body})
      if (bodies[body].moves && !bodies[body].rotates)
        throw std::invalid_argument(who + ": a body without rotational inertia has no angle to act on");
  }
  if (spring.kind == Spring::Kind::torsion && !planar) set_twist(who, bodies, spring);
  if (!spring.rest) spring.rest = elongation(spring, bodies, bodies.initial_positions()).value;
  if (!std::isfinite(*spring.rest) || (spring.kind == Spring::Kind::points && *spring.rest < 0))
    throw std::invalid_argument(who + ": its rest length is negative");
  springs_.push_back(std::move(spring));
}

// A damper alone needs no angle.
void Forces::set_twist(const std::string& who, const Bodies& bodies, AssembledSpring& spring) {
  if (!(spring.axis.norm() > 0)) throw std::invalid_argument(who + ": its axis has no direction");
  spring.axis.normalize();
  if (!spring.rest) spring.rest = 0;
  if (spring.stiffness == 0) return;
  spring.start = bodies[spring.a.body].initial.rotation.transpose() * bodies[spring.b.body].initial.rotation;
  spring.twist = bodies.position_count() + static_cast<Index>(twists_.size());
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(twists_.begin(), twists_.end(), [&](const Coordinate& other) { return other.name == name; });
  };
  const std::string base = spring.name.empty() ? "torsion" : spring.name;
  std::string name = base + ".twist";
  for (int k = 2; is_taken(name); ++k) name = base + "-" + std::to_string(k) + ".twist";
  twists_.push_back({name, Coordinate::Kind::angle});
}

void Forces::add_load(const Load& load, const std::string& who, const Bodies& bodies) {
  bodies.check(load.at, who);
  const Body& body = bodies[load.at.body];
  if (!body.moves) throw std::invalid_argument(who + ": it acts on what cannot move");
  const auto any = [](const Expression(&e)[3]) { return !is_zero(e[0]) || !is_zero(e[1]) || !is_zero(e[2]); };
  if (body.planar) {
    require_planar(load.force[2], "force along z", who);
    require_planar(load.torque[0], "torque about x", who);
    require_planar(load.torque[1], "torque about y", who);
  }
  if (any(load.torque) && !body.rotates)
    throw std::invalid_argument(who + ": a body without rotational inertia takes no torque");
  // In velocity coordinates a force changes as the body turns if it turns along or has a lever; a torque in space if
  // it does not turn along, for its coordinates are those of the body's frame.
  const bool force_turns = any(load.force) && body.rotates && (load.follows_body || load.at.at != body.centre);
  const bool torque_turns = any(load.torque) && !body.planar && !load.follows_body;
  bool in_time = false;
  for (int k = 0; k < 3; ++k) in_time = in_time || !load.force[k].is_constant() || !load.torque[k].is_constant();
  constant_ = constant_ && !force_turns && !torque_turns && !in_time;
  loads_.push_back(load);
}

// Of all angles that lead where the bodies are now, the one nearest to where the displacement leads.
void Forces::follow(const Bodies& bodies, const Vec& displacement, Vec& q) const {
  if (twists_.empty()) return;
  for (const AssembledSpring& spring : springs_) {
    if (spring.twist < 0) continue;
    const Elongation before = elongation(spring, bodies, q);
    const Eigen::Matrix3d turned = before.a.rotation().transpose() * before.b.rotation() * spring.start.transpose();
    const double expected = before.value + before.rate(displacement);
    q(spring.twist) = expected + std::remainder(twist(turned, spring.axis) - expected, 2 * std::numbers::pi);
  }
}

double Forces::potential(const Bodies& bodies, const Vec& q) const {
  double V = 0;
  for (int i = 0; i < bodies.count(); ++i) {
    const Body& body = bodies[i];
    if (body.moves) V -= body.mass * gravity_.head(body.dimension()).dot(q.segment(body.q, body.dimension()));
  }
  for (const AssembledSpring& spring : springs_) {
    const double stretch = elongation(spring, bodies, q).value - *spring.rest;
    V += 0.5 * spring.stiffness * stretch * stretch;
  }
  return V;
}

void Forces::add_weight_and_gyroscopic(const Bodies& bodies, const Vec& u, Vec& inner) const {
  for (int i = 0; i < bodies.count(); ++i) {
    const Body& body = bodies[i];
    if (body.moves) inner.segment(body.u, body.dimension()) += body.mass * gravity_.head(body.dimension());
  }
  for (const int i : gyroscopic_) {
    const Body& body = bodies[i];
    const Vector3d omega = u.segment<3>(body.u + 3);
    inner.segment<3>(body.u + 3) -= omega.cross(body.inertia * omega);
  }
}

void Forces::add(const Bodies& bodies, double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const {
  add_weight_and_gyroscopic(bodies, u, inner);
  GeneralisedForce to_inner{inner}, to_applied{applied};
  for (const AssembledSpring& spring : springs_) {
    Elongation e = elongation(spring, bodies, q);
    e.add_row(-spring.stiffness * (e.value - *spring.rest), to_inner);
    if (spring.damping == 0) continue;
    e.direction = damper_direction(e, u);
    e.add_row(-spring.damping * e.rate(u), to_applied);
  }
  for (const Load& load : loads_) {
    const PlacedBody body = bodies.place(load.at.body, q);
    Vector3d force = value_at(load.force, t), torque = value_at(load.torque, t);
    if (load.follows_body) {
      force = body.rotation() * force;
      torque = body.rotation() * torque;
    }
    body.add_velocity(force, body.at(load.at.at), to_applied);
    body.add_rotation(torque, to_applied);
  }
}

void Forces::gradient(const Bodies& bodies, const Vec& q, const Vec& u, ForceGradient& gradient) const {
  for (const AssembledSpring& spring : springs_) {
    Elongation e = elongation(spring, bodies, q);
    if (spring.stiffness > 0) {
      add_dyad_along(e, e.direction, spring.stiffness, gradient.stiffness);
      if (spring.kind == Spring::Kind::points)
        add_string_stiffness(spring, e, bodies[world].planar, gradient.stiffness);
    }
    if (spring.damping > 0) add_dyad_along(e, damper_direction(e, u), spring.damping, gradient.damping);
  }
}

}  // namespace carom
