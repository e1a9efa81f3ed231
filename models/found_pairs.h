// The contacts of each pair of shapes as a search found them, for the next search to take again where neither shape has
// moved. Storage is kept.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/system.h"

namespace carom {

class FoundPairs {
 public:
  using Pair = std::pair<Index, Index>;

  // What the last search found, if it came to its end and was this one's, for the same h.
  const Contacts* last_of(std::uint64_t whose, double h) const {
    return whose == whose_ && h == h_ ? &contacts_ : nullptr;
  }
  // A search goes through its pairs in ascending order.
  void start() {
    whose_ = 0;
    next_ = repeated_ = 0;
    something_is_new_ = false;
    now_.clear();
  }
  // Appends what the last search found for this pair.
  void repeat(const Pair& pair, Contacts& contacts) {
    while (next_ < before_.size() && before_[next_].pair < pair) ++next_;
    if (next_ == before_.size() || before_[next_].pair != pair) return;
    ++repeated_;
    const std::size_t begin = contacts.points.size();
    for (std::size_t i = before_[next_].begin; i < before_[next_].end; ++i) {
      ContactPoint point = contacts_.points[i];
      const Index row = std::exchange(point.first_row, contacts.W.count());
      for (Index k = 0; k <= point.tangents; ++k) contacts.W.append(contacts_.W[row + k]);
      contacts.points.push_back(point);
    }
    now_.push_back({pair, begin, contacts.points.size()});
  }
  // The points from `begin` on are those of this pair, looked for.
  void note(const Pair& pair, std::size_t begin, const Contacts& contacts) {
    if (contacts.points.size() == begin) return;
    something_is_new_ = true;
    now_.push_back({pair, begin, contacts.points.size()});
  }
  // Where every pair has been repeated there is nothing to copy: large piles are as fast as they are read.
  void finish(std::uint64_t whose, double h, const Contacts& contacts) {
    if (something_is_new_ || repeated_ < before_.size()) {
      before_.swap(now_);
      contacts_ = contacts;
    } else {
      contacts_.q = contacts.q;
      contacts_.u = contacts.u;
    }
    whose_ = whose;
    h_ = h;
  }

 private:
  struct Found {
    Pair pair;
    std::size_t begin, end;  // of its points
  };

  std::vector<Found> before_, now_;
  std::size_t next_ = 0, repeated_ = 0;
  bool something_is_new_ = false;
  Contacts contacts_;
  std::uint64_t whose_ = 0;  // 0: nobody's
  double h_ = 0;
};

}  // namespace carom
