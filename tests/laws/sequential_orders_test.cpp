// What sequential says about other orders of its collisions.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"

using namespace carom;

namespace {

Contact contact(const Eigen::RowVector3d& normal, double restitution, double friction = 0,
                const Eigen::RowVector3d& tangent = Eigen::RowVector3d::Zero()) {
  Contact contact;
  contact.normal = normal;
  contact.tangent.resize(friction > 0 ? 1 : 0, 3);
  contact.friction = Vec::Constant(contact.tangent.rows(), friction);
  if (friction > 0) contact.tangent.row(0) = tangent;
  contact.restitution = restitution;
  return contact;
}

ImpactProblem particle(const Eigen::Vector3d& velocity, const std::vector<Contact>& contacts) {
  std::vector<Element> elements;
  for (std::size_t i = 0; i < contacts.size(); ++i) elements.push_back({"c" + std::to_string(i), contacts[i]});
  return ImpactProblem(Eigen::Matrix3d::Identity(), velocity, elements);
}

// Whether contacts that take turns in some order end otherwise than the result does.
bool another_turn_differs(const ImpactProblem& problem, const ImpactResult& result) {
  std::vector<std::string> order;
  for (const Element& element : problem.elements()) order.push_back(element.name);
  do {
    LawChoice in_turn{"sequential", {}};
    in_turn.parameters.set("order", order);
    const LawOutcome other = make_law(in_turn)->resolve(problem, *find_solver("auto")->make());
    REQUIRE(other.status == LawOutcome::Status::resolved);
    if ((other.results.front().u_plus - result.u_plus).norm() > 1e-7 * result.u_minus.norm()) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// Whether orders differ.
bool check_what_is_said(const ImpactProblem& problem) {
  const LawOutcome outcome = make_law({"sequential", {}})->resolve(problem, *find_solver("auto")->make());
  REQUIRE(outcome.status == LawOutcome::Status::resolved);
  const ImpactResult& result = outcome.results.front();
  const bool differs = another_turn_differs(problem, result);
  if (differs) CHECK(outcome.results.size() > 1);
  if (outcome.results.size() > 1) CHECK(result.solver.note.find("another order") != std::string::npos);
  return differs;
}

}  // namespace

TEST_CASE("sequential follows orders to their end that die away") {
  const ImpactProblem smooth =
      particle({1, -1, 2}, {contact({0, 3, 0}, 0.5), contact({0, -3, -2}, 0.1), contact({1, 2, -3}, 0)});
  CHECK(check_what_is_said(smooth));
  CHECK(check_what_is_said(
      particle({-2, 1, 0}, {contact({0, -1, 2}, 0.1, 0.5, {1, -2, -1}), contact({2, -1, -3}, 0, 0.5, {1, -2, 2})})));
}

TEST_CASE("what sequential says of other orders holds for contacts that take turns") {
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    testing::Random random(seed);
    const auto whole = [&] { return std::round(random.uniform(-3, 3)); };
    std::vector<Contact> contacts;
    while (contacts.size() < 2 + seed % 2) {
      const Eigen::RowVector3d normal(whole(), whole(), whole());
      if (normal.norm() > 0) contacts.push_back(contact(normal, random.uniform(0, 0.6)));
    }
    if (check_what_is_said(particle({whole(), whole(), 1 + std::abs(whole())}, contacts))) ++differing;
  }
  CHECK(differing > 10);
}
