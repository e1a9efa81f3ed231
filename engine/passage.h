// Whether two bodies passed through each other within a step. The scheme sees a contact from g_k + ½hγ_k ≤ 0 on, or
// where the step ends; bodies that enter and leave each other, or each other's middle, in between are apart before and
// after.

#pragma once

#include <cstdint>
#include <optional>

#include "engine/system.h"

namespace carom {

class PassageSearch {
 public:
  PassageSearch(const System& system, double step) : system_(system), h_(step) {}

  // How long the bodies of a contact overlapped, in seconds, if they did not at the beginning of the step; it ended at
  // q with velocity u and has moved by h·mean. Convex bodies on a straight path have one least gap.
  std::optional<double> overlap(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean, double allowance);

  // Whether they overlap anywhere on that way.
  bool meet(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean, double allowance);

 private:
  double gap_before_end(double share);  // least gap of the pair, `share`·h before the end of the step
  void go_along(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean);
  double share_of_least_gap(int trials, double allowance);
  double share_where_it_opens(double overlapping, double open, double allowance);

  const System& system_;
  const double h_;
  std::uint64_t pair_ = 0;
  const Vec *q_ = nullptr, *u_ = nullptr, *mean_ = nullptr;
  Vec displacement_, position_;
  Contacts contacts_;
};

}  // namespace carom
