#include "solvers/inclusion/ladder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "solvers/inclusion/all/all.h"
#include "solvers/inclusion/gauss_seidel.h"
#include "solvers/inclusion/islands.h"
#include "solvers/inclusion/kind.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/inclusion/path/path.h"
#include "solvers/inclusion/pivot/pivot.h"

namespace carom {

namespace {

using Friction = Suits::Friction;
using Wanted = Suits::Wanted;
using Directions = Suits::Directions;

constexpr Index few = Delassus::largest_dense;  // rows
constexpr Index most_that_creep = 24;           // rows of eight contacts in space
constexpr Index most_pivoted = 400;  // rows; the tableau is dense and three times as large: a millisecond a pivot
constexpr double few_for_all = 300;  // combinations that are all tried before anything else
constexpr double few_for_one = 64;   // three planar contacts: where elements nearly lock each other, sweeps take long

void solve_near_start(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  Attempt attempt = Attempt::from(inclusion, polish(inclusion, demand.start_of(inclusion)));
  attempt.iterations = 1;
  outcome = outcome_of(attempt, inclusion, demand, "start");
  outcome.reason.clear();  // that the start is none is no reason to tell
}

constexpr Rung rungs[] = {
    {"enumerate",
     "every solution where combinations are few, or the proof that there is none",
     {.most_rows = few, .wanted = Wanted::all, .most_combinations = few_for_all},
     enumerate},
    {"enumerate",
     "one planar contact or clutch, in closed form",
     {.most_rows = 2, .friction = Friction::planar, .wanted = Wanted::one},
     solve_one_element},
    {"start", "the combination that the start points to", {.most_rows = few, .wanted = Wanted::one}, solve_near_start},
    {"lemke", "planar friction by pivots", {.most_rows = few, .friction = Friction::planar}, solve_by_lemke},
    {"enumerate",
     "few combinations where pivots end on a ray",
     {.most_rows = few, .friction = Friction::planar, .wanted = Wanted::one, .most_combinations = few_for_one},
     enumerate},
    {"semismooth",
     "more contacts than freedom, which pivots and sweeps mind",
     {.most_rows = few, .friction = Friction::planar, .joints = true},
     solve_semismooth},
    {"semismooth",
     "few contacts between bodies in space",
     {.most_rows = few, .friction = Friction::spatial, .wanted = Wanted::one},
     solve_semismooth},
    {"semismooth", "many rows", {.least_rows = few + 1, .joints = true}, solve_semismooth},
    {"homotopy",
     "few contacts in space that creep",
     {.most_rows = most_that_creep, .friction = Friction::spatial},
     solve_by_homotopy},
    {"lemke",
     "many rows where Newton's method ends",
     {.least_rows = few + 1, .most_rows = most_pivoted, .friction = Friction::planar},
     solve_by_lemke},
    {"gauss-seidel", "few rows by sweeps", {.most_rows = few, .friction = Friction::planar}, solve_by_sweeps},
    {"gauss-seidel",
     "many rows by sweeps, where semismooth has none",
     {.least_rows = few + 1, .directions = Directions::unknown},
     solve_by_sweeps},
    {"enumerate",
     "where everything else has failed",
     {.most_rows = few, .most_combinations = affordable_combinations},
     enumerate},
};

// A problem as the rungs ask about it.
struct Question {
  Kind kind;
  double combinations;  // told of few rows only
  bool all;
};

bool suits(const Suits& rung, const Question& question) {
  const Kind& kind = question.kind;
  if (kind.rows < rung.least_rows || kind.rows > rung.most_rows) return false;
  if (rung.friction != Friction::any && kind.planar != (rung.friction == Friction::planar)) return false;
  if (kind.joints && !rung.joints) return false;
  if (rung.wanted != Wanted::either && question.all != (rung.wanted == Wanted::all)) return false;
  if (rung.directions != Directions::either && kind.directions != (rung.directions == Directions::known)) return false;
  return question.combinations <= rung.most_combinations;
}

// Up to the first that answers or proves that there is nothing to find; otherwise all reasons, and the nearest.
void climb_rungs(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  const Kind kind = kind_of(inclusion);
  const Question question{kind, kind.rows <= few ? combinations(inclusion) : 0, demand.every};
  std::string reasons;
  std::optional<InclusionSolution> nearest;
  std::array<SolveInclusion, std::size(rungs)> tried{};
  auto next = tried.begin();
  for (const Rung& rung : rungs) {
    if (!suits(rung.suits, question) || std::find(tried.begin(), next, rung.solve) != next) continue;
    *next++ = rung.solve;
    rung.solve(inclusion, demand, outcome);
    if (outcome.status == InclusionOutcome::Status::solved || outcome.exhaustive) return;
    if (outcome.nearest && (!nearest || outcome.nearest->residual < nearest->residual)) nearest = outcome.nearest;
    if (!outcome.reason.empty()) reasons += (reasons.empty() ? "" : "; ") + outcome.reason;
  }
  if (next == tried.begin()) outcome = {};
  outcome.reason = reasons.empty() ? "no method suits this problem" : reasons;
  outcome.nearest = std::move(nearest);
}

}  // namespace

std::span<const Rung> ladder() { return rungs; }

void climb(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) {
  if (inclusion.c.size() > few) {
    solve_by_islands(inclusion, demand, climb_rungs, outcome);
  } else {
    climb_rungs(inclusion, demand, outcome);
  }
  // Without friction all solutions end with the same velocities.
  const bool one_sought = outcome.status == InclusionOutcome::Status::solved && !outcome.exhaustive;
  if (demand.every && one_sought && outcome.note.empty() && !is_frictionless(inclusion))
    outcome.note = "one solution was found; whether there are others was not searched for";
}

SolverEntry automatic_solver() {
  return {
      .name = "auto",
      .statement =
          "enumerate for a few contacts, lemke for planar friction, homotopy for spatial, semismooth for many, "
          "gauss-seidel for the rest",
      .method = "the first rung of the ladder that suits the problem; if it finds nothing, the next",
      .source = "see the others",
      .domain = "any inclusion",
      .failures = "reports failure only when every method that suits the problem has failed",
      .solve = climb,
      .in_steps = true,
  };
}

}  // namespace carom
