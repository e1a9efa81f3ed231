#include "solvers/certificates/copositivity.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr int search_starts = 60;
constexpr int search_steps = 200;

// Positive factors that give A a unit diagonal where it has one; copositivity does not see them.
Vec unit_scale(const Mat& A) {
  const double largest_entry = A.cwiseAbs().maxCoeff();
  Vec scale(A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    const double size = std::max(std::abs(A(i, i)), 1e-6 * A.row(i).cwiseAbs().maxCoeff());
    scale(i) = 1 / std::sqrt(size > 0 ? size : std::max(largest_entry, 1e-300));
  }
  return scale;
}

struct Minimum {
  double value = HUGE_VAL;
  Vec x;
};

// The stationary point of one face, if the face has one inside.
void visit_face(const Mat& A, const std::vector<Index>& K, Minimum& minimum) {
  const Index k = static_cast<Index>(K.size());
  Mat bordered = Mat::Zero(k + 1, k + 1);
  bordered.topLeftCorner(k, k) = A(K, K);
  bordered.topRightCorner(k, 1).setOnes();
  bordered.bottomLeftCorner(1, k).setOnes();
  const Eigen::FullPivLU<Mat> lu(bordered);
  if (!lu.isInvertible()) return;
  const Vec solution = lu.solve(Vec::Unit(k + 1, k));
  if (!(solution.head(k).array() >= 0).all()) return;
  Vec x = Vec::Zero(A.rows());
  x(K) = solution.head(k);
  x /= x.sum();
  const double value = x.dot(A * x);
  if (value < minimum.value) minimum = {value, x};
}

Minimum least_over_simplex(const Mat& A) {
  Minimum minimum;
  const Index n = A.rows();
  for (std::uint32_t mask = 1; mask < (1u << n); ++mask) {
    std::vector<Index> K;
    for (Index i = 0; i < n; ++i)
      if (mask >> i & 1u) K.push_back(i);
    visit_face(A, K, minimum);
  }
  return minimum;
}

// Frank–Wolfe with exact steps from many starts: an upper bound of the least value.
Minimum searched_over_simplex(const Mat& A) {
  std::mt19937_64 engine(1);
  std::exponential_distribution<double> share;
  Minimum minimum;
  for (int start = 0; start < search_starts; ++start) {
    Vec x(A.rows());
    for (double& entry : x) entry = share(engine);
    x /= x.sum();
    for (int step = 0; step < search_steps; ++step) {
      const Vec gradient = A * x;
      Index down = 0;
      gradient.minCoeff(&down);
      const Vec d = Vec::Unit(A.rows(), down) - x;
      const double slope = gradient.dot(d);
      if (slope > -1e-15) break;
      const double curvature = d.dot(A * d);
      x += (curvature > 0 ? std::min(1.0, -slope / curvature) : 1.0) * d;
    }
    const double value = x.dot(A * x);
    if (value < minimum.value) minimum = {value, x};
  }
  return minimum;
}

Copositivity::Answer answer_of(double least) {
  if (least > Copositivity::tolerance) return Copositivity::Answer::strict;
  return least >= -Copositivity::tolerance ? Copositivity::Answer::copositive : Copositivity::Answer::violated;
}

// Without the exact answer: A = P + N with P positive semidefinite and N ≥ 0 entrywise is copositive.
Copositivity bounded(const Mat& A) {
  Copositivity result;
  const Minimum found = searched_over_simplex(A);
  result.least = found.value;
  result.witness = found.x;
  if (found.value < -Copositivity::tolerance) {
    result.answer = Copositivity::Answer::violated;
    return result;
  }
  Mat without_positive = A.cwiseMin(0.0);
  without_positive.diagonal() = A.diagonal();
  const double bound = std::max(eigenvalues(A)(0), eigenvalues(without_positive)(0));
  if (bound >= -Copositivity::tolerance) result.answer = Copositivity::Answer::copositive;
  return result;
}

}  // namespace

Copositivity copositivity(const Mat& A) {
  if (A.rows() == 0) return {Copositivity::Answer::strict, 0, Vec(0), true};
  const Vec scale = unit_scale(A);
  const Mat scaled = scale.asDiagonal() * Mat(0.5 * (A + A.transpose())) * scale.asDiagonal();
  Copositivity result;
  result.witness = Vec::Zero(A.rows());
  if (!scaled.allFinite()) return result;  // coefficients beyond what a product of them can hold
  if (A.rows() > Copositivity::largest_exact) {
    result = bounded(scaled);
  } else {
    const Minimum minimum = least_over_simplex(scaled);
    result = {answer_of(minimum.value), minimum.value, minimum.x, true};
  }
  result.witness = scale.cwiseProduct(result.witness);
  return result;
}

Copositivity copositivity_on_cone(const Mat& A, const Mat& R) {
  Copositivity result = copositivity(R.transpose() * A * R);
  result.witness = R * result.witness;
  return result;
}

Copositivity copositivity_half_free(const Mat& A, Index signed_rows) {
  const Mat S = 0.5 * (A + A.transpose());
  const Index free_rows = A.rows() - signed_rows;
  if (free_rows == 0) return copositivity(S);
  const Mat S_ff = S.bottomRightCorner(free_rows, free_rows);
  const Mat S_fs = S.bottomLeftCorner(free_rows, signed_rows);
  const SymmetricEigen eigen = symmetric_eigen(S_ff);
  const double size = std::max(S.cwiseAbs().maxCoeff(), 1e-300);
  const double flat = 1e-12 * size;
  Copositivity result;
  result.exact = true;
  if (eigen.values(0) < -flat) {
    result.answer = Copositivity::Answer::violated;
    result.least = eigen.values(0) / size;
    result.witness = Vec::Zero(A.rows());
    result.witness.tail(free_rows) = eigen.vectors.col(0);
    return result;
  }
  // Minimised over the free part, y = −S_ff⁺S_fs x. In a flat direction z that S_fs sees, the form falls without bound.
  Mat y_of_x = Mat::Zero(free_rows, signed_rows);
  for (Index k = 0; k < free_rows; ++k) {
    const Vec z = eigen.vectors.col(k);
    const Eigen::RowVectorXd slope = z.transpose() * S_fs;
    if (eigen.values(k) > flat) {
      y_of_x -= z * slope / eigen.values(k);
      continue;
    }
    Index steepest = 0;
    if (slope.size() == 0 || slope.cwiseAbs().maxCoeff(&steepest) <= flat) continue;
    result.answer = Copositivity::Answer::violated;
    result.least = -HUGE_VAL;
    const double reach = (std::abs(S(steepest, steepest)) + size) / std::abs(slope(steepest));
    result.witness = Vec::Unit(A.rows(), steepest);
    result.witness.tail(free_rows) = -std::copysign(reach, slope(steepest)) * z;
    return result;
  }
  const Mat schur = S.topLeftCorner(signed_rows, signed_rows) + S_fs.transpose() * y_of_x;
  const Copositivity rest = copositivity(schur);
  result.answer = rest.answer == Copositivity::Answer::strict && eigen.values(0) <= flat
                      ? Copositivity::Answer::copositive
                      : rest.answer;
  result.least = rest.least;
  result.exact = rest.exact;
  result.witness = Vec::Zero(A.rows());
  if (rest.witness.size() == signed_rows) {
    result.witness.head(signed_rows) = rest.witness;
    result.witness.tail(free_rows) = y_of_x * rest.witness;
  }
  return result;
}

}  // namespace carom
