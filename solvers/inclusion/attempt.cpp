#include "solvers/inclusion/attempt.h"

#include <spdlog/fmt/fmt.h>

namespace carom {

InclusionOutcome outcome_of(const Attempt& attempt, const Inclusion& inclusion, const std::string& solver) {
  InclusionOutcome outcome;
  outcome.solver = solver;
  outcome.iterations = attempt.iterations;
  if (attempt.residual <= inclusion.tolerance) {
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.push_back(with_residual(inclusion, attempt.Lambda));
  } else {
    outcome.reason = fmt::format("{} did not converge: residual {:.2g} after {} iterations", solver, attempt.residual,
                                 attempt.iterations);
    outcome.nearest = with_residual(inclusion, attempt.Lambda);
  }
  return outcome;
}

}  // namespace carom
