// An open chain of planar links, hinged at the origin and to each other, in one absolute angle a link. Link i has
// length l, mass m, inertia J about its centre of mass at the distance a from its first hinge, and points along
// d(φ) = A(φ) e, e the direction of angle 0.
//
// With p_i = m_i a_i + l_i Σ_{k>i} m_k:
//
//   M_ii = J_i + m_i a_i² + l_i² Σ_{k>i} m_k,   M_ij = l_i p_j cos(φ_i − φ_j)  (i < j)
//   F_i  = −Σ_{j≠i} M̂_ij sin(φ_i − φ_j) φ̇_j² − g p_i ∂d_y/∂φ(φ_i),   M̂_ij = l_min(i,j) p_max(i,j)
//   V    = g Σ p_i d_y(φ_i)
//
// A contact is a point s of link k against a half plane: P = Σ_{i<k} l_i d(φ_i) + s₁ d(φ_k) + s₂ d′(φ_k), d′ = ∂d/∂φ.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/closed_form/closed_form.h"
#include "models/drawing.h"

namespace carom {

struct Link {
  std::string name;
  double length = 1;
  double mass = 1;
  double centre = 0.5;
  double inertia = 0;

  static Link rod(std::string name, double length, double mass) {
    return {std::move(name), length, mass, length / 2, mass * length * length / 12};
  }
};

struct LinkOnPlane {
  std::string name;
  Index link = 0;
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  // s: along the link and across it
  Eigen::Vector2d plane_point = Eigen::Vector2d::Zero();
  Eigen::Vector2d normal = Eigen::Vector2d::UnitY();
  Eigen::Vector2d tangent = Eigen::Vector2d::UnitX();
};

class PlanarChain final : public ClosedForm, public Drawn {
 public:
  // Angles count from the direction `zero`, a unit vector; gravity acts along −y.
  PlanarChain(std::vector<Link> links, const Eigen::Vector2d& zero, double gravity, std::vector<LinkOnPlane> contacts,
              std::vector<ContactCoefficients> coefficients);

  void mass(const Vec& q, MassMatrix& M) const override;
  double potential(double t, const Vec& q) const override;
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override;
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override;
  void pose(const Vec& q, Index link, double* out) const override;
  Drawing drawing() const override;

  // Where a point of a link is.
  Eigen::Vector2d point(const Vec& q, Index link, const Eigen::Vector2d& at) const;

 private:
  using Directions = const Eigen::Vector2d*;  // d of all links

  Directions directions(const Vec& q) const;  // valid until the next call
  Directions new_directions(const Vec& q) const;
  void forces_of_two(Directions d, const Vec& u, Vec& inner) const;
  Eigen::Vector2d point(Directions d, Index link, const Eigen::Vector2d& at) const;
  void add_row(Directions d, const LinkOnPlane& contact, const Eigen::Vector2d& along, Rows& W) const;
  Shape shape_of(Index link) const;

  std::vector<Link> links_;
  std::uint64_t number_;  // of its copies, too: their directions are the same
  Vec lengths_;
  Vec moments_;   // p
  Vec inertias_;  // M_ii
  Eigen::Vector2d zero_;
  double gravity_;
  std::vector<LinkOnPlane> contacts_;
};

}  // namespace carom
