#include "models/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace carom {

namespace {

// The finite sides of all boxes along one axis.
struct Spread {
  double low = HUGE_VAL, high = -HUGE_VAL;
  double sizes = 0;
  Index bounded = 0;

  void add(double from, double to) {
    if (std::isfinite(from)) low = std::min(low, from);
    if (std::isfinite(to)) high = std::max(high, to);
    if (!std::isfinite(to - from)) return;
    sizes += to - from;
    ++bounded;
  }

  double width() const { return high > low ? high - low : 0; }
  double mean_size() const { return bounded > 0 ? sizes / static_cast<double>(bounded) : 0; }
};

std::array<Spread, 3> spreads_of(const std::vector<Box>& boxes) {
  std::array<Spread, 3> spreads;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (Index axis = 0; axis < 3; ++axis) {
      const double low = boxes[i].low(axis);
      const double high = boxes[i].high(axis);
      if (!(low <= high)) throw std::invalid_argument("the box of shape " + std::to_string(i) + " is not a box");
      spreads[static_cast<std::size_t>(axis)].add(low, high);
    }
  }
  return spreads;
}

constexpr double widening = 0.05;  // on either side, of the mean size: no more neighbours in a dense pile

// Over the axes along which boxes are bounded and not flat. Checks the boxes.
double mean_size(const std::vector<Box>& boxes) {
  double sizes = 0, bounded = 0;
  for (const Spread& spread : spreads_of(boxes)) {
    if (!(spread.sizes > 0)) continue;
    sizes += spread.sizes;
    bounded += static_cast<double>(spread.bounded);
  }
  return bounded > 0 ? sizes / bounded : 0;
}

bool overlap(const Box& a, const Box& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

// Turns the number of items of each bin into where the bin ends. Filling each bin from its end, the last item first,
// then leaves where it begins.
void ends_from_counts(std::vector<Index>& counts) { std::partial_sum(counts.begin(), counts.end(), counts.begin()); }

}  // namespace

// Monotone in x: two boxes that overlap both lie in the strip in which the later one begins.
Index BroadPhase::Strips::of(double x) const {
  if (count == 1) return 0;
  return static_cast<Index>(std::clamp((x - low) / width, 0.0, static_cast<double>(count - 1)));
}

const std::vector<std::pair<Index, Index>>& BroadPhase::pairs(const std::vector<Box>& boxes) {
  if (!are_within_wide(boxes)) {
    const double margin = widening * mean_size(boxes);
    wide_ = boxes;
    for (Box& box : wide_) {
      box.low.array() -= margin;
      box.high.array() += margin;
    }
    search(wide_);
  }
  pairs_.clear();
  for (const auto& [i, j] : candidates_)
    if (overlap(boxes[static_cast<std::size_t>(i)], boxes[static_cast<std::size_t>(j)])) pairs_.emplace_back(i, j);
  return pairs_;
}

bool BroadPhase::are_within_wide(const std::vector<Box>& boxes) const {
  if (boxes.size() != wide_.size()) return false;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto low = boxes[i].low.array(), high = boxes[i].high.array();
    if (!(low <= high && wide_[i].low.array() <= low && high <= wide_[i].high.array()).all()) return false;
  }
  return true;
}

void BroadPhase::search(const std::vector<Box>& boxes) {
  lay_out(boxes);
  sort_along_sweep(boxes);
  deal_into_strips(boxes);
  found_.clear();
  for (Index column = 0; column < strips_[0].count * strips_[1].count; ++column) sweep(column);
  sort_pairs(static_cast<Index>(boxes.size()));
}

// The strips are as narrow as two mean boxes, but there are no more columns than boxes.
void BroadPhase::lay_out(const std::vector<Box>& boxes) {
  const std::array<Spread, 3> spreads = spreads_of(boxes);
  std::array<Index, 3> axes = {0, 1, 2};
  const auto spread = [&](Index axis) -> const Spread& { return spreads[static_cast<std::size_t>(axis)]; };
  std::sort(axes.begin(), axes.end(), [&](Index a, Index b) {
    return spread(a).width() > spread(b).width() || (spread(a).width() == spread(b).width() && a < b);
  });
  sweep_axis_ = axes[0];
  Index most = std::max<Index>(1, static_cast<Index>(boxes.size()));
  for (std::size_t k = 0; k < 2; ++k) {
    const Spread& across = spread(axes[k + 1]);
    const double wanted = across.width() / (2 * across.mean_size());
    strips_[k] = {axes[k + 1], 1, across.low, 1};
    if (std::isfinite(across.width()) && wanted > 1)  // false also for 0/0
      strips_[k].count = static_cast<Index>(std::min(wanted, static_cast<double>(most)));
    strips_[k].width = across.width() / static_cast<double>(strips_[k].count);
    most = std::max<Index>(1, most / strips_[k].count);
  }
}

// Insertion keeps what is nearly sorted from the step before; a new order is sorted anew. Either way the result is
// the one order by (lower side, number).
void BroadPhase::sort_along_sweep(const std::vector<Box>& boxes) {
  const auto before = [&](Index a, Index b) {
    const double low_a = boxes[static_cast<std::size_t>(a)].low(sweep_axis_);
    const double low_b = boxes[static_cast<std::size_t>(b)].low(sweep_axis_);
    return low_a < low_b || (low_a == low_b && a < b);
  };
  if (order_.size() != boxes.size()) {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), Index{0});
  }
  std::size_t moves_left = 8 * order_.size();
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const Index inserted = order_[i];
    std::size_t place = i;
    for (; place > 0 && moves_left > 0 && before(inserted, order_[place - 1]); --place, --moves_left)
      order_[place] = order_[place - 1];
    order_[place] = inserted;
    if (moves_left == 0) break;
  }
  if (moves_left == 0) std::sort(order_.begin(), order_.end(), before);
}

void BroadPhase::deal_into_strips(const std::vector<Box>& boxes) {
  const auto for_each_column = [&](const Box& box, const auto& visit) {
    const auto& [u, v] = strips_;
    const Index last_u = u.of(box.high(u.axis));
    const Index last_v = v.of(box.high(v.axis));
    for (Index i = u.of(box.low(u.axis)); i <= last_u; ++i)
      for (Index j = v.of(box.low(v.axis)); j <= last_v; ++j) visit(static_cast<std::size_t>(i * v.count + j));
  };
  column_begins_.assign(static_cast<std::size_t>(strips_[0].count * strips_[1].count), 0);
  for (const Box& box : boxes) for_each_column(box, [&](std::size_t column) { ++column_begins_[column]; });
  ends_from_counts(column_begins_);
  entries_.resize(static_cast<std::size_t>(column_begins_.back()));
  for (auto body = order_.rbegin(); body != order_.rend(); ++body) {
    const Box& box = boxes[static_cast<std::size_t>(*body)];
    const Entry entry = {
        box, *body, {strips_[0].of(box.low(strips_[0].axis)), strips_[1].of(box.low(strips_[1].axis))}};
    for_each_column(box,
                    [&](std::size_t column) { entries_[static_cast<std::size_t>(--column_begins_[column])] = entry; });
  }
}

void BroadPhase::sweep(Index column) {
  const auto next = static_cast<std::size_t>(column) + 1;
  const auto begin = static_cast<std::size_t>(column_begins_[next - 1]);
  const std::size_t end =
      next < column_begins_.size() ? static_cast<std::size_t>(column_begins_[next]) : entries_.size();
  for (std::size_t i = begin; i < end; ++i) {
    const Entry& a = entries_[i];
    for (std::size_t j = i + 1; j < end && entries_[j].box.low(sweep_axis_) <= a.box.high(sweep_axis_); ++j) {
      const Entry& b = entries_[j];
      if (!overlap(a.box, b.box)) continue;
      // Boxes may meet in several columns: the first of them reports the pair.
      const Index first = std::max(a.first_strip[0], b.first_strip[0]) * strips_[1].count +
                          std::max(a.first_strip[1], b.first_strip[1]);
      if (first == column) found_.push_back(std::minmax(a.body, b.body));
    }
  }
}

void BroadPhase::sort_pairs(Index bodies) {
  partner_begins_.assign(static_cast<std::size_t>(bodies), 0);
  for (const auto& pair : found_) ++partner_begins_[static_cast<std::size_t>(pair.first)];
  ends_from_counts(partner_begins_);
  partners_.resize(found_.size());
  for (const auto& pair : found_)
    partners_[static_cast<std::size_t>(--partner_begins_[static_cast<std::size_t>(pair.first)])] = pair.second;
  candidates_.clear();
  for (std::size_t i = 0; i < partner_begins_.size(); ++i) {
    const auto begin = partners_.begin() + partner_begins_[i];
    const auto end = i + 1 < partner_begins_.size() ? partners_.begin() + partner_begins_[i + 1] : partners_.end();
    std::sort(begin, end);
    for (auto partner = begin; partner != end; ++partner) candidates_.emplace_back(static_cast<Index>(i), *partner);
  }
}

}  // namespace carom
