#include "models/bodies.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

[[noreturn]] void refuse(const std::string& body, const std::string& why) {
  throw std::invalid_argument("body '" + body + "': " + why);
}

Matrix3d about_z(double angle) { return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix(); }

// Steiner: a mass m displaced by d from the point of reference has m(|d|²I − ddᵀ) more.
Matrix3d inertia_of_point(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

Matrix3d inertia_of_shape(const BodyDescription& description, bool planar) {
  if (description.inertia) return *description.inertia;
  if (planar) return Vector3d(0, 0, description.mass * planar_gyration(description.shape)).asDiagonal();
  return description.mass * spatial_gyration(description.shape);
}

// The length against which the inertia of attached masses is compared with rounding.
double reach_of_masses(const BodyDescription& description) {
  double reach = 0;
  for (const PointMass& point : description.point_masses) reach = std::max(reach, point.at.norm());
  return reach;
}

// Whether the lengths a shape is made of are positive numbers.
bool has_size(const Shape& shape, bool planar) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  switch (shape.kind) {
    case Shape::Kind::disk:
      return positive(shape.radius);
    case Shape::Kind::rod:
      return positive(shape.length) && shape.radius >= 0 && std::isfinite(shape.radius);
    case Shape::Kind::block:
      return positive(shape.size.x()) && positive(shape.size.y()) && (planar || positive(shape.size.z()));
    case Shape::Kind::polygon:
      return shape.vertices.size() >= 3;
    case Shape::Kind::cylinder:
      return positive(shape.radius) && positive(shape.length);
    case Shape::Kind::polyhedron:
      return shape.polytope && !shape.polytope->faces.empty();
    case Shape::Kind::compound:
      return shape.parts && !shape.parts->empty() &&
             std::all_of(shape.parts->begin(), shape.parts->end(),
                         [&](const ShapePart& part) { return has_size(part.shape, planar); });
    case Shape::Kind::point:
    case Shape::Kind::plane:
      break;
  }
  return true;
}

void check_kind(const BodyDescription& description, const Shape& shape, bool planar) {
  if (!planar && shape.kind == Shape::Kind::polygon)
    refuse(description.name, "a polygon is a planar shape; in space give a block or a sphere");
  if (planar && (shape.kind == Shape::Kind::cylinder || shape.kind == Shape::Kind::polyhedron))
    refuse(description.name, "cylinders and polyhedra are spatial shapes; in the plane give a block or a polygon");
}

// The sizes of its parts are known to be good.
void check_parts(const BodyDescription& description, bool planar) {
  for (const ShapePart& part : *description.shape.parts) {
    check_kind(description, part.shape, planar);
    if (part.shape.kind == Shape::Kind::compound)
      refuse(description.name, "one of its shapes is several itself; list all of them at the body");
    if (part.shape.kind == Shape::Kind::plane && !description.fixed)
      refuse(description.name, "one of its shapes is a plane, which cannot move");
    if (part.shape.kind == Shape::Kind::plane && std::abs(part.shape.normal.norm() - 1) > 1e-9)
      refuse(description.name, "the normal of one of its planes is not of length one");
    if (!part.at.allFinite() || !part.rotation.isUnitary(1e-9))
      refuse(description.name, "one of its shapes stands at no place, or its rotation is none");
  }
}

void check_numbers(const BodyDescription& description, bool planar) {
  const auto finite = [](const auto& x) { return x.allFinite(); };
  if (!finite(description.position) || !finite(description.velocity) || !finite(description.angular_velocity) ||
      !std::isfinite(description.angle))
    refuse(description.name, "its position or velocity is not a number");
  if (!planar && !(description.orientation.norm() > 0 && description.orientation.coeffs().allFinite()))
    refuse(description.name, "its orientation is not a rotation");
  if (!has_size(description.shape, planar)) refuse(description.name, "its shape has a size that is not positive");
  check_kind(description, description.shape, planar);
  if (description.shape.kind == Shape::Kind::compound) check_parts(description, planar);
  if (description.fixed && (!description.velocity.isZero(0) || !description.angular_velocity.isZero(0)))
    refuse(description.name, "it is fixed, so it has no velocity; a motion joint moves a body as you prescribe");
}

double total_mass(const BodyDescription& description) {
  double mass = description.mass;
  for (const PointMass& point : description.point_masses) {
    if (!(point.mass > 0) || !point.at.allFinite()) refuse(description.name, "an attached mass is not positive");
    mass += point.mass;
  }
  if (!(description.mass >= 0) || !(mass > 0) || !std::isfinite(mass))
    refuse(description.name, "its mass is not positive");
  if (!std::isfinite(1 / mass)) refuse(description.name, "its mass is too small: its inverse is no number");
  return mass;
}

constexpr const char* vanishing_inertia = "its moment of inertia is too small: its inverse is no number";

void set_rotation(const BodyDescription& description, Body& body) {
  const Matrix3d& J = body.inertia;
  if (!J.allFinite()) refuse(description.name, "its moment of inertia is too large to be a number");
  if (!J.isApprox(J.transpose())) refuse(description.name, "its inertia is not a symmetric matrix");
  const double reach = reach_of_masses(description);
  const double nothing = 1e-24 * body.mass * reach * reach;
  if (body.planar) {
    if (J(2, 2) < 0) refuse(description.name, "its moment of inertia is negative");
    body.rotates = J(2, 2) > nothing;
    if (body.rotates && !std::isfinite(1 / J(2, 2))) refuse(description.name, vanishing_inertia);
    return;
  }
  const Vector3d principal = Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal.cwiseAbs().maxCoeff() <= nothing) return;
  if (principal(0) <= 1e-12 * principal(2))
    refuse(description.name,
           "it has no inertia about one of its axes; give a rod a thickness, or the body its inertia");
  if (!std::isfinite(1 / principal(0))) refuse(description.name, vanishing_inertia);
  body.rotates = true;
}

void set_inertia(const BodyDescription& description, Body& body) {
  body.mass = total_mass(description);
  const Vector3d centroid = centroid_of(description.shape);
  Vector3d moment = description.mass * centroid;
  for (const PointMass& point : description.point_masses) moment += point.mass * point.at;
  body.centre = moment / body.mass;
  body.inertia =
      inertia_of_shape(description, body.planar) + inertia_of_point(description.mass, body.centre - centroid);
  for (const PointMass& point : description.point_masses)
    body.inertia += inertia_of_point(point.mass, point.at - body.centre);
  set_rotation(description, body);
  if (!body.rotates && description.shape.kind != Shape::Kind::point)
    refuse(description.name,
           "all of its mass is in one point, so nothing resists its turning; give its shape a mass, the body an "
           "inertia, or take shape: point");
}

// exp of half a rotation vector. Near zero sin(x)/x is 1 to rounding.
Quaterniond turn(const Vector3d& rotation) {
  const double half = 0.5 * rotation.norm();
  const double ratio = half > 1e-9 ? std::sin(half) / half : 1;
  const Vector3d v = 0.5 * ratio * rotation;
  return {std::cos(half), v.x(), v.y(), v.z()};
}

Quaterniond read_quaternion(const double* q) { return {q[0], q[1], q[2], q[3]}; }

void write_quaternion(const Quaterniond& quaternion, double* q) {
  q[0] = quaternion.w();
  q[1] = quaternion.x();
  q[2] = quaternion.y();
  q[3] = quaternion.z();
}

}  // namespace

PlacedBody::PlacedBody(const Body& body, const Vec& q)
    : moves_(body.moves),
      rotates_(body.rotates),
      planar_(body.planar),
      u_(body.u),
      angle_(body.initial_angle),
      body_(&body),
      frame_(body.initial) {
  if (body.rotates) {
    if (body.planar) {
      angle_ = q(body.q + 2);
      frame_.rotation = about_z(angle_);
    } else {
      frame_.rotation = read_quaternion(q.data() + body.q + 3).toRotationMatrix();
    }
  }
  const Vector3d offset = frame_.rotation * body.centre;
  if (body.moves) {
    centre_ = Vector3d::Zero();
    centre_.head(body.dimension()) = q.segment(body.q, body.dimension());
    frame_.origin = centre_ - offset;
  } else {
    centre_ = frame_.origin + offset;
  }
}

Vector3d PlacedBody::angular_velocity(const Vec& u) const {
  if (!rotates_) return Vector3d::Zero();
  if (planar_) return {0, 0, u(u_ + 2)};
  return frame_.rotation * u.segment<3>(u_ + 3);
}

Vector3d PlacedBody::velocity(const Vec& u, const Vector3d& point) const {
  Vector3d v = Vector3d::Zero();
  if (!moves_) return v;
  const Index dimension = planar_ ? 2 : 3;
  v.head(dimension) = u.segment(u_, dimension);
  return v + angular_velocity(u).cross(point - centre_);
}

Bodies::Bodies(const AssemblyDescription& description) {
  world_.planar = description.planar;
  std::unordered_set<std::string> names;
  for (const BodyDescription& body : description.bodies) {
    if (!names.insert(body.name).second) refuse(body.name, "there are two of this name");
    add(body, description.planar);
  }
  if (body_of_velocity_.empty()) throw std::invalid_argument("no body can move: give at least one that is not fixed");
  set_initial_state(description);
}

void Bodies::add(const BodyDescription& description, bool planar) {
  check_numbers(description, planar);
  Body body;
  body.planar = planar;
  body.moves = !description.fixed;
  body.q = position_count_;
  body.u = velocity_count();
  body.initial.origin = description.position;
  if (planar) {
    body.initial.origin.z() = 0;
    body.initial_angle = description.angle;
    body.initial.rotation = about_z(description.angle);
  } else {
    body.initial.rotation = description.orientation.normalized().toRotationMatrix();
  }
  if (body.moves) set_inertia(description, body);
  position_count_ += body.position_count();
  body_of_velocity_.insert(body_of_velocity_.end(), static_cast<std::size_t>(body.velocity_count()), count());
  names_.push_back(description.name);
  is_point_.push_back(description.shape.kind == Shape::Kind::point);
  bodies_.push_back(body);
}

void Bodies::set_initial_state(const AssemblyDescription& description) {
  initial_positions_ = Vec::Zero(position_count());
  initial_velocities_ = Vec::Zero(velocity_count());
  for (int i = 0; i < count(); ++i) {
    const Body& body = (*this)[i];
    if (!body.moves) continue;
    const BodyDescription& from = description.bodies[static_cast<std::size_t>(i)];
    Vector3d omega = body.rotates ? from.angular_velocity : Vector3d::Zero();
    if (body.planar) omega.head<2>().setZero();
    const Vector3d offset = body.initial.rotation * body.centre;
    const Vector3d v = from.velocity + (body.initial.rotation * omega).cross(offset);
    initial_positions_.segment(body.q, body.dimension()) = (body.initial.origin + offset).head(body.dimension());
    initial_velocities_.segment(body.u, body.dimension()) = v.head(body.dimension());
    if (!body.rotates) continue;
    if (body.planar) {
      initial_positions_(body.q + 2) = from.angle;
      initial_velocities_(body.u + 2) = omega.z();
    } else {
      write_quaternion(from.orientation.normalized(), initial_positions_.data() + body.q + 3);
      initial_velocities_.segment<3>(body.u + 3) = omega;
    }
  }
}

Quaterniond Bodies::orientation(int i, const Vec& q) const {
  const Body& body = (*this)[i];
  return body.rotates ? read_quaternion(q.data() + body.q + 3) : Quaterniond(body.initial.rotation);
}

void Bodies::move(const Vec& q, const Vec& displacement, Vec& result) const {
  if (world_.planar) {
    result = q + displacement;
    return;
  }
  result.resize(q.size());
  result.tail(q.size() - position_count_) = q.tail(q.size() - position_count_);
  for (const Body& body : bodies_) {
    if (!body.moves) continue;
    result.segment<3>(body.q) = q.segment<3>(body.q) + displacement.segment<3>(body.u);
    if (!body.rotates) continue;
    const Quaterniond before = read_quaternion(q.data() + body.q + 3);
    const Quaterniond after = before * turn(displacement.segment<3>(body.u + 3));
    write_quaternion(after.normalized(), result.data() + body.q + 3);
  }
}

void Bodies::mass(MassMatrix& M) const {
  std::vector<Index> sizes;
  for (const Body& body : bodies_) {
    if (!body.moves) continue;
    sizes.insert(sizes.end(), static_cast<std::size_t>(body.dimension()), 1);
    if (body.rotates) sizes.push_back(body.planar ? 1 : 3);
  }
  M.resize(sizes);
  Index block = 0;
  for (const Body& body : bodies_) {
    if (!body.moves) continue;
    for (Index k = 0; k < body.dimension(); ++k) M.block(block++)(0, 0) = body.mass;
    if (!body.rotates) continue;
    if (body.planar) {
      M.block(block++)(0, 0) = body.inertia(2, 2);
    } else {
      M.block(block++) = body.inertia;
    }
  }
}

void Bodies::check(const Anchor& anchor, const std::string& who) const {
  if (anchor.body < world || anchor.body >= count())
    throw std::invalid_argument(who + ": there is no body number " + std::to_string(anchor.body));
  if (!anchor.at.allFinite()) throw std::invalid_argument(who + ": a point is not a number");
  if (world_.planar && anchor.at.z() != 0)
    throw std::invalid_argument(who + ": a point of a planar scene has two coordinates");
  if (anchor.body == world) return;
  const auto i = static_cast<std::size_t>(anchor.body);
  const Body& body = bodies_[i];
  if (is_point_[i] && body.moves && !body.rotates && anchor.at != body.centre)
    throw std::invalid_argument(who + ": body '" + names_[i] +
                                "' is a point without orientation, so it has no other points than its centre");
}

void Bodies::check_pair(const Anchor& a, const Anchor& b, const std::string& who) const {
  check(a, who);
  check(b, who);
  if (a.body == b.body && a.body != world) throw std::invalid_argument(who + ": both ends are on the same body");
  if (!(*this)[a.body].moves && !(*this)[b.body].moves)
    throw std::invalid_argument(who + ": neither of its two ends can move");
}

std::string part_name(const std::string& what, const std::string& name, std::size_t index) {
  return name.empty() ? what + " " + std::to_string(index + 1) : what + " '" + name + "'";
}

}  // namespace carom
