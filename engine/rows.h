// Force directions stored as what they touch: each row w holds the few coordinates in which it is not zero, so
// that γ = w·u costs the same in a pair of balls and in a chain of 100 000. Storage is kept from step to step.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class Rows {
 public:
  struct Entry {
    Index column;
    double value;
  };

  // A view of one row, for range-for.
  struct Row {
    const Entry* first;
    const Entry* last;
    const Entry* begin() const { return first; }
    const Entry* end() const { return last; }
  };

  Index count() const { return static_cast<Index>(starts_.size()) - 1; }
  Row operator[](Index row) const {
    const auto i = static_cast<std::size_t>(row);
    return {entries_.data() + starts_[i], entries_.data() + starts_[i + 1]};
  }

  void clear() {
    entries_.clear();
    starts_.resize(1);
  }

  void reserve(std::size_t rows, std::size_t entries) {
    starts_.reserve(rows + 1);
    entries_.reserve(entries);
  }
  std::size_t entries() const { return entries_.size(); }

  // A row is opened, filled and closed by opening the next one; an entry may be added twice to one column.
  void open_row() { starts_.push_back(entries_.size()); }
  void add(Index column, double value) {
    entries_.push_back({column, value});
    starts_.back() = entries_.size();
  }
  // A row in the first coordinates, by their values.
  template <class Value>
  void add_row(Index coordinates, Value value) {
    for (Index k = 0; k < coordinates; ++k) entries_.push_back({k, value(k)});
    starts_.push_back(entries_.size());
  }
  template <class Vector>
  void add_row(const Eigen::MatrixBase<Vector>& dense) {
    open_row();
    for (Index k = 0; k < dense.size(); ++k)
      if (dense(k) != 0) add(k, dense(k));
  }
  void append(Row row) {
    entries_.insert(entries_.end(), row.first, row.last);
    starts_.push_back(entries_.size());
  }

  double dot(Index row, const Vec& u) const {
    const Row w = (*this)[row];
    const double* x = u.data();
    const auto term = [&](std::size_t k) { return w.first[k].value * x[w.first[k].column]; };
    if (w.last - w.first == 2) return term(0) + term(1);            // a contact of a chain: two balls
    if (w.last - w.first == 3) return term(0) + term(1) + term(2);  // which two others touch
    double sum = 0;
    for (const Entry& entry : w) sum += entry.value * x[entry.column];
    return sum;
  }
  void add_to(Vec& x, Index row, double factor) const {  // x += factor·w
    const Row w = (*this)[row];
    double* const sums = x.data();
    const auto add = [&](const Entry& entry) { sums[entry.column] += factor * entry.value; };
    if (w.last - w.first == 2) {
      add(w.first[0]);
      add(w.first[1]);
    } else {
      for (const Entry& entry : w) add(entry);
    }
  }
  // One row a column of this, its entries in the order of the rows they come from.
  void transpose_into(Index columns, Rows& result) const {
    result.starts_.assign(static_cast<std::size_t>(columns) + 1, 0);
    for (const Entry& entry : entries_) ++result.starts_[static_cast<std::size_t>(entry.column) + 1];
    for (std::size_t k = 1; k < result.starts_.size(); ++k) result.starts_[k] += result.starts_[k - 1];
    result.entries_.resize(entries_.size());
    for (Index i = 0; i < count(); ++i)
      for (const Entry& entry : (*this)[i])
        result.entries_[result.starts_[static_cast<std::size_t>(entry.column)]++] = {i, entry.value};
    for (std::size_t k = result.starts_.size() - 1; k > 0; --k) result.starts_[k] = result.starts_[k - 1];
    result.starts_[0] = 0;
  }
  Mat dense(Index columns) const {  // one row a row
    Mat matrix = Mat::Zero(count(), columns);
    for (Index i = 0; i < count(); ++i)
      for (const Entry& entry : (*this)[i]) matrix(i, entry.column) += entry.value;
    return matrix;
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_ = {0};
};

}  // namespace carom
