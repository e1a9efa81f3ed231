// The velocity before the impact (and the coefficients, within ranges) from which a law creates most energy, relative
// to what there was: max (T⁺ − T⁻)/T⁻ over all u⁻ on the manifold and all solutions of the law.
//
// Only the motions that the impulses can change matter; any other adds to T⁻ alone. One planar frictional contact under
// Newton's law is solved exactly: in the plane of γ⁻ each of stick, slip left and slip right is linear on a cone, the
// gain a quotient of quadratic forms, greatest at one of its eigenvectors or at an edge of the cone. Everything else is
// a seeded search from many starts: what it finds is an example, what it does not find is no proof.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// Every contact's coefficients may be anything in here; those not given stay as they are.
struct CoefficientRanges {
  using Range = std::pair<double, double>;
  std::optional<Range> restitution, tangential_restitution, friction;

  bool empty() const { return !restitution && !tangential_restitution && !friction; }
};

struct WorstCase {
  double gain = 0;                // (T⁺ − T⁻)/T⁻; negative: every velocity tried loses
  Vec u_minus;                    // with the kinetic energy of the problem's own, or 1 J if it has none
  std::vector<Element> elements;  // with the coefficients it happens at
  bool exact = false;             // the maximum itself, not only the best found
  std::int64_t tried = 0;         // impacts resolved
  bool coefficients_varied = false;

  bool gains() const { return gain > verdict_tolerance; }
};

// `seeds`: velocities to begin with.
WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges = {},
                     const std::vector<Vec>& seeds = {});

}  // namespace carom
