#include "solvers/inclusion/nonnegative_least_squares.h"

#include <algorithm>
#include <vector>

namespace carom {

namespace {

constexpr double no_descent = 1e-14;  // of a slope, relative to the lengths of its column and of b
constexpr Index rounds = 3;           // of every column; only rounding asks for more

class ActiveColumns {
 public:
  ActiveColumns(const Mat& A, const Vec& b)
      : A_(A), b_(b), x_(Vec::Zero(A.cols())), dependent_(static_cast<std::size_t>(A.cols()), false) {}

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
  Index steepest() const {
    const Vec slope = A_.transpose() * (b_ - A_ * x_);
    Index best = -1;
    for (Index k = 0; k < A_.cols(); ++k) {
      if (x_(k) > 0 || dependent_[static_cast<std::size_t>(k)]) continue;
      if (!(slope(k) > no_descent * A_.col(k).norm() * b_.norm())) continue;
      if (best < 0 || slope(k) > slope(best)) best = k;
    }
    return best;
  }

  // False, with x as it was, if the positive columns span the new one: rounding made its slope.
  bool admit(Index enters) {
    std::vector<Index> columns = {enters};
    for (Index k = 0; k < x_.size(); ++k)
      if (x_(k) > 0) columns.push_back(k);
    for (bool first = true;; first = false) {
      const Eigen::ColPivHouseholderQR<Mat> qr(A_(Eigen::all, columns));
      const Vec wanted = qr.solve(b_);
      if (first && !(wanted(0) > 0)) return false;
      if (move(columns, wanted)) return true;
    }
  }

  // Towards the wanted entries as far as they stay positive; false if one became zero and left.
  bool move(std::vector<Index>& columns, const Vec& wanted) {
    double share = 1;
    std::size_t leaves = columns.size();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double from = x_(columns[k]), to = wanted(static_cast<Index>(k));
      if (!(to < 0) || from / (from - to) >= share) continue;
      share = from / (from - to);
      leaves = k;
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
      x_(columns[k]) = std::max(0.0, x_(columns[k]) + share * (wanted(static_cast<Index>(k)) - x_(columns[k])));
    if (leaves == columns.size()) return true;
    x_(columns[leaves]) = 0;
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(leaves));
    return columns.empty();
  }

  const Mat& A_;
  const Vec& b_;
  Vec x_;
  std::vector<bool> dependent_;
};

}  // namespace

Vec nonnegative_least_squares(const Mat& A, const Vec& b) { return ActiveColumns(A, b).run(); }

}  // namespace carom
