// Contacts as an iteration visits them: the normal and the tangents of one contact together, their white directions
// side by side. Tangential coordinates are stretched so that an ellipse becomes a disc,
//
//   z_T = Λ_T m/μ,   ξ_zT = ξ_T μ/m,   m = √(μ₁μ₂),   |z_T| ≤ mR,
//
// which is the prox in another metric, with the same fixed points.

#pragma once

#include <array>
#include <vector>

#include "engine/inclusion.h"

namespace carom {

class ContactDirections {
 public:
  struct Contact {
    int size = 1;                                       // the normal, and the tangents with friction
    bool bilateral = false;                             // the row of a joint, which is always held
    std::array<Index, 3> rows = {};                     // in Λ
    Eigen::Vector3d stretch = Eigen::Vector3d::Ones();  // z = stretch·Λ, ξ_z = ξ/stretch
    double m = 0;
    double offset = 0;
    Eigen::Vector3d c = Eigen::Vector3d::Zero();
    double rho_normal = 0;  // 1/G_NN and 1/λ_max(G_TT), the steps of a sweep; 0 for a direction without freedom
    double rho_tangential = 0;
    Eigen::Vector2d coupling = Eigen::Vector2d::Zero();  // G_TN
    std::size_t first = 0;                               // of its coordinates
    std::size_t coordinates = 0;

    double radius(const Eigen::Vector3d& z) const { return m * std::max(0.0, z(0) + offset); }
  };

  ContactDirections() = default;
  explicit ContactDirections(const Inclusion& inclusion) { rebuild(inclusion); }
  void rebuild(const Inclusion& inclusion);  // storage is kept for the next time

  Index velocity_size() const { return velocity_size_; }
  std::size_t count() const { return contacts_.size(); }
  const Contact& operator[](std::size_t i) const { return contacts_[i]; }

  // The k-th coordinate a contact touches, and its directions there, one entry a row of the contact.
  Index coordinate(const Contact& contact, std::size_t k) const { return coordinates_[contact.first + k]; }
  const Eigen::Vector3d& direction(const Contact& contact, std::size_t k) const {
    return directions_[contact.first + k];
  }

  Eigen::Vector3d along(const Contact& contact, const Vec& v) const {  // W̃ᵀv
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < contact.coordinates; ++k) sum += v(coordinate(contact, k)) * direction(contact, k);
    return sum;
  }
  void add(const Contact& contact, const Eigen::Vector3d& z, Vec& v) const {  // v += W̃z
    for (std::size_t k = 0; k < contact.coordinates; ++k) v(coordinate(contact, k)) += direction(contact, k).dot(z);
  }

  // z ← proj(z − ρξ), first the normal impulse, then the tangential one with the radius it leaves; v = W̃z follows.
  // That for one contact after the other, again and again (projected Gauss–Seidel).
  void sweep(int times, std::vector<Eigen::Vector3d>& z, Vec& v) const;

  std::vector<Eigen::Vector3d> stretched(const Vec& Lambda) const;
  void stretch(const Vec& Lambda, std::vector<Eigen::Vector3d>& z) const;
  void unstretch(const std::vector<Eigen::Vector3d>& z, Vec& Lambda) const;
  void velocity(const std::vector<Eigen::Vector3d>& z, Vec& v) const;  // v = W̃z

 private:
  void collect(const Rows& white, Contact& contact);
  template <int rows>  // the normal and at most rows − 1 tangents
  void relax(const Contact& contact, Eigen::Vector3d& z, Vec& v) const;

  Index velocity_size_ = 0;
  std::vector<Contact> contacts_;
  std::vector<Index> coordinates_;
  std::vector<Eigen::Vector3d> directions_;
  std::vector<std::size_t> contact_of_;  // a row
};

}  // namespace carom
