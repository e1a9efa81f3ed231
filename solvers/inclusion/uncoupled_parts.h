// The parts of a small problem that G does not couple: every choice of their solutions is a solution of the whole.

#pragma once

#include <vector>

#include "engine/inclusion.h"

namespace carom {

// An inclusion of some of the sets of another; G is copied.
struct Part {
  std::vector<Index> rows;
  Delassus G;
  Inclusion inclusion;
};

// Which part every set belongs to, by the number of its first set: friction to its normal, and what G couples together.
std::vector<std::size_t> part_of_sets(const Inclusion& inclusion);

Part take_part(const Inclusion& whole, const std::vector<std::size_t>& part_of, std::size_t which);

}  // namespace carom
