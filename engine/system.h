// A mechanical system as the integrator sees it. Positions q and velocities u (they differ in number where a
// body has a quaternion) obey, between impacts,
//
//   M(q) u̇ = F(t, q, u) + Bλ,    Bᵀu = b(t),    g_B(t, q) = 0 for the geometric ones among the joints,
//
// and contacts g(q) ≥ 0 and clutches w·u ≥ 0 on top. Implemented by the assembly of bodies and by every
// closed-form model; the integrator does not know which it steps.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/element.h"
#include "engine/linear_algebra.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"

namespace carom {

struct Coordinate {
  enum class Kind { length, angle, quaternion };  // four of a body in a row are its quaternion, the real part first

  std::string name;  // e.g. "upper.angle"
  Kind kind = Kind::length;
  bool is_rate = false;  // a velocity

  bool is_length() const { return kind == Kind::length; }
  bool is_angle() const { return kind == Kind::angle; }
  std::string unit() const {
    const std::string of_kind = is_length() ? "m" : is_angle() ? "rad" : "1";
    return is_rate ? of_kind + "/s" : of_kind;
  }
};

// Where quaternions begin among coordinates.
inline std::vector<Index> quaternions_in(const std::vector<Coordinate>& coordinates) {
  std::vector<Index> first;
  for (std::size_t i = 0; i < coordinates.size(); i += coordinates[i].kind == Coordinate::Kind::quaternion ? 4 : 1)
    if (coordinates[i].kind == Coordinate::Kind::quaternion) first.push_back(static_cast<Index>(i));
  return first;
}

// Two features near each other. `key` is the same from step to step as long as the same features meet.
struct ContactPoint {
  std::uint64_t key = 0;
  const ContactCoefficients* coefficients = nullptr;
  double gap = 0;
  Index first_row = 0;  // in Contacts::W: the normal, then the tangents; normal velocity positive when opening
  Index tangents = 0;   // 0 (frictionless), 1 (planar) or 2 (spatial)
};

struct Contacts {
  std::vector<ContactPoint> points;
  Rows W;
  Vec q, u;  // where they were found, of a system that tells whether it finds them again

  void clear() {
    points.clear();
    W.clear();
  }
};

// One row a clutch, with its restitution.
struct Clutches {
  Rows W;
  std::vector<double> restitution;
};

// The symmetric part of how forces answer to displacements and velocities, K = −∂F/∂q and C = −∂F/∂u, in
// velocity coordinates, entries of both triangles. It preconditions the implicit step, so leaving small
// or indefinite terms out costs iterations, not accuracy.
struct ForceGradient {
  struct Entry {
    Index row, column;
    double value;
  };
  std::vector<Entry> stiffness;
  std::vector<Entry> damping;

  bool empty() const { return stiffness.empty() && damping.empty(); }
  void clear() {
    stiffness.clear();
    damping.clear();
  }
};

// What a viewer draws: planar pose (x, y, angle) or spatial pose (x, y, z, qw, qx, qy, qz).
struct PoseLayout {
  std::vector<std::string> bodies;
  Index size = 3;  // numbers a pose: 3 or 7
};

class System {
 public:
  virtual ~System() = default;

  virtual std::vector<Coordinate> positions() const = 0;
  virtual std::vector<Coordinate> velocities() const = 0;

  // result = q ⊕ displacement, the displacement in velocity coordinates (h·u). `result` may be q itself.
  virtual void move(const Vec& q, const Vec& displacement, Vec& result) const { result = q + displacement; }

  virtual void mass(const Vec& q, MassMatrix& M) const = 0;  // M keeps its form from call to call
  virtual bool mass_is_constant() const { return false; }

  // Forces in velocity coordinates: those that derive from the potential together with inertial (gyroscopic)
  // terms, and those whose work the ledger counts as applied (loads, damping). Both vectors come zeroed.
  virtual double potential(double t, const Vec& q) const = 0;
  virtual void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const = 0;
  virtual bool forces_are_constant() const { return false; }  // in t, q and u
  virtual void force_gradient(double, const Vec&, const Vec&, ForceGradient&) const {}

  // Joints: geometric rows first (their gaps fill g, in this order), then kinematic ones (knife edges).
  virtual Index geometric_joint_rows() const { return 0; }
  virtual Index joint_rows() const { return 0; }
  virtual void joint_gaps(double, const Vec&, Vec&) const {}  // g has geometric_joint_rows() entries
  virtual void joint_directions(double, const Vec&, Rows&, Vec&) const {
  }                                                           // B cleared, b sized and zeroed by the caller
  virtual std::string joint_name(Index) const { return {}; }  // of a row, for messages

  // Every named contact, near or far, and those found between shapes that come within reach of one step:
  // all with g + ½h|γ| ≤ 0 possible for velocities up to u's. `contacts` comes cleared.
  virtual void contacts(const Vec&, const Vec& /*u*/, double /*h*/, Contacts&) const {}
  // Whether contacts() gives the same, bit by bit, at this q and u and for the same h as where they were found; false
  // also where that would take as long as to find them.
  virtual bool finds_again(const Contacts&, const Vec& /*q*/, const Vec& /*u*/, double /*h*/) const { return false; }
  virtual std::size_t named_contacts() const { return 0; }  // their keys are 0 … named_contacts()−1, in this order
  virtual std::string contact_name(std::uint64_t) const { return {}; }
  virtual std::uint64_t contact_pair(std::uint64_t key) const { return key; }  // the same for all points of two shapes
  virtual double contact_width(std::uint64_t) const { return 0; }  // of the smaller of its two bodies; 0 if not known
  // Half of the least thickness of the thinner of its two bodies; 0 if not known.
  virtual double contact_half_thickness(std::uint64_t) const { return 0; }

  virtual void clutches(const Vec&, Clutches&) const {}  // comes cleared; always the same number, in the same order
  virtual std::string clutch_name(Index) const { return {}; }

  virtual double largest_body() const { return 0; }  // that moves: how far it reaches; 0 if contacts tell enough

  virtual PoseLayout poses() const { return {}; }
  virtual void pose(const Vec& /*q*/, Index /*body*/, double* /*out*/) const {}
  virtual std::string body_of(Index velocity_coordinate) const {
    return velocities()[static_cast<std::size_t>(velocity_coordinate)].name;
  }

  // Where contacts and clutches are always the same ones, in the same directions, only gaps are asked for anew, of
  // the contacts as contacts() gave them.
  virtual bool directions_are_constant() const { return false; }
  virtual void contact_gaps(const Vec&, Contacts&) const {}
};

}  // namespace carom
