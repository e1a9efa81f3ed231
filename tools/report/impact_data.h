// An impact of a run posed again, with the answer of every law.

#pragma once

#include "config/scene.h"
#include "tools/json.h"
#include "tools/run_file/reader.h"
#include "tools/run_summary.h"

namespace carom {

// Elements, Delassus matrix (of few rows), velocities before, and what every law makes of them. `reason` instead, where
// the impact cannot be posed again or is too large to ask all laws.
Json impact_data(const RunFileReader& run, const Scene& scene, const ImpactSummary& impact);

}  // namespace carom
