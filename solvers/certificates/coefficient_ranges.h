// Coefficients that may be anything within ranges, every contact's for itself.

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/impact_problem.h"

namespace carom {

// Those not given stay as they are.
struct CoefficientRanges {
  using Range = std::pair<double, double>;
  std::optional<Range> restitution, tangential_restitution, friction;

  bool empty() const { return !restitution && !tangential_restitution && !friction; }
};

// A coefficient of one contact that may vary, and how to set it.
struct Knob {
  std::size_t element;
  CoefficientRanges::Range range;
  void (*set)(Contact&, double);
  bool friction = false;
};

std::vector<Knob> knobs_of(const ImpactProblem& problem, const CoefficientRanges& ranges);

// The elements with every knob at a share, 0 to 1, of its range.
std::vector<Element> turned(const std::vector<Element>& elements, const std::vector<Knob>& knobs, const Vec& shares);

}  // namespace carom
