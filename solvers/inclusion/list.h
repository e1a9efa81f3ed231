// The inclusion solvers there are, with what a user is told about each. One line in solvers.def adds one.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/inclusion.h"

namespace carom {

struct SolverEntry {
  std::string name;
  std::string statement;
  std::string method;
  std::string source;
  std::string domain;
  std::string failures;
  std::unique_ptr<InclusionSolver> (*make)();
};

const std::vector<SolverEntry>& inclusion_solvers();
const SolverEntry* find_solver(const std::string& name);

}  // namespace carom
