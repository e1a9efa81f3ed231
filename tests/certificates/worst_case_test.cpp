// The worst case against sampling, and guarantees within ranges of coefficients against the coefficients in them.

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/certificates/cone_quotient.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/worst_case.h"
#include "tests/certificates/systems.h"

using namespace carom;
using namespace carom::testing;

namespace {

// The largest gain over the directions of a plane of velocities.
double sampled_gain(const LawChoice& law, const ImpactProblem& problem, int samples) {
  const LawTrial trial(law, problem);
  double largest_gain = -HUGE_VAL;
  for (int k = 0; k < samples; ++k) {
    const double angle = 2 * M_PI * k / samples;
    const Vec v = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    largest_gain = std::max(largest_gain, trial.gain(problem.from_white(v)));
  }
  return largest_gain;
}

}  // namespace

TEST_CASE("one planar frictional contact under Newton: exact, against 20000 directions") {
  for (double restitution : {0.3, 0.5, 0.7, 1.0}) {
    for (double friction : {0.1, 0.5, 1.2}) {
      const ImpactProblem problem = kane(restitution, friction).build();
      const WorstCase worst = worst_case({"newton", {}}, problem);
      CAPTURE(restitution);
      CAPTURE(friction);
      CHECK(worst.exact);
      const double sampled = sampled_gain({"newton", {}}, problem, 20000);
      CHECK(worst.gain >= sampled - 1e-9);
      CHECK(worst.gain <= std::max(sampled, 0.0) + 1e-3);  // between two directions at the edge of a cone
      if (worst.gains()) {
        CHECK(LawTrial({"newton", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-6));
        CHECK(problem.kinetic_energy(worst.u_minus) == doctest::Approx(problem.kinetic_energy(problem.u_minus())));
      }
    }
  }
}

TEST_CASE("one planar contact under Newton's rule on Routh's path: exact, against 20000 directions") {
  int gaining = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto parts = random_problem(seed, {.contacts = 1, .largest_friction = 2.0});
    if (parts.M.rows() != 2) continue;
    std::get<Contact>(parts.elements[0].kind).restitution = seed % 2 == 0 ? 0.9 : 0.4;
    const ImpactProblem problem = parts.build();
    const double sampled = sampled_gain({"newton-routh", {}}, problem, 20000);
    const WorstCase worst = worst_case({"newton-routh", {}}, problem);
    CAPTURE(seed);
    CHECK(worst.exact);
    CHECK(worst.gain >= sampled - 1e-9 * (1 + std::abs(sampled)));
    CHECK(worst.gain <= std::max(sampled, 0.0) + 1e-3 * (1 + worst.gain));  // between two directions
    gaining += worst.gains();
  }
  CHECK(gaining > 3);
  const WorstCase kane_worst = worst_case({"newton-routh", {}}, kane(0.9, 0.5).build());
  CHECK(kane_worst.exact);
  CHECK(kane_worst.gains());
}

TEST_CASE("coefficients within ranges: Kane's pendulum under Newton, against a grid") {
  CoefficientRanges ranges;
  ranges.restitution = {0.2, 0.8};
  ranges.friction = {0.1, 0.9};
  const WorstCase worst = worst_case({"newton", {}}, kane(0.5, 0.5).build(), ranges);
  double grid = 0;
  for (double e : {0.2, 0.35, 0.5, 0.65, 0.8})
    for (double mu : {0.1, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9})
      grid = std::max(grid, worst_case({"newton", {}}, kane(e, mu).build()).gain);
  CHECK(worst.gain >= grid - 1e-6);
  const Contact& contact = *worst.elements[0].contact();
  CHECK(contact.restitution >= 0.2);
  CHECK(contact.restitution <= 0.8);
  CHECK(contact.friction(0) >= 0.1);
  CHECK(contact.friction(0) <= 0.9);
}

TEST_CASE("the bar under Poisson gains more from another velocity than from the published one") {
  const ImpactProblem problem = bar(10, 0.5, 1, 2).build();
  const WorstCase worst = worst_case({"poisson", {}}, problem);
  CHECK(worst.gain > 0.65);
  CHECK(LawTrial({"poisson", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-6));
}

namespace {

// Rough contacts whose coefficients differ, so that neither law is guaranteed.
ProblemParts rough_contacts(std::uint64_t seed, int contacts) {
  return random_problem(seed, {.contacts = contacts, .largest_friction = 0.8, .tangential_restitution = true});
}

double sampled_in_all_directions(const LawChoice& law, const ImpactProblem& problem, int samples) {
  const LawTrial trial(law, problem);
  const Mat motions = problem.free_motions();
  Random random(5);
  double largest_gain = 0;
  for (int k = 0; k < samples; ++k)
    largest_gain =
        std::max(largest_gain, trial.gain(problem.from_white(motions * random.vector(motions.cols())), Solutions::one));
  return largest_gain;
}

}  // namespace

TEST_CASE("several planar frictional contacts under Newton: exact, attained, and above every sample") {
  int gaining = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const ImpactProblem problem = rough_contacts(seed, 2 + static_cast<int>(seed % 2)).build();
    const WorstCase worst = worst_case({"newton", {}}, problem);
    if (!worst.exact) continue;
    CAPTURE(seed);
    CHECK(worst.gain >= sampled_in_all_directions({"newton", {}}, problem, 400) - 1e-9);
    if (!worst.gains()) continue;
    ++gaining;
    CHECK(LawTrial({"newton", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-6));
  }
  CHECK(gaining > 8);
}

TEST_CASE("several planar frictional contacts under Poisson: exact, attained, and above every sample") {
  int gaining = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    ProblemParts parts = rough_contacts(seed, 2);
    if (seed % 2 == 0) {  // as different as can be, as in the inhomogeneous bar
      std::get<Contact>(parts.elements[0].kind).restitution = 0;
      std::get<Contact>(parts.elements[0].kind).tangential_restitution = 0;
      std::get<Contact>(parts.elements[1].kind).restitution = 1;
    }
    const ImpactProblem problem = parts.build();
    const WorstCase worst = worst_case({"poisson", {}}, problem);
    CAPTURE(seed);
    CHECK(worst.exact);
    CHECK(worst.gain >= sampled_in_all_directions({"poisson", {}}, problem, 400) - 1e-9);
    if (!worst.gains()) continue;
    ++gaining;
    CHECK(LawTrial({"poisson", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-6));
  }
  CHECK(gaining > 3);
}

TEST_CASE("three rough contacts under Poisson: what a search from many velocities does not reach") {
  ProblemParts parts = random_problem(29, {.contacts = 3, .largest_friction = 0.8});
  for (std::size_t i = 0; i < 3; ++i) std::get<Contact>(parts.elements[i].kind).restitution = i == 0 ? 0.3 : 1;
  const ImpactProblem problem = parts.build();
  const WorstCase worst = worst_case({"poisson", {}}, problem);
  CHECK(worst.exact);
  CHECK(worst.bound.value_or(0) == doctest::Approx(worst.gain));
  CHECK(worst.gain >= sampled_in_all_directions({"poisson", {}}, problem, 1000));
}

TEST_CASE("four rough contacts under Poisson are too many for the exact answer: a bound and an example") {
  ProblemParts parts = random_problem(3, {.contacts = 4, .largest_friction = 0.8});
  for (std::size_t i = 0; i < 4; ++i) std::get<Contact>(parts.elements[i].kind).restitution = i % 2 == 0 ? 0 : 1;
  const WorstCase worst = worst_case({"poisson", {}}, parts.build());
  CHECK(!worst.exact);
  REQUIRE(worst.bound);
  CHECK(worst.gain <= *worst.bound);
}

// A block on two rough corners: four rows for three coordinates.
TEST_CASE("redundant contacts under Newton: exact, though impulses are shared in many ways") {
  const Mat M = Eigen::Vector3d(1, 1, 0.1).asDiagonal();
  ProblemParts parts{M, Eigen::Vector3d(0.3, -1, 0.5), {}};
  for (double side : {-1.0, 1.0}) {
    parts.elements.push_back({side < 0 ? "left" : "right",
                              contact_of(Eigen::Vector3d(0, 1, side), Eigen::RowVector3d(1, 0, 0.5), 0.9, 0.9)});
  }
  const ImpactProblem problem = parts.build();
  const WorstCase worst = worst_case({"newton", {}}, problem);
  CHECK(worst.exact);
  CHECK(worst.gain > 1);
  CHECK(worst.gain >= sampled_in_all_directions({"newton", {}}, problem, 2000) - 1e-9);
  CHECK(LawTrial({"newton", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-6));
}

TEST_CASE("the greatest quotient on a cone: against sampling, and empty and flat cones") {
  Random random(4);
  int inside = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Mat A = random.mass_matrix(3) - random.mass_matrix(3);
    Mat N(4, 3);
    for (Index k = 0; k < 4; ++k) N.row(k) = random.vector(3).transpose();
    ConeQuotient quotient(-1e9, 10000);
    quotient.visit(A, N);
    double sampled = -1e9;
    for (int k = 0; k < 4000; ++k) {
      const Vec x = random.vector(3).normalized();
      if (((N * x).array() >= 0).all()) sampled = std::max(sampled, x.dot(A * x));
    }
    CAPTURE(trial);
    CHECK(quotient.bar() >= sampled);
    if (sampled == -1e9) continue;
    ++inside;
    const Vec x = quotient.greatest()->x;
    CHECK((N * x).minCoeff() >= -1e-9);
    CHECK(x.dot(A * x) == doctest::Approx(quotient.bar()));
  }
  CHECK(inside > 10);
  Mat flat(3, 2);  // x₁ = 0, x₂ ≥ 0
  flat << 1, 0, -1, 0, 0, 1;
  ConeQuotient on_ray(-1e9, 100);
  CHECK(on_ray.visit(Mat(Eigen::Vector2d(5, 2).asDiagonal()), flat));
  CHECK(on_ray.bar() == doctest::Approx(2));
  flat(2, 1) = -1;
  Mat empty(4, 2);
  empty << flat, 0, 1;
  ConeQuotient nowhere(-1e9, 100);
  CHECK(!nowhere.visit(Mat(Eigen::Vector2d(5, 2).asDiagonal()), empty));
}

TEST_CASE("a guarantee within ranges is one for all coefficients in them") {
  CoefficientRanges ranges;
  ranges.restitution = {0.4, 0.6};
  ranges.friction = {0, 0.3};
  int guaranteed = 0, not_guaranteed = 0;
  for (const char* law : {"newton", "poisson"}) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const ImpactProblem problem = rough_contacts(seed, 2).build();
      const bool proven = prove_within({law, {}}, problem, ranges).proven;
      (proven ? guaranteed : not_guaranteed)++;
      if (!proven) continue;
      Random random(seed);
      const std::vector<Knob> knobs = knobs_of(problem, ranges);
      for (int k = 0; k < 20; ++k) {
        Vec shares(static_cast<Index>(knobs.size()));
        for (double& x : shares) x = random.uniform(0, 1);
        const auto inside =
            ImpactProblem::on_manifold(problem.M(), problem.u_minus(), turned(problem.elements(), knobs, shares));
        CAPTURE(law);
        CAPTURE(seed);
        CHECK(prove({law, {}}, inside).proven);
      }
    }
  }
  CHECK(guaranteed > 10);
  CHECK(not_guaranteed > 10);
}

TEST_CASE("within ranges: no friction under Poisson is guaranteed, Kane's pendulum under Newton is not") {
  CoefficientRanges ranges;
  ranges.restitution = {0, 1};
  CHECK(prove_within({"poisson", {}}, balls(4, 0.5).build(), ranges).proven);
  CHECK(prove_within({"poisson", {}}, kane(0.5, 0.5).build(), ranges).proven);
  CHECK(!prove_within({"newton", {}}, kane(0.5, 0.5).build(), ranges).proven);
  ranges.restitution = {0, 1.2};
  CHECK(!prove_within({"poisson", {}}, balls(4, 0.5).build(), ranges).proven);
}
