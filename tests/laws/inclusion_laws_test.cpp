// Theorems of Glocker 2014 as properties of random problems.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::FrictionKind;

namespace {

LawOutcome resolve(const std::string& law, const ImpactProblem& problem, const char* solver = "auto") {
  return make_law({law, {}})->resolve(problem, *find_solver(solver)->make());
}

}  // namespace

TEST_CASE("Glocker 2014, sect. 6: Poisson without friction never gains energy") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto parts = testing::random_problem(seed, {.contacts = 1 + static_cast<int>(seed % 4),
                                                      .clutches = static_cast<int>(seed % 3),
                                                      .bilaterals = static_cast<int>(seed % 2),
                                                      .friction = FrictionKind::none,
                                                      .approaching = seed % 5 != 0});
    const LawOutcome outcome = resolve("poisson", parts.build());
    CHECK_REPLAY(outcome.status == LawOutcome::Status::resolved, parts, "poisson", seed);
    for (const ImpactResult& result : outcome.results) CHECK_REPLAY(result.energetic.holds, parts, "poisson", seed);
  }
}

TEST_CASE("Glocker 2014, sect. 7: Poisson with one frictional contact never gains energy") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const auto friction = std::array{FrictionKind::line, FrictionKind::disc, FrictionKind::ellipse}[seed % 3];
    const auto parts = testing::random_problem(seed, {.contacts = 1,
                                                      .bilaterals = static_cast<int>(seed % 3),
                                                      .friction = friction,
                                                      .largest_friction = 3,
                                                      .tangential_restitution = true});
    const LawOutcome outcome = resolve("poisson", parts.build());
    CHECK_REPLAY(outcome.status == LawOutcome::Status::resolved, parts, "poisson", seed);
    for (const ImpactResult& result : outcome.results) CHECK_REPLAY(result.energetic.holds, parts, "poisson", seed);
  }
}

TEST_CASE("Glocker 2014, sect. 8: Newton and Poisson agree under equal coefficients and admissible velocities") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto friction = static_cast<FrictionKind>(seed % 4);
    const bool spatial = friction == FrictionKind::disc || friction == FrictionKind::ellipse;
    const auto parts = testing::random_problem(seed, {.contacts = 1 + static_cast<int>(seed % (spatial ? 2 : 3)),
                                                      .bilaterals = static_cast<int>(seed % 3),
                                                      .friction = friction,
                                                      .largest_friction = 0.6,
                                                      .equal_restitution = true,
                                                      .approaching = true});
    const ImpactProblem problem = parts.build();
    const LawOutcome newton = resolve("newton", problem);
    const LawOutcome poisson = resolve("poisson", problem);
    CHECK_REPLAY(newton.status == LawOutcome::Status::resolved, parts, "newton", seed);
    CHECK_REPLAY(poisson.status == LawOutcome::Status::resolved, parts, "poisson", seed);
    if (newton.results.size() != 1 || poisson.results.size() != 1) continue;
    CHECK_REPLAY((newton.results[0].u_plus - poisson.results[0].u_plus).norm() < 1e-8 * (1 + parts.u_minus.norm()),
                 parts, "poisson", seed);
  }
}

TEST_CASE("Glocker 2014, sect. 10: the inhomogeneous bar gains energy under Poisson as the formula says") {
  int gains = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    testing::Random random(seed);
    const double alpha = random.uniform(1.5, 40);
    const double m = random.uniform(0.2, 5);
    const double l = random.uniform(0.2, 3);
    const double v = random.uniform(0.1, 4);
    const double u = random.uniform(0.01, 2);
    const double mu = (alpha + 1) / (2 * alpha) * v / u * random.uniform(1.0001, 3);
    Contact wall;
    wall.normal = Eigen::Vector3d(1, 0, 0);
    wall.tangent = Eigen::RowVector3d(0, 1, -l);
    wall.friction = Vec::Constant(1, mu);
    Contact floor;
    floor.normal = Eigen::Vector3d(0, 1, l);
    floor.tangent.resize(0, 3);
    floor.restitution = 1;
    const Mat M = Eigen::Vector3d(m, m, m * l * l / alpha).asDiagonal();
    const testing::ProblemParts parts{M, Eigen::Vector3d(-u, -v, v / l), {{"wall", wall}, {"floor", floor}}};
    const LawOutcome outcome = resolve("poisson", parts.build());
    CHECK_REPLAY(outcome.status == LawOutcome::Status::resolved, parts, "poisson", seed);
    const double W =
        m * v * v * (alpha + 1) * ((alpha - 1) * (alpha - 1) - 4 * alpha) / (8 * alpha * alpha) - m * u * u / 2;
    CHECK_REPLAY(std::abs(outcome.results[0].work - W) < 1e-9 * (m * v * v + m * u * u), parts, "poisson", seed);
    const Vec expected = Eigen::Vector3d(0, v * (alpha - 1) / (2 * alpha), v * (alpha - 1) / (2 * l));
    CHECK_REPLAY((outcome.results[0].u_plus - expected).norm() < 1e-9 * (1 + expected.norm()), parts, "poisson", seed);
    gains += W > 0;
  }
  CHECK(gains > 300);
}

TEST_CASE("moreau is the reflection of inelastic, and newton with one coefficient is moreau") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto parts = testing::random_problem(seed, {.contacts = 2,
                                                      .friction = seed % 2 ? FrictionKind::line : FrictionKind::disc,
                                                      .largest_friction = 0.6,
                                                      .equal_restitution = true});
    const ImpactProblem problem = parts.build();
    const LawOutcome inelastic = resolve("inelastic", problem);
    const LawOutcome moreau = resolve("moreau", problem);
    const LawOutcome newton = resolve("newton", problem);
    if (inelastic.results.size() != 1 || moreau.results.size() != 1 || newton.results.size() != 1) continue;
    const double e = parts.elements[0].contact()->restitution;
    CHECK_REPLAY((moreau.results[0].u_plus - ((1 + e) * inelastic.results[0].u_plus - e * parts.u_minus)).norm() < 1e-8,
                 parts, "moreau", seed);
    CHECK_REPLAY((moreau.results[0].u_plus - newton.results[0].u_plus).norm() < 1e-8, parts, "moreau", seed);
  }
}

TEST_CASE("pinned: Newton gains energy with friction, and with a clutch beside an elastic contact") {
  int gains = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto parts = testing::random_problem(seed, {.contacts = 1, .largest_friction = 1, .approaching = true});
    const LawOutcome outcome = resolve("newton", parts.build());
    for (const ImpactResult& result : outcome.results) {
      gains += !result.energetic.holds;
      if (!result.energetic.holds) CHECK(result.energetic.violation == doctest::Approx(result.work));
    }
  }
  CHECK(gains > 5);
}

TEST_CASE("orthotropic friction with equal coefficients is the disc, with one zero the line") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 1, .friction = FrictionKind::disc, .approaching = true});
    auto& contact = std::get<Contact>(parts.elements.back().kind);
    // The disc does not care which orthonormal tangents describe it.
    const double angle = 0.1 * static_cast<double>(seed);
    const LawOutcome disc = resolve("poisson", parts.build());
    auto rotated = parts;
    auto& turned = std::get<Contact>(rotated.elements.back().kind);
    turned.tangent.row(0) = std::cos(angle) * contact.tangent.row(0) + std::sin(angle) * contact.tangent.row(1);
    turned.tangent.row(1) = -std::sin(angle) * contact.tangent.row(0) + std::cos(angle) * contact.tangent.row(1);
    const LawOutcome again = resolve("poisson", rotated.build());
    REQUIRE(disc.results.size() == again.results.size());
    CHECK_REPLAY((disc.results[0].u_plus - again.results[0].u_plus).norm() < 1e-9, parts, "poisson", seed);

    contact.friction(1) = 0;
    const LawOutcome segment = resolve("poisson", parts.build());
    contact.tangent = Mat(contact.tangent.topRows(1));
    contact.friction = Vec(contact.friction.head(1));
    const LawOutcome line = resolve("poisson", parts.build());
    CHECK_REPLAY((segment.results[0].u_plus - line.results[0].u_plus).norm() < 1e-10, parts, "poisson", seed);
  }
}

TEST_CASE("a tangent without friction carries no impulse, also where it depends on the normal") {
  for (const char* law : {"newton", "poisson", "moreau", "inelastic"}) {
    Contact contact;
    contact.normal = Vec::Constant(1, 1);
    contact.tangent = Mat::Constant(1, 1, 0.5);
    contact.friction = Vec::Zero(1);
    contact.restitution = 0.5;
    const LawOutcome outcome =
        resolve(law, ImpactProblem(Mat::Identity(1, 1), Vec::Constant(1, -1), {{"stop", contact}}));
    CAPTURE(law);
    REQUIRE(outcome.results.size() == 1);
    const ImpactResult& result = outcome.results[0];
    const double expected = std::string(law) == "inelastic" ? 0 : 0.5;
    CHECK(result.u_plus(0) == doctest::Approx(expected));
    CHECK(result.elements[0].Lambda(0) == doctest::Approx(1 + expected));
    CHECK(result.elements[0].Lambda(1) == 0);
    CHECK(result.kinetic.holds);
  }
}

TEST_CASE("poisson without restitution is inelastic, also where more contacts than freedoms bring a body to rest") {
  std::vector<Element> elements;
  for (const auto& [x, y] : {std::pair(-0.08, -0.7), std::pair(0.94, -0.59), std::pair(-0.03, 0.73)}) {
    Contact contact;
    contact.normal = Eigen::Vector2d(x, y);
    contact.tangent.resize(0, 2);
    elements.push_back({"c" + std::to_string(elements.size()), contact});
  }
  const Mat M = Eigen::Vector2d(2.28, 2.21).asDiagonal();
  const ImpactProblem problem(M, Eigen::Vector2d(-0.4, 0.66), elements);
  const LawOutcome outcome = resolve("poisson", problem);
  REQUIRE(!outcome.results.empty());
  CHECK(outcome.results[0].u_plus.norm() < 1e-14);
}

TEST_CASE("poisson leaves a clamped body at rest") {
  for (const double friction : {0.0, 0.3}) {
    Contact above;
    above.normal = Vec::Constant(1, -0.4);
    above.tangent.resize(0, 1);
    Contact below;
    below.normal = Vec::Constant(1, 1);
    below.tangent = Mat::Constant(1, 1, 0.1);
    below.friction = Vec::Constant(1, friction);
    const ImpactProblem problem(Mat::Identity(1, 1), Vec::Constant(1, -1), {{"above", above}, {"below", below}});
    const LawOutcome outcome = resolve("poisson", problem);
    CAPTURE(friction);
    REQUIRE(!outcome.results.empty());
    CHECK(std::abs(outcome.results[0].u_plus(0)) < 1e-14);
  }
}

namespace {

// G_NN = μG_NT: any impulse along its cone leaves the contact closed.
ImpactProblem jammed_contact() {
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 1);
  contact.tangent = Mat{{2, 0}};
  contact.friction = Vec::Constant(1, 1.0);
  contact.restitution = 0.5;
  return ImpactProblem(Mat::Identity(2, 2), Eigen::Vector2d(1, -1), {{"jammed", contact}});
}

// Two contacts side by side, of which one is elastic.
ImpactProblem side_by_side() {
  Contact plastic, elastic;
  plastic.normal = elastic.normal = Vec::Ones(1);
  elastic.restitution = 1;
  return ImpactProblem(Mat::Identity(1, 1), Vec::Constant(1, -1.0), {{"plastic", plastic}, {"elastic", elastic}});
}

// Says that every inclusion has cost it much.
struct LaboriousSolver final : InclusionSolver {
  std::unique_ptr<InclusionSolver> quick = find_solver("enumerate")->make();
  mutable int solved = 0;
  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    ++solved;
    quick->solve_into(inclusion, demand, outcome);
    outcome.iterations = 60000;
  }
};

}  // namespace

TEST_CASE("poisson decompresses samples of a continuum and extreme shares as long as that does not take too long") {
  const LaboriousSolver jamming, sharing;
  const LawOutcome samples = make_law({"poisson", {}})->resolve(jammed_contact(), jamming);
  CHECK(jamming.solved == 2);
  REQUIRE(!samples.results.empty());
  CHECK(samples.results[0].solver.note.find("those listed are samples") != std::string::npos);

  CHECK(resolve("poisson", side_by_side(), "enumerate").results.size() == 3);
  const LawOutcome least = make_law({"poisson", {}})->resolve(side_by_side(), sharing);
  CHECK(sharing.solved == 2);
  REQUIRE(least.results.size() == 1);
  CHECK(least.results[0].solver.note.find("only that of the least impulses is found") != std::string::npos);
}

TEST_CASE("of the continua that a jammed contact has in both phases of poisson a dozen spread samples are listed") {
  const ImpactProblem problem = jammed_contact();
  const LawOutcome outcome = resolve("poisson", problem, "enumerate");
  CHECK(outcome.results.size() == 12);
  double least = 2, most = 0;  // slip, between stick and what the contact had
  for (const ImpactResult& result : outcome.results) {
    CHECK(result.solver.note.find("those listed are samples") != std::string::npos);
    least = std::min(least, result.elements[0].gamma_plus(1));
    most = std::max(most, result.elements[0].gamma_plus(1));
  }
  CHECK(least == doctest::Approx(0));
  CHECK(most == doctest::Approx(2));
}

TEST_CASE("where nothing approaches the result without impulses comes before a jam that friction allows for") {
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 0);
  contact.tangent = Eigen::RowVector2d(0.9, 0.436);
  contact.friction = Vec::Constant(1, 3);
  contact.restitution = 0.3;
  const ImpactProblem separating(Eigen::Matrix2d::Identity(), Eigen::Vector2d(0.8, 0.872), {{"edge", contact}});
  for (const char* law : {"inelastic", "moreau", "newton", "poisson"}) {
    CAPTURE(law);
    const LawOutcome outcome = resolve(law, separating);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    CHECK(outcome.results.front().u_plus == separating.u_minus());
    if (law != std::string("newton")) CHECK(outcome.results.size() > 1);  // where ε_T ≠ ε_N leaves one
  }
}

TEST_CASE("poisson refuses a tangential coefficient above the normal one") {
  auto parts = testing::random_problem(1, {.contacts = 1});
  std::get<Contact>(parts.elements[0].kind).restitution = 0.3;
  std::get<Contact>(parts.elements[0].kind).tangential_restitution = 0.4;
  const LawOutcome outcome = resolve("poisson", parts.build());
  CHECK(outcome.status == LawOutcome::Status::refused);
  CHECK(outcome.reason.find("'contact1'") != std::string::npos);
}

TEST_CASE("redundant contacts: the order of the elements changes nothing, and poisson says that shares are a choice") {
  int noted = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {  // a particle in a rough corner, in the plane or in space
    testing::Random random(seed);
    const bool spatial = seed % 3 == 0;
    const Index n = spatial ? 3 : 2;
    testing::ProblemParts parts;
    parts.M = Mat::Identity(n, n) * random.uniform(0.5, 2);
    parts.u_minus = random.vector(n);
    for (int k = 0; k < 3; ++k) {
      Contact contact;
      Vec normal = random.vector(n).normalized();
      if (normal.dot(parts.u_minus) > 0) normal = -normal;
      const Mat tangents = Eigen::HouseholderQR<Mat>(normal).householderQ();
      contact.normal = normal;
      contact.tangent = tangents.rightCols(n - 1).transpose();
      contact.friction = Vec::Constant(n - 1, random.uniform(0.1, 0.8));
      contact.restitution = random.uniform(0, 1);
      parts.elements.push_back({"wall" + std::to_string(k), contact});
    }
    for (const char* law : {"newton", "poisson"}) {
      const LawOutcome first = resolve(law, parts.build());
      auto turned = parts;
      while (std::next_permutation(turned.elements.begin(), turned.elements.end(),
                                   [](const Element& a, const Element& b) { return a.name < b.name; })) {
        const LawOutcome again = resolve(law, turned.build());
        REQUIRE(first.status == again.status);
        if (first.status != LawOutcome::Status::resolved) continue;
        const ImpactResult& a = first.results.front();
        const ImpactResult& b = again.results.front();
        noted += a.solver.note.find("share") != std::string::npos;
        if (a.solver.note.find("continuum") != std::string::npos) continue;
        CHECK_REPLAY(first.results.size() == again.results.size(), parts, law, seed);
        CHECK_REPLAY((a.u_plus - b.u_plus).norm() < 1e-7 * a.u_minus.norm(), parts, law, seed);
        for (std::size_t i = 0; i < parts.elements.size(); ++i) {
          for (std::size_t j = 0; j < parts.elements.size(); ++j) {
            if (parts.elements[i].name != turned.elements[j].name) continue;
            CHECK_REPLAY((a.elements[i].Lambda - b.elements[j].Lambda).norm() < 1e-6, parts, law, seed);
          }
        }
      }
    }
  }
  CHECK(noted > 10);
}

namespace {

// Misses every solution a little, as solvers of many contacts do.
struct CoarseSolver final : InclusionSolver {
  std::unique_ptr<InclusionSolver> exact = find_solver("auto")->make();
  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    exact->solve_into(inclusion, demand, outcome);
    for (InclusionSolution& solution : outcome.solutions)
      if (!solution.Lambda.isZero(0)) solution = with_residual(inclusion, (1 - 1e-7) * solution.Lambda);
  }
};

}  // namespace

TEST_CASE(
    "redundant contacts that a solver wedged with thousandfold impulses share the least ones, and their work is "
    "exact") {
  const auto contact = [](const Vec& normal, const Mat& tangent, const Vec& friction) {
    Contact rough;
    rough.normal = normal;
    rough.tangent = tangent;
    rough.friction = friction;
    return rough;
  };
  const ImpactProblem problem(
      Mat{{7.1132295295560874, -0.5138429863366788}, {-0.5138429863366788, 7.032210810292347}},
      Eigen::Vector2d(0.22884052300919266, -1.0865790556027557),
      {{"a", contact(Eigen::Vector2d(0.5611708549588864, -1.4463484995283606),
                     Mat{{1.9391362100136291, -0.48059611550839687}, {-0.03919347322767106, -0.6967648856530935}},
                     Eigen::Vector2d(0.44783878790935827, 0.4351360985618955))},
       {"b", contact(Eigen::Vector2d(-0.16812988619093602, 0.26094780622993474),
                     Mat{{-0.46881879350419103, -1.2012610405054556}, {-0.09409521664437745, -0.10755349204800109}},
                     Vec::Constant(2, 0.9064523266872244))},
       {"c", contact(Eigen::Vector2d(-0.7253793740394121, 1.7838517978599249),
                     Mat{{1.4323024605056214, 1.1651233997602954}}, Vec::Constant(1, 0.3958562280963017))}});
  const LawOutcome outcome = resolve("inelastic", problem);
  REQUIRE(!outcome.results.empty());
  const ImpactResult& result = outcome.results.front();
  CHECK(std::abs(result.work - (result.T_plus - result.T_minus)) < 1e-13 * result.T_minus);
  for (const ElementResult& element : result.elements) CHECK(element.Lambda.norm() < 11);
}

TEST_CASE("Poisson with ε = 0 returns nothing, though compression is solved to some digits only") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 1 + static_cast<int>(seed % 3),
                                                .friction = static_cast<FrictionKind>(seed % 4),
                                                .largest_friction = 0.3});
    for (Element& element : parts.elements) {
      if (auto* contact = std::get_if<Contact>(&element.kind)) {
        contact->restitution = 0;
        contact->tangential_restitution = 0;
      }
    }
    const CoarseSolver coarse;
    const LawOutcome outcome = make_law({"poisson", {}})->resolve(parts.build(), coarse);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    for (const ElementResult& element : outcome.results.front().elements)
      CHECK_REPLAY(element.decompression->isZero(0), parts, "poisson", seed);
  }
}
