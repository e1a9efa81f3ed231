#include "engine/jamming.h"

#include <cmath>

namespace carom {

namespace {

constexpr double at_the_limit = 1 - 1e-9;  // of friction

bool slides(const ForceSet& set, const Vec& Lambda) {
  const double normal = Lambda(set.normal_row) + set.offset;
  if (!(normal > 0)) return false;
  const Eigen::Vector2d impulse = rows_of(set, Lambda) / normal;
  double used = 0;
  for (Index k = 0; k < set.size(); ++k) {
    if (set.friction(k) > 0) used += std::pow(impulse(k) / set.friction(k), 2);
  }
  return used > at_the_limit;
}

// a Λ_N
double answer_to_itself(const Inclusion& inclusion, const ForceSet& set, const Vec& Lambda) {
  double answer = (*inclusion.G)(set.normal_row, set.normal_row) * Lambda(set.normal_row);
  for (Index k = 0; k < set.size(); ++k) answer += (*inclusion.G)(set.normal_row, set.row + k) * Lambda(set.row + k);
  return answer;
}

}  // namespace

Index row_that_slides_against_itself(const Inclusion& inclusion, const Vec& Lambda) {
  for (const ForceSet& set : inclusion.sets) {
    if (!set.is_friction() || !(answer_to_itself(inclusion, set, Lambda) < 0)) continue;
    if (slides(set, Lambda)) return set.normal_row;
  }
  return -1;
}

const InclusionSolution* lasting_solution(const Inclusion& inclusion, std::span<const InclusionSolution> solutions,
                                          Index row, bool pressed_harder) {
  const InclusionSolution* best = nullptr;
  for (const InclusionSolution& solution : solutions) {
    if (row_that_slides_against_itself(inclusion, solution.Lambda) >= 0) continue;
    const bool more = best && solution.Lambda(row) > best->Lambda(row);
    if (!best || more == pressed_harder) best = &solution;
  }
  return best;
}

}  // namespace carom
