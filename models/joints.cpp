#include "models/joints.h"

#include <cmath>
#include <stdexcept>

#include "models/tangent_frame.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using JointKind = Joint::Kind;

JointedPair place(const Anchor& a, const Anchor& b, const Bodies& bodies, const Vec& q) {
  const PlacedBody body_a = bodies.place(a.body, q), body_b = bodies.place(b.body, q);
  return {body_a, body_b, body_a.at(a.at), body_b.at(b.at)};
}

// Adds d·(v_b − v_a) of the two anchor points.
void add_relative_velocity(const JointedPair& pair, const Vector3d& d, Rows& rows) {
  pair.b.add_velocity(d, pair.point_b, rows);
  pair.a.add_velocity(-d, pair.point_a, rows);
}

// Adds axis·(ω_b − ω_a).
void add_relative_rotation(const JointedPair& pair, const Vector3d& axis, Rows& rows) {
  pair.b.add_rotation(axis, rows);
  pair.a.add_rotation(-axis, rows);
}

double gap(const AlongDirection& along, const JointedPair& pair, double t) {
  return along.direction.dot(pair.point_b - pair.point_a) - along.target(t).value;
}
void add_row(const AlongDirection& along, const JointedPair& pair, Rows& rows) {
  add_relative_velocity(pair, along.direction, rows);
}

double gap(const RelativeAngle& angle, const JointedPair& pair, double t) {
  return pair.b.angle() - pair.a.angle() - angle.rest - angle.target(t).value;
}
void add_row(const RelativeAngle&, const JointedPair& pair, Rows& rows) {
  add_relative_rotation(pair, Vector3d::UnitZ(), rows);
}

// n turns with b: ġ = n·ḋ + (ω_b × n)·d = n·ḋ + ω_b·(n × d).
double gap(const AcrossAxis& across, const JointedPair& pair, double) {
  return (pair.b.rotation() * across.normal).dot(pair.point_b - pair.point_a);
}
void add_row(const AcrossAxis& across, const JointedPair& pair, Rows& rows) {
  const Vector3d n = pair.b.rotation() * across.normal;
  add_relative_velocity(pair, n, rows);
  pair.b.add_rotation(n.cross(pair.point_b - pair.point_a), rows);
}

// ġ = (ω_a × t)·s + t·(ω_b × s) = (ω_b − ω_a)·(s × t).
double gap(const Perpendicular& axes, const JointedPair& pair, double) {
  return (pair.a.rotation() * axes.in_a).dot(pair.b.rotation() * axes.in_b);
}
void add_row(const Perpendicular& axes, const JointedPair& pair, Rows& rows) {
  add_relative_rotation(pair, (pair.b.rotation() * axes.in_b).cross(pair.a.rotation() * axes.in_a), rows);
}

// The quaternion (w, v) of R₀ᵀR_aᵀR_b, on the side w ≥ 0. The gap is 2v, the rotation vector to first order; with
// Ω = ω_b − ω_a in the frame of b, d(2v)/dt = wΩ + v × Ω.
Eigen::Quaterniond deviation(const RelativeRotation& rotation, const JointedPair& pair) {
  const Matrix3d R = rotation.initial.transpose() * pair.a.rotation().transpose() * pair.b.rotation();
  Eigen::Quaterniond Q(R);
  if (Q.w() < 0) Q.coeffs() = -Q.coeffs();
  return Q;
}
double gap(const RelativeRotation& rotation, const JointedPair& pair, double) {
  return 2 * deviation(rotation, pair).vec()(rotation.component);
}
void add_row(const RelativeRotation& rotation, const JointedPair& pair, Rows& rows) {
  const Eigen::Quaterniond Q = deviation(rotation, pair);
  const Vector3d e = Vector3d::Unit(rotation.component);
  // e·(wΩ + v × Ω) = (we + e × v)·Ω
  add_relative_rotation(pair, pair.b.rotation() * (Q.w() * e + e.cross(Q.vec())), rows);
}

double gap(const Distance& distance, const JointedPair& pair, double) {
  return (pair.point_b - pair.point_a).norm() - distance.length;
}
void add_row(const Distance&, const JointedPair& pair, Rows& rows) {
  const Vector3d d = pair.point_b - pair.point_a;
  const double length = d.norm();
  add_relative_velocity(pair, length > 0 ? Vector3d(d / length) : Vector3d::UnitX(), rows);
}

double gap(const BlockedDirection&, const JointedPair&, double) { return 0; }
void add_row(const BlockedDirection& blocked, const JointedPair& pair, Rows& rows) {
  const Vector3d s = pair.b.rotation() * blocked.in_b;
  pair.b.add_velocity(s, pair.point_b, rows);
  pair.a.add_velocity(-s, pair.point_b, rows);
}

// b(t) of a row: the rate its relation prescribes.
double rate(const JointRelation& relation, double t) {
  if (const auto* along = std::get_if<AlongDirection>(&relation)) return along->target(t).derivative;
  if (const auto* angle = std::get_if<RelativeAngle>(&relation)) return angle->target(t).derivative;
  return 0;
}

// ---- from a description to its relations

struct NamedRelation {
  std::string part;  // "x", "angle", …: follows the joint's name where it has several rows
  JointRelation relation;
};
using NamedRelations = std::vector<NamedRelation>;

const char* const coordinate_names[] = {"x", "y", "z", "angle"};

void add_coincidence(bool planar, NamedRelations& relations) {
  for (int k = 0; k < (planar ? 2 : 3); ++k)
    relations.push_back({coordinate_names[k], AlongDirection{Vector3d::Unit(k)}});
}

// A body that has no orientation cannot be turned against another: what would fix its rotation is left out.
bool has_orientation(const Body& body) { return body.rotates || !body.moves; }
bool both_have_orientation(const JointedPair& pair) {
  return has_orientation(pair.a.body()) && has_orientation(pair.b.body());
}

void add_equal_rotation(const JointedPair& initial, NamedRelations& relations) {
  if (!both_have_orientation(initial)) return;
  if (initial.b.body().planar) {
    relations.push_back({"angle", RelativeAngle{initial.b.angle() - initial.a.angle()}});
    return;
  }
  const Matrix3d R = initial.a.rotation().transpose() * initial.b.rotation();
  const char* const names[] = {"rotation-x", "rotation-y", "rotation-z"};
  for (int k = 0; k < 3; ++k) relations.push_back({names[k], RelativeRotation{R, k}});
}

// The axis stays parallel to itself seen from a: perpendicular to two directions of a that are so at first.
void add_parallel_axis(const JointedPair& initial, const Vector3d& axis, NamedRelations& relations) {
  if (!both_have_orientation(initial)) return;
  Vector3d t1, t2;
  complete_frame(initial.b.rotation() * axis, t1, t2);
  const Matrix3d to_a = initial.a.rotation().transpose();
  relations.push_back({"axis-1", Perpendicular{to_a * t1, axis}});
  relations.push_back({"axis-2", Perpendicular{to_a * t2, axis}});
}

void add_sliding(const JointedPair& initial, const Vector3d& axis, NamedRelations& relations) {
  add_equal_rotation(initial, relations);
  if (initial.b.body().planar) {
    relations.push_back({"across", AcrossAxis{Vector3d(-axis.y(), axis.x(), 0)}});
    return;
  }
  Vector3d t1, t2;
  complete_frame(axis, t1, t2);
  relations.push_back({"across-1", AcrossAxis{t1}});
  relations.push_back({"across-2", AcrossAxis{t2}});
}

Vector3d unit_axis(const Vector3d& axis, bool planar, const std::string& who) {
  const Vector3d flat = planar ? Vector3d(axis.x(), axis.y(), 0) : axis;
  const double length = flat.norm();
  if (!(length > 0) || !std::isfinite(length)) throw std::invalid_argument(who + ": its axis has no direction");
  return flat / length;
}

Distance rod_between(const Joint& joint, const JointedPair& initial, const std::string& who) {
  const double there = (initial.point_b - initial.point_a).norm();
  const double length = joint.length.value_or(there);
  if (!(length > 0) || !(there > 0) || !std::isfinite(length))
    throw std::invalid_argument(who + ": its two points coincide, so the distance has no direction; use a ball or " +
                                "revolute joint");
  return {length};
}

JointRelation prescribed_motion(const Joint& joint, const JointedPair& initial, const std::string& who) {
  const Body& body = initial.b.body();
  if (!body.moves) throw std::invalid_argument(who + ": the body that is to follow the motion cannot move");
  if (joint.coordinate < 0 || joint.coordinate > 3 || (joint.coordinate == 2 && body.planar) ||
      (joint.coordinate == 3 && !body.planar))
    throw std::invalid_argument(who + ": a motion moves x, y or angle in the plane, x, y or z in space");
  if (joint.coordinate < 3) return AlongDirection{Vector3d::Unit(joint.coordinate), joint.motion};
  if (!body.rotates) throw std::invalid_argument(who + ": the body has no angle, for it has no rotational inertia");
  return RelativeAngle{0, joint.motion};
}

NamedRelations relations_of(const Joint& joint, const JointedPair& initial, const std::string& who) {
  const bool planar = initial.b.body().planar;
  NamedRelations relations;
  switch (joint.kind) {
    case JointKind::ball:
      add_coincidence(planar, relations);
      break;
    case JointKind::revolute:
      add_coincidence(planar, relations);
      if (!planar) add_parallel_axis(initial, unit_axis(joint.axis, planar, who), relations);
      break;
    case JointKind::weld:
      add_coincidence(planar, relations);
      add_equal_rotation(initial, relations);
      break;
    case JointKind::prismatic:
      add_sliding(initial, unit_axis(joint.axis, planar, who), relations);
      break;
    case JointKind::distance:
      relations.push_back({"length", rod_between(joint, initial, who)});
      break;
    case JointKind::knife_edge:
      relations.push_back({"edge", BlockedDirection{unit_axis(joint.axis, planar, who)}});
      break;
    case JointKind::motion:
      relations.push_back({"motion", prescribed_motion(joint, initial, who)});
      break;
  }
  return relations;
}

// The line of a slider lies in b. Where b is a point it has no orientation to carry the line: a carries it.
Joint with_axis_on_oriented_body(const Joint& joint, const Bodies& bodies) {
  if (joint.kind != JointKind::prismatic || has_orientation(bodies[joint.b.body]) ||
      !has_orientation(bodies[joint.a.body]))
    return joint;
  Joint turned = joint;
  std::swap(turned.a, turned.b);
  turned.axis = bodies[joint.a.body].initial.rotation.transpose() * bodies[joint.b.body].initial.rotation * joint.axis;
  return turned;
}

}  // namespace

JointRows::JointRows(const AssemblyDescription& description, const Bodies& bodies) {
  for (const bool kinematic : {false, true}) {
    for (std::size_t i = 0; i < description.joints.size(); ++i) {
      const Joint& joint = description.joints[i];
      if ((joint.kind == JointKind::knife_edge) == kinematic) add(joint, part_name("joint", joint.name, i), bodies);
    }
    if (!kinematic) geometric_count_ = count();
  }
}

void JointRows::add(const Joint& described, const std::string& who, const Bodies& bodies) {
  bodies.check_pair(described.a, described.b, who);
  const Joint joint = with_axis_on_oriented_body(described, bodies);
  const JointedPair initial = place(joint.a, joint.b, bodies, bodies.initial_positions());
  const NamedRelations relations = relations_of(joint, initial, who);
  Relations rows{joint.a, joint.b, {}};
  const std::string& name = joint.name.empty() ? who : joint.name;
  for (const NamedRelation& relation : relations) {
    names_.push_back(relations.size() == 1 ? name : name + "." + relation.part);
    rows.list.push_back(relation.relation);
  }
  joints_.push_back(std::move(rows));
}

void JointRows::gaps(const Bodies& bodies, double t, const Vec& q, Vec& g) const {
  Index row = 0;
  for (const Relations& joint : joints_) {
    if (row == geometric_count_) return;
    const JointedPair pair = place(joint.a, joint.b, bodies, q);
    for (const JointRelation& relation : joint.list)
      g(row++) = std::visit([&](const auto& r) { return gap(r, pair, t); }, relation);
  }
}

void JointRows::directions(const Bodies& bodies, double t, const Vec& q, Rows& B, Vec& b) const {
  Index row = 0;
  for (const Relations& joint : joints_) {
    const JointedPair pair = place(joint.a, joint.b, bodies, q);
    for (const JointRelation& relation : joint.list) {
      B.open_row();
      std::visit([&](const auto& r) { add_row(r, pair, B); }, relation);
      b(row++) = rate(relation, t);
    }
  }
}

ClutchRows::ClutchRows(const AssemblyDescription& description, const Bodies& bodies) {
  for (std::size_t i = 0; i < description.clutches.size(); ++i) {
    ClutchDescription clutch = description.clutches[i];
    const std::string who = part_name("clutch", clutch.name, i);
    bodies.check_pair(clutch.a, clutch.b, who);
    if (clutch.rotation && (!has_orientation(bodies[clutch.a.body]) || !has_orientation(bodies[clutch.b.body])))
      throw std::invalid_argument(who + ": a body without rotational inertia has no rotation to block");
    const bool about_z = clutch.rotation && description.planar;
    const Vector3d direction = about_z ? Vector3d::UnitZ() : unit_axis(clutch.direction, description.planar, who);
    clutch.direction = clutch.sign < 0 ? Vector3d(-direction) : direction;
    if (clutch.name.empty()) clutch.name = who;
    clutches_.push_back(std::move(clutch));
  }
}

void ClutchRows::rows(const Bodies& bodies, const Vec& q, Clutches& clutches) const {
  for (const ClutchDescription& clutch : clutches_) {
    const JointedPair pair = place(clutch.a, clutch.b, bodies, q);
    clutches.W.open_row();
    if (clutch.rotation) {
      add_relative_rotation(pair, clutch.direction, clutches.W);
    } else {
      add_relative_velocity(pair, clutch.direction, clutches.W);
    }
    clutches.restitution.push_back(clutch.restitution);
  }
}

}  // namespace carom
