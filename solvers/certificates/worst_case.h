// The velocity before the impact (and the coefficients, within ranges) from which a law creates most energy, relative
// to what there was: max (T⁺ − T⁻)/T⁻ over all u⁻ on the manifold and all solutions of the law.
//
// Computed where that is possible (exact_worst_case.h). Everything else is a seeded search, at given coefficients over
// velocities (velocity_search.h), within ranges from corners of the ranges and random points, by steps along every
// coordinate. What it finds is an example, what it does not find is no proof. It ends by counts, never by time.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/coefficient_ranges.h"
#include "solvers/certificates/search_effort.h"

namespace carom {

struct WorstCase {
  double gain = 0;                   // (T⁺ − T⁻)/T⁻; negative: every velocity tried loses
  Vec u_minus;                       // with the kinetic energy of the problem's own, or 1 J if it has none
  std::vector<Element> elements;     // with the coefficients it happens at
  bool exact = false;                // the maximum itself, not only the best found
  std::optional<double> bound = {};  // no gain is greater, where that is known
  std::int64_t tried = 0;            // impacts resolved, or settings of the coefficients computed
  std::int64_t faces = 0;            // of cones, looked at in what was computed
  bool coefficients_varied = false;
  bool cut_short = false;  // its effort was spent before the search had ended

  bool gains() const { return gain > verdict_tolerance; }
};

// `seeds`: velocities to begin with.
WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges = {},
                     const std::vector<Vec>& seeds = {}, const SearchProgress& progress = {});

}  // namespace carom
