// Impacts that the benchmarks pose.

#pragma once

#include "engine/impact_problem.h"

namespace carom::bench {

ImpactProblem kane_impact();              // the published state
ImpactProblem touching_balls(int balls);  // of equal mass, elastic; the first one strikes

}  // namespace carom::bench
