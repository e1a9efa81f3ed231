#include "solvers/inclusion/share/nonnegative_least_squares.h"

#include <algorithm>
#include <vector>

namespace carom {

namespace {

constexpr double no_descent = 1e-14;  // of a slope, relative to the lengths of its column and of b
constexpr double spanned = 1e-15;     // of a column, what others leave of it by rounding
constexpr Index rounds = 3;           // of every column; only rounding asks for more

// The factors QR of some columns of A, in the order in which they came: a column more costs its own length times their
// number. Orthogonalised twice, Q is so to rounding.
class GrowingQr {
 public:
  explicit GrowingQr(const Mat& A) : A_(A), Q_(A.rows(), std::min(A.rows(), A.cols())), R_(Q_.cols(), Q_.cols()) {}

  const std::vector<Index>& columns() const { return columns_; }

  // False if the columns that are there span it.
  bool add(Index column) {
    const auto k = static_cast<Index>(columns_.size());
    if (k == Q_.cols()) return false;
    auto q = Q_.col(k);
    auto r = R_.col(k);
    q = A_.col(column);
    r.head(k + 1).setZero();
    const double length = q.norm();
    for (int twice = 0; twice < 2; ++twice) {
      for (Index i = 0; i < k; ++i) {
        const double along = Q_.col(i).dot(q);
        r(i) += along;
        q -= along * Q_.col(i);
      }
    }
    r(k) = q.norm();
    if (!(r(k) > spanned * length)) return false;
    q /= r(k);
    columns_.push_back(column);
    return true;
  }

  void remove(std::size_t place) {
    const std::vector<Index> later(columns_.begin() + static_cast<std::ptrdiff_t>(place) + 1, columns_.end());
    columns_.resize(place);
    for (Index column : later) add(column);
  }

  void solve(const Vec& b, Vec& x) const {
    const auto k = static_cast<Index>(columns_.size());
    x.resize(k);
    for (Index i = k - 1; i >= 0; --i) {
      double rest = Q_.col(i).dot(b);
      for (Index j = i + 1; j < k; ++j) rest -= R_(i, j) * x(j);
      x(i) = rest / R_(i, i);
    }
  }

 private:
  const Mat& A_;
  Mat Q_, R_;
  std::vector<Index> columns_;
};

class ActiveColumns {
 public:
  ActiveColumns(const Mat& A, const Vec& b)
      : A_(A),
        b_(b),
        x_(Vec::Zero(A.cols())),
        least_slope_(no_descent * b.norm() * A.colwise().norm().transpose()),
        dependent_(static_cast<std::size_t>(A.cols()), false),
        qr_(A) {}

  Vec run() {
    for (Index round = 0; round < rounds * A_.cols(); ++round) {
      const Index enters = steepest();
      if (enters < 0) break;
      if (admit(enters)) {
        dependent_.assign(dependent_.size(), false);
      } else {
        dependent_[static_cast<std::size_t>(enters)] = true;
      }
    }
    return x_;
  }

 private:
  // The column along which |Ax − b| falls most; −1 where it falls along none.
  Index steepest() {
    missing_ = b_;
    for (Index k : qr_.columns()) missing_ -= x_(k) * A_.col(k);
    Index best = -1;
    double steepest_slope = 0;
    for (Index k = 0; k < A_.cols(); ++k) {
      if (x_(k) > 0 || dependent_[static_cast<std::size_t>(k)]) continue;
      const double slope = A_.col(k).dot(missing_);
      if (!(slope > least_slope_(k)) || !(slope > steepest_slope)) continue;
      best = k;
      steepest_slope = slope;
    }
    return best;
  }

  // False, with x as it was, if the positive columns span the new one: rounding made its slope.
  bool admit(Index enters) {
    if (!qr_.add(enters)) return false;
    qr_.solve(b_, wanted_);
    if (!(wanted_(wanted_.size() - 1) > 0)) {
      qr_.remove(qr_.columns().size() - 1);
      return false;
    }
    while (!move()) qr_.solve(b_, wanted_);
    return true;
  }

  // Towards the wanted entries as far as they stay positive; false if one became zero and left.
  bool move() {
    const std::vector<Index>& columns = qr_.columns();
    double share = 1;
    std::size_t leaves = columns.size();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double from = x_(columns[k]), to = wanted_(static_cast<Index>(k));
      if (!(to < 0) || from / (from - to) >= share) continue;
      share = from / (from - to);
      leaves = k;
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
      x_(columns[k]) = std::max(0.0, x_(columns[k]) + share * (wanted_(static_cast<Index>(k)) - x_(columns[k])));
    if (leaves == columns.size()) return true;
    x_(columns[leaves]) = 0;
    qr_.remove(leaves);
    return columns.empty();
  }

  const Mat& A_;
  const Vec& b_;
  Vec x_, least_slope_, missing_, wanted_;
  std::vector<bool> dependent_;
  GrowingQr qr_;
};

}  // namespace

Vec nonnegative_least_squares(const Mat& A, const Vec& b) { return ActiveColumns(A, b).run(); }

}  // namespace carom
