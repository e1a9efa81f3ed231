// What is guaranteed of laws in an impact, as sentences, as a table and as JSON.

#pragma once

#include <string>
#include <vector>

#include "config/impact_file.h"
#include "solvers/certificates/assessment.h"
#include "tools/json.h"

namespace carom {

// One impact of a scene, a run or a file, with what was found.
struct CheckedImpact {
  std::string where;  // "first impact, t = 0.366 s"; empty: the file's own
  std::optional<double> time;
  ImpactFile file;
  std::string moment;             // of the velocities, where a step has several: "in the middle of its step"
  bool seen_from_drives = false;  // file.velocity and T⁻ are relative to motions that are prescribed
  double T_minus = 0;             // of all bodies
  std::optional<double> T_minus_taking_part;  // of those that the impact reaches, by contacts and joints; of a run
  std::vector<Certificate> system;
  std::vector<LawAssessment> laws;
};

// "newton: not guaranteed; creates 0.1634 J here (+59 %), at most 0.4188 J (+151 %, exact) from any velocity of
// the same energy". "Here" is the impact's own velocity with its own coefficients; the second figure is the worst of
// all velocities that have as much kinetic energy, "at most" where it is exact and "up to" where it is searched for.
std::string verdict_line(const LawAssessment& law, double T_minus);

// Whether a law that applies creates energy here, or has no solution.
bool goes_wrong(const CheckedImpact& impact);

std::string check_text(const CheckedImpact& impact, bool verbose);
Json check_json(const CheckedImpact& impact);

}  // namespace carom
