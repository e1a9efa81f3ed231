// Pairs of shapes whose boxes overlap, near-linear in the bodies of a pile. The boxes are sorted along the axis of
// greatest spread and dealt, in this order, into strips across the other axes, about two boxes wide; each strip is
// swept for overlaps. One sweep over all would compare each box of a pile with a whole column of others.
//
// What is sought are overlaps of boxes that are a little wider than those given. As long as the given ones stay within
// these, as in a pile near rest from step to step, the pairs are among those found before (Verlet 1967).
// The pairs and their order depend on the boxes only, not on earlier calls, so that runs are the same bit by bit.

#pragma once

#include <array>
#include <utility>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct Box {
  Eigen::Vector3d low = Eigen::Vector3d::Zero();
  Eigen::Vector3d high = Eigen::Vector3d::Zero();
};

class BroadPhase {
 public:
  // Pairs (i < j) of overlapping or touching boxes, sorted. Unbounded boxes (planes) may have infinite sides.
  // std::invalid_argument if a box has no low ≤ high (a NaN included).
  const std::vector<std::pair<Index, Index>>& pairs(const std::vector<Box>& boxes);

 private:
  // Along one axis. A box lies in all strips that it overlaps; an unbounded one in all there are.
  struct Strips {
    Index axis = 0;
    Index count = 1;
    double low = 0, width = 1;

    Index of(double x) const;
  };

  struct Entry {
    Box box;
    Index body = 0;
    std::array<Index, 2> first_strip = {0, 0};
  };

  bool are_within_wide(const std::vector<Box>& boxes) const;
  void search(const std::vector<Box>& boxes);  // sets candidates_
  void lay_out(const std::vector<Box>& boxes);
  void sort_along_sweep(const std::vector<Box>& boxes);
  void deal_into_strips(const std::vector<Box>& boxes);
  void sweep(Index column);
  void sort_pairs(Index bodies);

  Index sweep_axis_ = 0;
  std::array<Strips, 2> strips_;      // across the other two axes; a column is a strip of each
  std::vector<Index> order_;          // by lower side; nearly sorted from the step before
  std::vector<Index> column_begins_;  // in entries_
  std::vector<Entry> entries_;        // by column, in each sorted as order_ is
  std::vector<std::pair<Index, Index>> found_;
  std::vector<Index> partner_begins_;  // in partners_, by a pair's first body
  std::vector<Index> partners_;
  std::vector<Box> wide_;                            // boxes of the last search
  std::vector<std::pair<Index, Index>> candidates_;  // their overlaps, sorted
  std::vector<std::pair<Index, Index>> pairs_;
};

}  // namespace carom
