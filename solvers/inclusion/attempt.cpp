#include "solvers/inclusion/attempt.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace carom {

std::string not_converged(const std::string& method, double residual, int count, const char* passes) {
  if (std::isfinite(residual))
    return fmt::format("{} did not converge: residual {:.2g} after {} {}", method, residual, count, passes);
  return fmt::format(
      "{} broke down after {} {}: masses, directions or velocities lie so far apart in size that impulses "
      "are no numbers",
      method, count, passes);
}

InclusionOutcome outcome_of(const Attempt& attempt, const Inclusion& inclusion, const Demand& demand,
                            const std::string& solver, const char* passes) {
  InclusionOutcome outcome;
  outcome.solver = solver;
  outcome.iterations = attempt.iterations;
  if (attempt.residual <= demand.tolerance) {
    outcome.status = InclusionOutcome::Status::solved;
    outcome.solutions.push_back(with_residual(inclusion, attempt.Lambda));
  } else {
    outcome.reason = not_converged(solver, attempt.residual, attempt.iterations, passes);
    outcome.nearest = with_residual(inclusion, attempt.Lambda);
  }
  return outcome;
}

}  // namespace carom
