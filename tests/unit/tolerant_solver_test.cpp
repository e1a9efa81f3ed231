#include "engine/tolerant_solver.h"

#include <doctest/doctest.h>

using namespace carom;

namespace {

// Comes as near as it is told, having tried everything or not.
struct NearSolver final : InclusionSolver {
  double residual = 0;
  bool exhaustive = false;
  InclusionOutcome solve(const Inclusion&) const override {
    InclusionOutcome outcome;
    outcome.reason = "not reached";
    outcome.exhaustive = exhaustive;
    outcome.nearest = InclusionSolution{Vec::Constant(1, 3), Vec::Zero(1), residual};
    return outcome;
  }
};

}  // namespace

TEST_CASE("in a run's impact the nearest impulses count within the run's tolerance, unless there is no solution") {
  NearSolver near;
  const TolerantSolver solver(near, 1e-8);

  near.residual = 3e-11;
  const InclusionOutcome reached = solver.solve({});
  CHECK(reached.status == InclusionOutcome::Status::solved);
  REQUIRE(reached.solutions.size() == 1);
  CHECK(reached.solutions.front().Lambda(0) == 3);
  CHECK(reached.solutions.front().residual == 3e-11);

  near.residual = 2e-8;
  CHECK(solver.solve({}).status == InclusionOutcome::Status::unsolved);
  CHECK(solver.solve({}).reason == "not reached");

  near.residual = 3e-11;
  near.exhaustive = true;
  CHECK(solver.solve({}).status == InclusionOutcome::Status::unsolved);
}
