// The enumeration on the stack against solvers that take another way.

#include "solvers/inclusion/all/all_modes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "solvers/inclusion/all/branching.h"
#include "solvers/inclusion/mode.h"
#include "solvers/laws/inclusion_form.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;

namespace {

// Collects the solutions of the modes that branch and bound hands over, with repetitions. The modes are regular, so
// each has one solution at most.
class Collection final : public ModeJudge {
 public:
  explicit Collection(const Inclusion& inclusion) : inclusion_(inclusion) {}

  ModeAnswer decide(const Mode& mode) override {
    const auto Lambda = solve_mode(inclusion_, mode);
    if (!Lambda) return {};
    InclusionSolution solution = with_residual(inclusion_, *Lambda);
    if (!(solution.residual < 1e-10)) return {{}, true};
    solutions.push_back(std::move(solution));
    return {solutions.back().xi, true};
  }
  std::optional<Vec> solution_near(const Mode&, const Vec&) override { return std::nullopt; }
  bool are_joined(const Vec&, const Vec&) override { return false; }
  std::vector<Vec> known() const override { return {}; }
  bool continues(const Mode&, const Vec&) override { return false; }
  bool finds_continuum() override { return false; }

  std::vector<InclusionSolution> solutions;

 private:
  const Inclusion& inclusion_;
};

std::vector<InclusionSolution> by_branch_and_bound(const Inclusion& inclusion) {
  Collection collection(inclusion);
  branch(inclusion, 200000, collection);
  return collection.solutions;
}

// Every solution of one list is in the other, impulses and velocities to 1e-10.
bool contains(const std::vector<InclusionSolution>& list, const InclusionSolution& solution) {
  return std::any_of(list.begin(), list.end(), [&](const InclusionSolution& other) {
    return (other.Lambda - solution.Lambda).norm() <= 1e-10 * (1 + solution.Lambda.norm()) &&
           (other.xi - solution.xi).norm() <= 1e-10 * (1 + solution.xi.norm());
  });
}

}  // namespace

TEST_CASE("all modes on the stack: the same solutions as branch and bound, one to three contacts") {
  int several = 0;
  int taken = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    testing::RandomOptions options;
    options.contacts = 1 + static_cast<int>(seed % 3);
    options.clutches = seed % 5 == 0 && options.contacts < 3 ? 1 : 0;
    options.bilaterals = seed % 7 == 0 ? 1 : 0;
    options.friction = seed % 4 == 3 ? testing::FrictionKind::none : testing::FrictionKind::line;
    options.largest_friction = seed % 2 == 0 ? 1 : 5;
    const testing::ProblemParts parts = testing::random_problem(seed, options);
    const ImpactProblem problem = parts.build();
    Inclusion inclusion = pose(problem, problem.gamma_minus());
    // Poisson's decompression: friction sets that keep a size.
    if (seed % 3 == 0)
      for (ForceSet& set : inclusion.sets)
        if (set.normal_row >= 0) set.offset = 0.3 * std::abs(inclusion.c(set.normal_row)) * inclusion.r(set.normal_row);
    InclusionOutcome outcome;
    if (!solve_all_modes(inclusion, {}, outcome)) continue;
    ++taken;
    if (outcome.solutions.size() > 1) ++several;
    const std::vector<InclusionSolution> reference = by_branch_and_bound(inclusion);
    for (const InclusionSolution& solution : outcome.solutions) {
      CHECK_REPLAY(solution.residual < 1e-12, parts, "inelastic", seed);
      CHECK_REPLAY(contains(reference, solution), parts, "inelastic", seed);
    }
    for (const InclusionSolution& solution : reference)
      CHECK_REPLAY(contains(outcome.solutions, solution), parts, "inelastic", seed);
  }
  CHECK(taken > 1400);
  CHECK(several > 20);
}

TEST_CASE("all modes on the stack: declines what it cannot decide") {
  InclusionOutcome outcome;
  testing::RandomOptions options;
  options.contacts = 4;
  ImpactProblem many = testing::random_problem(1, options).build();
  CHECK_FALSE(solve_all_modes(pose(many, many.gamma_minus()), {}, outcome));
  options.contacts = 1;
  options.friction = testing::FrictionKind::disc;
  ImpactProblem spatial = testing::random_problem(1, options).build();
  CHECK_FALSE(solve_all_modes(pose(spatial, spatial.gamma_minus()), {}, outcome));
  // Twice the same contact: its share of the impulse is not determined.
  options.friction = testing::FrictionKind::line;
  testing::ProblemParts twice = testing::random_problem(1, options);
  twice.elements.push_back(twice.elements.front());
  ImpactProblem redundant = twice.build();
  CHECK_FALSE(solve_all_modes(pose(redundant, redundant.gamma_minus()), {}, outcome));
}
