// The path of smoothed friction as a solver of its own.

#include <spdlog/fmt/fmt.h>

#include "solvers/inclusion/list.h"
#include "solvers/inclusion/path/path.h"
#include "solvers/inclusion/path/smoothed_friction.h"

namespace carom {

void solve_by_homotopy(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  if (inclusion.c.size() <= Delassus::largest_dense) {
    outcome = outcome_of(solve_by_smoothed_friction(inclusion, demand), inclusion, demand, "homotopy");
    return;
  }
  outcome = {};
  outcome.solver = "homotopy";
  outcome.status = InclusionOutcome::Status::unsuited;
  outcome.reason = fmt::format("homotopy takes up to {} rows; use semismooth", Delassus::largest_dense);
}

SolverEntry homotopy_solver() {
  return {
      .name = "homotopy",
      .statement = "one solution at the end of a path on which contact and friction are smooth",
      .method =
          "λξ = w and −λ_T = Rξ_T/√(|ξ_T|² + w²) for ever smaller w, predicted along the tangent and corrected by "
          "Newton's method; the equations of the mode that the path points to end it",
      .source = "Kojima et al. 1991; Chen & Harker 1993; Allgower & Georg 1990",
      .domain = "up to 60 rows, any friction set; made for redundant contacts in space that creep",
      .failures = "follows the path only as long as the width can shrink: one that turns back is given up",
      .solve = solve_by_homotopy,
  };
}

}  // namespace carom
