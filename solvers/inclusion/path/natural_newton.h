// Newton's method on the natural map of Coulomb friction, Λ = P(Λ − rξ): each contact is open, sticks or slides as the
// projection says, and the impulses move to where that holds,
//
//   open Λ = 0;   closed Λ_N ← Λ_N − ρξ_N;   sticking Λ_T ← Λ_T − ρξ_T;   sliding Λ_T = μ(Λ_N + o)e,
//
// with the velocities ξ = W̃ᵀv + c, v = W̃Λ after the step. A long ρ makes ξ vanish where it should, and leaves one
// answer where contacts are redundant (proximal point iteration). Sliding along e = a/|a|, a = Λ_T − rξ_T, turns with
// a. Quadratic near a solution, in planar problems the last step is exact; from afar it may run in circles.

#pragma once

#include <vector>

#include "solvers/inclusion/path/contact_directions.h"
#include "solvers/inclusion/path/velocity_matrix.h"

namespace carom {

class NaturalNewton {
 public:
  NaturalNewton(const ContactDirections& contacts, VelocityMatrix& matrix)
      : contacts_(contacts), matrix_(matrix), K_(contacts.count()), move_(contacts.count()) {}

  // One step with ρG_NN = `proximal_step`; false if there is none.
  bool advance(double proximal_step, std::vector<Eigen::Vector3d>& z);

 private:
  void linearise(std::size_t i, double proximal_step, const Eigen::Vector3d& z, const Eigen::Vector3d& xi);

  const ContactDirections& contacts_;
  VelocityMatrix& matrix_;
  // z ← z + move − KW̃ᵀΔv
  std::vector<Eigen::Matrix3d> K_;
  std::vector<Eigen::Vector3d> move_;
  Vec v_, dv_;
};

}  // namespace carom
