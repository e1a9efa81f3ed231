// Coulomb friction in space by convex problems: with the dilation s = μ|ξ_T| held, contacts obey the associated law
//
//   Λ ∈ K,   ξ + s e_N ∈ K*,   Λ·(ξ + s e_N) = 0,   K: |Λ_T| ≤ m(Λ_N + o), Λ_N ≥ 0
//
// (De Saxcé & Feng 1998). What contacts then do follows from a convex problem, which has an answer wherever bodies can
// part from each other, and one velocity; s ← μ|ξ_T| leads on (Acary, Cadoux, Lemaréchal & Malick 2011). Each is
// approached by a proximal point, Λ = P_K(Λ_k − ρ(ξ + s e_N)), so that redundant contacts leave nothing singular. Its
// velocity is where a convex function has its least value,
//
//   φ′(v) = v − W̃P_K(a) = 0,   a = Λ_k − ρ(W̃ᵀv + c + s e_N),
//
// which Newton's method finds from anywhere, with steps that end where φ falls no further.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

class DilatedSteps {
 public:
  DilatedSteps(const ContactDirections& contacts, VelocityMatrix& matrix);

  void start(const std::vector<Eigen::Vector3d>& z);
  // z ← the proximal point of z, with the dilation that the last velocity leads to. False, with z as it was, where
  // Newton's method does not come near it.
  bool step(double length, std::vector<Eigen::Vector3d>& z);

  int factorisations() const { return factorisations_; }  // since construction

 private:
  struct Place {
    Vec v, miss;                     // φ′
    std::vector<Eigen::Vector3d> z;  // P(a)
    std::vector<Eigen::Matrix3d> K;  // ρP′(a)
  };
  void follow_dilation();
  void look(double length, Place& place) const;
  bool go_down(double length);

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  std::vector<Eigen::Vector3d> centre_;
  std::vector<double> dilation_, change_;
  std::vector<double> held_radius_;  // where the set is none of these (o < 0), friction has the radius it had
  double stride_ = 0;                // of the change that the dilation makes; 0 at the start
  Place here_, there_;
  Vec direction_;
  int factorisations_ = 0;
};

}  // namespace carom
