// LU decomposition with partial pivoting of matrices that change their size from one to the next: storage grows to the
// largest and is kept. For few unknowns; beyond, a blocked decomposition is faster.

#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class KeptLu {
 public:
  void resize(Index size) {  // all entries zero
    size_ = size;
    const auto n = static_cast<std::size_t>(size);
    if (matrix_.size() < n * n) matrix_.resize(n * n);
    if (unknowns_.size() < n) unknowns_.resize(n);
    if (pivot_rows_.size() < n) pivot_rows_.resize(n);
    std::fill_n(matrix_.begin(), n * n, 0.0);
  }
  Index size() const { return size_; }
  Eigen::Map<Mat> matrix() { return {matrix_.data(), size_, size_}; }
  Eigen::Map<Vec> unknowns() { return {unknowns_.data(), size_}; }  // the right-hand side, then the solution

  // The factors take the place of the matrix. Returns the smallest pivot, which is 0 where the matrix is singular and
  // not a number where an entry is none.
  double factor() {
    double smallest = HUGE_VAL;
    for (Index k = 0; k < size_; ++k) {
      double* const column = matrix_.data() + k * size_;
      Index pivot = k;
      for (Index i = k + 1; i < size_; ++i)
        if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
      pivot_rows_[static_cast<std::size_t>(k)] = pivot;
      if (pivot != k)
        for (Index j = 0; j < size_; ++j) std::swap(matrix_[at(k, j)], matrix_[at(pivot, j)]);
      const double size = std::abs(column[k]);
      if (!(size > 0)) return size;
      smallest = std::min(smallest, size);
      for (Index i = k + 1; i < size_; ++i) column[i] /= column[k];
      for (Index j = k + 1; j < size_; ++j) {
        double* const other = matrix_.data() + j * size_;
        const double factor = other[k];
        if (factor == 0) continue;
        for (Index i = k + 1; i < size_; ++i) other[i] -= column[i] * factor;
      }
    }
    return smallest;
  }

  // For a matrix whose smallest pivot is above 0.
  void solve() {
    double* const x = unknowns_.data();
    for (Index k = 0; k < size_; ++k) std::swap(x[k], x[pivot_rows_[static_cast<std::size_t>(k)]]);
    for (Index k = 0; k < size_; ++k)
      for (Index i = k + 1; i < size_; ++i) x[i] -= matrix_[at(i, k)] * x[k];
    for (Index k = size_ - 1; k >= 0; --k) {
      x[k] /= matrix_[at(k, k)];
      for (Index i = 0; i < k; ++i) x[i] -= matrix_[at(i, k)] * x[k];
    }
  }

 private:
  std::size_t at(Index row, Index column) const { return static_cast<std::size_t>(row + column * size_); }

  Index size_ = 0;
  std::vector<double> matrix_, unknowns_;
  std::vector<Index> pivot_rows_;
};

}  // namespace carom
