// The mass matrix as it comes: block-diagonal for an assembly of bodies, one dense block for a system in
// minimal coordinates. Diagonal blocks of bodies stay cheap; nobody outside asks which it is.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class MassMatrix {
 public:
  MassMatrix() = default;
  explicit MassMatrix(const std::vector<Index>& block_sizes) { resize(block_sizes); }
  static MassMatrix diagonal(const Vec& masses);  // blocks of size one

  void resize(const std::vector<Index>& block_sizes);  // all entries zero
  void set_dense(const Mat& M);                        // one block; storage is kept where the size stays

  Index size() const { return offsets_.back(); }
  Index block_count() const { return static_cast<Index>(offsets_.size()) - 1; }
  Index block_of(Index coordinate) const { return block_of_[static_cast<std::size_t>(coordinate)]; }
  Index offset(Index block) const { return offsets_[static_cast<std::size_t>(block)]; }
  Index block_size(Index block) const { return offset(block + 1) - offset(block); }
  Eigen::Map<Mat> block(Index i) {
    return {data_.data() + starts_[static_cast<std::size_t>(i)], block_size(i), block_size(i)};
  }
  Eigen::Map<const Mat> block(Index i) const {
    return {data_.data() + starts_[static_cast<std::size_t>(i)], block_size(i), block_size(i)};
  }

  // False if a block is not positive definite; solve() is for a matrix that has been factored.
  bool factor();
  void solve_in_place(Vec& x) const {  // x ← M⁻¹x
    is_pair_ ? solve_pair(x.data()) : solve_blocks(x);
  }
  void whiten(Eigen::Ref<Vec> x) const;             // x ← L⁻¹x with M = LLᵀ
  void unwhiten(Vec& x) const;                      // x ← L⁻ᵀx
  void to_white(Vec& x) const;                      // x ← Lᵀx
  void whiten_block(Index block, double* x) const;  // x ← L⁻¹x with the block's M = LLᵀ
  void multiply(const Vec& x, Vec& y) const;
  double kinetic_energy(const Vec& u) const;

  Mat dense() const;

 private:
  void solve_blocks(Vec& x) const;
  void solve_block(Index block, double* y) const;
  bool factor_pair();
  void solve_pair(double* y) const {
    y[1] = (y[1] - pair_.below * y[0]) * pair_.inverse[1];
    y[0] = y[0] * pair_.inverse[0] - pair_.below * y[1];
  }
  bool is_diagonal() const { return starts_.back() == size(); }              // no block larger than one
  Eigen::Map<const Vec> diagonal() const { return {data_.data(), size()}; }  // if it is one

  bool is_pair_ = false;  // two coordinates in one block: double pendulums spend much of their time here
  struct Pair {
    double inverse[2] = {0, 0}, below = 0;
  } pair_;  // its factors
  std::vector<Index> offsets_ = {0};
  std::vector<Index> block_of_;
  std::vector<Index> starts_ = {0};  // of the blocks in data_ and factor_
  std::vector<double> data_;
  std::vector<double> factor_;  // Cholesky factors L, column-major, block by block
};

}  // namespace carom
