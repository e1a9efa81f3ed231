#include "engine/hidden_directions.h"

namespace carom {

namespace {

constexpr Index most_rows = 200;  // that are looked at: the decompositions are dense

Index rank_of(Mat columns, double dependent) {
  for (Index k = 0; k < columns.cols(); ++k) {
    const double size = columns.col(k).stableNorm();
    if (size > 0) columns.col(k) /= size;
  }
  if (columns.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<Mat> qr(columns.rows(), columns.cols());
  qr.setThreshold(dependent);
  return qr.compute(columns).rank();
}

}  // namespace

// M L⁻ᵀW̃ is W up to what the bilateral directions span.
bool masses_hide_directions(const ImpactProblem& problem) {
  constexpr double given = 1e-10, in_kinetic_metric = 1e-7;
  if (problem.rows() > most_rows) return false;
  const Mat white = problem.white_directions(), M = problem.M();
  const Mat B = problem.bilateral_rows().dense(M.rows()).transpose();
  Mat all(M.rows(), white.cols() + B.cols());
  for (Index k = 0; k < white.cols(); ++k) all.col(k) = M * problem.from_white(white.col(k));
  all.rightCols(B.cols()) = B;
  const Index free = rank_of(all, given) - rank_of(B, given);
  return rank_of(white, in_kinetic_metric) < free;
}

}  // namespace carom
