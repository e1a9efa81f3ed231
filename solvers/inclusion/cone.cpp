#include "solvers/inclusion/cone.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double smallest_pivot = 1e-9;
constexpr double zero_cost = 1e-13;
constexpr double slack_of_separation = 1e-13;  // Aᵀy ≤ 0 up to this
constexpr double least_separation = 1e-11;     // y·b above this
constexpr double beyond_reach = 1e8;           // Σx of no solution

// Rows and columns of a common size, so that the tolerances mean the same everywhere; b ≥ 0. What x is to be multiplied
// with to be that of the given A and b.
Vec equilibrate(Mat& A, Vec& b) {
  Vec unit = Vec::Ones(A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    const double size = A.col(j).cwiseAbs().maxCoeff();
    if (!(size > 0)) continue;
    A.col(j) /= size;
    unit(j) /= size;
  }
  for (Index i = 0; i < A.rows(); ++i) {
    const double size = A.row(i).cwiseAbs().maxCoeff();
    const double scale = (size > 0 ? 1 / size : 1) * (b(i) < 0 ? -1 : 1);
    A.row(i) *= scale;
    b(i) *= scale;
  }
  const double size = b.cwiseAbs().maxCoeff();
  if (size > 0) {
    b /= size;
    unit *= size;
  }
  return unit;
}

// The simplex method on a table: its last row holds the costs, its last column the basic variables.
class Simplex {
 public:
  // The first phase of a linear programme: min Σs, Ax + s = b.
  Simplex(const Mat& A, const Vec& b) : m_(A.rows()), n_(A.cols()), table_(m_ + 1, n_ + m_ + 1), basis_(m_) {
    table_.topLeftCorner(m_, n_) = A;
    table_.block(0, n_, m_, m_).setIdentity();
    table_.topRightCorner(m_, 1) = b;
    table_.row(m_).setZero();
    table_.row(m_).head(n_) = -A.colwise().sum();
    table_(m_, n_ + m_) = -b.sum();
    for (Index i = 0; i < m_; ++i) basis_(i) = n_ + i;
  }

  // The multipliers y at the optimum; empty if b is reached or the method gives up.
  Vec separation() {
    if (minimise([&] { return is_reached(); }) != End::optimum) return {};
    return Vec::Ones(m_) - table_.row(m_).segment(n_, m_).transpose();
  }

  // From the x that separation() ended with, if b was reached, to the one with the largest g·x.
  std::optional<Vec> largest(const Vec& g) {
    if (!is_reached()) return std::nullopt;
    drive_out_artificial();
    table_.row(m_).setZero();
    table_.row(m_).head(n_) = -g.transpose();
    for (Index i = 0; i < m_; ++i) {
      if (basis_(i) < n_ && g(basis_(i)) != 0) table_.row(m_) += g(basis_(i)) * table_.row(i);
    }
    if (minimise([] { return false; }) != End::optimum) return std::nullopt;
    Vec x = Vec::Zero(n_);
    for (Index i = 0; i < m_; ++i) {
      if (basis_(i) < n_) x(basis_(i)) = std::max(0.0, table_(i, n_ + m_));
    }
    return x;
  }

 private:
  enum class End { optimum, reached, unbounded, given_up };

  bool is_reached() const { return -table_(m_, n_ + m_) < least_separation; }

  template <class Reached>
  End minimise(const Reached& reached) {
    const int most_pivots = static_cast<int>(20 * (m_ + n_));
    for (int count = 0; count < most_pivots; ++count) {
      if (reached()) return End::reached;
      const Index column = entering(count > most_pivots / 2);
      if (column < 0) return End::optimum;
      const Index row = leaving(column);
      if (row < 0) return End::unbounded;
      pivot(row, column);
    }
    return End::given_up;
  }

  // Artificial variables at zero leave the basis; a row without another one says nothing and is cleared.
  void drive_out_artificial() {
    for (Index i = 0; i < m_; ++i) {
      if (basis_(i) < n_) continue;
      Index column = 0;
      if (n_ > 0 && table_.row(i).head(n_).cwiseAbs().maxCoeff(&column) > smallest_pivot) {
        pivot(i, column);
      } else {
        table_.row(i).setZero();
      }
    }
  }

  // The steepest column; late the first one (Bland), which cannot cycle.
  Index entering(bool first) const {
    Index best = -1;
    double least = -zero_cost;
    for (Index j = 0; j < n_; ++j) {
      if (table_(m_, j) >= least) continue;
      best = j;
      if (first) break;
      least = table_(m_, j);
    }
    return best;
  }

  Index leaving(Index column) const {
    Index best = -1;
    double least = HUGE_VAL;
    for (Index i = 0; i < m_; ++i) {
      if (table_(i, column) < smallest_pivot) continue;
      const double ratio = table_(i, n_ + m_) / table_(i, column);
      if (ratio < least || (ratio == least && basis_(i) < basis_(best))) {
        best = i;
        least = ratio;
      }
    }
    return best;
  }

  void pivot(Index row, Index column) {
    table_.row(row) /= table_(row, column);
    for (Index i = 0; i <= m_; ++i) {
      const double factor = table_(i, column);
      if (i != row && factor != 0) table_.row(i) -= factor * table_.row(row);
    }
    basis_(row) = column;
  }

  Index m_, n_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> table_;
  Eigen::Matrix<Index, Eigen::Dynamic, 1> basis_;
};

}  // namespace

bool outside_cone(Mat A, Vec b) {
  if (b.size() == 0) return false;
  equilibrate(A, b);
  const Vec y = Simplex(A, b).separation();
  if (y.size() == 0) return false;
  // y·b = (Aᵀy)·x ≤ reach·Σx: in doubt about the sign of Aᵀy, only an enormous x could be a solution.
  const double size = y.cwiseAbs().maxCoeff();
  const double reach = A.cols() > 0 ? (A.transpose() * y).maxCoeff() : 0;
  const double separation = y.dot(b);
  return separation > least_separation * size &&
         (reach <= slack_of_separation * size || reach * beyond_reach <= separation);
}

std::optional<Vec> largest_in_cone(Mat A, Vec b, const Vec& g) {
  const Vec unit = equilibrate(A, b);
  Simplex simplex(A, b);
  if (simplex.separation().size() > 0) return std::nullopt;
  std::optional<Vec> x = simplex.largest(g.cwiseProduct(unit));
  if (x) *x = x->cwiseProduct(unit);
  return x;
}

}  // namespace carom
