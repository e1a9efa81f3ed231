// Results of one impact, as a table or as JSON.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/impact_file.h"
#include "engine/impact_law.h"
#include "tools/json.h"

namespace carom {

struct LawAnswer {
  std::string law;
  LawOutcome outcome;
  std::optional<double> restitution = {};  // one for all contacts, where coefficients are matched
  std::string unmatched = {};              // why there is none; then there is no outcome
};

std::string impact_table(const ImpactFile& file, const ImpactProblem& problem, const std::vector<LawAnswer>& answers,
                         bool all_solutions);
// One line a law, however many elements collide; what does not fit in is in the JSON.
std::string comparison_table(const ImpactFile& file, const ImpactProblem& problem,
                             const std::vector<LawAnswer>& answers);
// Whether a contact or clutch does, beyond rounding.
bool approaches(const ImpactProblem& problem);
// What a reader of the results should know, one line a law; empty if there is nothing. The tables end with it.
std::vector<std::string> impact_notes(const std::vector<LawAnswer>& answers, bool all_solutions);
// M, W, G and G⁻¹, and of every result u°, T°, the work of its phases, quasi-velocities and equivalent coefficients.
std::string impact_details(const ImpactProblem& problem, const std::vector<LawAnswer>& answers, bool all_solutions);
Json impact_json(const ImpactFile& file, const ImpactProblem& problem, const std::vector<LawAnswer>& answers,
                 bool all_solutions);

// "consistent, stick", "creates energy (+59 %), slip", ...
std::string verdict_text(const ImpactProblem& problem, const ImpactResult& result);
// Work with its sign; what is rounded off against the energy at hand is shown as zero.
std::string work_figure(double work, double energy);
bool is_consistent(const ImpactResult& result);

}  // namespace carom
