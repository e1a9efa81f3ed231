#include "engine/tolerant_solver.h"

#include <doctest/doctest.h>

using namespace carom;

namespace {

// Comes as near as it is told, having tried everything or not.
struct NearSolver final : InclusionSolver {
  double residual = 0;
  bool exhaustive = false;
  void solve_into(const Inclusion&, const Demand&, InclusionOutcome& outcome) const override {
    outcome = {};
    outcome.reason = "not reached";
    outcome.exhaustive = exhaustive;
    outcome.nearest = InclusionSolution{Vec::Constant(1, 3), Vec::Zero(1), residual};
  }
};

}  // namespace

TEST_CASE("in a run's impact the nearest impulses count within the run's tolerance, unless there is no solution") {
  NearSolver near;
  const TolerantSolver solver(near, 1e-8, 1e-8);

  near.residual = 3e-11;
  const InclusionOutcome reached = solver.solve(Inclusion{});
  CHECK(reached.status == InclusionOutcome::Status::solved);
  REQUIRE(reached.solutions.size() == 1);
  CHECK(reached.solutions.front().Lambda(0) == 3);
  CHECK(reached.solutions.front().residual == 3e-11);

  near.residual = 2e-8;
  CHECK(solver.solve(Inclusion{}).status == InclusionOutcome::Status::unsolved);
  CHECK(solver.solve(Inclusion{}).reason == "not reached");

  near.residual = 3e-11;
  near.exhaustive = true;
  CHECK(solver.solve(Inclusion{}).status == InclusionOutcome::Status::unsolved);
}

TEST_CASE("impulses out of all proportion to what drives them count to the last digit only") {
  NearSolver near;  // answers with an impulse of 3
  const TolerantSolver solver(near, 1e-8, 1e-8);
  Inclusion inclusion;
  inclusion.r = Vec::Ones(1);
  for (const double drive : {1e-8, 1e-5}) {
    inclusion.c = Vec::Constant(1, -drive);
    near.residual = 3e-11;
    CHECK((solver.solve(inclusion).status == InclusionOutcome::Status::solved) == (drive == 1e-5));
    near.residual = 3e-13;
    CHECK(solver.solve(inclusion).status == InclusionOutcome::Status::solved);
  }
}

TEST_CASE("impacts of many contacts in a run are asked for the accuracy of its steps, those of few for all digits") {
  struct AskedSolver final : InclusionSolver {
    mutable double asked = 0;
    void solve_into(const Inclusion&, const Demand& demand, InclusionOutcome&) const override {
      asked = demand.tolerance;
    }
  } inner;
  const TolerantSolver solver(inner, 1e-8, 1e-6);
  Inclusion inclusion;
  inclusion.c.setZero(30);
  solver.solve(inclusion);
  CHECK(inner.asked == 1e-8);
  solver.solve(inclusion, {.tolerance = 1e-7});
  CHECK(inner.asked == 1e-7);
  inclusion.c.setZero(9);
  solver.solve(inclusion);
  CHECK(inner.asked == residual_tolerance);
}
