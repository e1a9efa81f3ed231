// An inclusion falls apart into islands: groups of contacts that G does not couple. Each can be solved on its own.

#pragma once

#include <vector>

#include "engine/inclusion.h"

namespace carom {

struct Island {
  std::vector<Index> rows;        // ascending; rows in no set belong to no island
  std::vector<std::size_t> sets;  // in the inclusion's order
};

std::vector<Island> islands(const Inclusion& inclusion);

// One island as an inclusion of its own. G is where its operator is kept.
Inclusion restricted(const Inclusion& inclusion, const Island& island, Delassus& G);

}  // namespace carom
