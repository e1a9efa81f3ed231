// Coefficients of restitution mean different things in different laws. Here they are made comparable by what they do:
// the coefficient with which a law does the work in an impact that another law has done.
//
// With several contacts it is one ε for all of them; clutches and tangents keep theirs. In `restitution-matrix` it is
// ℰ_nn = εI (unless the matrix is given), in `compliant` every spring returns ε² of its work, `sequential` hands it to
// the law of each collision.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/impact_law.h"
#include "engine/parameters.h"

namespace carom {

struct EnergyMatch {
  enum class Outcome {
    matched,
    no_coefficient,  // the work is the same whatever the coefficient
    none,            // no coefficient in the law's range does the work asked for
    not_applicable,  // the law has no answer to this impact, for `reason`
  };
  Outcome outcome = Outcome::not_applicable;
  std::string reason;
  std::optional<double> restitution;  // the equivalent if it is in the range, else the smallest of the roots
  // Laws on Routh's path: the coefficient that ends where the reference ended, so that not only the work is the same
  // (Djerassi 2010, sect. 7). It may lie outside the range.
  std::optional<double> equivalent;
  std::vector<double> roots;       // coefficients in the range that do the work asked for, in ascending order
  std::vector<double> jumps;       // where the law's work jumps past it
  double lowest = 0, highest = 1;  // the range
  std::optional<std::pair<double, double>> reach;  // least and most work that the law does in it
};

// The work asked for is that of the reference. The law is a known type.
EnergyMatch match_energy(const LawChoice& law, const ImpactProblem& problem, const ImpactResult& reference,
                         const InclusionSolver& solver);

// The law with this coefficient at an impact (its own parameter `restitution`, where it has one).
LawOutcome resolve_with(double epsilon, const LawChoice& law, const ImpactProblem& problem,
                        const InclusionSolver& solver);

}  // namespace carom
