// Existence follows from a fixed point of the shifts of the friction cones if Wᵀv + c is in the dual cone for some v,
// strictly where friction is spatial (Acary, Cadoux, Lemaréchal & Malick 2011). The images Wᵀv are those of G, so this
// is a linear programme once the dual cone is narrowed to a polygon within it:
//
//   c − τ1_N = Σ α_j (1, cos φ_j, sin φ_j) + G(λ − λ'),   α, λ, λ' ≥ 0,
//
// with a margin τ > 0 beyond the programme's rounding. In inelastic impacts and in both phases of Poisson's law c is
// the image of a velocity, and 0 is in the dual cone, not strictly: if contacts cannot lock (Wᵀv strictly inside for
// some v) the programme finds more. Newton's law with unequal coefficients asks for more, and friction can lock what it
// asks for (a bead on a wire).

#include "solvers/inclusion/all/existence.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solvers/inclusion/all/cone.h"
#include "solvers/inclusion/unit_friction.h"

namespace carom {

namespace {

constexpr double margin = 1e-6;      // τ, relative to c
constexpr double rounding = 1e-8;    // of the linear programme, likewise
constexpr double near_image = 1e-4;  // of c outside the image of G: nearly dependent contacts amplify rounding
constexpr double singular = 1e-15;   // eigenvalues of G in the units of friction; what rounding leaves of zero
constexpr Index corners = 16;        // of the polygon within a spatial dual cone

// One column a ray of the dual cones, in their units: every contact has ξ_N ≥ |ξ_T|.
Mat dual_rays(const UnitFriction& problem) {
  Index count = 0;
  const auto rays = [](const Site& site) { return site.tangents == 2 ? corners : 1 + site.tangents; };
  for (const Site& site : problem.sites) count += rays(site);
  Mat A = Mat::Zero(problem.c.size(), count);
  Index column = 0;
  for (const Site& site : problem.sites) {
    for (Index j = 0; j < rays(site); ++j, ++column) {
      A(site.normal, column) = 1;
      const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(rays(site));
      if (site.tangents > 0) A(site.tangent, column) = std::cos(angle);
      if (site.tangents > 1) A(site.tangent + 1, column) = std::sin(angle);
    }
  }
  return A;
}

// Some velocity satisfies every constraint strictly, however the friction cones are shifted.
bool is_strictly_feasible(const UnitFriction& problem) {
  const Mat rays = dual_rays(problem);
  const Index n = problem.c.size();
  const double drive = problem.c.cwiseAbs().maxCoeff();
  Mat A(n, rays.cols() + 2 * n);
  A << rays, problem.G, -problem.G;
  Vec b = problem.c / drive;
  for (const Site& site : problem.sites) b(site.normal) -= margin;
  const auto x = largest_in_cone(A, b, Vec::Zero(A.cols()));
  return x && (A * *x - b).cwiseAbs().maxCoeff() <= rounding;
}

// The part of c that no impulse changes may be rounding: then there may be a solution that is not seen.
bool is_near_image(const UnitFriction& problem) {
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(problem.G);
  const Vec& values = eigen.eigenvalues();
  const Index kernel = (values.array() <= singular * values(values.size() - 1)).count();
  return (eigen.eigenvectors().leftCols(kernel).transpose() * problem.c).norm() <= near_image * problem.c.norm();
}

}  // namespace

bool must_have_solution(const Inclusion& inclusion) {
  const UnitFriction problem(inclusion);
  if (problem.c.size() == 0 || problem.c.isZero(0)) return true;
  return is_strictly_feasible(problem);
}

void report_none(const Inclusion& inclusion, InclusionOutcome& outcome) {
  outcome.status = InclusionOutcome::Status::unsolved;
  const bool promised = must_have_solution(inclusion);
  if (promised || is_near_image(UnitFriction(inclusion))) {
    outcome.exhaustive = false;
    outcome.reason = std::string("no combination of open, stick and slip solves it up to rounding") +
                     (promised ? ", although there must be one" : "") +
                     ": the contacts are nearly dependent, or the masses too different";
  } else {
    outcome.reason = "the impact has no solution: no combination of open, stick and slip solves it";
  }
}

void leave_out_inexact(double tolerance, InclusionOutcome& outcome) {
  std::vector<InclusionSolution>& solutions = outcome.solutions;
  const auto inexact = std::stable_partition(solutions.begin(), solutions.end(),
                                             [&](const InclusionSolution& s) { return s.residual <= tolerance; });
  if (inexact == solutions.end()) return;
  const auto best =
      std::min_element(inexact, solutions.end(),
                       [](const InclusionSolution& a, const InclusionSolution& b) { return a.residual < b.residual; });
  const std::string missed = fmt::format(
      "a solution is only known to a residual of {:.2g}: the contacts are nearly dependent, or the masses "
      "too different",
      best->residual);
  const bool samples = !outcome.exhaustive && !outcome.note.empty();  // of many; the others will do
  outcome.exhaustive = false;
  if (inexact != solutions.begin()) {
    if (!samples) outcome.note = "beside those listed " + missed;
  } else {
    outcome.status = InclusionOutcome::Status::unsolved;
    outcome.reason = missed;
    outcome.nearest = *best;
  }
  solutions.erase(inexact, solutions.end());
}

}  // namespace carom
