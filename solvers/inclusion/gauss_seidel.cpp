// Projected Gauss–Seidel: one set after the other takes its prox step with the newest impulses of the others,
//
//   Λᵢ ← −prox_Cᵢ(−Λᵢ + ρᵢξᵢ),   ρᵢ = 1/λ_max(Gᵢᵢ),
//
// for any friction set. Sweeps find the mode; Newton's method within it ends at rounding level.

#include "solvers/inclusion/gauss_seidel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/inclusion/attempt.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"

namespace carom {

namespace {

constexpr int most_sweeps = 20000;
constexpr Index largest_polished = 600;  // rows; beyond, sweeps alone have to converge
constexpr int sweeps_a_check = 8;        // then: the residual costs as much as a sweep

double step_length(const Inclusion& inclusion, const ForceSet& set) {
  const Delassus& G = *inclusion.G;
  double largest = G(set.row, set.row);
  if (set.size() == 2) {
    const double a = G(set.row, set.row);
    const double b = G(set.row, set.row + 1);
    const double d = G(set.row + 1, set.row + 1);
    largest = 0.5 * (a + d) + std::hypot(0.5 * (a - d), b);
  }
  return largest > 0 ? 1 / largest : 0;
}

void sweep(const Inclusion& inclusion, const std::vector<double>& rho, Vec& Lambda) {
  for (std::size_t s = 0; s < inclusion.sets.size(); ++s) {
    const ForceSet& set = inclusion.sets[s];
    if (rho[s] == 0) continue;  // the bilateral constraints leave this direction no freedom
    Eigen::Vector2d xi(inclusion.G->row_dot(set.row, Lambda) + inclusion.c(set.row), 0);
    if (set.size() == 2) xi(1) = inclusion.G->row_dot(set.row + 1, Lambda) + inclusion.c(set.row + 1);
    set_rows_of(set, -project(set, -rows_of(set, Lambda) + rho[s] * xi, Lambda), Lambda);
  }
}

}  // namespace

void solve_by_sweeps(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  std::vector<double> rho;
  for (const ForceSet& set : inclusion.sets) rho.push_back(step_length(inclusion, set));
  const bool small = inclusion.c.size() <= largest_polished;
  Vec Lambda = demand.start_of(inclusion);
  Attempt best = Attempt::from(inclusion, Lambda);
  int next_polish = 4;
  while (best.residual > demand.tolerance && best.iterations < most_sweeps) {
    sweep(inclusion, rho, Lambda);
    ++best.iterations;
    if (!small && best.iterations % sweeps_a_check != 0) continue;
    best.offer(inclusion, Lambda);
    if (small && best.iterations == next_polish) {
      next_polish += std::max(4, next_polish / 2);
      best.offer(inclusion, polish(inclusion, Lambda));
    }
  }
  if (small && best.residual <= demand.tolerance) best.offer(inclusion, polish(inclusion, best.Lambda));
  outcome = outcome_of(best, inclusion, demand, "gauss-seidel", "sweeps");
}

SolverEntry gauss_seidel_solver() {
  return {
      .name = "gauss-seidel",
      .statement = "one solution by projected Gauss–Seidel sweeps, any friction set",
      .method = "Λᵢ ← −prox_Cᵢ(−Λᵢ + ρᵢξᵢ), ρᵢ = 1/λ_max(Gᵢᵢ), set after set; then Newton's method on the mode found",
      .source = "Alart & Curnier 1991; Jourdan, Alart & Jean 1998",
      .domain = "line, disc and ellipse friction, any number of elements",
      .failures = "no guarantee of convergence with strong friction (Painlevé-like coupling); then it says so",
      .solve = solve_by_sweeps,
  };
}

}  // namespace carom
