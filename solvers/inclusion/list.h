// The inclusion solvers there are, with what a user is told about each. One line in solvers.def adds one.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/inclusion/ladder.h"

namespace carom {

struct SolverEntry {
  std::string name;
  std::string statement;
  std::string method;
  std::string source;
  std::string domain;
  std::string failures;
  SolveInclusion solve;
  bool in_steps = false;  // follows solutions from step to step, and takes rows of joints

  std::unique_ptr<InclusionSolver> make() const;
};

const std::vector<SolverEntry>& inclusion_solvers();
const SolverEntry* find_solver(const std::string& name);

}  // namespace carom
