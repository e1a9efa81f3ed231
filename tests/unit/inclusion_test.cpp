#include <doctest/doctest.h>

#include <limits>

#include "engine/inclusion.h"
#include "solvers/inclusion/attempt.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/inclusion_form.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::FrictionKind;

namespace {

InclusionOutcome solve(const char* solver, const Inclusion& inclusion) {
  return find_solver(solver)->make()->solve(inclusion);
}

bool contains(const Inclusion& inclusion, const InclusionOutcome& all, const InclusionSolution& one) {
  const double scale = inclusion.c.norm() + one.xi.norm();
  return std::any_of(all.solutions.begin(), all.solutions.end(),
                     [&](const InclusionSolution& solution) { return (solution.xi - one.xi).norm() < 1e-8 * scale; });
}

}  // namespace

TEST_CASE("every solver's answer is among those that enumeration finds, below 1e-12") {
  int unique = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto friction = static_cast<FrictionKind>(seed % 4);
    const bool spatial = friction == FrictionKind::disc || friction == FrictionKind::ellipse;
    const auto parts = testing::random_problem(seed, {.contacts = 1 + static_cast<int>(seed % (spatial ? 2 : 4)),
                                                      .clutches = static_cast<int>(seed % 3),
                                                      .friction = friction});
    const ImpactProblem problem = parts.build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    const InclusionOutcome all = solve("enumerate", inclusion);
    CHECK_REPLAY(all.status == InclusionOutcome::Status::solved, parts, "inelastic", seed);
    unique += all.solutions.size() == 1;
    for (const char* name : {"lemke", "gauss-seidel", "auto"}) {
      const InclusionOutcome outcome = solve(name, inclusion);
      if (std::string(name) == "lemke" && spatial) {
        CHECK(outcome.status == InclusionOutcome::Status::unsuited);
        continue;
      }
      if (outcome.status != InclusionOutcome::Status::solved && std::string(name) != "auto") {
        CHECK(!outcome.reason.empty());  // a failure is reported, not answered
        continue;
      }
      CHECK_REPLAY(outcome.status == InclusionOutcome::Status::solved, parts, "inelastic", seed);
      CHECK_REPLAY(outcome.solutions.front().residual < residual_tolerance, parts, "inelastic", seed);
      CHECK_REPLAY(contains(inclusion, all, outcome.solutions.front()), parts, "inelastic", seed);
    }
  }
  CHECK(unique > 300);
}

TEST_CASE("lemke and gauss-seidel solve most problems with moderate friction") {
  int lemke = 0;
  int sweeps = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto parts = testing::random_problem(seed, {.contacts = 6, .largest_friction = 0.5});
    const ImpactProblem problem = parts.build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    lemke += solve("lemke", inclusion).status == InclusionOutcome::Status::solved;
    sweeps += solve("gauss-seidel", inclusion).status == InclusionOutcome::Status::solved;
  }
  CHECK(lemke >= 98);
  CHECK(sweeps >= 98);
}

TEST_CASE("enumeration takes eight planar frictional contacts and refuses eleven") {
  for (int contacts : {8, 11}) {
    const auto parts = testing::random_problem(5, {.contacts = contacts, .largest_friction = 0.4});
    const ImpactProblem problem = parts.build();
    const InclusionOutcome outcome = solve("enumerate", pose(problem, problem.gamma_minus()));
    if (contacts == 8) {
      CHECK(outcome.status == InclusionOutcome::Status::solved);
      CHECK(outcome.exhaustive);
      CHECK(outcome.iterations < 65536);  // all combinations
    } else {
      CHECK(outcome.status == InclusionOutcome::Status::unsuited);
    }
  }
}

TEST_CASE("a problem with several solutions shows all, one without any says so") {
  // One planar contact with strong coupling, G_NN < μ G_NT: sliding can be jammed or free.
  const Delassus G = Delassus::from_matrix(Mat(Eigen::Matrix2d{{1, 1.2}, {1.2, 2}}));
  Inclusion inclusion;
  inclusion.G = &G;
  inclusion.r = G.dense().diagonal().cwiseInverse();
  ForceSet normal;
  ForceSet friction;
  friction.shape = ForceSet::Shape::line;
  friction.row = 1;
  friction.normal_row = 0;
  friction.friction(0) = 1.5;
  inclusion.sets = {normal, friction};
  inclusion.c = Eigen::Vector2d(0.1, 1);  // opening slowly while sliding fast
  CHECK(solve("enumerate", inclusion).solutions.size() == 3);
  inclusion.c = Eigen::Vector2d(-0.1, -1);
  CHECK(solve("enumerate", inclusion).solutions.size() == 1);

  // A normal that nothing can stop: no solution, and no solver claims one.
  const Delassus dead = Delassus::from_matrix(Mat::Zero(1, 1));
  Inclusion impossible;
  impossible.G = &dead;
  impossible.r = Vec::Ones(1);
  impossible.c = Vec::Constant(1, -1);
  impossible.sets = {normal};
  for (const SolverEntry& solver : inclusion_solvers()) {
    const InclusionOutcome outcome = solver.make()->solve(impossible);
    CHECK(outcome.status == InclusionOutcome::Status::unsolved);
    CHECK(!outcome.reason.empty());
    CHECK(outcome.solutions.empty());
  }
}

TEST_CASE("redundant contacts have one velocity and finite impulses") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto parts =
        testing::random_problem(seed, {.contacts = 2, .friction = seed % 2 ? FrictionKind::line : FrictionKind::none});
    const ImpactProblem single = parts.build();
    const InclusionOutcome once = solve("enumerate", pose(single, single.gamma_minus()));
    Element twin = parts.elements.back();
    twin.name = "twin";
    parts.elements.push_back(twin);
    const ImpactProblem doubled = parts.build();
    const Inclusion inclusion = pose(doubled, doubled.gamma_minus());
    for (const char* name : {"enumerate", "gauss-seidel", "auto"}) {
      const InclusionOutcome outcome = solve(name, inclusion);
      if (std::string(name) == "gauss-seidel" && outcome.status != InclusionOutcome::Status::solved) continue;
      CHECK_REPLAY(outcome.status == InclusionOutcome::Status::solved, parts, "inelastic", seed);
      if (once.solutions.size() != 1) continue;
      const Vec u = single.velocity_after(once.solutions.front().Lambda);
      CHECK_REPLAY((u - doubled.velocity_after(outcome.solutions.front().Lambda)).norm() < 1e-8 * (1 + u.norm()), parts,
                   "inelastic", seed);
    }
  }
}

TEST_CASE("a method whose residual is not a number says what happened instead") {
  CHECK(not_converged("lemke", 0.012, 7) == "lemke did not converge: residual 0.012 after 7 iterations");
  for (const double residual : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(not_converged("gauss-seidel", residual, 7, "sweeps").rfind("gauss-seidel broke down after 7 sweeps: ", 0) ==
          0);
}
