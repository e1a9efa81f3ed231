// Newton's method on the natural map of large, sparse problems. Contacts that G does not couple are solved apart;
// small groups by dense methods, large ones without friction by active sets, with friction (or where contacts are
// redundant) by steps in the space of velocities and by sweeps. An answer is one only if its residual says so.

#include <algorithm>
#include <utility>

#include "solvers/inclusion/follower.h"
#include "solvers/inclusion/islands.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/path/velocity_newton.h"
#include "solvers/inclusion/pivot/active_set.h"
#include "solvers/inclusion/small.h"

namespace carom {

namespace {

class Semismooth final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    if (!is_frictionless(inclusion) && !suits_velocity_newton(*inclusion.G)) {
      InclusionOutcome outcome;
      outcome.solver = "semismooth";
      outcome.status = InclusionOutcome::Status::unsuited;
      outcome.reason = "semismooth solves large problems with friction that are built from bodies; use gauss-seidel";
      return outcome;
    }
    return outcome_of(solve_by_islands(inclusion), inclusion, "semismooth");
  }

  std::unique_ptr<InclusionFollower> follower() const override { return make_follower(); }
  bool takes_joints() const override { return true; }

 private:
  // An island's residual is relative to its own drive and impulses, the whole problem's to the largest of all: where
  // the first is met and the second is not, the islands are solved again, to more.
  Attempt solve_by_islands(const Inclusion& inclusion) const {
    const bool started = inclusion.start.size() == inclusion.c.size();
    Attempt whole = Attempt::from(inclusion, started ? inclusion.start : Vec::Zero(inclusion.c.size()));
    if (whole.residual <= inclusion.wanted()) return whole;
    const std::vector<Island> parts = islands(inclusion);
    if (parts.size() == 1 && parts.front().sets.size() == inclusion.sets.size() &&
        static_cast<Index>(parts.front().rows.size()) == inclusion.c.size())
      return solve_island(inclusion);
    double tolerance = inclusion.tolerance;
    for (int pass = 0; pass == 0 || (pass == 1 && whole.residual > inclusion.tolerance); ++pass, tolerance *= 0.1) {
      Vec Lambda = Vec::Zero(inclusion.c.size());
      int iterations = 0;
      for (const Island& island : parts) {
        Delassus G;
        Inclusion part = restricted(inclusion, island, G);
        part.tolerance = tolerance;
        if (pass > 0) part.start = whole.Lambda(island.rows);
        const Attempt attempt = solve_island(part);
        Lambda(island.rows) = attempt.Lambda;
        iterations = std::max(iterations, attempt.iterations);
      }
      whole.offer(inclusion, Lambda);
      whole.iterations += iterations;
    }
    return whole;
  }

  Attempt solve_island(const Inclusion& island) const {
    const bool started = island.start.size() == island.c.size();
    Attempt attempt = Attempt::from(island, started ? island.start : Vec::Zero(island.c.size()));
    if (island.c.size() <= Delassus::largest_dense && !has_joints(island)) return solve_small(island);
    if (is_frictionless(island)) attempt = solve_by_active_set(island);
    const double enough = is_frictionless(island) ? island.tolerance : island.wanted();
    if (attempt.residual <= enough || !suits_velocity_newton(*island.G)) return attempt;
    const int iterations = attempt.iterations;
    attempt = solve_by_velocity_newton(island, started ? island.start : Vec::Zero(island.c.size()));
    attempt.iterations += iterations;
    return attempt;
  }

  Attempt solve_small(const Inclusion& island) const {
    InclusionOutcome outcome = small_.solve(island);
    if (outcome.solutions.empty())
      return Attempt::from(island, outcome.nearest ? outcome.nearest->Lambda : Vec::Zero(island.c.size()));
    return {std::move(outcome.solutions.front().Lambda), outcome.solutions.front().residual, outcome.iterations};
  }

  SmallSolver small_;
};

}  // namespace

SolverEntry semismooth_solver() {
  return {
      .name = "semismooth",
      .statement = "one solution of a large, sparse problem by Newton's method on the natural map",
      .method =
          "islands apart; without friction active sets with a sparse LDLᵀ of G; with it by a sparse LU in the space of "
          "velocities: planar, Newton's method on the normal map from the start, else along a central path and then by "
          "proximal steps on the normal map, cell by cell; spatial, Newton's method on the natural map from sweeps, "
          "else "
          "from an interior path of second-order cones, through its turns",
      .source =
          "Hintermüller, Ito & Kunisch 2003; Alart & Curnier 1991; Kojima et al. 1991; Mehrotra 1992; Alizadeh, "
          "Haeberly & Overton 1998; Allgower & Georg 1990; Robinson 1992; Eaves 1976; Rockafellar 1976",
      .domain =
          "any number of elements; friction in more than 400 rows needs directions given by the bodies they touch",
      .failures = "no guarantee of convergence with strong friction; then it says so",
      .make = [] { return std::unique_ptr<InclusionSolver>(std::make_unique<Semismooth>()); },
  };
}

}  // namespace carom
