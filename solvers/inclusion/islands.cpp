#include "solvers/inclusion/islands.h"

#include <algorithm>

#include "engine/disjoint_sets.h"

namespace carom {

std::vector<Island> islands(const Inclusion& inclusion) {
  const Index n = inclusion.c.size();
  std::vector<char> carries(static_cast<std::size_t>(n), 0);
  for (const ForceSet& set : inclusion.sets)
    for (Index k = 0; k < set.size(); ++k) carries[static_cast<std::size_t>(set.row + k)] = 1;
  DisjointSets groups(n);
  for (Index i = 0; i < n; ++i) {
    if (!carries[static_cast<std::size_t>(i)]) continue;
    inclusion.G->visit_row(i, [&](Index j, double) {
      if (j < i && carries[static_cast<std::size_t>(j)]) groups.join(i, j);
    });
  }
  for (const ForceSet& set : inclusion.sets) {
    if (set.is_friction()) groups.join(set.row, set.normal_row);
    if (set.size() == 2) groups.join(set.row, set.row + 1);
  }
  std::vector<Island> result;
  std::vector<Index> number(static_cast<std::size_t>(n), -1);
  const auto island_of = [&](Index row) -> Island& {
    Index& island = number[static_cast<std::size_t>(groups.root(row))];
    if (island < 0) {
      island = static_cast<Index>(result.size());
      result.emplace_back();
    }
    return result[static_cast<std::size_t>(island)];
  };
  for (Index i = 0; i < n; ++i)
    if (carries[static_cast<std::size_t>(i)]) island_of(i).rows.push_back(i);
  for (std::size_t s = 0; s < inclusion.sets.size(); ++s) island_of(inclusion.sets[s].row).sets.push_back(s);
  return result;
}

Inclusion restricted(const Inclusion& inclusion, const Island& island, Delassus& G) {
  G = inclusion.G->restricted(island.rows);
  Inclusion part;
  part.G = &G;
  part.c = inclusion.c(island.rows);
  part.r = inclusion.r(island.rows);
  if (inclusion.start.size() == inclusion.c.size()) part.start = inclusion.start(island.rows);
  part.tolerance = inclusion.tolerance;
  part.wanted_part = inclusion.wanted_part;
  part.every = inclusion.every;
  const auto place = [&](Index row) {
    return std::lower_bound(island.rows.begin(), island.rows.end(), row) - island.rows.begin();
  };
  for (std::size_t s : island.sets) {
    ForceSet set = inclusion.sets[s];
    set.row = place(set.row);
    if (set.normal_row >= 0) set.normal_row = place(set.normal_row);
    part.sets.push_back(set);
  }
  return part;
}

}  // namespace carom
