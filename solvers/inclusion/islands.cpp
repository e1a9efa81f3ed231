#include "solvers/inclusion/islands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/disjoint_sets.h"

namespace carom {

namespace {

constexpr double uncoupled = 1e-14;  // of G, relative to its diagonal: what rounding leaves of nothing

// The rows that G couples, and those of one contact, joined.
DisjointSets joined_rows(const Inclusion& inclusion, const std::vector<char>& carries) {
  const Index n = inclusion.c.size();
  Vec unit(n);
  for (Index i = 0; i < n; ++i) unit(i) = std::sqrt(std::max(0.0, inclusion.G->diagonal(i)));
  DisjointSets groups(n);
  for (Index i = 0; i < n; ++i) {
    if (!carries[static_cast<std::size_t>(i)]) continue;
    inclusion.G->visit_row(i, [&](Index j, double coupling) {
      if (j < i && carries[static_cast<std::size_t>(j)] && std::abs(coupling) > uncoupled * unit(i) * unit(j))
        groups.join(i, j);
    });
  }
  for (const ForceSet& set : inclusion.sets) {
    if (set.is_friction()) groups.join(set.row, set.normal_row);
    if (set.size() == 2) groups.join(set.row, set.row + 1);
  }
  return groups;
}

}  // namespace

std::vector<Island> islands(const Inclusion& inclusion) {
  const Index n = inclusion.c.size();
  std::vector<char> carries(static_cast<std::size_t>(n), 0);
  for (const ForceSet& set : inclusion.sets)
    for (Index k = 0; k < set.size(); ++k) carries[static_cast<std::size_t>(set.row + k)] = 1;
  DisjointSets groups = joined_rows(inclusion, carries);
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

namespace {

// What one pass over the islands came to.
struct Pass {
  Vec Lambda;
  int iterations = 0;   // the most of any island
  std::string solver;   // of the largest island
  std::string reasons;  // of islands that were not solved
};

Pass solve_each(const Inclusion& inclusion, const std::vector<Island>& parts, const Demand& demand,
                SolveInclusion solve) {
  Pass pass;
  pass.Lambda = Vec::Zero(inclusion.c.size());
  std::size_t largest = 0;
  Demand of_part = demand;
  of_part.every = false;
  for (const Island& island : parts) {
    Delassus G;
    const Inclusion part = restricted(inclusion, island, G);
    const Vec start = demand.has_start(inclusion) ? Vec((*demand.start)(island.rows)) : Vec();
    of_part.start = &start;
    InclusionOutcome outcome;
    solve(part, of_part, outcome);
    if (!outcome.solutions.empty()) {
      pass.Lambda(island.rows) = outcome.solutions.front().Lambda;
    } else {
      if (outcome.nearest) pass.Lambda(island.rows) = outcome.nearest->Lambda;
      if (pass.reasons.find(outcome.reason) == std::string::npos)
        pass.reasons += (pass.reasons.empty() ? "" : "; ") + outcome.reason;
    }
    pass.iterations = std::max(pass.iterations, outcome.iterations);
    if (island.rows.size() <= largest) continue;
    largest = island.rows.size();
    pass.solver = outcome.solver;
  }
  return pass;
}

bool is_all_of(const Island& island, const Inclusion& inclusion) {
  return island.sets.size() == inclusion.sets.size() && static_cast<Index>(island.rows.size()) == inclusion.c.size();
}

}  // namespace

// An island's residual is relative to its own drive and impulses, the whole problem's to the largest of all: where the
// first is met and the second is not, the islands are solved again, to more.
void solve_by_islands(const Inclusion& inclusion, const Demand& demand, SolveInclusion solve,
                      InclusionOutcome& outcome) {
  const std::vector<Island> parts = islands(inclusion);
  if (parts.size() == 1 && is_all_of(parts.front(), inclusion)) return solve(inclusion, demand, outcome);
  Attempt whole = Attempt::from(inclusion, demand.start_of(inclusion));
  Pass pass = solve_each(inclusion, parts, demand, solve);
  whole.offer(inclusion, pass.Lambda);
  whole.iterations = pass.iterations;
  if (whole.residual > demand.tolerance && pass.reasons.empty()) {
    const Vec start = whole.Lambda;
    Demand more = demand;
    more.tolerance *= 0.1;
    more.start = &start;
    pass = solve_each(inclusion, parts, more, solve);
    whole.offer(inclusion, pass.Lambda);
    whole.iterations += pass.iterations;
  }
  outcome = outcome_of(whole, inclusion, demand, pass.solver);
  if (outcome.status != InclusionOutcome::Status::solved && !pass.reasons.empty()) outcome.reason = pass.reasons;
}

}  // namespace carom
