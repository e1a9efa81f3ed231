#include "engine/passage.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double wide = 4;  // in steps: the reach within which the bodies are found on their whole path
constexpr int most_passage_trials = 60;
constexpr int trials_on_the_way = 30;  // leave a millionth of the step

}  // namespace

double PassageSearch::gap_before_end(double share) {
  displacement_ = (-share * h_) * *mean_;
  system_.move(*q_, displacement_, position_);
  contacts_.clear();
  system_.contacts(position_, *u_, wide * h_, contacts_);
  double least = HUGE_VAL;
  for (const ContactPoint& point : contacts_.points)
    if (system_.contact_pair(point.key) == pair_) least = std::min(least, point.gap);
  return least;
}

// Golden sections; the first place of overlap will do.
double PassageSearch::share_of_least_gap(int trials, double allowance) {
  const double section = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0, high = 1;
  double left = high - section, right = low + section;
  double gap_left = gap_before_end(left), gap_right = gap_before_end(right);
  for (int trial = 0; trial < trials && std::min(gap_left, gap_right) >= -allowance; ++trial) {
    if (gap_left < gap_right) {
      high = right;
      right = left;
      gap_right = gap_left;
      left = high - section * (high - low);
      gap_left = gap_before_end(left);
    } else {
      low = left;
      left = right;
      gap_left = gap_right;
      right = low + section * (high - low);
      gap_right = gap_before_end(right);
    }
  }
  return gap_left < gap_right ? left : right;
}

double PassageSearch::share_where_it_opens(double overlapping, double open, double allowance) {
  for (int trial = 0; trial < most_passage_trials / 2; ++trial) {
    const double middle = 0.5 * (overlapping + open);
    (gap_before_end(middle) < -allowance ? overlapping : open) = middle;
  }
  return open;
}

void PassageSearch::go_along(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean) {
  pair_ = system_.contact_pair(key);
  q_ = &q;
  u_ = &u;
  mean_ = &mean;
}

bool PassageSearch::meet(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean, double allowance) {
  go_along(key, q, u, mean);
  return gap_before_end(share_of_least_gap(trials_on_the_way, allowance)) < -allowance;
}

std::optional<double> PassageSearch::overlap(std::uint64_t key, const Vec& q, const Vec& u, const Vec& mean,
                                             double allowance) {
  go_along(key, q, u, mean);
  // They come from afar: otherwise they were in contact, or their contact was active.
  const double start = gap_before_end(1), closed_in_step = 64 * (start - gap_before_end(1 - 1.0 / 64));
  if (!(closed_in_step > 0 && start > 0.25 * closed_in_step)) return std::nullopt;
  const double inside = share_of_least_gap(most_passage_trials, allowance);
  if (!(gap_before_end(inside) < -allowance)) return std::nullopt;
  // Bodies that are still in each other have passed their middles and leave in the step to come.
  const double entered = share_where_it_opens(inside, 1, allowance);
  const double left = share_where_it_opens(inside, -1, allowance);
  return h_ * (entered - left);
}

}  // namespace carom
