// The default: enumerates small problems, so that non-uniqueness is seen; pivots where friction is planar;
// sweeps otherwise. If one method finds nothing, the next one is asked before that is reported.

#include <algorithm>

#include "solvers/inclusion/enumerate.h"
#include "solvers/inclusion/list.h"

namespace carom {

namespace {

constexpr double few_combinations = 300;
constexpr double affordable_combinations = 1e5;

class Automatic final : public InclusionSolver {
 public:
  InclusionOutcome solve(const Inclusion& inclusion) const override {
    const double count = combinations(inclusion);
    const bool planar = std::none_of(inclusion.sets.begin(), inclusion.sets.end(),
                                     [](const ForceSet& set) { return set.shape == ForceSet::Shape::ellipse; });
    std::vector<const char*> order;
    if (count <= few_combinations) order.push_back("enumerate");
    if (planar) order.push_back("lemke");
    order.push_back("gauss-seidel");
    if (count > few_combinations && count <= affordable_combinations) order.push_back("enumerate");

    InclusionOutcome outcome;
    std::string reasons;
    for (const char* name : order) {
      outcome = find_solver(name)->make()->solve(inclusion);
      if (outcome.status == InclusionOutcome::Status::solved) return outcome;
      if (outcome.exhaustive) return outcome;  // there is no solution to look for
      reasons += (reasons.empty() ? "" : "; ") + outcome.reason;
    }
    outcome.reason = reasons;
    return outcome;
  }
};

}  // namespace

SolverEntry automatic_solver() {
  return {
      .name = "auto",
      .statement = "enumerate for a few contacts, lemke for planar friction, gauss-seidel for the rest",
      .method = "the first that suits the problem; if it finds nothing, the next",
      .source = "see the others",
      .domain = "any inclusion",
      .failures = "reports failure only when every method that suits the problem has failed",
      .make = [] { return std::unique_ptr<InclusionSolver>(std::make_unique<Automatic>()); },
  };
}

}  // namespace carom
