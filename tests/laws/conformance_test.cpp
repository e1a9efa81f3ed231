// One suite over every law in the list, on seeded random problems.

#include <doctest/doctest.h>

#include <algorithm>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::FrictionKind;
using testing::ProblemParts;

namespace {

struct Case {
  std::uint64_t seed;
  ProblemParts parts;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    const auto friction = static_cast<FrictionKind>(seed % 4);
    const bool spatial = friction == FrictionKind::disc || friction == FrictionKind::ellipse;
    list.push_back(
        {seed, testing::random_problem(seed, {.contacts = 1 + static_cast<int>((seed / 4) % (spatial ? 2 : 3)),
                                              .clutches = static_cast<int>((seed / 8) % 2),
                                              .bilaterals = static_cast<int>((seed / 16) % 3),
                                              .friction = friction,
                                              .largest_friction = 0.8,
                                              .approaching = true})});
  }
  return list;
}

Vec momentum_from_elements(const ProblemParts& parts, const ImpactResult& result) {
  Vec momentum = Vec::Zero(parts.u_minus.size());
  for (std::size_t i = 0; i < parts.elements.size(); ++i) {
    const Vec& Lambda = result.elements[i].Lambda;
    if (const Contact* contact = parts.elements[i].contact()) {
      momentum += contact->normal * Lambda(0) + contact->tangent.transpose() * Lambda.tail(contact->tangent.rows());
    } else if (const Clutch* clutch = parts.elements[i].clutch()) {
      momentum += clutch->direction * Lambda(0);
    } else {
      momentum += parts.elements[i].bilateral()->direction * Lambda(0);
    }
  }
  return momentum;
}

// Equal restitution for moreau's sake.
ProblemParts for_law(ProblemParts parts, const std::string& law) {
  if (law == "moreau") {
    for (Element& element : parts.elements) {
      if (auto* contact = std::get_if<Contact>(&element.kind)) contact->restitution = 0.6;
    }
  }
  return parts;
}

LawOutcome resolve(const std::string& law, const ProblemParts& parts) {
  return make_law({law, {}})->resolve(parts.build(), *find_solver("auto")->make());
}

}  // namespace

TEST_CASE("every law keeps the impact equation, its energy balance and its claims") {
  for (const LawEntry& law : impact_laws()) {
    int resolved = 0;
    for (const auto& [seed, original] : cases()) {
      const ProblemParts parts = for_law(original, law.name);
      const LawOutcome outcome = resolve(law.name, parts);
      if (outcome.status != LawOutcome::Status::resolved) {
        CHECK(outcome.reason.size() > 20);  // a refusal gives its reason
        continue;
      }
      ++resolved;
      for (const ImpactResult& result : outcome.results) {
        const Vec jump = parts.M * (result.u_plus - parts.u_minus);
        CHECK_REPLAY((jump - momentum_from_elements(parts, result)).norm() < 1e-9 * (1 + jump.norm()), parts, law.name,
                     seed);
        double work = 0;
        for (const ElementResult& element : result.elements) work += element.work;
        CHECK_REPLAY(std::abs(work - (result.T_plus - result.T_minus)) < 1e-9 * (result.T_minus + result.T_plus), parts,
                     law.name, seed);
        CHECK_REPLAY(std::abs(work - result.work) < 1e-12 * (1 + result.T_minus), parts, law.name, seed);
        CHECK_REPLAY(result.solver.residual < 1e-10, parts, law.name, seed);

        if (law.claims.kinematic) CHECK_REPLAY(result.kinematic.holds, parts, law.name, seed);
        if (law.claims.kinetic) CHECK_REPLAY(result.kinetic.holds, parts, law.name, seed);
        const auto contacts =
            std::count_if(parts.elements.begin(), parts.elements.end(), [](const Element& e) { return e.contact(); });
        const bool clutches =
            std::any_of(parts.elements.begin(), parts.elements.end(), [](const Element& e) { return e.clutch(); });
        const bool friction = std::any_of(parts.elements.begin(), parts.elements.end(),
                                          [](const Element& e) { return e.contact() && e.contact()->has_friction(); });
        if (law.claims.dissipative_frictionless && !friction && !clutches)
          CHECK_REPLAY(result.energetic.holds, parts, law.name, seed);
        if (law.claims.dissipative_one_contact && contacts == 1 && !clutches)
          CHECK_REPLAY(result.energetic.holds, parts, law.name, seed);
      }
    }
    CAPTURE(law.name);
    CHECK(resolved >= 10);
  }
}

TEST_CASE("the order of the elements does not matter") {
  for (const LawEntry& law : impact_laws()) {
    int compared = 0;
    for (const auto& [seed, original] : cases()) {
      ProblemParts parts = for_law(original, law.name);
      const LawOutcome outcome = resolve(law.name, parts);
      if (outcome.status != LawOutcome::Status::resolved || outcome.results.size() > 1) continue;
      ProblemParts turned = parts;
      std::reverse(turned.elements.begin(), turned.elements.end());
      const LawOutcome again = resolve(law.name, turned);
      CHECK_REPLAY(again.status == LawOutcome::Status::resolved, parts, law.name, seed);
      if (again.results.empty()) continue;
      const Vec difference = again.results.front().u_plus - outcome.results.front().u_plus;
      CHECK_REPLAY(difference.norm() < 1e-8 * (1 + parts.u_minus.norm()), parts, law.name, seed);
      ++compared;
    }
    CAPTURE(law.name);
    CHECK(compared >= 20);
  }
}

TEST_CASE("impacts scale: twice the velocity, twice the impulse; other units of mass, the same velocity") {
  for (const LawEntry& law : impact_laws()) {
    int compared = 0;
    for (const auto& [seed, original] : cases()) {
      if (seed % 4 > 1) continue;  // without friction, and in the plane
      const ProblemParts parts = for_law(original, law.name);
      const LawOutcome outcome = resolve(law.name, parts);
      if (outcome.status != LawOutcome::Status::resolved || outcome.results.size() > 1) continue;
      ProblemParts scaled = parts;
      scaled.u_minus *= 1e6;
      scaled.M *= 1e-7;
      const LawOutcome again = resolve(law.name, scaled);
      CHECK_REPLAY(again.status == LawOutcome::Status::resolved, parts, law.name, seed);
      if (again.results.empty()) continue;
      CHECK_REPLAY((again.results.front().u_plus / 1e6 - outcome.results.front().u_plus).norm() <
                       1e-8 * (1 + parts.u_minus.norm()),
                   parts, law.name, seed);
      ++compared;
    }
    CAPTURE(law.name);
    CHECK(compared >= 10);
  }
}

TEST_CASE("the same problem gives the same bits") {
  for (const LawEntry& law : impact_laws()) {
    CAPTURE(law.name);
    ProblemParts parts;
    LawOutcome a;
    for (const auto& [seed, original] : cases()) {
      parts = for_law(original, law.name);
      a = resolve(law.name, parts);
      if (a.status == LawOutcome::Status::resolved) break;
    }
    REQUIRE(!a.results.empty());
    const LawOutcome b = resolve(law.name, parts);
    REQUIRE(a.results.size() == b.results.size());
    for (std::size_t k = 0; k < a.results.size(); ++k) CHECK(a.results[k].u_plus == b.results[k].u_plus);
  }
}

TEST_CASE("nothing approaches: nothing happens") {
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 0);
  contact.tangent = Eigen::RowVector2d(0, 1);
  contact.friction = Vec::Constant(1, 0.0);
  contact.restitution = 0.5;
  for (const Eigen::Vector2d& u : {Eigen::Vector2d(1, 2), Eigen::Vector2d(0, 2), Eigen::Vector2d(0, 0)}) {
    for (const LawEntry& law : impact_laws()) {
      const ProblemParts parts{Mat::Identity(2, 2), u, {{"c", contact}}};
      const LawOutcome outcome = resolve(law.name, parts);
      CAPTURE(law.name);
      REQUIRE(outcome.status == LawOutcome::Status::resolved);
      CHECK((outcome.results.front().u_plus - u).norm() < 1e-14);
      CHECK(outcome.results.front().elements[0].state == State::open);
    }
  }
}

TEST_CASE("every law tells a user what it is") {
  for (const LawEntry& law : impact_laws()) {
    CAPTURE(law.name);
    CHECK(!law.statement.empty());
    CHECK(!law.equation.empty());
    CHECK(!law.source.empty());
    CHECK(!law.domain.empty());
    CHECK(!law.failures.empty());
    for (const ParameterSpec& spec : law.parameters) CHECK((!spec.default_text.empty() && !spec.meaning.empty()));
  }
}
