// A law tried on other velocities of the same system. What that takes is counted, for searches to end by.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/impact_law.h"
#include "engine/impact_problem.h"
#include "engine/parameters.h"

namespace carom {

// Every solution of an impact is enumerated, which takes from ten to some hundred times as long as one that is found
// somehow: searches look with one and confirm with all.
enum class Solutions { every, one };

class LawTrial {
 public:
  LawTrial(const LawChoice& law, const ImpactProblem& problem);
  LawTrial(const LawTrial&) = delete;
  LawTrial& operator=(const LawTrial&) = delete;

  LawOutcome outcome(const Vec& u_minus, Solutions wanted = Solutions::every) const;

  // The largest (T⁺ − T⁻)/T⁻ of its solutions; −∞ if it has none.
  double gain(const Vec& u_minus, Solutions wanted = Solutions::every) const;

  // u⁺ of its first solution.
  std::optional<Vec> after(const Vec& u_minus, Solutions wanted = Solutions::every) const;

  double units() const { return units_; }  // of effort so far (search_effort.h)

 private:
  const ImpactProblem problem_;
  std::vector<std::size_t> colliding_;
  double units_of_path_;
  std::unique_ptr<ImpactLaw> law_;
  mutable double units_ = 0;
  std::unique_ptr<InclusionSolver> every_solution_, one_solution_;  // count into units_
};

// The velocity's multiple with the kinetic energy of the problem's own u⁻; 1 J if that has none.
Vec with_energy_of(const ImpactProblem& problem, const Vec& u);

}  // namespace carom
