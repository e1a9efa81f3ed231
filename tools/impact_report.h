// Results of one impact, as a table or as JSON.

#pragma once

#include <string>
#include <vector>

#include "config/impact_file.h"
#include "engine/impact_law.h"
#include "tools/json.h"

namespace carom {

struct LawAnswer {
  std::string law;
  LawOutcome outcome;
};

std::string impact_table(const ImpactFile& file, const ImpactProblem& problem, const std::vector<LawAnswer>& answers,
                         bool all_solutions);
Json impact_json(const ImpactFile& file, const std::vector<LawAnswer>& answers, bool all_solutions);

// "consistent, stick", "creates energy (+59 %), slip", ...
std::string verdict_text(const ImpactProblem& problem, const ImpactResult& result);
bool is_consistent(const ImpactResult& result);

}  // namespace carom
