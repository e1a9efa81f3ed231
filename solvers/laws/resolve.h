// A law asked for its answer, whatever the data: what it cannot take is its refusal, not a mistake of the caller.

#pragma once

#include "engine/impact_law.h"
#include "engine/parameters.h"

namespace carom {

// Data outside the law's ranges are refused; elements that joints close (resting_joints.h) and results that are not
// finite numbers are failures. The law is a known type.
LawOutcome resolve(const LawChoice& choice, const ImpactProblem& problem, const InclusionSolver& solver);

}  // namespace carom
