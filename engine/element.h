// Impact elements (Glocker 2014, sect. 4): what can carry an impulse. The kinds are closed, so they are a
// variant; each owns its force directions as rows w, with relative velocity γ = w·u.

#pragma once

#include <string>
#include <variant>

#include "engine/linear_algebra.h"

namespace carom {

// What an impact law may ask of a contact beyond its geometry. Friction has one coefficient a tangent; a scalar
// coefficient is given twice.
struct ContactCoefficients {
  double restitution = 0;
  double tangential_restitution = 0;
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();
  double stiffness = 1;  // used by compliant laws; only ratios matter

  bool has_friction() const { return friction.maxCoeff() > 0; }
};

// Geometric unilateral constraint g ≥ 0 with optional Coulomb friction. An impulse is positive when it
// pushes the contact open. Friction acts along the tangent rows: one row is a planar contact, two rows a
// spatial one with semi-axes friction(0), friction(1) (equal for isotropic friction).
struct Contact {
  Vec normal;
  Mat tangent;   // 0, 1 or 2 rows
  Vec friction;  // one coefficient a tangent row
  double restitution = 0;
  double tangential_restitution = 0;
  double stiffness = 1;  // used by compliant laws; only ratios matter

  bool has_friction() const { return friction.size() > 0 && friction.maxCoeff() > 0; }
};

// Kinematic unilateral constraint w·u ≥ 0: a sprag clutch.
struct Clutch {
  Vec direction;
  double restitution = 0;
};

// Geometric or kinematic equality w·u = 0: a hinge, a guide, a knife edge.
struct Bilateral {
  Vec direction;
};

struct Element {
  std::string name;
  std::variant<Contact, Clutch, Bilateral> kind;

  const Contact* contact() const { return std::get_if<Contact>(&kind); }
  const Clutch* clutch() const { return std::get_if<Clutch>(&kind); }
  const Bilateral* bilateral() const { return std::get_if<Bilateral>(&kind); }

  const char* kind_name() const { return contact() ? "contact" : clutch() ? "clutch" : "bilateral"; }
};

}  // namespace carom
