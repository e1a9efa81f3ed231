// The algebraic problem most laws solve, and the interface of its solvers.
//
//   ξ = GΛ + c,   ξᵢ ∈ N_Cᵢ(−Λᵢ)   ⟺   −Λᵢ = prox_Cᵢ(−Λᵢ + rᵢξᵢ)  for any rᵢ > 0
//
// A solver sees sets, never restitution.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/delassus.h"
#include "engine/force_set.h"
#include "engine/linear_algebra.h"

namespace carom {

// A solution counts as one below this residual, unless less is demanded; solvers polish well beyond it.
inline constexpr double residual_tolerance = 1e-12;

inline constexpr double usually_wanted = 0.1;  // of many contacts, as a part of the tolerance

// The problem.
struct Inclusion {
  const Delassus* G = nullptr;
  Vec c;
  Vec r;                       // impulse per velocity, one entry a row; fixes the units of the residual
  std::vector<ForceSet> sets;  // rows in no set carry no impulse; a friction set follows that of its normal
  // Known to be, so that nobody need look through the sets: no friction, and one unilateral set a row, in their order.
  bool frictionless = false;
  bool unilateral = false;
};

// What is asked of a solver. Whoever asks for something else changes this, never the problem.
struct Demand {
  double tolerance = residual_tolerance;
  // Where a little more work leads there, many contacts are solved to this part of the tolerance: those at rest then
  // find their impulses still good in the next step.
  double wanted_part = usually_wanted;
  bool every = true;           // every solution is wanted; otherwise one will do
  const Vec* start = nullptr;  // impulses that may be near a solution; none are known where their number is another

  double wanted() const { return wanted_part * tolerance; }
  bool has_start(const Inclusion& inclusion) const { return start && start->size() == inclusion.c.size(); }
  Vec start_of(const Inclusion& inclusion) const {
    return has_start(inclusion) ? *start : Vec(Vec::Zero(inclusion.c.size()));
  }
};

struct InclusionSolution {
  Vec Lambda;
  Vec xi;
  double residual = 0;  // natural residual, relative
};

// What a solver hands back: every solution it found, or why there is none.
struct InclusionOutcome {
  enum class Status { solved, unsuited, unsolved };

  Status status = Status::unsolved;
  std::string reason;
  std::vector<InclusionSolution> solutions;
  std::optional<InclusionSolution> nearest = {};  // unsolved: the best impulses on the way, no answer
  std::string solver;
  int iterations = 0;
  bool exhaustive = false;  // the solutions are all there are
  bool samples = false;     // they are samples of a continuum
  std::string note;         // what a reader of the solutions should know
};

// Follows one solution through a series of inclusions that change little, as time steps pose them. It keeps its
// workspaces, so that following allocates nothing as long as the problems do not grow.
class InclusionFollower {
 public:
  virtual ~InclusionFollower() = default;

  struct Found {
    int iterations = 0;
    double residual = 0;
  };
  // Moves Λ from near a solution to it. Nothing, with Λ left anywhere, where that does not reach the tolerance: a
  // solver is to be asked.
  virtual std::optional<Found> follow(const Inclusion& inclusion, const Demand& demand, Vec& Lambda) = 0;
};

class InclusionSolver {
 public:
  virtual ~InclusionSolver() = default;
  // Into a former outcome; solvers of small problems use its storage again.
  virtual void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const = 0;
  InclusionOutcome solve(const Inclusion& inclusion, const Demand& demand = {}) const {
    InclusionOutcome outcome;
    solve_into(inclusion, demand, outcome);
    return outcome;
  }
  virtual std::unique_ptr<InclusionFollower> follower() const { return nullptr; }  // of a solver that has one
  virtual bool takes_joints() const { return false; }  // rows of bilateral sets, beside planar or no friction
};

// max_i |Λᵢ + prox_Cᵢ(−Λᵢ + rᵢξᵢ)|/√rᵢ, relative to what drives the set, √rᵢ|cᵢ| (at least a thousandth of the
// largest drive in the problem) and less what ξ may have rounded off, so that a contact at rest does not count its
// own rounding. Costs one product with G and allocates nothing.
double natural_residual(const Inclusion& inclusion, const Vec& Lambda);

InclusionSolution with_residual(const Inclusion& inclusion, Vec Lambda);

// ξ and the residual of given impulses.
void complete(const Inclusion& inclusion, InclusionSolution& solution);

}  // namespace carom
