// One impact by several laws, with the coefficients as they are given or matched by energy.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/impact_file.h"
#include "engine/impact_problem.h"
#include "solvers/energy_match.h"
#include "tools/impact_report.h"
#include "tools/json.h"

namespace carom {

enum class Matching { restitution, energy };  // the same coefficient everywhere, or the same work as the reference

struct ComparedImpact {
  double time = 0;
  ImpactFile file;
  ImpactProblem problem;
  std::vector<LawAnswer> answers;             // one a law
  std::optional<double> reference_work = {};  // where energy is matched
  std::vector<EnergyMatch> matches = {};      // then one a law, that of the reference empty
};

// BadInput if energy is to be matched and the reference has no answer.
ComparedImpact compare_impact(double time, ImpactFile file, const std::vector<std::string>& laws,
                              const std::string& reference, Matching matching, const std::string& solver);

std::string match_text(const ComparedImpact& impact, const std::string& reference);
Json match_json(const ComparedImpact* impact, const std::vector<std::string>& laws, const std::string& reference,
                Matching matching);
Json compared_impact_json(const ComparedImpact& impact);

}  // namespace carom
