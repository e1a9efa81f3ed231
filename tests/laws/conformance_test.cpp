// One suite over every law in the list, on seeded random problems; and that the suite finds what is wrong with a law.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/law_conformance.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::Breach;
using testing::ConformanceResult;

TEST_CASE("every law keeps the impact equation, its energy balance and its claims, and tells a user what it is") {
  for (const LawEntry& law : impact_laws()) {
    for (const ConformanceResult& result : testing::conformance(law)) {
      INFO(law.name << ": " << result.claim);
      CHECK(result.tried >= result.least);
      for (const Breach& breach : result.breaches) {
        if (breach.seed > 0) MESSAGE(testing::replay(breach.parts, law.name, breach.seed));
        FAIL_CHECK(breach.what);
      }
    }
  }
}

namespace {

// Λ_N = −(1+ε) γ⁻ / G, row by row, with a mistake.
class Mistaken final : public ImpactLaw {
 public:
  enum class Mistake { none, counts_its_calls, first_contact_only, pulls, adds_a_speed };
  explicit Mistaken(Mistake mistake) : mistake_(mistake) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver&) const override {
    Jump jump;
    jump.Lambda = Vec::Zero(problem.rows());
    jump.states.assign(problem.elements().size(), State::open);
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      if (!problem.elements()[i].contact()) continue;
      const Index row = problem.first_row(i);
      double gamma_minus = problem.gamma_minus()(row);
      if (mistake_ == Mistake::adds_a_speed && gamma_minus < 0) gamma_minus -= 0.1;
      double Lambda = -2 * gamma_minus / problem.G()(row, row);
      if (mistake_ == Mistake::counts_its_calls) Lambda *= 1 + 1e-9 * ++calls_;
      if (gamma_minus >= 0 && mistake_ != Mistake::pulls) continue;
      jump.Lambda(row) = Lambda;
      jump.states[i] = State::closed;
      if (mistake_ == Mistake::first_contact_only) break;
    }
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, jump));
    return outcome;
  }

 private:
  Mistake mistake_;
  static inline int calls_ = 0;  // of all: the suite makes a law anew for every problem
};

template <Mistaken::Mistake mistake>
LawEntry mistaken_law() {
  return {.name = "mistaken",
          .statement = "what a law should not do",
          .equation = "none",
          .source = "a test",
          .domain = "everything",
          .failures = "many",
          .make = [](const Parameters&) { return std::unique_ptr<ImpactLaw>(std::make_unique<Mistaken>(mistake)); }};
}

bool finds(const LawEntry& law, const std::string& claim) {
  const std::vector<ConformanceResult> results = testing::conformance(law);
  const auto result = std::find_if(results.begin(), results.end(), [&](const ConformanceResult& r) {
    return r.claim.find(claim) != std::string::npos;
  });
  REQUIRE(result != results.end());
  return !result->holds();
}

}  // namespace

TEST_CASE("the conformance suite finds what is wrong with a law") {
  using Mistake = Mistaken::Mistake;
  const LawEntry right = mistaken_law<Mistake::none>();
  for (const char* claim : {"WΛ", "work", "order", "same bits", "times the velocity", "nothing approaches:", "told"})
    CHECK_FALSE(finds(right, claim));
  CHECK(finds(mistaken_law<Mistake::counts_its_calls>(), "same bits"));
  CHECK(finds(mistaken_law<Mistake::first_contact_only>(), "order"));
  CHECK(finds(mistaken_law<Mistake::pulls>(), "nothing approaches:"));
  CHECK(finds(mistaken_law<Mistake::adds_a_speed>(), "times the velocity"));
  LawEntry claiming = right;
  claiming.claims = {.kinematic = true, .kinetic = true, .dissipative_frictionless = true};
  CHECK(finds(claiming, "approaches afterwards"));
  CHECK(finds(claiming, "gained without friction"));
  LawEntry silent = right;
  silent.failures.clear();
  CHECK(finds(silent, "told"));
}
