// Sets joined by what acts between their members, with path halving.

#pragma once

#include <numeric>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

class DisjointSets {
 public:
  explicit DisjointSets(Index count = 0) { separate(count); }
  void separate(Index count) {
    parent_.resize(static_cast<std::size_t>(count));
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  void join(Index i, Index j) { at(root(i)) = root(j); }

 private:
  Index& at(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<Index> parent_;
};

}  // namespace carom
