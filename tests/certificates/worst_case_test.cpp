// The worst case against sampling, and guarantees within ranges of coefficients against the coefficients in them.

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

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

namespace {

LawChoice sequential_of(const char* law) {
  LawChoice sequential{"sequential", {}};
  sequential.parameters.set("each", std::make_shared<const LawChoice>(LawChoice{law, {}}));
  return sequential;
}

// The largest gain over a grid of coefficients in the ranges, each with many directions of a plane.
double sampled_within(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges) {
  const std::vector<Knob> knobs = knobs_of(law, problem, ranges);
  constexpr int steps = 4;
  double largest_gain = 0;
  Vec shares = Vec::Zero(static_cast<Index>(knobs.size()));
  for (int point = 0; point < std::pow(steps + 1, knobs.size()); ++point) {
    for (Index k = 0, rest = point; k < shares.size(); ++k, rest /= steps + 1)
      shares(k) = static_cast<double>(rest % (steps + 1)) / steps;
    const auto turned_problem =
        ImpactProblem::on_manifold(problem.M(), problem.u_minus(), turned(problem.elements(), knobs, shares));
    largest_gain = std::max(largest_gain, sampled_gain(law, turned_problem, 240));
  }
  return largest_gain;
}

// What is found is what the law creates with that velocity and those coefficients, which lie in the ranges.
void check_attained(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
                    const WorstCase& worst) {
  const auto at_worst = ImpactProblem::on_manifold(problem.M(), problem.u_minus(), worst.elements);
  CHECK(LawTrial(law, at_worst).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-9));
  for (const Element& element : worst.elements) {
    if (!element.contact()) continue;
    CHECK(element.contact()->restitution >= ranges.restitution->first);
    CHECK(element.contact()->restitution <= ranges.restitution->second);
    CHECK(element.contact()->friction(0) >= ranges.friction->first);
    CHECK(element.contact()->friction(0) <= ranges.friction->second);
  }
}

}  // namespace

TEST_CASE("one planar contact with coefficients in ranges: exact, attained, and above a grid") {
  int gaining = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const auto parts = random_problem(seed, {.contacts = 1, .largest_friction = 1.0});
    if (parts.M.rows() != 2) continue;
    const ImpactProblem problem = parts.build();
    CoefficientRanges ranges;
    ranges.restitution = {0.3, 0.9};
    ranges.friction = {0.2, seed % 2 == 0 ? 0.7 : 3.0};
    for (const LawChoice& law : {LawChoice{"newton", {}}, LawChoice{"newton-routh", {}}, sequential_of("newton"),
                                 sequential_of("newton-routh")}) {
      const bool newton = law.type == "newton";
      if (newton) ranges.tangential_restitution = {-0.5, 0.95};
      const WorstCase worst = worst_case(law, problem, ranges);
      CAPTURE(seed);
      CAPTURE(law.type);
      CHECK(worst.exact);
      CHECK(worst.coefficients_varied);
      CHECK(worst.gain >= sampled_within(law, problem, ranges) - 1e-9);
      ranges.tangential_restitution.reset();
      if (!worst.gains()) continue;
      ++gaining;
      check_attained(law, problem, ranges, worst);
    }
  }
  CHECK(gaining > 12);
}

TEST_CASE("Poisson beyond ε = 1: ε² − 1 is the most that one contact creates, where friction can hold it") {
  CoefficientRanges ranges;
  ranges.restitution = {0.5, 1.2};
  ranges.tangential_restitution = {0, 0.7};
  const WorstCase held = worst_case({"poisson", {}}, kane(0.5, 1.0).build(), ranges);
  CHECK(held.exact);
  CHECK(held.gain == doctest::Approx(1.2 * 1.2 - 1).epsilon(1e-9));
  const WorstCase slipping = worst_case({"poisson", {}}, kane(0.5, 0.01).build(), ranges);
  REQUIRE(slipping.bound);
  CHECK(*slipping.bound == doctest::Approx(0.44));
  CHECK(slipping.gain <= 0.44 + 1e-9);
}

TEST_CASE("Poisson within ranges: ε_T above ε_N is no part of them") {
  CoefficientRanges ranges;
  ranges.restitution = {0.2, 0.9};
  ranges.tangential_restitution = {0.1, 1.4};  // taken up to 0.9
  ranges.friction = {0.3, 1.0};
  CHECK(prove_within({"poisson", {}}, kane(0.5, 0.5).build(), ranges).proven);
}

TEST_CASE("one contact with dependent rows: exact under Poisson and on Routh's path") {
  const auto wedge = [](double restitution, double tangential, double friction) {
    ProblemParts parts;
    parts.M = Mat::Constant(1, 1, 2.0);
    parts.u_minus = Vec::Constant(1, -1.0);
    Contact contact = contact_of(Vec::Ones(1), Mat::Constant(1, 1, -1.0), restitution, friction);
    contact.tangential_restitution = tangential;
    parts.elements = {{"wedge", contact}};
    return parts.build();
  };
  // μ ≥ 1 locks the contact: γ_N⁺ = w(ε_N(1 − μ) + 2με_T)/(1 + μ) at most.
  for (const auto& [tangential, friction, returned] :
       {std::tuple(0.0, 0.5, 1.5), std::tuple(1.4, 3.0, (1.5 * -2 + 6 * 1.4) / 4), std::tuple(0.5, 3.0, 0.0)}) {
    const ImpactProblem problem = wedge(1.5, tangential, friction);
    const WorstCase worst = worst_case({"poisson", {}}, problem);
    CAPTURE(friction);
    CHECK(worst.exact);
    CHECK(worst.gain == doctest::Approx(std::max(0.0, returned * returned - 1)));
    if (worst.gains()) CHECK(LawTrial({"poisson", {}}, problem).gain(worst.u_minus) == doctest::Approx(worst.gain));
  }
  const WorstCase routh = worst_case({"newton-routh", {}}, wedge(0.9, 0, 0.7));
  CHECK(routh.exact);
  CHECK(!routh.gains());
}

TEST_CASE("contacts that nothing couples, with coefficients in ranges: the worst of them is the worst of all") {
  const ProblemParts one = kane(0.5, 0.5);
  ProblemParts two;
  two.M = Mat::Zero(4, 4);
  two.M.topLeftCorner(2, 2) = one.M;
  two.M.bottomRightCorner(2, 2) = one.M;
  two.u_minus = Vec::Zero(4);
  for (Index k : {0, 1}) {
    Contact contact = *one.elements[0].contact();
    Vec normal = Vec::Zero(4);
    Mat tangent = Mat::Zero(1, 4);
    normal.segment(2 * k, 2) = contact.normal;
    tangent.middleCols(2 * k, 2) = (k == 0 ? 1.0 : 0.1) * contact.tangent;
    two.elements.push_back({"tip" + std::to_string(k), contact_of(normal, tangent, 0.5, 0.5)});
  }
  CoefficientRanges ranges;
  ranges.restitution = {0, 0.8};
  const WorstCase alone = worst_case({"newton", {}}, one.build(), ranges);
  const WorstCase both = worst_case({"newton", {}}, two.build(), ranges);
  CHECK(both.exact);
  CHECK(both.gain == doctest::Approx(alone.gain).epsilon(1e-12));
  CHECK(both.elements[0].contact()->restitution == 0.8);
}

TEST_CASE("friction that locks: sequential starts at approaching velocities only, Newton's law alone does not") {
  const ImpactProblem problem = rod(1.0, 3.0, 1.0).build();
  const WorstCase newton = worst_case({"newton", {}}, problem);
  const WorstCase sequential = worst_case(sequential_of("newton"), problem);
  CHECK(newton.exact);
  CHECK(sequential.exact);
  CHECK(sequential.gain <= newton.gain);
  CHECK(problem.elements()[0].contact()->normal.dot(sequential.u_minus) <= 0);
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

TEST_CASE("a restitution matrix: exact, attained, and above every sample; within ranges a corner is the worst") {
  int gaining = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int contacts = 1 + static_cast<int>(seed % 3);
    const ImpactProblem problem = rough_contacts(seed, contacts).build();
    Random random(seed);
    LawChoice law{"restitution-matrix", {}};
    Mat nn(contacts, contacts);
    for (Index i = 0; i < contacts; ++i) nn.row(i) = random.vector(contacts).transpose();
    law.parameters.set("nn", nn);
    const WorstCase worst = worst_case(law, problem);
    CAPTURE(seed);
    CHECK(worst.exact);
    CHECK(worst.gain >= sampled_in_all_directions(law, problem, 400) - 1e-9);
    if (!worst.gains()) continue;
    ++gaining;
    CHECK(LawTrial(law, problem).gain(worst.u_minus) == doctest::Approx(worst.gain).epsilon(1e-9));
  }
  CHECK(gaining > 8);
  CoefficientRanges ranges;
  ranges.restitution = {0.2, 1};
  const ImpactProblem two = two_contacts(0.6, 0.5, 0.5).build();
  const WorstCase within = worst_case({"restitution-matrix", {}}, two, ranges);
  CHECK(within.exact);
  CHECK(within.gain == doctest::Approx(worst_case({"restitution-matrix", {}}, two_contacts(0.6, 0.2, 1).build()).gain));
}

TEST_CASE("a search ends by counts: the same velocity, gain and number of impacts every time") {
  const ImpactProblem problem = random_problem(5, {.contacts = 2, .friction = FrictionKind::disc}).build();
  const WorstCase once = worst_case({"newton", {}}, problem);
  const WorstCase again = worst_case({"newton", {}}, problem);
  CHECK(!once.exact);
  CHECK(once.tried > 1000);
  CHECK(once.tried == again.tried);
  CHECK(once.gain == again.gain);
  CHECK(once.u_minus == again.u_minus);
}

// Effort is counted in what takes time: collisions in turn, impacts without a solution, faces of cones.
TEST_CASE("searches are short: eight rough contacts under Newton, six in turn") {
  ProblemParts parts = random_problem(11, {.contacts = 8, .largest_friction = 0.8});
  for (std::size_t i = 0; i < 8; ++i) std::get<Contact>(parts.elements[i].kind).restitution = i % 2 == 0 ? 0.2 : 0.9;
  CHECK(worst_case({"newton", {}}, parts.build()).tried < 40000);
  parts = random_problem(12, {.contacts = 6, .largest_friction = 0.8});
  CHECK(worst_case({"sequential", {}}, parts.build()).tried < 10000);
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
      const std::vector<Knob> knobs = knobs_of({law, {}}, problem, ranges);
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

TEST_CASE("more coefficients than corners can be tried: a bound on their spread decides where it can") {
  const ImpactProblem chain = balls(13, 0.5).build();
  CoefficientRanges narrow, wide;
  narrow.restitution = {0.5, 0.6};
  wide.restitution = {0, 1};
  CHECK(prove_within({"newton", {}}, chain, narrow).proven);
  CHECK(!prove_within({"newton", {}}, chain, wide).proven);
  CHECK(prove_within({"poisson", {}}, chain, wide).proven);  // no friction
  CHECK(prove_within({"moreau", {}}, chain, wide).proven);
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    ProblemParts parts = balls(13, 0.5);
    for (Element& element : parts.elements) std::get<Contact>(element.kind).restitution = random.uniform(0.5, 0.6);
    const ImpactProblem problem = parts.build();
    CHECK(LawTrial({"newton", {}}, problem).gain(random.vector(13), Solutions::one) <= 1e-12);
  }
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

TEST_CASE("one planar contact under Poisson's law gains ε² − 1 at most, exactly, however little friction holds it") {
  CoefficientRanges ranges;
  ranges.restitution = {0.2, 1.6};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto parts = rough_contacts(seed, 1);
    auto& contact = std::get<Contact>(parts.elements[0].kind);
    contact.friction.setConstant(seed % 3 == 0 ? 20 : seed % 3 == 1 ? 1e-3 : 0.3);
    contact.tangential_restitution = 0;
    contact.restitution = 1.3;
    CAPTURE(seed);
    const WorstCase at = worst_case({"poisson", {}}, parts.build());
    CHECK(at.exact);
    CHECK(at.gain == doctest::Approx(1.3 * 1.3 - 1).epsilon(1e-6));
    const WorstCase within = worst_case({"poisson", {}}, parts.build(), ranges);
    CHECK(within.exact);
    CHECK(within.gain == doctest::Approx(1.6 * 1.6 - 1).epsilon(1e-6));
  }
}
