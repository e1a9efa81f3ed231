// All that is known of a law in an impact before it runs: what is guaranteed, what is not and by how much it is missed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/impact_law.h"
#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/certificate.h"
#include "solvers/certificates/proof.h"
#include "solvers/certificates/worst_case.h"

namespace carom {

struct LawAssessment {
  enum class Standing { guaranteed, not_guaranteed, refused };

  std::string law;  // as asked for
  Standing standing = Standing::refused;
  bool in_turn = false;  // the law takes one contact at a time only, so it is applied to each in turn (sequential)
  Proof proof;
  std::optional<Proof> within;           // for all coefficients in the ranges, where ranges were given
  CoefficientRanges ranges, taken;       // those asked for, and the part of them that the law takes
  bool tangential_below_normal = false;  // of which it takes ε_T ≤ ε_N alone
  std::string refusal;                   // why the law does not take the impact
  std::string unsolved;                  // why the law has no solution here
  std::optional<ImpactResult> here;      // from the impact's own velocity, the most gaining of its solutions
  std::optional<WorstCase> worst;        // from any velocity; not searched for where a theorem excludes gains
  std::optional<Certificate> kinematic;  // guaranteed speaks of energy; this of contacts left approaching
  std::vector<Certificate> certificates;

  bool guaranteed() const { return standing == Standing::guaranteed; }
};

struct AssessmentOptions {
  CoefficientRanges ranges;
  bool sequential_for_several = true;  // as scenes do
  bool certificates = true;            // otherwise the verdict alone, which is quicker
  SearchProgress progress = {};        // of the worst case, where it is searched for
};

// At joints that move by prescription the energy that is judged is the contacts' work. Pose it at resting joints, as
// the contacts see it (resting_joints.h); where that is not possible no worst case is looked for.
LawAssessment assess(const LawChoice& law, const ImpactProblem& problem, const AssessmentOptions& options = {});

}  // namespace carom
