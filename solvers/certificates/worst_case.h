// The velocity before the impact (and the coefficients, within ranges) from which a law creates most energy, relative
// to what there was: max (T⁺ − T⁻)/T⁻ over all u⁻ on the manifold and all solutions of the law.
//
// With planar friction Newton's and Poisson's laws are solved exactly as long as there are few contacts
// (newton_worst.h, poisson_worst.h), Newton's rule on Routh's path always (newton_routh_worst.h). Everything else is a
// seeded search: velocities drawn uniformly and by modes, then climbs from the most promising of them (gain_climb.h).
// What it finds is an example, what it does not find is no proof. Coefficients are searched from corners of their
// ranges and random points, by steps along every coordinate.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/coefficient_ranges.h"

namespace carom {

struct WorstCase {
  double gain = 0;                   // (T⁺ − T⁻)/T⁻; negative: every velocity tried loses
  Vec u_minus;                       // with the kinetic energy of the problem's own, or 1 J if it has none
  std::vector<Element> elements;     // with the coefficients it happens at
  bool exact = false;                // the maximum itself, not only the best found
  std::optional<double> bound = {};  // no gain is greater, where that is known
  std::int64_t tried = 0;            // impacts resolved
  bool coefficients_varied = false;
  bool cut_short = false;  // the time was spent before the search had ended

  bool gains() const { return gain > verdict_tolerance; }
};

// `seeds`: velocities to begin with.
WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges = {},
                     const std::vector<Vec>& seeds = {});

}  // namespace carom
