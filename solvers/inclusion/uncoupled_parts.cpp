#include "solvers/inclusion/uncoupled_parts.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double uncoupled = 1e-14;  // of G, relative to its diagonal

bool coupled(const Delassus& G, const ForceSet& a, const ForceSet& b) {
  for (Index i = a.row; i < a.row + a.size(); ++i) {
    for (Index j = b.row; j < b.row + b.size(); ++j) {
      if (std::abs(G(i, j)) > uncoupled * std::sqrt(G(i, i) * G(j, j))) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::size_t> part_of_sets(const Inclusion& inclusion) {
  const std::size_t n = inclusion.sets.size();
  std::vector<std::size_t> part(n);
  for (std::size_t s = 0; s < n; ++s) part[s] = s;
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < s; ++t) {
      const bool friction = inclusion.sets[s].normal_row == inclusion.sets[t].row;
      if (part[s] == part[t] || !(friction || coupled(*inclusion.G, inclusion.sets[s], inclusion.sets[t]))) continue;
      const auto [lower, higher] = std::minmax({part[s], part[t]});  // values: those in the list change
      std::replace(part.begin(), part.end(), higher, lower);
    }
  }
  return part;
}

Part take_part(const Inclusion& whole, const std::vector<std::size_t>& part_of, std::size_t which) {
  Part part;
  std::vector<Index> place(static_cast<std::size_t>(whole.c.size()), -1);
  for (std::size_t s = 0; s < whole.sets.size(); ++s) {
    if (part_of[s] != which) continue;
    ForceSet set = whole.sets[s];
    for (Index k = 0; k < set.size(); ++k) {
      place[static_cast<std::size_t>(set.row + k)] = static_cast<Index>(part.rows.size());
      part.rows.push_back(set.row + k);
    }
    set.row = place[static_cast<std::size_t>(set.row)];
    if (set.normal_row >= 0) set.normal_row = place[static_cast<std::size_t>(set.normal_row)];
    part.inclusion.sets.push_back(set);
  }
  part.G = Delassus::from_matrix(whole.G->dense()(part.rows, part.rows));
  part.inclusion.c = whole.c(part.rows);
  part.inclusion.r = whole.r(part.rows);
  part.inclusion.every = whole.every;
  return part;
}

}  // namespace carom
