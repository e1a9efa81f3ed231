#include "engine/delassus.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace carom {

namespace {

// Each of its coordinates once, ascending, and none coupled to others by the mass matrix.
bool touches_single_blocks(Rows::Row row, const MassMatrix& M) {
  Index last = -1;
  for (const Rows::Entry& entry : row) {
    if (entry.column <= last || M.block_size(M.block_of(entry.column)) != 1) return false;
    last = entry.column;
  }
  return true;
}

// Of rows whose entries ascend.
double dot(Rows::Row a, Rows::Row b) {
  double sum = 0;
  for (const Rows::Entry *x = a.begin(), *y = b.begin(); x != a.end() && y != b.end();) {
    if (x->column == y->column) sum += x->value * y->value;
    const Index next = std::max(x->column, y->column) + (x->column == y->column);
    if (x->column < next) ++x;
    if (y->column < next) ++y;
  }
  return sum;
}

// The first time as much is reserved as will be needed. Later it would grow by an entry or two a step, where one that
// is zero is not always so: then it grows ahead, as vectors do.
void clear_for(std::size_t rows, std::size_t entries, Rows& used) {
  const bool is_first = used.entries() == 0;
  used.clear();
  if (is_first) used.reserve(rows, entries);
}

constexpr Index pairwise_rows = 4;  // whose products are taken pair by pair

// G and W̃ of few directions in few coordinates that are all coupled, as those of a pendulum are.
template <Index n>
void multiply_in_one_block(const Rows& W, const MassMatrix& M, Rows& white, Mat& G) {
  double dense[pairwise_rows * n];
  const Index rows = W.count();
  white.clear();
  G.resize(rows, rows);
  double* const g = G.data();
  for (Index i = 0; i < rows; ++i) {
    double* const own = dense + i * n;
    for (Index k = 0; k < n; ++k) own[k] = 0;
    for (const Rows::Entry& entry : W[i]) own[entry.column] += entry.value;
    M.whiten_block(0, own);
    white.open_row();
    for (Index k = 0; k < n; ++k)
      if (own[k] != 0) white.add(k, own[k]);
    for (Index j = 0; j <= i; ++j) {
      const double* const other = dense + j * n;
      double sum = 0;
      for (Index k = 0; k < n; ++k) sum += own[k] * other[k];
      g[i + j * rows] = g[j + i * rows] = sum;
    }
  }
}

// A row of W̃ᵀW̃ as the sum over the coordinates it touches, ascending. Neighbouring coordinates that are touched by the
// same rows, as those of one body mostly are, form a bundle: its rows are gone through once for all of them, and the
// sorted rows of one bundle are merged with those of the ones before.
class Bundles {
 public:
  void find(const Rows& by_coordinate, Index coordinates) {
    end_.resize(static_cast<std::size_t>(coordinates));
    for (Index begin = 0, end = 0; begin < coordinates; begin = end) {
      for (end = begin + 1; end < coordinates && same_columns(by_coordinate[begin], by_coordinate[end]);) ++end;
      end_[static_cast<std::size_t>(begin)] = end;
    }
  }
  Index size(Index first) const { return end_[static_cast<std::size_t>(first)] - first; }

 private:
  static bool same_columns(Rows::Row a, Rows::Row b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Rows::Entry& x, const Rows::Entry& y) { return x.column == y.column; });
  }

  std::vector<Index> end_;  // at the first coordinate of each
};

class RowOfG {
 public:
  // A row that touches a coordinate touches all of its bundle.
  Rows::Row of(Rows::Row white, const Rows& by_coordinate, const Bundles& bundles) {
    count_ = 0;
    for (const Rows::Entry* w = white.begin(); w != white.end();) {
      const Index count = bundles.size(w->column);
      add({w, w + count}, by_coordinate[w->column]);
      w += count;
    }
    Rows::Entry* const sums = sums_.data();
    return {sums, std::remove_if(sums, sums + count_, [](const Rows::Entry& sum) { return sum.value == 0; })};
  }

 private:
  // `first` lists the rows that touch the bundle's first coordinate; the equally long lists of its others follow.
  void add(Rows::Row white, Rows::Row first) {
    const std::ptrdiff_t length = first.end() - first.begin();
    const auto continued = [&](double sum, const Rows::Entry* other) {
      for (const Rows::Entry& w : white) {
        sum += w.value * other->value;
        other += length;
      }
      return sum;
    };
    const std::size_t most = count_ + static_cast<std::size_t>(length);
    if (merged_.size() < most) merged_.resize(2 * most);
    Rows::Entry* to = merged_.data();
    const Rows::Entry *sum = sums_.data(), *last = sum + count_;
    for (const Rows::Entry& other : first) {
      while (sum != last && sum->column < other.column) *to++ = *sum++;
      const double before = sum != last && sum->column == other.column ? (sum++)->value : 0;
      *to++ = {other.column, continued(before, &other)};
    }
    count_ = static_cast<std::size_t>(std::copy(sum, last, to) - merged_.data());
    sums_.swap(merged_);
  }

  std::vector<Rows::Entry> sums_, merged_;  // by ascending row; the first count_ are in use
  std::size_t count_ = 0;
};

}  // namespace

std::uint64_t Delassus::next_version() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Delassus Delassus::from_matrix(Mat G) {
  Delassus delassus;
  delassus.size_ = G.rows();
  delassus.G_ = std::move(G);
  return delassus;
}

void Delassus::set_matrix(const Mat& G) {
  version_ = next_version();
  size_ = G.rows();
  sparse_ = is_chain_ = false;
  white_.clear();
  G_ = G;
}

void Delassus::set_directions(const Rows& W, const MassMatrix& M) {
  version_ = next_version();
  size_ = W.count();
  sparse_ = size_ > largest_dense;
  nonzeros_are_found_ = !sparse_;
  is_chain_ = false;
  if (size_ <= pairwise_rows && M.block_count() == 1) {
    white_size_ = M.size();
    if (M.size() == 1) return multiply_in_one_block<1>(W, M, white_, G_);
    if (M.size() == 2) return multiply_in_one_block<2>(W, M, white_, G_);
    if (M.size() == 3) return multiply_in_one_block<3>(W, M, white_, G_);
    if (M.size() == 4) return multiply_in_one_block<4>(W, M, white_, G_);
  }
  whiten(W, M);
  if (size_ <= pairwise_rows) {
    G_.resize(size_, size_);
    for (Index i = 0; i < size_; ++i)
      for (Index j = 0; j <= i; ++j) G_(i, j) = G_(j, i) = dot(white_[i], white_[j]);
    return;
  }
  if (!sparse_) assemble_dense();
}

// Entries in ascending order of the coordinates, so that G_ij and G_ji sum the same terms in the same order.
void Delassus::whiten(const Rows& W, const MassMatrix& M) {
  white_size_ = M.size();
  clear_for(static_cast<std::size_t>(W.count()), W.entries(), white_);
  coordinates_.setZero(white_size_);
  for (Index i = 0; i < W.count(); ++i) {
    if (touches_single_blocks(W[i], M)) {
      white_.open_row();
      for (const Rows::Entry& entry : W[i]) {
        double value = entry.value;
        M.whiten_block(M.block_of(entry.column), &value);
        white_.add(entry.column, value);
      }
      continue;
    }
    touched_.clear();
    for (const Rows::Entry& entry : W[i]) {
      coordinates_(entry.column) += entry.value;
      const Index block = M.block_of(entry.column);
      if (touched_.empty() || touched_.back() != block) touched_.push_back(block);
    }
    if (touched_.size() > 1) {
      std::sort(touched_.begin(), touched_.end());
      touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    }
    white_.open_row();
    for (Index block : touched_) {
      M.whiten_block(block, coordinates_.data() + M.offset(block));
      for (Index k = M.offset(block); k < M.offset(block) + M.block_size(block); ++k) {
        if (coordinates_(k) != 0) white_.add(k, coordinates_(k));
        coordinates_(k) = 0;
      }
    }
  }
}

void Delassus::assemble_dense() {
  white_.transpose_into(white_size_, by_coordinate_);
  G_.setZero(size_, size_);
  for (Index k = 0; k < white_size_; ++k)
    for (const Rows::Entry& a : by_coordinate_[k])
      for (const Rows::Entry& b : by_coordinate_[k]) G_(a.column, b.column) += a.value * b.value;
}

void Delassus::find_nonzeros() const {
  if (nonzeros_are_found_) return;
  nonzeros_are_found_ = true;
  thread_local Bundles bundles;
  thread_local RowOfG row;
  white_.transpose_into(white_size_, by_coordinate_);
  bundles.find(by_coordinate_, white_size_);
  clear_for(static_cast<std::size_t>(size_), white_.entries() + static_cast<std::size_t>(size_), nonzeros_);
  for (Index i = 0; i < size_; ++i) nonzeros_.append(row.of(white_[i], by_coordinate_, bundles));
  find_chain();
}

void Delassus::find_chain() const {
  for (Index i = 0; i < size_; ++i)
    for (const Rows::Entry& entry : nonzeros_[i])
      if (std::abs(entry.column - i) > 1) return;
  G_.setZero(2, size_);
  for (Index i = 0; i < size_; ++i)
    for (const Rows::Entry& entry : nonzeros_[i])
      if (entry.column >= i) G_(entry.column - i, i) = entry.value;
  is_chain_ = true;
}

Delassus Delassus::restricted(const std::vector<Index>& rows) const {
  Delassus part;
  part.size_ = static_cast<Index>(rows.size());
  part.sparse_ = sparse_ && part.size_ > largest_dense;
  if (has_white_rows()) restrict_white(rows, part);
  if (!part.sparse_) {
    part.G_ = Mat::Zero(part.size_, part.size_);
    for (Index i = 0; i < part.size_; ++i)
      for (Index j = 0; j < part.size_; ++j)
        part.G_(j, i) = (*this)(rows[static_cast<std::size_t>(j)], rows[static_cast<std::size_t>(i)]);
    return part;
  }
  const auto place = [&](Index row) {
    const auto found = std::lower_bound(rows.begin(), rows.end(), row);
    return found != rows.end() && *found == row ? found - rows.begin() : Index{-1};
  };
  for (Index row : rows) {
    part.nonzeros_.open_row();
    for (const Rows::Entry& entry : nonzeros()[row])
      if (const Index column = place(entry.column); column >= 0) part.nonzeros_.add(column, entry.value);
  }
  return part;
}

// Only the coordinates that the rows touch, in their order.
void Delassus::restrict_white(const std::vector<Index>& rows, Delassus& part) const {
  std::vector<Index>& used = part.touched_;
  for (Index row : rows)
    for (const Rows::Entry& entry : white_[row]) used.push_back(entry.column);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  part.white_size_ = static_cast<Index>(used.size());
  for (Index row : rows) {
    part.white_.open_row();
    for (const Rows::Entry& entry : white_[row])
      part.white_.add(std::lower_bound(used.begin(), used.end(), entry.column) - used.begin(), entry.value);
  }
}

double Delassus::diagonal(Index i) const {
  if (!sparse_) return G_(i, i);
  double sum = 0;
  for (const Rows::Entry& entry : white_[i]) sum += entry.value * entry.value;
  return sum;
}

Delassus::Sum Delassus::any_row_sum(Index i, const Vec& Lambda) const {
  Sum sum;
  visit_row(i, [&](Index j, double G_ij) {
    const double term = G_ij * Lambda(j);
    sum.value += term;
    sum.size += std::abs(term);
  });
  return sum;
}

double Delassus::sparse_entry(Index i, Index j) const {
  const Rows::Row row = nonzeros()[i];
  const Rows::Entry* found =
      std::lower_bound(row.begin(), row.end(), j, [](const Rows::Entry& e, Index column) { return e.column < column; });
  return found != row.end() && found->column == j ? found->value : 0;
}

Eigen::RowVectorXd Delassus::row_times(Index i, const Mat& X) const {
  if (!sparse_) return G_.row(i) * X;
  Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(X.cols());
  for (const Rows::Entry& entry : nonzeros()[i]) product += entry.value * X.row(entry.column);
  return product;
}

Vec Delassus::operator*(const Vec& Lambda) const {
  if (!sparse_) return G_ * Lambda;
  Vec product(size_);
  for (Index i = 0; i < size_; ++i) product(i) = nonzeros().dot(i, Lambda);
  return product;
}

Mat Delassus::times(const Mat& X) const {
  if (!sparse_) return G_ * X;
  Mat product(size_, X.cols());
  for (Index i = 0; i < size_; ++i) product.row(i) = row_times(i, X);
  return product;
}

Mat Delassus::dense() const { return sparse_ ? nonzeros().dense(size_) : G_; }

}  // namespace carom
