#include "engine/sparse_ldlt.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>

namespace carom {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Turns counts by column into starts, one more than there are columns.
void accumulate(std::vector<int>& counts) {
  int sum = 0;
  for (int& count : counts) {
    const int own = count;
    count = sum;
    sum += own;
  }
}

}  // namespace

bool SparseLdlt::has_places(Index size, const Entries& entries) const {
  if (D_.size() != size || rows_.size() != entries.size()) return false;
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (rows_[e] != entries[e].row() || columns_[e] != entries[e].col()) return false;
  return true;
}

void SparseLdlt::order(Index size, const Entries& entries) {
  rows_.clear();
  columns_.clear();
  for (const auto& entry : entries) {
    rows_.push_back(entry.row());
    columns_.push_back(entry.col());
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> elimination;
  Eigen::AMDOrdering<int>()(pattern, elimination);
  place_of_.resize(static_cast<std::size_t>(size));
  for (int k = 0; k < static_cast<int>(size); ++k) place_of_[at(elimination.indices()(k))] = k;
  place_by_columns(size, entries);
  find_tree();
}

void SparseLdlt::place_by_columns(Index size, const Entries& entries) {
  A_starts_.assign(static_cast<std::size_t>(size) + 1, 0);
  const auto column_of = [&](std::size_t e) { return std::max(place_of_[at(rows_[e])], place_of_[at(columns_[e])]); };
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (rows_[e] <= columns_[e]) ++A_starts_[at(column_of(e))];
  accumulate(A_starts_);
  A_rows_.resize(at(A_starts_.back()));
  A_values_.resize(A_rows_.size());
  slot_of_.assign(entries.size(), -1);
  std::vector<int> next = A_starts_;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (rows_[e] > columns_[e]) continue;
    slot_of_[e] = next[at(column_of(e))]++;
    A_rows_[at(slot_of_[e])] = std::min(place_of_[at(rows_[e])], place_of_[at(columns_[e])]);
  }
}

// Row k of L has an entry in column i if A_jk ≠ 0 for a j below i in the tree: the paths from there up to k.
void SparseLdlt::find_tree() {
  const std::size_t size = place_of_.size();
  parent_.assign(size, -1);
  marked_.assign(size, -1);
  L_starts_.assign(size + 1, 0);
  for (int k = 0; at(k) < size; ++k) {
    marked_[at(k)] = k;
    for (int p = A_starts_[at(k)]; p < A_starts_[at(k) + 1]; ++p) {
      for (int i = A_rows_[at(p)]; marked_[at(i)] != k; i = parent_[at(i)]) {
        if (parent_[at(i)] < 0) parent_[at(i)] = k;
        ++L_starts_[at(i)];
        marked_[at(i)] = k;
      }
    }
  }
  accumulate(L_starts_);
  L_rows_.resize(at(L_starts_.back()));
  L_values_.resize(L_rows_.size());
  D_.setZero(static_cast<Index>(size));
  filled_.assign(size, 0);
  path_.assign(size, 0);
  order_.assign(size, 0);
  row_.assign(size, 0.0);
}

// Puts the path from a row up to k in front of what order_ holds from `top` on; returns the new top.
std::size_t SparseLdlt::reach(int row, int k, std::size_t top) {
  std::size_t length = 0;
  for (int i = row; marked_[at(i)] != k; i = parent_[at(i)]) {
    path_[length++] = i;
    marked_[at(i)] = k;
  }
  while (length > 0) order_[--top] = path_[--length];
  return top;
}

bool SparseLdlt::factor(Index size, const Entries& entries) {
  if (!has_places(size, entries)) order(size, entries);
  std::fill(A_values_.begin(), A_values_.end(), 0.0);
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (slot_of_[e] >= 0) A_values_[at(slot_of_[e])] = entries[e].value();
  std::fill(marked_.begin(), marked_.end(), -1);
  std::fill(row_.begin(), row_.end(), 0.0);
  for (std::size_t i = 0; i < filled_.size(); ++i) filled_[i] = L_starts_[i];

  for (int k = 0; k < static_cast<int>(size); ++k) {
    std::size_t top = order_.size();
    marked_[at(k)] = k;
    for (int p = A_starts_[at(k)]; p < A_starts_[at(k) + 1]; ++p) {
      row_[at(A_rows_[at(p)])] += A_values_[at(p)];
      top = reach(A_rows_[at(p)], k, top);
    }
    double pivot = row_[at(k)];
    row_[at(k)] = 0;
    for (; top < order_.size(); ++top) {
      const int i = order_[top];
      const double y = row_[at(i)];
      row_[at(i)] = 0;
      for (int p = L_starts_[at(i)]; p < filled_[at(i)]; ++p) row_[at(L_rows_[at(p)])] -= L_values_[at(p)] * y;
      const double l = y / D_(i);
      pivot -= l * y;
      L_rows_[at(filled_[at(i)])] = k;
      L_values_[at(filled_[at(i)]++)] = l;
    }
    D_(k) = pivot;
    if (pivot == 0 || !std::isfinite(pivot)) return false;
  }
  return true;
}

void SparseLdlt::forward(Vec& x) const {
  permuted_.resize(x.size());
  for (Index i = 0; i < x.size(); ++i) permuted_(place_of_[static_cast<std::size_t>(i)]) = x(i);
  x.swap(permuted_);
  for (std::size_t k = 0; k < place_of_.size(); ++k)
    for (int p = L_starts_[k]; p < L_starts_[k + 1]; ++p)
      x(L_rows_[at(p)]) -= L_values_[at(p)] * x(static_cast<Index>(k));
}

void SparseLdlt::backward(Vec& x) const {
  for (std::size_t k = place_of_.size(); k-- > 0;)
    for (int p = L_starts_[k]; p < L_starts_[k + 1]; ++p)
      x(static_cast<Index>(k)) -= L_values_[at(p)] * x(L_rows_[at(p)]);
  permuted_.resize(x.size());
  for (Index i = 0; i < x.size(); ++i) permuted_(i) = x(place_of_[static_cast<std::size_t>(i)]);
  x.swap(permuted_);
}

void SparseLdlt::solve_in_place(Vec& x) const {
  forward(x);
  x.array() /= D_.array();
  backward(x);
}

}  // namespace carom
