// Anderson's acceleration of a fixed-point iteration x ← F(x) (Anderson 1965; Walker & Ni 2011): the next x is the
// combination of the last F(x) whose combined residuals F(x) − x are least. On a linear F it is GMRES.

#pragma once

#include <algorithm>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class Anderson {
 public:
  explicit Anderson(std::size_t memory) : memory_(memory) {}

  void forget() { residual_changes_.clear(), image_changes_.clear(), known_ = false; }

  // x ← the next point, from x and its image F(x).
  void advance(Vec& x, const Vec& image) {
    const Vec residual = image - x;
    if (known_) remember(residual, image);
    last_residual_ = residual;
    last_image_ = image;
    known_ = true;
    x = image;
    if (residual_changes_.empty()) return;
    const auto count = static_cast<Index>(residual_changes_.size());
    Mat gram(count, count);
    Vec right(count);
    for (Index i = 0; i < count; ++i) {
      right(i) = change(i).dot(residual);
      for (Index j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = change(i).dot(change(j));
    }
    gram.diagonal().array() += regularisation * gram.trace();
    const Vec weights = gram.ldlt().solve(right);
    if (!weights.allFinite()) return forget();
    for (Index i = 0; i < count; ++i) x -= weights(i) * image_changes_[static_cast<std::size_t>(i)];
  }

 private:
  static constexpr double regularisation = 1e-14;

  const Vec& change(Index i) const { return residual_changes_[static_cast<std::size_t>(i)]; }

  void remember(const Vec& residual, const Vec& image) {
    if (residual_changes_.size() == memory_) {
      residual_changes_.erase(residual_changes_.begin());
      image_changes_.erase(image_changes_.begin());
    }
    residual_changes_.push_back(residual - last_residual_);
    image_changes_.push_back(image - last_image_);
  }

  std::size_t memory_;
  std::vector<Vec> residual_changes_, image_changes_;
  Vec last_residual_, last_image_;
  bool known_ = false;
};

}  // namespace carom
