#include "solvers/certificates/matrix_figures.h"

#include <cmath>

namespace carom {

namespace {

constexpr double rounded_off = 1e-13;  // of an eigenvalue, relative to the unit diagonal

}  // namespace

Vec eigenvalues(const Mat& A) {
  if (A.rows() == 0) return Vec(0);
  return Eigen::SelfAdjointEigenSolver<Mat>(0.5 * (A + A.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Mat& A) {
  if (A.rows() == 0) return {Vec(0), Mat(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(0.5 * (A + A.transpose()));
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Mat inverse(const Mat& A) { return A.inverse(); }

Mat pseudo_inverse(const Mat& A, double negligible) {
  const SymmetricEigen eigen = symmetric_eigen(A);
  Vec reciprocal = Vec::Zero(A.rows());
  for (Index k = 0; k < A.rows(); ++k)
    if (eigen.values(k) > negligible * eigen.values(A.rows() - 1)) reciprocal(k) = 1 / eigen.values(k);
  return eigen.vectors * reciprocal.asDiagonal() * eigen.vectors.transpose();
}

Mat kernel(const Mat& A, double negligible) {
  if (A.rows() == 0) return Mat::Identity(A.cols(), A.cols());
  const Eigen::ColPivHouseholderQR<Mat> qr(A.transpose());
  const Index rank = (qr.matrixQR().diagonal().cwiseAbs().array() > negligible).count();
  const Mat Q = qr.householderQ();
  return Q.rightCols(A.cols() - rank);
}

std::optional<Mat> solved(const Mat& A, const Mat& B) {
  const Eigen::PartialPivLU<Mat> lu(A);
  // An exact zero among the pivots spoils the estimate of the condition.
  if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0) || !(lu.rcond() > rounded_off)) return std::nullopt;
  return lu.solve(B);
}

double spectral_radius(const Mat& A) { return A.size() > 0 ? A.eigenvalues().cwiseAbs().maxCoeff() : 0.0; }

double spectral_norm(const Mat& A) { return A.size() > 0 ? Eigen::JacobiSVD<Mat>(A).singularValues()(0) : 0.0; }

Mat unit_diagonal(const Mat& A) {
  Vec scale = Vec::Ones(A.rows());
  for (Index i = 0; i < A.rows(); ++i)
    if (A(i, i) > 0) scale(i) = 1 / std::sqrt(A(i, i));
  return scale.asDiagonal() * A * scale.asDiagonal();
}

bool is_positive_semidefinite(const Mat& A) {
  if ((A.diagonal().array() < 0).any()) return false;
  const Vec lambda = eigenvalues(unit_diagonal(A));
  return lambda.size() == 0 || lambda(0) >= -rounded_off;
}

}  // namespace carom
