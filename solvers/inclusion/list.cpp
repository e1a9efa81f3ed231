#include "solvers/inclusion/list.h"

namespace carom {

#define CAROM_SOLVER(name) SolverEntry name##_solver();
#include "solvers/inclusion/solvers.def"
#undef CAROM_SOLVER

const std::vector<SolverEntry>& inclusion_solvers() {
  static const std::vector<SolverEntry> list = {
#define CAROM_SOLVER(name) name##_solver(),
#include "solvers/inclusion/solvers.def"
#undef CAROM_SOLVER
  };
  return list;
}

const SolverEntry* find_solver(const std::string& name) {
  for (const SolverEntry& entry : inclusion_solvers()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace carom
