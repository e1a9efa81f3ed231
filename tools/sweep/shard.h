// A sweep divided: which points are whose. Points are scattered, so that everyone gets the same mix of cheap and
// costly ones whatever the axes are.

#pragma once

#include <cstddef>

#include "config/random_draw.h"

namespace carom {

struct Shard {
  std::size_t number = 0;  // from 0
  std::size_t count = 1;

  bool is_whole() const { return count == 1; }
  bool owns(std::size_t point) const { return count == 1 || mixed_bits(point) % count == number; }
};

}  // namespace carom
