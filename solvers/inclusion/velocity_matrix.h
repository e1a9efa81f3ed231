// I + W̃KW̃ᵀ with one symmetric 3 × 3 block of K a contact: of the size of the velocities however many contacts there
// are. Pattern and ordering are found once, and a K that has not changed is not factored again.

#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "solvers/inclusion/contact_directions.h"

namespace carom {

class VelocityMatrix {
 public:
  explicit VelocityMatrix(const ContactDirections& contacts);

  bool factor(const std::vector<Eigen::Matrix3d>& K);  // false: not positive definite
  void solve(const Vec& b, Vec& x) const { x = ldlt_.solve(b); }

 private:
  template <class Visit>
  void visit_pairs(Visit visit) const;
  void assemble(const std::vector<Eigen::Matrix3d>& K);

  const ContactDirections& contacts_;
  Eigen::SparseMatrix<double> matrix_;     // the lower triangle
  std::vector<double*> diagonal_, slots_;  // slots: where the pairs of coordinates of each contact go
  std::vector<Eigen::Matrix3d> factored_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
};

}  // namespace carom
