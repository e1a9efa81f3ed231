#include "solvers/laws/resolve.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"

namespace carom {

LawOutcome resolve(const LawChoice& choice, const ImpactProblem& problem, const InclusionSolver& solver) {
  LawOutcome outcome = make_law(choice)->resolve(problem, solver);
  if (outcome.status == LawOutcome::Status::refused) return outcome;  // it names every element
  for (const LawComplaint& complaint : check_data(choice, problem.elements(), &problem)) {
    if (complaint.warning) continue;
    const std::string where = complaint.element ? problem.elements()[*complaint.element].name : complaint.key;
    return LawOutcome::refused(fmt::format("'{}': {}", where, complaint.message));
  }
  if (const auto why = closed_by_joints(problem)) return LawOutcome::failed(*why);
  for (const ImpactResult& result : outcome.results) {
    if (!result.u_plus.allFinite() || !std::isfinite(result.T_plus))
      return LawOutcome::failed("the result is not a finite number");
  }
  return outcome;
}

}  // namespace carom
