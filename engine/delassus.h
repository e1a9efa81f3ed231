// The Delassus operator G = WᵀM⁻¹W on the manifold of the bilateral constraints. Laws and solvers ask it for
// entries, blocks and products and do not see how it is stored.

#pragma once

#include <utility>

#include "engine/linear_algebra.h"

namespace carom {

class Delassus {
 public:
  Delassus() = default;

  // From the force directions in kinetically orthonormal coordinates, projected on the manifold:
  // G = W̃ᵀW̃ is symmetric positive semidefinite by construction, also for redundant contacts.
  explicit Delassus(const Mat& W_white) : G_(W_white.transpose() * W_white) {}

  // From its entries, for problems that are posed in contact space.
  static Delassus from_matrix(Mat G) {
    Delassus delassus;
    delassus.G_ = std::move(G);
    return delassus;
  }

  Index size() const { return G_.rows(); }
  double operator()(Index i, Index j) const { return G_(i, j); }
  auto row(Index i) const { return G_.row(i); }
  auto block(Index i, Index j, Index rows, Index cols) const { return G_.block(i, j, rows, cols); }
  Vec operator*(const Vec& Lambda) const { return G_ * Lambda; }
  const Mat& dense() const { return G_; }

 private:
  Mat G_;
};

}  // namespace carom
