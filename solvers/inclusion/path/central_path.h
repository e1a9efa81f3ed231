// Planar Coulomb friction along a path. With p, m = μ(Λ_N + o) ± Λ_T and ξ_T = x⁺ − x⁻ the inclusion is a linear
// complementarity problem, and on the path every pair keeps
//
//   Λ_N y = τw,   p x⁺ = τw,   m x⁻ = τw,   all factors positive,   ξ_N = y + βμ(x⁺ + x⁻),
//
// and misses ξ = W̃ᵀv + c, v = W̃Λ by τ times what the start, τ = 1, misses it by; τ = 0 is the inclusion. Which
// contacts open, stick and slide is never guessed: they all do a little until τ is small.
//
// Without friction τ falls all along the path, and long steps with a second-order correction follow it (interior-point
// method: Kojima, Megiddo, Noma & Yoshise 1991; Mehrotra 1992). So it does with β = 1, the associated law, under which
// a contact that slides also opens, by μ|ξ_T|: the equations of a convex problem (De Saxcé & Feng 1998). Where nothing
// slides it has the answer of Coulomb's law, β = 0. That one lets τ turn back where a contact's hold gives
// way: long steps end there, or jump over the turn, which the determinant's sign tells. From such a point the path that
// keeps the products as they are there, each its own w, is followed by its length and not by τ, and its sense is kept
// through turns (Allgower & Georg 1990), until long steps get on again. Tangent and corrections come from Newton's
// method, (I + W̃KW̃ᵀ)Δv = … in the space of velocities, which redundant contacts do not make singular: a little give in
// every contact, ξ + g(Λ − Λ°), bounds K.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/path_by_length.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

// (Λ_N, p, m) with (ξ_N, x⁺, x⁻), and Λ_T; or a change of them. The p and m of a point are kept beside Λ, since their
// difference from zero is lost in Λ's digits where a contact slides.
struct CentralPoint {
  using Pairs = Eigen::Array3d;
  std::vector<Pairs> push, speed;
  std::vector<double> tangential;
  void resize(std::size_t count);
  void add(double factor, const CentralPoint& change);
};

class CentralPath : private PathByLength<CentralPath, CentralPoint> {
 public:
  // For contacts with at most one tangent.
  CentralPath(const ContactDirections& contacts, VelocityMatrix& matrix);

  static constexpr double coulomb = 0, associated = 1;  // β

  // Near impulses z, Λ° = z; products begin at margin² of the square of what drives the problem.
  void start(const std::vector<Eigen::Vector3d>& z, double margin, double dilation);
  bool advance();  // one factorisation; false if there is no step

  double gap() const;               // the mean of the products, relative to the square of the drive
  double largest_dilation() const;  // βμ|ξ_T|, relative to the drive
  std::vector<Eigen::Vector3d> impulses() const;

 private:
  using Point = CentralPoint;
  using Pairs = Point::Pairs;
  friend class PathByLength<CentralPath, Point>;

  bool moves(std::size_t i) const { return contacts_[i].rho_normal > 0; }
  int pairs(std::size_t i) const { return contacts_[i].bilateral ? 0 : contacts_[i].m > 0 ? 3 : 1; }
  double give(std::size_t i) const;
  Eigen::Vector3d impulse(std::size_t i) const { return {at_.push[i](0), at_.tangential[i], 0}; }
  // ξ of the speeds (y, x⁺, x⁻) of a contact, or a change of it.
  Eigen::Vector2d velocity_of(std::size_t i, const Pairs& speed) const {
    if (pairs(i) < 3) return {speed(0), 0.0};
    return {speed(0) + dilation_ * contacts_[i].m * (speed(1) + speed(2)), speed(1) - speed(2)};
  }
  Eigen::Vector2d miss(std::size_t i) const;  // of ξ = W̃ᵀv + c + g(Λ − Λ°)
  void update_velocity();
  double mean_product() const;

  bool linearise();
  bool solve(Point& change);  // for the targets
  void spread(std::size_t i, const Eigen::Vector2d& dz, const Eigen::Vector2d& dxi, Point& change) const;

  bool step_far();
  double longest_share(const Point& change) const;
  double mean_product_after(double share, const Point& change) const;

  void keep_products();                       // as the w of a path from here
  static constexpr double back_at_start = 3;  // τ
  bool may_go_far() const { return matrix_.determinant_sign() > 0 && largest_miss_ < 1e-6; }
  void add(double factor, const Point& change) { at_.add(factor, change); }
  bool look_ahead(Course& course);
  double relative(std::size_t i, const Point& a, const Point& b) const;  // product of relative changes
  double relative(const Point& a, const Point& b) const;
  double largest_relative(const Point& a, double factor, const Point& b) const;
  bool is_near_path(double tau) const;

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  double drive_ = 0;     // √(impulse·velocity)
  double dilation_ = 0;  // β
  double pair_count_ = 0;
  double largest_miss_ = 0;                           // relative
  std::vector<Pairs> products_;                       // w
  std::vector<Eigen::Vector2d> centre_, first_miss_;  // Λ°
  std::vector<Pairs> product_target_;
  std::vector<Eigen::Vector2d> miss_target_;
  std::vector<Eigen::Matrix3d> K_;
  Vec v_, dv_;
};

}  // namespace carom
