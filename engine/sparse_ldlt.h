// P A Pᵀ = L D Lᵀ of a sparse symmetric matrix without pivoting, for definite and quasi-definite ones. Row k of L
// solves a triangular system with the rows above it; which of its entries are not zero follows from the elimination
// tree (Davis 2005, ACM TOMS 31, Algorithm 849). Ordering, tree and storage are kept as long as the entries come at the
// same places: then nothing is allocated.

#pragma once

#include <Eigen/Sparse>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class SparseLdlt {
 public:
  using Entries = std::vector<Eigen::Triplet<double>>;  // of both triangles; what comes twice is added

  // False if a pivot is zero or not finite.
  bool factor(Index size, const Entries& entries);

  void solve_in_place(Vec& x) const;  // x ← A⁻¹x
  void forward(Vec& x) const;         // x ← L⁻¹Px
  void backward(Vec& x) const;        // x ← PᵀL⁻ᵀx
  const Vec& pivots() const { return D_; }

 private:
  bool has_places(Index size, const Entries& entries) const;
  void order(Index size, const Entries& entries);
  void place_by_columns(Index size, const Entries& entries);
  void find_tree();
  std::size_t reach(int row, int k, std::size_t top);

  std::vector<int> rows_, columns_;  // of the entries that were ordered
  std::vector<int> place_of_;        // of an unknown in the order of elimination
  std::vector<int> slot_of_;         // of an entry in A_values_, −1 below the diagonal
  // The upper triangle of P A Pᵀ by columns.
  std::vector<int> A_starts_, A_rows_;
  std::vector<double> A_values_;
  // L by columns, without its diagonal of ones.
  std::vector<int> L_starts_, L_rows_;
  std::vector<double> L_values_;
  Vec D_;
  std::vector<int> parent_;                          // in the elimination tree, −1 at a root
  std::vector<int> filled_, marked_, path_, order_;  // during factor()
  std::vector<double> row_;
  mutable Vec permuted_;
};

}  // namespace carom
