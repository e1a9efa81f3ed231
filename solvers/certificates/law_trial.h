// A law tried on other velocities of the same system.

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

  LawOutcome outcome(const Vec& u_minus, Solutions wanted = Solutions::every) const;

  // The largest (T⁺ − T⁻)/T⁻ of its solutions; −∞ if it has none.
  double gain(const Vec& u_minus, Solutions wanted = Solutions::every) const;

  // u⁺ of its first solution.
  std::optional<Vec> after(const Vec& u_minus, Solutions wanted = Solutions::every) const;

 private:
  const ImpactProblem problem_;
  std::vector<std::size_t> colliding_;
  std::unique_ptr<ImpactLaw> law_;
  std::unique_ptr<InclusionSolver> every_solution_, one_solution_;
};

// The velocity's multiple with the kinetic energy of the problem's own u⁻; 1 J if that has none.
Vec with_energy_of(const ImpactProblem& problem, const Vec& u);

}  // namespace carom
