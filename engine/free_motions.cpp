#include "engine/free_motions.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace carom {

// Reflections with the rows sorted by size keep the digits of small rows beside large ones (Cox & Higham 1998): a
// heavy body's part in a constraint with a light one is small in white coordinates, and the light one's speed rests on
// it.
FreeMotions::FreeMotions(Mat directions) : size_(directions.rows()) {
  directions.colwise().normalize();
  std::vector<int> order(static_cast<std::size_t>(size_));
  std::iota(order.begin(), order.end(), 0);
  const Vec largest = directions.cwiseAbs().rowwise().maxCoeff();
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return largest(a) > largest(b); });
  sorted_.resize(size_);
  for (Index k = 0; k < size_; ++k) sorted_.indices()(order[static_cast<std::size_t>(k)]) = static_cast<int>(k);
  qr_.setThreshold(rank_tolerance);
  qr_.compute(sorted_ * directions);
  rank_ = qr_.rank();
}

// The free part is kept, not the blocked one taken away: their difference would cancel where little is left.
void FreeMotions::project(Eigen::Ref<Mat> motions) const {
  if (rank_ == 0) return;
  Mat sorted = sorted_ * motions;
  sorted.applyOnTheLeft(qr_.householderQ().setLength(rank_).adjoint());
  sorted.topRows(rank_).setZero();
  from_sorted(sorted);
  motions = sorted;
}

Mat FreeMotions::basis() const {
  Mat motions = Mat::Identity(size_, size_).rightCols(size_ - rank_);
  if (rank_ > 0) from_sorted(motions);
  return motions;
}

void FreeMotions::from_sorted(Mat& motions) const {
  motions.applyOnTheLeft(qr_.householderQ().setLength(rank_));
  motions = sorted_.transpose() * motions;
}

}  // namespace carom
