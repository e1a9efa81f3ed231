// Resolving impacts of one size again and again asks for no memory.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/allocations/counted.h"
#include "tests/support/random_problem.h"

using namespace carom;

namespace {

// Of a hundred impacts of one problem at new velocities, after a few that warm it up. The velocities are the first one
// and its reverse in turn, so that what impacts once is open the next time.
long allocations_of_impacts(const std::string& law_name, ImpactProblem problem) {
  const auto law = make_law({law_name, {}});
  const auto solver = find_solver("auto")->make();
  LawOutcome outcome;
  Vec u = problem.u_minus();
  long before = 0;
  for (int k = 0; k < 110; ++k) {
    if (k == 10) before = testing::allocations();
    u = -1.001 * u;
    problem.set_velocity(u);
    law->resolve_into(problem, *solver, outcome);
    if (outcome.status != LawOutcome::Status::resolved) return -1;
  }
  return testing::allocations() - before;
}

testing::ProblemParts one_contact(std::uint64_t seed, testing::FrictionKind friction) {
  testing::RandomOptions options;
  options.contacts = 1;
  options.friction = friction;
  options.largest_friction = 0.8;
  return testing::random_problem(seed, options);
}

}  // namespace

TEST_CASE("one planar contact: no law that marches or solves an inclusion allocates") {
  if (!testing::allocations_are_counted()) return;
  for (const char* law : {"newton", "poisson", "stronge", "poisson-routh", "newton-routh"}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(law);
      CAPTURE(seed);
      CHECK(allocations_of_impacts(law, one_contact(seed, testing::FrictionKind::line).build()) == 0);
      CHECK(allocations_of_impacts(law, one_contact(seed, testing::FrictionKind::none).build()) == 0);
    }
  }
}

TEST_CASE("two planar contacts with little friction: newton and poisson do not allocate either") {
  if (!testing::allocations_are_counted()) return;
  for (const char* law : {"newton", "poisson"}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      testing::RandomOptions options;
      options.contacts = 2;
      options.largest_friction = 0.3;
      CAPTURE(law);
      CAPTURE(seed);
      CHECK(allocations_of_impacts(law, testing::random_problem(seed, options).build()) == 0);
    }
  }
}

TEST_CASE("a problem that is rebuilt in place at another position does not allocate") {
  if (!testing::allocations_are_counted()) return;
  const testing::ProblemParts parts = one_contact(3, testing::FrictionKind::line);
  ImpactProblem problem = parts.build();
  Mat M = parts.M;
  long before = 0;
  for (int k = 0; k < 20; ++k) {
    if (k == 2) before = testing::allocations();
    std::vector<Element> elements = problem.take_elements();
    std::get<Contact>(elements[0].kind).normal *= 1.01;
    M *= 1.01;
    problem.rebuild_on_manifold(M, parts.u_minus, std::move(elements));
  }
  CHECK(testing::allocations() - before == 0);
  ImpactProblem fresh = ImpactProblem::on_manifold(M, parts.u_minus, problem.elements());
  CHECK((fresh.G().dense() - problem.G().dense()).norm() == 0);
  CHECK((fresh.gamma_minus() - problem.gamma_minus()).norm() == 0);
}
