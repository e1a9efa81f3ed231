#include "solvers/inclusion/all/cone.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solvers/inclusion/rounding.h"

namespace carom {

namespace {

constexpr double smallest_pivot = 1e-9;
constexpr double zero_cost = 1e-13;            // of the first phase
constexpr double zero_gain = 1e-11;            // of the second; a ray that gains less leads nowhere
constexpr double slack_of_separation = 1e-13;  // Aᵀy ≤ 0 up to this
constexpr double least_separation = 1e-11;     // y·b above this
constexpr double nearly_reached = 1e-9;        // Ax − b where small pivots have rounded x
constexpr double beyond_reach = 1e8;           // Σx of no solution
constexpr double small_row = 0.1;  // of A with columns of size one: rounding in others is below all of these

struct Scales {
  Vec unit;   // what x is to be multiplied with to be that of the given A and b
  Vec noise;  // rounding that has grown with a small row
};

// Rows and columns of a common size, so that the tolerances mean the same everywhere; b ≥ 0.
Scales equilibrate(Mat& A, Vec& b) {
  Scales scales{Vec::Ones(A.cols()), Vec::Zero(A.rows())};
  for (Index j = 0; j < A.cols(); ++j) {
    const double size = A.col(j).cwiseAbs().maxCoeff();
    if (!(size > 0)) continue;
    A.col(j) /= size;
    scales.unit(j) /= size;
  }
  for (Index i = 0; i < A.rows(); ++i) {
    const double size = A.row(i).cwiseAbs().maxCoeff();
    if (size > 0 && size < small_row) scales.noise(i) = rounding_of_G / size;
    const double scale = (size > 0 ? 1 / size : 1) * (b(i) < 0 ? -1 : 1);
    A.row(i) *= scale;
    b(i) *= scale;
  }
  const double size = b.cwiseAbs().maxCoeff();
  if (size > 0) {
    b /= size;
    scales.unit *= size;
  }
  return scales;
}

// y·b = (Aᵀy)·x ≤ reach·Σx: in doubt about the sign of Aᵀy, only an enormous x could be a solution.
bool separates(const Vec& y, const Mat& A, const Vec& b, const Vec& noise) {
  const double size = y.cwiseAbs().maxCoeff();
  const double reach =
      (A.cols() > 0 ? (A.transpose() * y).maxCoeff() : 0) + y.cwiseAbs().cwiseProduct(noise).maxCoeff();
  const double separation = y.dot(b);
  const double terms = y.cwiseProduct(b).cwiseAbs().maxCoeff();  // which have rounded the separation
  return separation > least_separation * std::max(size, terms) &&
         (reach <= slack_of_separation * size || reach * beyond_reach <= separation);
}

}  // namespace

// The simplex method on a table: its last row holds the costs, its last column the basic variables. An artificial
// variable that has left the basis does not come back: it needs no column.
class Simplex {
 public:
  // The first phase of a linear programme: min Σs, Ax + s = b.
  Simplex(Mat A, Vec b, Vec noise)
      : m_(A.rows()),
        n_(A.cols()),
        A_(std::move(A)),
        b_(std::move(b)),
        noise_(std::move(noise)),
        table_(m_ + 1, n_ + 1) {
    table_.topLeftCorner(m_, n_) = A_;
    table_.topRightCorner(m_, 1) = b_;
    for (Index i = 0; i < m_; ++i) basis_.push_back(artificial(i));
    set_costs_of_artificial();
  }

  // Goes to where b is reached, or to an optimum short of it.
  void search() {
    at_optimum_ = minimise(zero_cost, true, [&] { return is_reached(); }) == End::optimum;
  }

  bool is_reached() const { return -table_(m_, n_) < least_separation; }
  bool is_separated() const { return at_optimum_ && separates(multipliers(), A_, b_, noise_); }

  // From the x that search() ended with, if b was reached, to the one with the largest g·x.
  std::optional<Vec> largest(const Vec& g) {
    if (!is_reached()) return std::nullopt;
    drive_out_artificial();
    table_.row(m_).setZero();
    table_.row(m_).head(n_) = -g.transpose();
    for (Index i = 0; i < m_; ++i) {
      if (basis(i) >= 0 && g(basis(i)) != 0) table_.row(m_) += g(basis(i)) * table_.row(i);
    }
    if (minimise(zero_gain, false, [] { return false; }) != End::optimum) return std::nullopt;
    const Vec found = x();
    if (!((A_ * found - b_).cwiseAbs().maxCoeff() <= nearly_reached)) return std::nullopt;
    return found;
  }

  Vec x() const {
    Vec x = Vec::Zero(n_);
    for (Index i = 0; i < m_; ++i) {
      if (basis(i) >= 0) x(basis(i)) = std::max(0.0, table_(i, n_));
    }
    return x;
  }

  // One more row, g·x + s = limit, that the present x does not keep to: it is what is left to reach.
  void add_bound(const Vec& g, double limit) {
    Vec row(n_ + 2);
    row << g, Vec::Zero(n_ - g.size()), 1, limit;
    grow(row);
    for (Index i = 0; i + 1 < m_; ++i) {
      if (basis(i) >= 0 && row(basis(i)) != 0) table_.row(m_ - 1) -= row(basis(i)) * table_.row(i);
    }
    if (table_(m_ - 1, n_) >= 0) {
      basis_.push_back(n_ - 1);
    } else {
      table_.row(m_ - 1) *= -1;
      A_.row(m_ - 1) *= -1;
      b_(m_ - 1) *= -1;
      basis_.push_back(artificial(m_ - 1));
    }
    set_costs_of_artificial();
  }

 private:
  enum class End { optimum, reached, unbounded, given_up };

  static Index artificial(Index row) { return -1 - row; }
  Index basis(Index i) const { return basis_[static_cast<std::size_t>(i)]; }

  void set_costs_of_artificial() {
    table_.row(m_).setZero();
    for (Index i = 0; i < m_; ++i) {
      if (basis(i) < 0) table_.row(m_) -= table_.row(i);
    }
  }

  // A row at the bottom, and a column for its slack.
  void grow(const Vec& row) {
    A_.conservativeResizeLike(Mat::Zero(m_ + 1, n_ + 1));
    A_.row(m_) = row.head(n_ + 1).transpose();
    b_.conservativeResize(m_ + 1);
    b_(m_) = row(n_ + 1);
    noise_.conservativeResizeLike(Vec::Zero(m_ + 1));
    Table larger = Table::Zero(m_ + 2, n_ + 2);
    larger.topLeftCorner(m_, n_) = table_.topLeftCorner(m_, n_);
    larger.block(0, n_ + 1, m_, 1) = table_.topRightCorner(m_, 1);
    larger.row(m_) = row.transpose();
    table_ = std::move(larger);
    ++m_;
    ++n_;
  }

  // y of the basis: y·a is the cost of a for every basic column a. Taken from A, without the rounding of all pivots.
  Vec multipliers() const {
    Mat B = Mat::Zero(m_, m_);
    Vec cost = Vec::Zero(m_);
    for (Index i = 0; i < m_; ++i) {
      if (basis(i) >= 0) {
        B.col(i) = A_.col(basis(i));
      } else {
        B(-1 - basis(i), i) = 1;
        cost(i) = 1;
      }
    }
    return B.transpose().partialPivLu().solve(cost);
  }

  template <class Reached>
  End minimise(double zero, bool is_bounded, const Reached& reached) {
    const int most_pivots = static_cast<int>(20 * (m_ + n_));
    for (int count = 0; count < most_pivots; ++count) {
      if (reached()) return End::reached;
      const Index column = entering(zero, count > most_pivots / 2);
      if (column < 0) return End::optimum;
      const Index row = leaving(column);
      if (row < 0 && !is_bounded) return End::unbounded;
      if (row < 0) {  // the sum of s is not negative: what promises to make it so is rounding
        table_(m_, column) = 0;
        continue;
      }
      pivot(row, column);
    }
    return End::given_up;
  }

  // Artificial variables at zero leave the basis; a row without another one says nothing and is cleared. What is left
  // of them is rounding, which a small pivot would make large.
  void drive_out_artificial() {
    for (Index i = 0; i < m_; ++i) {
      if (basis(i) >= 0) continue;
      table_(i, n_) = 0;
      Index column = 0;
      if (n_ > 0 && table_.row(i).head(n_).cwiseAbs().maxCoeff(&column) > smallest_pivot) {
        pivot(i, column);
      } else {
        table_.row(i).setZero();
      }
    }
  }

  // The steepest column; late the first one (Bland), which cannot cycle.
  Index entering(double zero, bool first) const {
    Index best = -1;
    double least = -zero;
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
      const double ratio = table_(i, n_) / table_(i, column);
      if (ratio < least || (ratio == least && basis(i) < basis(best))) {
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
    basis_[static_cast<std::size_t>(row)] = column;
  }

  using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Index m_, n_;
  Mat A_;
  Vec b_;
  Vec noise_;  // in the rows of A
  Table table_;
  std::vector<Index> basis_;  // columns; negative: the artificial variable of a row
  bool at_optimum_ = false;
};

PlaceInCone::PlaceInCone(Mat A, Vec b) {
  Scales scales = equilibrate(A, b);
  unit_ = std::move(scales.unit);
  simplex_ = std::make_unique<Simplex>(std::move(A), std::move(b), std::move(scales.noise));
}

PlaceInCone::~PlaceInCone() = default;

bool PlaceInCone::outside() {
  simplex_->search();
  return simplex_->is_separated();
}

std::optional<Vec> PlaceInCone::x() const {
  if (!simplex_->is_reached()) return std::nullopt;
  return simplex_->x().head(unit_.size()).cwiseProduct(unit_);
}

void PlaceInCone::bound(const Vec& g, double limit) {
  const Vec scaled = g.cwiseProduct(unit_);
  const double size = scaled.size() > 0 ? scaled.cwiseAbs().maxCoeff() : 0;
  if (size > 0) simplex_->add_bound(scaled / size, limit / size);
}

std::optional<Vec> largest_in_cone(Mat A, Vec b, const Vec& g) {
  auto [unit, noise] = equilibrate(A, b);
  Vec gain = g.cwiseProduct(unit);
  const double size = gain.size() > 0 ? gain.cwiseAbs().maxCoeff() : 0;
  if (size > 0) gain /= size;
  Simplex simplex(std::move(A), std::move(b), std::move(noise));
  simplex.search();
  std::optional<Vec> x = simplex.largest(gain);
  if (x) *x = x->cwiseProduct(unit);
  return x;
}

}  // namespace carom
