// A contact point by its key: mostly at the same place in the list as before, else by search. Storage is kept.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/system.h"

namespace carom {

class ContactFinder {
 public:
  void look_in(const Contacts& contacts) {
    points_ = &contacts.points;
    sorted_.clear();
  }

  const ContactPoint* find(std::uint64_t key, std::size_t guess) {
    if (guess < points_->size() && (*points_)[guess].key == key) return &(*points_)[guess];
    if (sorted_.empty()) {
      for (const ContactPoint& point : *points_) sorted_.push_back(&point);
      std::sort(sorted_.begin(), sorted_.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
    }
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), key,
                                        [](const ContactPoint* point, std::uint64_t k) { return point->key < k; });
    return found != sorted_.end() && (*found)->key == key ? *found : nullptr;
  }

 private:
  const std::vector<ContactPoint>* points_ = nullptr;
  std::vector<const ContactPoint*> sorted_;
};

}  // namespace carom
