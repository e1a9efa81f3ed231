#include "engine/delassus.h"

#include <algorithm>

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

constexpr Index few_rows = 4;  // whose products are taken pair by pair

}  // namespace

Delassus Delassus::from_matrix(Mat G) {
  Delassus delassus;
  delassus.size_ = G.rows();
  delassus.G_ = std::move(G);
  return delassus;
}

void Delassus::set_matrix(const Mat& G) {
  size_ = G.rows();
  sparse_ = false;
  white_.clear();
  G_ = G;
}

void Delassus::rebuild(const Rows& W, const MassMatrix& M) {
  size_ = W.count();
  sparse_ = size_ > largest_dense;
  whiten(W, M);
  if (size_ <= few_rows) {
    G_.resize(size_, size_);
    for (Index i = 0; i < size_; ++i)
      for (Index j = 0; j <= i; ++j) G_(i, j) = G_(j, i) = dot(white_[i], white_[j]);
    return;
  }
  white_.transpose_into(white_size_, by_coordinate_);
  if (sparse_) {
    assemble_sparse();
  } else {
    assemble_dense();
  }
}

// Entries in ascending order of the coordinates, so that G_ij and G_ji sum the same terms in the same order.
void Delassus::whiten(const Rows& W, const MassMatrix& M) {
  white_size_ = M.size();
  white_.clear();
  white_.reserve(static_cast<std::size_t>(W.count()), W.entries());
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
      touched_.push_back(M.block_of(entry.column));
    }
    if (!std::is_sorted(touched_.begin(), touched_.end())) std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
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
  G_.setZero(size_, size_);
  for (Index k = 0; k < white_size_; ++k)
    for (const Rows::Entry& a : by_coordinate_[k])
      for (const Rows::Entry& b : by_coordinate_[k]) G_(a.column, b.column) += a.value * b.value;
}

void Delassus::assemble_sparse() {
  unsorted_.clear();
  unsorted_.reserve(static_cast<std::size_t>(size_), white_.entries() + static_cast<std::size_t>(size_));
  sum_.setZero(size_);
  bool sorted = true;
  for (Index i = 0; i < size_; ++i) {
    touched_.clear();
    for (const Rows::Entry& w : white_[i])
      for (const Rows::Entry& other : by_coordinate_[w.column]) {
        if (sum_(other.column) == 0) touched_.push_back(other.column);
        sum_(other.column) += w.value * other.value;
      }
    sorted = sorted && std::is_sorted(touched_.begin(), touched_.end());
    unsorted_.open_row();
    for (Index j : touched_) {
      if (sum_(j) != 0) unsorted_.add(j, sum_(j));  // a coordinate visited twice after cancelling counts once
      sum_(j) = 0;
    }
  }
  if (sorted) {
    std::swap(unsorted_, nonzeros_);
  } else {
    unsorted_.transpose_into(size_, nonzeros_);  // G is symmetric: its transpose is itself, with sorted rows
  }
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
    for (const Rows::Entry& entry : nonzeros_[row])
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

double Delassus::sparse_entry(Index i, Index j) const {
  const Rows::Row row = nonzeros_[i];
  const Rows::Entry* found =
      std::lower_bound(row.begin(), row.end(), j, [](const Rows::Entry& e, Index column) { return e.column < column; });
  return found != row.end() && found->column == j ? found->value : 0;
}

Eigen::RowVectorXd Delassus::row_times(Index i, const Mat& X) const {
  if (!sparse_) return G_.row(i) * X;
  Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(X.cols());
  for (const Rows::Entry& entry : nonzeros_[i]) product += entry.value * X.row(entry.column);
  return product;
}

Vec Delassus::operator*(const Vec& Lambda) const {
  if (!sparse_) return G_ * Lambda;
  Vec product(size_);
  for (Index i = 0; i < size_; ++i) product(i) = nonzeros_.dot(i, Lambda);
  return product;
}

Mat Delassus::times(const Mat& X) const {
  if (!sparse_) return G_ * X;
  Mat product(size_, X.cols());
  for (Index i = 0; i < size_; ++i) product.row(i) = row_times(i, X);
  return product;
}

Mat Delassus::block(Index i, Index j, Index rows, Index cols) const {
  if (!sparse_) return G_.block(i, j, rows, cols);
  Mat part = Mat::Zero(rows, cols);
  for (Index k = 0; k < rows; ++k)
    for (const Rows::Entry& entry : nonzeros_[i + k])
      if (entry.column >= j && entry.column < j + cols) part(k, entry.column - j) = entry.value;
  return part;
}

Mat Delassus::dense() const { return sparse_ ? nonzeros_.dense(size_) : G_; }

}  // namespace carom
