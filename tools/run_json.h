// What a run file tells, as JSON.

#pragma once

#include <vector>

#include "tools/json.h"
#include "tools/run_summary.h"

namespace carom {

Json run_json(const RunSummary& run, const std::vector<ImpactSummary>& impacts);

}  // namespace carom
