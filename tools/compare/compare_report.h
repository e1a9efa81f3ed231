// Runs of several laws side by side, as a table or as JSON.

#pragma once

#include <string>
#include <vector>

#include "config/scene.h"
#include "tools/compare/compare_runs.h"
#include "tools/json.h"

namespace carom {

std::string runs_table(const Scene& scene, const std::vector<ComparedRun>& runs, const std::string& reference);
Json runs_json(const Scene& scene, const std::vector<ComparedRun>& runs);

}  // namespace carom
