// The motions that bilateral constraints leave, in white coordinates (of unit mass).

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

class FreeMotions {
 public:
  // Of all motions in `size` coordinates.
  explicit FreeMotions(Index size = 0) : size_(size) {}
  // Orthogonal to the columns, each of which counts as a direction whatever its length; they may be dependent.
  explicit FreeMotions(Mat directions);

  Index blocked() const { return rank_; }  // dimension of what the constraints take
  void project(Eigen::Ref<Mat> motions) const;
  Mat basis() const;  // orthonormal, one column a freedom

 private:
  void from_sorted(Mat& motions) const;

  Index size_ = 0;
  Index rank_ = 0;
  Eigen::PermutationMatrix<Eigen::Dynamic> sorted_;
  Eigen::ColPivHouseholderQR<Mat> qr_;
};

}  // namespace carom
