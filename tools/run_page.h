// What a run file tells, as a page of text.

#pragma once

#include <string>
#include <vector>

#include "tools/run_summary.h"

namespace carom {

std::string run_page(const RunSummary& run, const std::vector<ImpactSummary>& impacts);

}  // namespace carom
