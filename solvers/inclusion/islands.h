// An inclusion falls apart into islands: groups of contacts that G does not couple. Each can be solved on its own, and
// every choice of their solutions is a solution of the whole.

#pragma once

#include <vector>

#include "solvers/inclusion/attempt.h"
#include "solvers/inclusion/ladder.h"

namespace carom {

struct Island {
  std::vector<Index> rows;        // ascending; rows in no set belong to no island
  std::vector<std::size_t> sets;  // in the inclusion's order
};

std::vector<Island> islands(const Inclusion& inclusion);

// One island as an inclusion of its own. G is where its operator is kept.
Inclusion restricted(const Inclusion& inclusion, const Island& island, Delassus& G);

// One solution of the whole, island by island. Where that is more than one island the outcome tells the method of the
// largest.
void solve_by_islands(const Inclusion& inclusion, const Demand& demand, SolveInclusion solve,
                      InclusionOutcome& outcome);

}  // namespace carom
