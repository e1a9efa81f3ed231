// Coefficients that may be anything within ranges, every contact's for itself.

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// Those not given stay as they are.
struct CoefficientRanges {
  using Range = std::pair<double, double>;
  std::optional<Range> restitution, tangential_restitution, friction;

  bool empty() const { return !restitution && !tangential_restitution && !friction; }
  bool operator==(const CoefficientRanges&) const = default;
};

// A coefficient of one contact that may vary, and how to set it.
struct Knob {
  enum class Which { restitution, tangential_restitution, friction };

  std::size_t element;
  CoefficientRanges::Range range;
  Which which;

  void set(Contact& contact, double value) const;
};

// Every contact's ranges only as far as the law takes them: Poisson's needs ε_T ≤ ε_N where there is friction.
std::vector<Knob> knobs_of(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges);

// The part of the ranges in which the law takes the coefficients, or the law of each collision does; none if there is
// no such part.
std::optional<CoefficientRanges> taken_by(const LawChoice& law, const ImpactProblem& problem,
                                          const CoefficientRanges& ranges);

// Whether ranges leave out ε_T > ε_N, which the law does not take.
bool leave_out_tangential_above_normal(const LawChoice& law, const ImpactProblem& problem,
                                       const CoefficientRanges& ranges);

// The elements with every knob at a share, 0 to 1, of its range.
std::vector<Element> turned(const std::vector<Element>& elements, const std::vector<Knob>& knobs, const Vec& shares);

}  // namespace carom
