// sequential, restitution-matrix and compliant.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;

namespace {

ImpactProblem balls(const Vec& masses, const Vec& u, const Vec& restitution, const Vec& stiffness) {
  std::vector<Element> elements;
  for (Index k = 0; k + 1 < masses.size(); ++k) {
    Contact contact;
    contact.normal = Vec::Zero(masses.size());
    contact.normal(k) = -1;
    contact.normal(k + 1) = 1;
    contact.tangent.resize(0, masses.size());
    contact.restitution = restitution(k);
    contact.stiffness = stiffness(k);
    elements.push_back({"contact" + std::to_string(k + 1), contact});
  }
  return ImpactProblem(masses.asDiagonal(), u, elements);
}

ImpactProblem balls(const Vec& masses, const Vec& u, double restitution = 1) {
  return balls(masses, u, Vec::Constant(masses.size() - 1, restitution), Vec::Ones(masses.size() - 1));
}

LawOutcome resolve(const LawChoice& choice, const ImpactProblem& problem) {
  return make_law(choice)->resolve(problem, *find_solver("auto")->make());
}

LawChoice with(const std::string& law, const std::string& key, ParameterValue value) {
  LawChoice choice{law, {}};
  choice.parameters.set(key, std::move(value));
  return choice;
}

}  // namespace

TEST_CASE("Winandy & Leine 2016, (19)–(24): the six cones, on random velocities, in any order") {
  struct Cone {
    Eigen::Matrix2d Q;
    Eigen::Vector2d from, to;
  };
  const std::vector<Cone> cones = {
      {Eigen::Matrix2d{{1, 0}, {0, 1}}, {1, 0}, {0, 1}},     {Eigen::Matrix2d{{-1, 0}, {1, 1}}, {0, 1}, {-1, 1}},
      {Eigen::Matrix2d{{0, 1}, {-1, -1}}, {-1, 1}, {-1, 0}}, {Eigen::Matrix2d{{0, -1}, {-1, 0}}, {-1, 0}, {0, -1}},
      {Eigen::Matrix2d{{1, 1}, {0, -1}}, {1, 0}, {1, -1}},   {Eigen::Matrix2d{{-1, -1}, {1, 0}}, {1, -1}, {0, -1}}};
  testing::Random random(21);
  for (int trial = 0; trial < 3000; ++trial) {
    const Cone& cone = cones[static_cast<std::size_t>(trial) % 6];
    const Eigen::Vector2d gamma = random.uniform(0, 2) * cone.from + random.uniform(0, 2) * cone.to;
    const double u1 = random.normal();
    const ImpactProblem problem = balls(Vec::Ones(3), Eigen::Vector3d(u1, u1 + gamma(0), u1 + gamma(0) + gamma(1)));
    for (const auto& order : {std::vector<std::string>{}, {"contact2", "contact1"}, {"contact1", "contact2"}}) {
      const LawOutcome outcome = resolve(with("sequential", "order", order), problem);
      REQUIRE(outcome.results.size() == 1);
      const Eigen::Vector2d after(outcome.results[0].elements[0].gamma_plus(0),
                                  outcome.results[0].elements[1].gamma_plus(0));
      CHECK((after - cone.Q * gamma).norm() < 1e-12 * (1 + gamma.norm()));
    }
  }
}

TEST_CASE("sequential says when another order gives another result") {
  // Three unequal balls, both contacts closing: the order matters.
  const LawOutcome unequal = resolve({"sequential", {}}, balls(Eigen::Vector3d(1, 3, 1), Eigen::Vector3d(1, 0, -2)));
  REQUIRE(unequal.results.size() == 2);
  CHECK(unequal.results[0].solver.solutions == 2);
  CHECK(unequal.results[0].solver.note.find("another order") != std::string::npos);
  CHECK((unequal.results[0].u_plus - unequal.results[1].u_plus).norm() > 1e-3);
  const LawOutcome equal = resolve({"sequential", {}}, balls(Vec::Ones(3), Eigen::Vector3d(1, 0, -2)));
  CHECK(equal.results.size() == 1);
  CHECK(equal.results[0].solver.note.find("every order") != std::string::npos);
  // Most approaching first.
  const LawOutcome forced = resolve(with("sequential", "order", std::vector<std::string>{"contact1", "contact2"}),
                                    balls(Eigen::Vector3d(1, 3, 1), Eigen::Vector3d(1, 0, -2)));
  CHECK((forced.results[0].u_plus - unequal.results[1].u_plus).norm() < 1e-12);
  CHECK(resolve(with("sequential", "order", std::vector<std::string>{"nobody"}), balls(Vec::Ones(3), Vec::Ones(3)))
            .status == LawOutcome::Status::refused);
}

TEST_CASE("sequential sorts the velocities of a chain of equal elastic balls") {
  testing::Random random(22);
  for (int n : {2, 5, 12, 40}) {
    Vec u = random.vector(n);
    const LawOutcome outcome = resolve({"sequential", {}}, balls(Vec::Ones(n), u));
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    std::sort(u.begin(), u.end());
    CHECK((outcome.results[0].u_plus - u).norm() < 1e-9);
  }
}

TEST_CASE("sequential settles dissipative infinite sequences and takes any law for each collision") {
  for (const char* each : {"newton", "poisson", "stronge", "inelastic", "moreau", "compliant"}) {
    const LawChoice choice = with("sequential", "each", std::make_shared<const LawChoice>(LawChoice{each, {}}));
    const LawOutcome outcome = resolve(choice, balls(Eigen::Vector4d(1, 2, 0.5, 3), Eigen::Vector4d(2, 1, 0, -1), 0.4));
    CAPTURE(each);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    CHECK(outcome.results[0].kinematic.holds);
    CHECK(outcome.results[0].energetic.holds);
    CHECK(outcome.results[0].solver.iterations > 3);
  }
  const LawOutcome impatient =
      resolve(with("sequential", "max_collisions", 3.0), balls(Vec::Ones(6), Vec::LinSpaced(6, 3, -3)));
  CHECK(impatient.status == LawOutcome::Status::failed);
  CHECK(impatient.reason.find("max_collisions") != std::string::npos);
}

TEST_CASE("restitution-matrix: a diagonal is Newton's law, any first column lands where it says") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 3,
                                                .bilaterals = static_cast<int>(seed % 2),
                                                .friction = testing::FrictionKind::none,
                                                .approaching = true});
    const ImpactProblem problem = parts.build();
    const LawOutcome outcome = resolve({"restitution-matrix", {}}, problem);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    for (const ElementResult& element : outcome.results[0].elements) {
      if (element.gamma_minus(0) == 0) continue;
      const double e = -element.gamma_plus(0) / element.gamma_minus(0);
      CHECK_REPLAY((e > -1e-9 && e < 1 + 1e-9), parts, "restitution-matrix", seed);
    }
    testing::Random random(seed);
    Mat nn(3, 3);
    for (Index i = 0; i < 3; ++i) nn.row(i) = random.vector(3).transpose();
    LawChoice contact = with("restitution-matrix", "nn", nn);
    contact.parameters.set("metric", std::string("contact"));
    const LawOutcome fremond = resolve(contact, problem);
    Vec gamma_plus(3);
    for (Index k = 0; k < 3; ++k)
      gamma_plus(k) =
          fremond.results[0].elements[static_cast<std::size_t>(k + static_cast<Index>(seed % 2))].gamma_plus(0);
    CHECK_REPLAY((gamma_plus + nn * problem.gamma_minus()).norm() < 1e-8 * (1 + gamma_plus.norm()), parts,
                 "restitution-matrix", seed);
  }
}

// A block of width L and height l, rocking about corner 2 into corner 1 (Brogliato 2012, Remark 7; Housner 1963):
// η = 1 − 3/2 sin²α, tan α = L/l, of the angular velocity is left, by ℰ_nn that exchanges the corners and ℰ_tt = −η.
TEST_CASE("restitution-matrix: Remark 7, a rocking block with the pivot at rest or opening a little") {
  for (const double l : {1.0, 1.7}) {
    const double L = 0.2, J = (L * L + l * l) / 12, eta = 1 - 1.5 * L * L / (L * L + l * l);
    for (const double opening : {0.0, 1e-5}) {
      Contact corner;
      corner.tangent = Eigen::RowVector3d(1, 0, l / 2);
      corner.friction = Vec::Constant(1, 1.0);
      corner.normal = Eigen::Vector3d(0, 1, L / 2);
      Contact pivot = corner;
      pivot.normal = Eigen::Vector3d(0, 1, -L / 2);
      const ImpactProblem block(Mat(Eigen::Vector3d(1, 1, J).asDiagonal()),
                                Eigen::Vector3d(l / 2, -L / 2 + opening, -1), {{"corner", corner}, {"pivot", pivot}});
      LawChoice law = with("restitution-matrix", "nn", Mat(Mat{{0, eta}, {eta, 0}}));
      law.parameters.set("tt", Mat(Mat::Constant(1, 1, -eta)));
      const LawOutcome outcome = resolve(law, block);
      CAPTURE(outcome.reason);
      REQUIRE(outcome.status == LawOutcome::Status::resolved);
      const ImpactResult& result = outcome.results[0];
      const double tolerance = 1e-12 + 2 * opening / L;
      CHECK(std::abs(result.u_plus(0) - eta * l / 2) < tolerance);
      CHECK(std::abs(result.u_plus(1) - eta * L / 2) < tolerance);
      CHECK(std::abs(result.u_plus(2) + eta) < tolerance);
      CHECK(result.kinematic.holds);
      CHECK(result.kinetic.holds);  // the whole friction impulse is shared by the corner that is pressed
      CHECK(result.energetic.holds);
    }
  }
}

TEST_CASE("restitution-matrix: from every velocity a diagonal is Newton's law") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 3, .friction = testing::FrictionKind::none});
    const ImpactProblem problem = parts.build();
    const Vec& gamma = problem.gamma_minus();
    const LawOutcome matrix = resolve({"restitution-matrix", {}}, problem), newton = resolve({"newton", {}}, problem);
    REQUIRE(matrix.status == LawOutcome::Status::resolved);
    // Contacts that approach have what they are asked for, even where an impulse would have to pull.
    if (!matrix.results[0].kinetic.holds || gamma.minCoeff() >= 0) continue;
    CHECK_REPLAY((matrix.results[0].u_plus - newton.results[0].u_plus).norm() <= 1e-9 * problem.u_minus().norm(), parts,
                 "restitution-matrix", seed);
  }
}

TEST_CASE("restitution-matrix: four blocks, contacts that open, refusals") {
  // A block of two corners on the ground, tangents along x: tn and tt act through friction impulses.
  Contact left;
  left.normal = Eigen::Vector3d(0, 1, -1);
  left.tangent = Eigen::RowVector3d(1, 0, 0.5);
  left.friction = Vec::Constant(1, 0.7);
  Contact right = left;
  right.normal = Eigen::Vector3d(0, 1, 1);
  const ImpactProblem block(Mat(Eigen::Vector3d(2, 2, 1).asDiagonal()), Eigen::Vector3d(0.3, -1, 0.2),
                            {{"left", left}, {"right", right}});
  LawChoice choice = with("restitution-matrix", "nn", Mat(Mat{{0.2, 0.1}, {0.0, 0.3}}));
  choice.parameters.set("tt", Mat(Mat::Constant(1, 1, -0.5)));
  choice.parameters.set("tn", Mat(Mat{{0.1, -0.2}}));
  choice.parameters.set("nt", Mat(Mat{{0.05}, {-0.1}}));
  const LawOutcome outcome = resolve(choice, block);
  CAPTURE(outcome.reason);
  REQUIRE(outcome.status == LawOutcome::Status::resolved);
  // By hand: |w_i| = √(1/2 + 1), the one tangential quasi-velocity is √2 ẋ up to its sign.
  const double w = std::sqrt(1.5);
  const Eigen::Vector2d norm(-1.2 / w, -0.8 / w);
  const double tan = std::sqrt(2.0) * 0.3;
  const Eigen::Vector2d norm_plus =
      -(Eigen::Matrix2d{{0.2, 0.1}, {0.0, 0.3}} * norm + Eigen::Vector2d(0.05, -0.1) * tan);
  const double tan_plus = -(0.1 * norm(0) - 0.2 * norm(1) - 0.5 * tan);
  const ImpactResult& result = outcome.results[0];
  CHECK(result.elements[0].gamma_plus(0) == doctest::Approx(w * norm_plus(0)));
  CHECK(result.elements[1].gamma_plus(0) == doctest::Approx(w * norm_plus(1)));
  CHECK(result.u_plus(0) == doctest::Approx(tan_plus / std::sqrt(2.0)));

  // The right corner opens: it transmits nothing, and is left alone as long as it opens faster than −e_rr of that.
  const ImpactProblem one_corner(Mat(Eigen::Vector3d(2, 2, 1).asDiagonal()), Eigen::Vector3d(0.3, -1, 2),
                                 {{"left", left}, {"right", right}});
  const LawOutcome active = resolve(with("restitution-matrix", "nn", Mat(Mat{{0.2, 0.1}, {0.0, 0.3}})), one_corner);
  CHECK(active.results[0].elements[0].gamma_plus(0) == doctest::Approx(0.2 * 3));
  CHECK(active.results[0].elements[1].Lambda.norm() < 1e-12);

  CHECK(resolve(with("restitution-matrix", "nn", Mat(Mat::Zero(3, 3))), block).status == LawOutcome::Status::refused);
  // Without tangents nothing can carry a tangential jump.
  CHECK(resolve(with("restitution-matrix", "tt", Mat(Mat::Zero(1, 1))), balls(Vec::Ones(3), Eigen::Vector3d(1, 0, 0)))
            .status == LawOutcome::Status::refused);
}

TEST_CASE("compliant: lossless contacts keep the energy to 1e-10, any exponent") {
  testing::Random random(23);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = random.integer(2, 6);
    Vec masses(n), stiffness(n - 1);
    for (double& m : masses) m = std::exp(random.uniform(-1.5, 1.5));
    for (double& k : stiffness) k = std::exp(random.uniform(-3, 3));
    const double exponent = std::array{1.0, 1.5, 2.0, 3.0}[static_cast<std::size_t>(trial) % 4];
    const LawOutcome outcome =
        resolve(with("compliant", "exponent", exponent), balls(masses, random.vector(n), Vec::Ones(n - 1), stiffness));
    CAPTURE(outcome.reason);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    const ImpactResult& result = outcome.results[0];
    CHECK(std::abs(result.T_plus - result.T_minus) < 1e-10 * result.T_minus);
    CHECK(result.kinematic.holds);
    CHECK(result.kinetic.holds);
  }
}

TEST_CASE("compliant: one lossy contact rebounds with ε, whatever exponent and stiffness") {
  for (double exponent : {1.0, 1.5, 2.5}) {
    for (double e : {0.0, 0.01, 0.3, 0.9, 1.0}) {
      const LawOutcome outcome =
          resolve(with("compliant", "exponent", exponent), balls(Eigen::Vector2d(1, 2.5), Eigen::Vector2d(1, -0.5), e));
      REQUIRE(outcome.status == LawOutcome::Status::resolved);
      CHECK(outcome.results[0].elements[0].gamma_plus(0) == doctest::Approx(1.5 * e).epsilon(1e-9));
      CHECK(outcome.results[0].work ==
            doctest::Approx(outcome.results[0].T_plus - outcome.results[0].T_minus).epsilon(1e-9));
    }
  }
}

TEST_CASE("compliant: three equal balls with linear springs, closed form") {
  // Both springs compressed: x = (d1, d2), ẍ = −G k x with G = [[2, −1], [−1, 2]]; modes ω² = 1 and 3 for k = 1.
  // Contact 1 opens first.
  const LawOutcome outcome = resolve(with("compliant", "exponent", 1.0), balls(Vec::Ones(3), Eigen::Vector3d(1, 0, 0)));
  const double s3 = std::sqrt(3.0);
  const auto d1 = [&](double t) { return 0.5 * (std::sin(t) + std::sin(s3 * t) / s3); };
  double low = 2, high = 3.1;
  for (int i = 0; i < 80; ++i) (d1(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  const double t = low;
  const double d2 = 0.5 * (std::sin(t) - std::sin(s3 * t) / s3);
  const double v1 = -0.5 * (std::cos(t) + std::cos(s3 * t));  // γ = −ḋ
  const double v2 = -0.5 * (std::cos(t) - std::cos(s3 * t));
  // Then only spring 2 acts: it returns to zero with its energy, ω² = 2; γ₁ changes by −½ of the change of γ₂.
  const double v2_end = std::sqrt(v2 * v2 + 2 * d2 * d2);
  const double v1_end = v1 - 0.5 * (v2_end - v2);
  CHECK(outcome.results[0].elements[0].gamma_plus(0) == doctest::Approx(v1_end).epsilon(1e-10));
  CHECK(outcome.results[0].elements[1].gamma_plus(0) == doctest::Approx(v2_end).epsilon(1e-10));
}

TEST_CASE(
    "compliant: from the sequential law to Newton's with the ratio of stiffness (Winandy & Leine 2016, sect. 5)") {
  const auto after = [](double ratio) {
    const LawOutcome outcome =
        resolve(with("compliant", "exponent", 1.0),
                balls(Vec::Ones(3), Eigen::Vector3d(1, 0, 0), Vec::Ones(2), Eigen::Vector2d(ratio, 1)));
    return Vec(outcome.results.at(0).u_plus);
  };
  CHECK((after(1e6) - Vec(Eigen::Vector3d(0, 0, 1))).norm() < 1e-2);
  CHECK((after(1e-6) - Vec(Eigen::Vector3d(-1.0 / 3, 2.0 / 3, 2.0 / 3))).norm() < 1e-2);
}

TEST_CASE("compliant: contacts without rebound hold while others still push") {
  for (double e2 : {0.0, 1e-3}) {
    // A ball is pushed against a plastic contact by another one.
    const ImpactProblem problem =
        balls(Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 0, 0), Eigen::Vector2d(1, e2), Eigen::Vector2d(0.3, 1));
    const LawOutcome outcome = resolve({"compliant", {}}, problem);
    CAPTURE(outcome.reason);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    CHECK(outcome.results[0].kinematic.holds);
    CHECK(outcome.results[0].energetic.holds);
    CHECK(outcome.results[0].work ==
          doctest::Approx(outcome.results[0].T_plus - outcome.results[0].T_minus).epsilon(1e-8));
    CHECK(std::abs(outcome.results[0].elements[1].gamma_plus(0)) < 1e-2);
  }
}

TEST_CASE("compliant: small restitution and none, against an independent integration") {
  // By scipy's DOP853 in the velocities of the bodies, 3e-14; ε = 0 by the jump of d to where ∫(F − F*)dd vanishes.
  struct Row {
    double e;
    std::vector<double> u_plus;
  };
  const auto check = [](const ImpactProblem& problem, const Row& row) {
    const LawOutcome outcome = resolve({"compliant", {}}, problem);
    CAPTURE(row.e);
    CAPTURE(outcome.reason);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    const ImpactResult& result = outcome.results[0];
    for (Index i = 0; i < result.u_plus.size(); ++i)
      CHECK(std::abs(result.u_plus(i) - row.u_plus[static_cast<std::size_t>(i)]) < 1e-10);
    CHECK(std::abs(result.work - (result.T_plus - result.T_minus)) < 1e-10);
    CHECK(result.kinematic.holds);
    CHECK(result.energetic.holds);
  };
  for (const Row& row : {Row{0.1, {0.19740215782, 0.23930688810, 0.56329095408}},
                         Row{0.01, {0.23032958483, 0.23381875053, 0.53585166465}},
                         Row{0.001, {0.23291516826, 0.23291644339, 0.53416838835}},
                         Row{0, {0.23300291875, 0.23300291875, 0.53399416250}}})
    check(balls(Vec::Ones(3), Eigen::Vector3d(1, 0, 0), Eigen::Vector2d(row.e, 1), Vec::Ones(2)), row);
  for (const Row& row : {Row{0.1, {0.17692811438, 0.18354050197, 0.18778524075, 0.18786677748, 0.26387936543}},
                         Row{0.01, {0.18518331118, 0.18525153211, 0.19208143395, 0.19299871910, 0.24448500366}},
                         Row{0.001, {0.18404097776, 0.18405189950, 0.19357437508, 0.19367153612, 0.24466121154}},
                         Row{0, {0.18392995589, 0.18392995589, 0.19371949350, 0.19371949350, 0.24470110122}}})
    check(balls(Vec::Ones(5), Vec::Unit(5, 0), Eigen::Vector4d(row.e, 0.6, row.e, 1), Vec::Ones(4)), row);
  // A block that lands on two corners.
  for (const Row& row : {Row{0.1, {0.29874842867, 0.25505539676}}, Row{0.01, {0.25388274450, 0.24850418811}},
                         Row{0.001, {0.24900400667, 0.24845534670}}, Row{0, {0.24845710910, 0.24845710910}}}) {
    Contact left, right;
    left.normal = Eigen::Vector2d(1, -1);
    right.normal = Eigen::Vector2d(1, 1);
    left.tangent.resize(0, 2);
    right.tangent.resize(0, 2);
    left.restitution = row.e;
    right.restitution = 0.5;
    check(ImpactProblem(Mat(Eigen::Vector2d(1, 0.3).asDiagonal()), Eigen::Vector2d(-1, 0.1),
                        {{"left", left}, {"right", right}}),
          row);
  }
}

TEST_CASE("compliant: a contact that passes rest while others change their phase unloads, and the impact goes on") {
  const LawOutcome outcome = resolve(with("compliant", "exponent", 1.0), balls(Vec::Ones(9), Vec::Unit(9, 0), 0.35));
  REQUIRE_MESSAGE(outcome.status == LawOutcome::Status::resolved, outcome.reason);
  CHECK(outcome.results[0].u_plus.sum() == doctest::Approx(1).epsilon(1e-12));
  CHECK(outcome.results[0].kinematic.holds);
}

TEST_CASE("compliant: long chains that lose much come to rest together within some hundred thousand steps") {
  const Vec together = Vec::Constant(30, 1.0 / 30);
  for (const double e : {0.5, 0.1, 0.0}) {
    const LawOutcome outcome = resolve({"compliant", {}}, balls(Vec::Ones(30), Vec::Unit(30, 0), e));
    CAPTURE(e);
    REQUIRE_MESSAGE(!outcome.results.empty(), outcome.reason);
    CHECK((outcome.results[0].u_plus - together).norm() < 1e-11);
    CHECK(outcome.results[0].solver.iterations < 200000);
  }
}

TEST_CASE("compliant: what moves slower than law.rest is lost, and told") {
  const LawOutcome outcome = resolve(with("compliant", "rest", 0.02), balls(Vec::Ones(40), Vec::Unit(40, 0), 0.5));
  REQUIRE_MESSAGE(!outcome.results.empty(), outcome.reason);
  const ImpactResult& result = outcome.results[0];
  CHECK((result.u_plus - Vec::Constant(40, 1.0 / 40)).cwiseAbs().maxCoeff() < 0.02);
  CHECK(result.u_plus.sum() == doctest::Approx(1).epsilon(1e-12));
  CHECK(result.kinematic.holds);
  CHECK(result.solver.note.find("of the fastest approach count as at rest") != std::string::npos);
}

TEST_CASE("compliant: contacts that lose much end together, in infinitely many collisions if need be") {
  for (double e : {0.05, 1e-2, 1e-3, 1e-6, 0.0}) {
    const LawOutcome outcome = resolve({"compliant", {}}, balls(Vec::Ones(3), Eigen::Vector3d(1, 0, 0), e));
    CAPTURE(e);
    CAPTURE(outcome.reason);
    REQUIRE(outcome.status == LawOutcome::Status::resolved);
    CHECK((outcome.results[0].u_plus - Vec::Constant(3, 1.0 / 3)).norm() < 1e-11);
    CHECK(outcome.results[0].work == doctest::Approx(-1.0 / 3).epsilon(1e-10));
  }
}

TEST_CASE("sequential passes on what the law of one collision leaves open") {
  // One freedom, three redundant rows: Poisson's result depends on how they share the compression impulse.
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 0.3);
  contact.tangent = Eigen::Matrix2d{{0.2, 1}, {-0.3, 0.8}};
  contact.friction = Vec::Constant(2, 0.5);
  contact.restitution = 0.5;
  const ImpactProblem bead(Mat::Identity(2, 2), Eigen::Vector2d(-1, 0),
                           {{"floor", contact}, {"wire", Bilateral{Eigen::Vector2d(0, 1)}}});
  REQUIRE(!resolve({"poisson", {}}, bead).results.front().solver.note.empty());
  const LawChoice poisson = with("sequential", "each", std::make_shared<const LawChoice>(LawChoice{"poisson", {}}));
  const std::string note = resolve(poisson, bead).results.front().solver.note;
  CHECK(note.find("collision of 'floor': normal and tangential direction of the contact are dependent") !=
        std::string::npos);
}

namespace {

// Kane's pendulum whose elbow strikes a floor too, in angles and as two rods with hinges. The elbow's normal and
// tangent depend on one angle only, so that impulses are redundant.
struct TwoStrikes {
  Eigen::Vector2d phi{0.35, 0.52};
  Eigen::Vector2d rates{-0.1, -0.2};
  double restitution = 0.5, elbow_restitution = 0.5, friction = 0.6;

  // Velocities of the rods' centres and angles from the rates of the angles; mass 3, length 2.
  Mat motion() const {
    Mat J = Mat::Zero(6, 2);
    J.col(0) << std::cos(phi(0)), std::sin(phi(0)), 1, 2 * std::cos(phi(0)), 2 * std::sin(phi(0)), 0;
    J.col(1) << 0, 0, 0, std::cos(phi(1)), std::sin(phi(1)), 1;
    return J;
  }
  Contact strike(int rod, double epsilon) const {
    Contact contact;
    contact.normal = Vec::Zero(6);
    contact.tangent = Mat::Zero(1, 6);
    contact.normal(3 * rod + 1) = 1;
    contact.normal(3 * rod + 2) = std::sin(phi(rod));
    contact.tangent(0, 3 * rod) = -1;
    contact.tangent(0, 3 * rod + 2) = -std::cos(phi(rod));
    contact.friction = Vec::Constant(1, friction);
    contact.restitution = epsilon;
    return contact;
  }
  Mat mass() const {
    Vec M(6);
    M << 3, 3, 1, 3, 3, 1;
    return M.asDiagonal();
  }
  ImpactProblem hinged() const {
    const auto hinge = [&](int axis, bool elbow) {
      const auto side = [&](int rod) { return axis == 0 ? std::cos(phi(rod)) : std::sin(phi(rod)); };
      Vec b = Vec::Zero(6);
      b(axis + (elbow ? 3 : 0)) = 1;
      b(elbow ? 5 : 2) = -side(elbow ? 1 : 0);
      if (elbow) b(axis) = -1;
      if (elbow) b(2) = -side(0);
      return Bilateral{b};
    };
    return ImpactProblem(mass(), motion() * rates,
                         {{"tip", strike(1, restitution)},
                          {"elbow", strike(0, elbow_restitution)},
                          {"ax", hinge(0, false)},
                          {"ay", hinge(1, false)},
                          {"bx", hinge(0, true)},
                          {"by", hinge(1, true)}});
  }
  ImpactProblem in_angles() const {
    const auto reduced = [&](Contact contact) {
      contact.normal = (motion().transpose() * contact.normal).eval();
      contact.tangent = (contact.tangent * motion()).eval();
      return contact;
    };
    return ImpactProblem(motion().transpose() * mass() * motion(), rates,
                         {{"tip", reduced(strike(1, restitution))}, {"elbow", reduced(strike(0, elbow_restitution))}});
  }
};

}  // namespace

TEST_CASE("redundant contacts: the same impact in angles and with hinges, its impulses too") {
  LawChoice stronge_in_turn = with("sequential", "each", std::make_shared<const LawChoice>(LawChoice{"stronge", {}}));
  testing::Random random(5);
  int compared = 0;
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    TwoStrikes pendulum;
    pendulum.phi = Eigen::Vector2d(random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2));
    pendulum.rates = Eigen::Vector2d(random.normal(), random.normal());
    pendulum.restitution = random.uniform(0, 1);
    pendulum.elbow_restitution = random.uniform(0, 1);
    pendulum.friction = random.uniform(0, 1);
    for (const LawChoice& law : {LawChoice{"inelastic", {}}, LawChoice{"poisson", {}}, stronge_in_turn}) {
      CAPTURE(law.type);
      const LawOutcome hinged = resolve(law, pendulum.hinged()), angles = resolve(law, pendulum.in_angles());
      REQUIRE(hinged.status == angles.status);
      if (angles.status != LawOutcome::Status::resolved) continue;
      ++compared;
      const ImpactResult &a = hinged.results.front(), &b = angles.results.front();
      CHECK((a.u_plus - pendulum.motion() * b.u_plus).norm() < 1e-10 * (1 + b.u_plus.norm()));
      for (std::size_t i = 0; i < 2; ++i)
        CHECK((a.elements[i].Lambda - b.elements[i].Lambda).norm() < 1e-9 * (1 + b.elements[i].Lambda.norm()));
    }
  }
  CHECK(compared > 250);
}
