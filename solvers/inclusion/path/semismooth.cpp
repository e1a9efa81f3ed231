// Newton's method on the natural map. Large problems without friction are solved by active sets, others (and those
// whose contacts are redundant) by steps in the space of velocities and by sweeps. An answer is one only if its
// residual says so.

#include "solvers/inclusion/islands.h"
#include "solvers/inclusion/kind.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/path/path.h"
#include "solvers/inclusion/path/velocity_newton.h"
#include "solvers/inclusion/pivot/pivot.h"

namespace carom {

namespace {

Attempt attempt_semismooth(const Inclusion& inclusion, const Demand& demand, bool frictionless) {
  Attempt attempt = Attempt::from(inclusion, demand.start_of(inclusion));
  if (attempt.residual <= demand.wanted()) return attempt;
  if (frictionless) attempt = solve_by_active_set(inclusion, demand);
  if ((frictionless && attempt.residual <= demand.tolerance) || !suits_velocity_newton(*inclusion.G)) return attempt;
  const int iterations = attempt.iterations;
  attempt = solve_by_velocity_newton(inclusion, demand);
  attempt.iterations += iterations;
  return attempt;
}

void solve_islands(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  solve_by_islands(inclusion, demand, solve_semismooth, outcome);
}

}  // namespace

void solve_semismooth(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  const bool frictionless = is_frictionless(inclusion);
  if (frictionless || suits_velocity_newton(*inclusion.G)) {
    outcome = outcome_of(attempt_semismooth(inclusion, demand, frictionless), inclusion, demand, "semismooth");
    return;
  }
  outcome = {};
  outcome.solver = "semismooth";
  outcome.status = InclusionOutcome::Status::unsuited;
  outcome.reason = "semismooth solves large problems with friction that are built from bodies; use gauss-seidel";
}

SolverEntry semismooth_solver() {
  return {
      .name = "semismooth",
      .statement = "one solution of a large, sparse problem by Newton's method on the natural map",
      .method =
          "islands apart; without friction active sets with a sparse LDLᵀ of G; with it by a sparse LU in the space of "
          "velocities: planar, Newton's method on the normal map from the start, else along a central path and then by "
          "proximal steps on the normal map, cell by cell; spatial, proximal points whose steps grow, each by Newton's "
          "method on the natural map, and where these end short convex problems whose dilation is followed",
      .source =
          "Hintermüller, Ito & Kunisch 2003; Alart & Curnier 1991; Kojima et al. 1991; Mehrotra 1992; Allgower & Georg "
          "1990; Robinson 1992; Eaves 1976; Rockafellar 1976; De Saxcé & Feng 1998; Acary, Cadoux, Lemaréchal & Malick "
          "2011",
      .domain =
          "any number of elements; friction in more than 400 rows needs directions given by the bodies they touch",
      .failures = "no guarantee of convergence with strong friction; then it says so",
      .solve = solve_islands,
      .in_steps = true,
  };
}

}  // namespace carom
