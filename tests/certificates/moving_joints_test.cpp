// Impacts while joints move by prescription: judged as the contacts see them.

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/certificates/assessment.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "solvers/laws/resting_joints.h"
#include "tests/support/random_problem.h"

using namespace carom;
using testing::ProblemParts;
using testing::Random;

namespace {

// Joints with any velocity.
ImpactProblem driven(const ProblemParts& parts, std::uint64_t seed) {
  Random random(seed);
  return ImpactProblem::on_manifold(parts.M, random.vector(parts.M.rows()), parts.elements);
}

LawOutcome resolved(const char* law, const ImpactProblem& problem) {
  return make_law({law, {}})->resolve(problem, *find_solver("auto")->make());
}

// A block (x, y, and a mass elsewhere) between two rough plates that are driven along x.
ImpactProblem squeezed(double restitution, const Vec& u_minus) {
  Contact lower, upper;
  lower.normal = Vec::Unit(5, 1);
  lower.tangent = Mat::Zero(1, 5);
  lower.tangent.row(0) << 1, 0, 0, -1, 0;
  lower.friction = Vec::Constant(1, 0.4);
  lower.restitution = restitution;
  upper = lower;
  upper.normal = -lower.normal;
  upper.tangent.row(0) << 1, 0, 0, 0, -1;
  upper.restitution = 0.5;
  return ImpactProblem::on_manifold(Mat::Identity(5, 5), u_minus,
                                    {{"lower", lower},
                                     {"upper", upper},
                                     {"left", Bilateral{Vec::Unit(5, 3)}},
                                     {"right", Bilateral{Vec::Unit(5, 4)}}});
}

}  // namespace

TEST_CASE("at moving joints the contacts' impulses and work are those of the impact at resting joints") {
  int compared = 0;
  for (const char* law : {"newton", "poisson", "moreau", "restitution-matrix", "stronge", "newton-routh"}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const bool one = std::string(law) == "stronge" || std::string(law) == "newton-routh";
      const auto friction = std::string(law) == "restitution-matrix" ? testing::FrictionKind::none
                            : seed % 4 == 0                          ? testing::FrictionKind::disc
                                                                     : testing::FrictionKind::line;
      const ProblemParts parts = testing::random_problem(
          seed, {.contacts = one ? 1 : 2, .bilaterals = 2, .friction = friction, .largest_friction = 0.5});
      const ImpactProblem moving = driven(parts, seed);
      REQUIRE(has_moving_joints(moving));
      const std::optional<Vec> u = velocity_at_resting_joints(moving);
      if (!u) continue;
      const ImpactProblem resting(parts.M, *u, parts.elements);
      CHECK(!has_moving_joints(resting));
      CHECK((resting.gamma_minus() - moving.gamma_minus()).norm() <= 1e-10 * moving.gamma_minus().norm());
      const LawOutcome a = resolved(law, moving), b = resolved(law, resting);
      CAPTURE(law);
      CAPTURE(seed);
      REQUIRE(a.results.size() == b.results.size());
      if (a.results.empty()) continue;
      const ImpactResult &at = a.results.front(), &seen = b.results.front();
      ++compared;
      CHECK(at.work == doctest::Approx(seen.work).epsilon(1e-7));
      CHECK(seen.T_plus - seen.T_minus == doctest::Approx(seen.work).epsilon(1e-7));
      double of_drives = 0;
      for (std::size_t i = 0; i < parts.elements.size(); ++i)
        if (parts.elements[i].bilateral()) of_drives += at.elements[i].work;
      CHECK(at.T_plus - at.T_minus == doctest::Approx(at.work + of_drives).epsilon(1e-7));
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("a guarantee holds where no motion follows all drives") {
  AssessmentOptions options;
  options.certificates = false;
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Vec u = random.vector(5);
    u(1) *= 0.3;
    const ImpactProblem problem = squeezed(0.5, u);
    REQUIRE(!velocity_at_resting_joints(problem));
    for (const char* law : {"newton", "poisson", "moreau"}) {
      const LawAssessment assessment = assess({law, {}}, problem, options);
      CAPTURE(law);
      CAPTURE(seed);
      CHECK(!assessment.worst);
      if (!assessment.here || !assessment.guaranteed()) continue;
      ++tried;
      CHECK(assessment.here->work <= 1e-10);
    }
  }
  CHECK(tried > 300);
}
