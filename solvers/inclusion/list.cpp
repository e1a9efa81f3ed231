#include "solvers/inclusion/list.h"

#include "solvers/inclusion/added_solvers.h"
#include "solvers/inclusion/follower.h"

namespace carom {

namespace {

class ListedSolver final : public InclusionSolver {
 public:
  ListedSolver(SolveInclusion method, bool in_steps) : solve_(method), in_steps_(in_steps) {}

  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    solve_(inclusion, demand, outcome);
  }
  std::unique_ptr<InclusionFollower> follower() const override { return in_steps_ ? make_follower() : nullptr; }
  bool takes_joints() const override { return in_steps_; }

 private:
  SolveInclusion solve_;
  bool in_steps_;
};

}  // namespace

std::unique_ptr<InclusionSolver> SolverEntry::make() const { return std::make_unique<ListedSolver>(solve, in_steps); }

#define CAROM_SOLVER(name) SolverEntry name##_solver();
#include "solvers/inclusion/solvers.def"
#undef CAROM_SOLVER

std::string lacking(const SolverEntry& solver) {
  return solver.statement.empty() ? "statement" : solver.solve ? "" : "function that solves";
}

OpenList<SolverEntry>& solver_list() {
  static OpenList<SolverEntry> list("solver", {
#define CAROM_SOLVER(name) name##_solver(),
#include "solvers/inclusion/solvers.def"
#undef CAROM_SOLVER
                                              });
  return list;
}

const std::vector<SolverEntry>& inclusion_solvers() { return solver_list().entries(); }

const SolverEntry* find_solver(const std::string& name) { return solver_list().find(name); }

}  // namespace carom
