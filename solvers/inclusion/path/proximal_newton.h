// Coulomb friction in space by proximal points: each gives every contact a little compliance about where it is,
//
//   ξ̂ = ξ + (Λ − Λ_k)/ρ,   ξ̂ᵢ ∈ N_Cᵢ(−Λᵢ),   ρ = `length`/G_NN,
//
// and Λ_{k+1} is the solution (Rockafellar 1976). With a short ρ contacts hardly feel each other, and Newton's method
// on the natural map Λ = P(Λ − rξ̂) finds it from anywhere; as Λ_k settles ρ grows by itself, until nothing is left of
// the compliance. Redundant contacts have one answer each time, so that nothing is singular. Each contact is open,
// sticks or slides as the projection says,
//
//   open Λ = 0;   closed ξ̂_N = 0;   sticking ξ̂_T = 0;   sliding Λ_T = μ(Λ_N + o)e,  e = a/|a|, a = Λ_T − rξ̂_T,
//
// with the velocities ξ = W̃ᵀv + c, v = W̃Λ (Alart & Curnier 1991), in equations (I + W̃KW̃ᵀ)Δv = … of the velocities.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

class ProximalNewton {
 public:
  ProximalNewton(const ContactDirections& contacts, VelocityMatrix& matrix);

  // z ← the proximal point of z, to about a thousandth of the way there. False, with z as it was, where Newton's method
  // does not get there in `most_steps`.
  bool step(double length, int most_steps, std::vector<Eigen::Vector3d>& z);

  bool is_swift() const { return steps_ <= 3; }           // the last step: a longer one will do, too
  int factorisations() const { return factorisations_; }  // since construction

 private:
  double linearise(double length, const std::vector<Eigen::Vector3d>& z);
  double linearise(std::size_t i, double length, const Eigen::Vector3d& z);
  void slide(std::size_t i, double radius, double length_of_a, const Eigen::Vector2d& e, double give, double r,
             const Eigen::Vector3d& z);
  bool advance(std::vector<Eigen::Vector3d>& z);
  bool is_near(double miss, double last, double enough, double length) const;
  double way(const std::vector<Eigen::Vector3d>& z) const;  // from the centre, as the miss is measured

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  double drive_ = 0;
  std::vector<Eigen::Vector3d> centre_;
  // z ← z + move − KW̃ᵀΔv
  std::vector<Eigen::Matrix3d> K_;
  std::vector<Eigen::Vector3d> move_;
  Vec v_, dv_;
  int steps_ = 0, factorisations_ = 0;
};

}  // namespace carom
