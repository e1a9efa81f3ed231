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
