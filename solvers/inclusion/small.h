// One solution of a small, dense inclusion, the cheapest way first: the mode the start points to, pivoting in the
// plane, Newton's method on the velocities, in space a path from smoothed friction, sweeps, and every combination where
// those have failed or are few.

#pragma once

#include <initializer_list>
#include <memory>

#include "engine/inclusion.h"

namespace carom {

bool is_planar(const Inclusion& inclusion);   // no contact has two tangents with friction
bool has_joints(const Inclusion& inclusion);  // rows of bilateral sets

class SmallSolver {
 public:
  SmallSolver();
  InclusionOutcome solve(const Inclusion& inclusion) const;

  // A single planar contact that has one solution, at once and without allocating; false for any other problem.
  bool solve_at_once(const Inclusion& inclusion, InclusionOutcome& outcome) const;

 private:
  std::unique_ptr<InclusionSolver> velocity_newton_, lemke_, homotopy_, sweeps_, enumerate_;
};

// Asks one solver after the other until one answers or proves that there is nothing to find; otherwise all reasons.
InclusionOutcome first_answer(const Inclusion& inclusion, std::initializer_list<const InclusionSolver*> solvers);

}  // namespace carom
