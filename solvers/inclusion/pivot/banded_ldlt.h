// L D Lᵀ of a symmetric positive definite matrix whose nonzeros lie near its diagonal, without pivoting: n·w² for a
// half bandwidth w. Storage is kept from one matrix to the next.

#pragma once

#include <algorithm>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class BandedLdlt {
 public:
  void resize(Index size, Index half_bandwidth) {  // all entries zero
    size_ = size;
    width_ = half_bandwidth;
    entries_.assign(static_cast<std::size_t>(size * (half_bandwidth + 1)), 0.0);
    scaled_.resize(half_bandwidth);
  }
  Index size() const { return size_; }

  // column ≤ row ≤ column + half bandwidth; the factor takes the place of the matrix.
  double& operator()(Index k, Index column) { return row(k)[column]; }

  // False if a pivot is not positive.
  bool factor() {
    for (Index k = 0; k < size_; ++k) {
      const Index first = first_column(k);
      double* own = row(k);
      for (Index j = first; j < k; ++j) {
        const double* above = row(j);
        double sum = own[j];  // L_kj D_j
        for (Index m = std::max(first, first_column(j)); m < j; ++m) sum -= scaled_(m - first) * above[m];
        scaled_(j - first) = sum;
        own[j] = sum / above[j];
        own[k] -= sum * own[j];
      }
      if (!(own[k] > 0)) return false;
    }
    return true;
  }

  double pivot(Index k) const { return row(k)[k]; }  // D_k

  void solve_in_place(Vec& x) const {
    if (width_ == 1) return solve_chain(x.data());
    for (Index k = 0; k < size_; ++k) {
      const double* own = row(k);
      for (Index j = first_column(k); j < k; ++j) x(k) -= own[j] * x(j);
    }
    for (Index k = 0; k < size_; ++k) x(k) /= pivot(k);
    for (Index k = size_ - 1; k >= 0; --k) {
      const double* own = row(k);
      for (Index j = first_column(k); j < k; ++j) x(j) -= own[j] * x(k);
    }
  }

 private:
  // The same for a tridiagonal matrix, whose rows have two entries each.
  void solve_chain(double* x) const {
    const double* own = entries_.data();  // L_{k,k−1} and D_k
    for (Index k = 1; k < size_; ++k) x[k] -= own[2 * k] * x[k - 1];
    if (size_ > 0) x[size_ - 1] /= own[2 * size_ - 1];
    for (Index k = size_ - 1; k > 0; --k) x[k - 1] = x[k - 1] / own[2 * k - 1] - own[2 * k] * x[k];
  }

  Index first_column(Index row) const { return std::max<Index>(0, row - width_); }
  // Such that row(k)[j] is the entry in column j.
  double* row(Index k) { return entries_.data() + k * width_ + width_; }
  const double* row(Index k) const { return entries_.data() + k * width_ + width_; }

  Index size_ = 0, width_ = 0;
  std::vector<double> entries_;  // by rows, each ending with its diagonal entry
  Vec scaled_;
};

}  // namespace carom
