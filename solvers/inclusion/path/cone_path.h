// Coulomb friction in space along a path. Beside the normal pair (Λ_N, y) a contact has the pair of vectors
//
//   x = (R, Λ_T),  R = μ(Λ_N + o) ≥ |Λ_T|,      σ = (s, ξ_T),  s ≥ |ξ_T|,
//
// both in the second-order cone. The contact obeys the law if Λ_N y = 0 and x∘σ = 0 with the product of that cone,
// (a, b)∘(c, d) = (ac + b·d, ad + cb): Λ_T = −Rξ_T/s, and sticking is s = 0. On the path
//
//   Λ_N y = τw,   x∘σ = (τw, 0),   y = ξ_N,   all within their cones,   ξ = W̃ᵀv + c, v = W̃Λ,
//
// and who opens, sticks or slides, and where to, is never guessed: all do a little until τ is small (interior-point
// method; Kojima, Megiddo, Noma & Yoshise 1991, Mehrotra 1992; with cones Alizadeh, Haeberly & Overton 1998). Newton's
// method for it, with a second-order correction, is (I + W̃KW̃ᵀ)Δv = … in the space of velocities, which redundant
// contacts do not make singular: a little give in every contact, ξ + gΔΛ, bounds K and vanishes with the steps.
//
// Coulomb's law is not that of a convex problem, and lets τ turn back where a contact's hold gives way: long steps end
// there, or jump over the turn, which the determinant's sign tells. From such a point the path that keeps the products
// as they are there, each its own w, is followed by its length and not by τ, with its bend, and its sense is kept
// through turns (Allgower & Georg 1990), until long steps get on again. Lengths are relative changes, in a cone by the
// metric of its barrier.
//
// Contacts in a line have the same path with ξ_T and Λ_T of one component, smooth ones the normal pair alone.
// central_path.h does the same for them and keeps more digits.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/path_by_length.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

// Of one contact; or a change of it.
struct ConePoint {
  double push = 0, opening = 0;  // Λ_N, y
  Eigen::Vector2d hold = Eigen::Vector2d::Zero();
  double speed = 0;  // s
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();
};

class ConePath : private PathByLength<ConePath, std::vector<ConePoint>> {
 public:
  ConePath(const ContactDirections& contacts, VelocityMatrix& matrix);

  // Near impulses z; products begin at margin² of the square of what drives the problem.
  void start(const std::vector<Eigen::Vector3d>& z, double margin);
  bool advance();  // one factorisation; false if there is no step

  double gap() const;  // the mean of the products, relative to the square of the drive
  std::vector<Eigen::Vector3d> impulses() const;

 private:
  using Point = ConePoint;
  friend class PathByLength<ConePath, std::vector<Point>>;

  // Of the normal pair, and x∘σ.
  struct Product {
    double normal = 0, along = 0;
    Eigen::Vector2d across = Eigen::Vector2d::Zero();

    friend Product operator*(double factor, const Product& a) {
      return {factor * a.normal, factor * a.along, factor * a.across};
    }
    friend Product operator-(const Product& a, const Product& b) {
      return {a.normal - b.normal, a.along - b.along, a.across - b.across};
    }
  };

  bool moves(std::size_t i) const { return contacts_[i].rho_normal > 0; }
  bool rubs(std::size_t i) const { return contacts_[i].m > 0; }
  double give(std::size_t i) const;
  double radius(std::size_t i, const Point& p) const { return contacts_[i].m * (p.push + contacts_[i].offset); }
  static Point after(const Point& from, double share, const Point& change);
  static Product product(const Point& p, double R);
  void start(std::size_t i, const Eigen::Vector3d& z, const Eigen::Vector3d& xi, double product);
  void add(double factor, const std::vector<Point>& change);
  double mean_product(double share, const std::vector<Point>& change) const;

  void update_misses();
  bool linearise();
  Eigen::Matrix3d stiffness(std::size_t i) const;
  Eigen::Vector2d across_inverse(std::size_t i, const Eigen::Vector2d& b) const;
  void aim(double mean, const std::vector<Point>* first);
  bool solve(std::vector<Point>& change);  // for the targets

  bool step_far();
  bool is_central(double share, const std::vector<Point>& change) const;  // no product far below their mean
  bool centre(double mean);
  double longest_share(const std::vector<Point>& change) const;

  void keep_products();                         // as the w of a path from here
  static constexpr double back_at_start = 1e6;  // τ: a path that turned back may climb far before it leads on
  bool may_go_far() const { return matrix_.determinant_sign() > 0; }
  bool look_ahead(Course& course);
  double relative(std::size_t i, const Point& a, const Point& b) const;  // product of relative changes
  double relative(const std::vector<Point>& a, const std::vector<Point>& b) const;
  double largest_relative(const Course& course) const;
  bool is_near_path(double tau) const;

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  double drive_ = 0;                                                    // √(impulse·velocity)
  int centrings_ = 0;                                                   // in a row
  std::vector<Product> products_, target_;                              // w
  std::vector<Eigen::Vector3d> first_miss_, miss_target_, right_side_;  // of ξ = W̃ᵀv + c
  std::vector<Eigen::Matrix3d> K_;
  Vec v_, dv_;
};

}  // namespace carom
