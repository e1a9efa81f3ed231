// Every example of the papers with its figure, corrected where the print is wrong.

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/certificates/assessment.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/law_as_map.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/restitution_matrix.h"
#include "solvers/certificates/system.h"
#include "tests/certificates/systems.h"

using namespace carom;
using namespace carom::testing;

namespace {

Certificate named(const std::vector<Certificate>& list, const std::string& name) {
  for (const Certificate& certificate : list)
    if (certificate.name == name) return certificate;
  FAIL("no certificate '" << name << "'");
  return list.front();
}

double value(const Certificate& certificate, const std::string& name) {
  for (const Figure& figure : certificate.figures)
    if (figure.name == name) return figure.value.value_or(NAN);
  FAIL("no figure '" << name << "' in " << certificate.name);
  return NAN;
}

double bound(const Certificate& certificate, const std::string& name) {
  for (const Figure& figure : certificate.figures)
    if (figure.name == name) return figure.bound.value_or(NAN);
  FAIL("no figure '" << name << "' in " << certificate.name);
  return NAN;
}

LawChoice matrix_law(const Mat& nn) {
  LawChoice law{"restitution-matrix", {}};
  law.parameters.set("nn", nn);
  return law;
}

Mat matrix2(double a, double b, double c, double d) {
  Mat A(2, 2);
  A << a, b, c, d;
  return A;
}

}  // namespace

TEST_CASE("Glocker 2014, sect. 10.2: the inhomogeneous bar has 1/(2α) and meets neither (117) nor (121)") {
  for (double alpha : {4.0, 10.0, 25.0}) {
    const ImpactProblem problem = bar(alpha, 0.5, 1, 2).build();
    const auto list = certificates_of({"poisson", {}}, problem);
    CHECK(value(named(list, "similar coefficients"), "λ_min/λ_max") == doctest::Approx(1 / (2 * alpha)));
    CHECK(value(named(list, "small coefficients"), "ε_max²") == 1);
    for (const char* name : {"similar coefficients", "small coefficients", "equal coefficients", "frictionless system",
                             "one frictional contact", "common normal coefficient"}) {
      CAPTURE(name);
      CHECK(named(list, name).verdict == Verdict::fails);
    }
    CHECK(!prove({"poisson", {}}, problem).proven);
  }
  const LawAssessment found = assess({"poisson", {}}, bar(10, 0.5, 1, 2).build());
  CHECK(found.standing == LawAssessment::Standing::not_guaranteed);
  CHECK(found.here->work == doctest::Approx(0.43875));
  CHECK(found.worst->gain > 0.43875 / 0.675);
}

TEST_CASE("Glocker 2014, sect. 9.2: Kane's pendulum, Newton not guaranteed, Poisson by section 7") {
  const ImpactProblem problem = kane(0.7, 0.5).build();
  const LawAssessment newton = assess({"newton", {}}, problem);
  CHECK(newton.standing == LawAssessment::Standing::not_guaranteed);
  CHECK(newton.here->work == doctest::Approx(0.4889).epsilon(1e-4));
  CHECK(newton.here->work / newton.here->T_minus == doctest::Approx(1.757).epsilon(1e-3));
  CHECK(newton.worst->exact);
  CHECK(newton.worst->gain >= newton.here->work / newton.here->T_minus);
  const LawAssessment poisson = assess({"poisson", {}}, problem);
  CHECK(poisson.guaranteed());
  CHECK(poisson.proof.theorem.find("sect. 7") != std::string::npos);
  for (const char* law : {"inelastic", "moreau", "stronge", "poisson-routh"}) {
    CAPTURE(law);
    CHECK(assess({law, {}}, problem).guaranteed());
  }
  CHECK(!assess({"newton-routh", {}}, kane(0.9, 0.5).build()).guaranteed());
  CHECK(assess({"newton-routh", {}}, kane(0.9, 0.5).build()).worst->gains());
  CHECK(assess({"compliant", {}}, problem).standing == LawAssessment::Standing::refused);
}

TEST_CASE("Glocker 2014, sect. 9.1: the slide-push mechanism gains under Newton, not under Poisson") {
  const LawAssessment newton = assess({"newton", {}}, slide_push(0).build());
  CHECK(newton.standing == LawAssessment::Standing::not_guaranteed);
  CHECK(newton.here->work == doctest::Approx(0.5));
  CHECK(newton.worst->gain >= 1 - 1e-6);
  const LawAssessment poisson = assess({"poisson", {}}, slide_push(0.5).build());
  CHECK(poisson.guaranteed());
  CHECK(poisson.proof.theorem.find("sect. 6") != std::string::npos);
}

TEST_CASE("Glocker 2014, Table 1 and its Newton counterpart: a clutch needs −1 < ε ≤ 0 there") {
  const auto verdict = [](double clutch, const char* law) {
    for (const Certificate& certificate : coefficient_certificates(slide_push(clutch).build()))
      if (certificate.speaks_of(form_of({law, {}}))) return certificate.verdict;
    return Verdict::not_applicable;
  };
  CHECK(verdict(0.3, "poisson") == Verdict::holds);
  CHECK(verdict(-0.3, "poisson") == Verdict::fails);
  CHECK(verdict(0.3, "newton") == Verdict::fails);
  CHECK(verdict(-0.3, "newton") == Verdict::holds);
  CHECK(verdict(-1, "newton") == Verdict::fails);
  CHECK(verdict(0, "newton") == Verdict::holds);
}

TEST_CASE("Glocker 2014, sect. 8: Newton and Poisson coincide, and elastic impacts keep their energy") {
  ProblemParts parts = balls(3, 0.6);
  CHECK(named(certificates_of({"poisson", {}}, parts.build()), "Newton and Poisson coincide").verdict ==
        Verdict::holds);
  parts.u_minus = Eigen::Vector3d(1, 0, 2);  // the second contact separates
  CHECK(named(certificates_of({"poisson", {}}, parts.build()), "Newton and Poisson coincide").verdict ==
        Verdict::fails);
  parts = kane(0.5, 0.5);
  CHECK(named(certificates_of({"newton", {}}, parts.build()), "Newton and Poisson coincide").verdict == Verdict::fails);

  for (double mu : {0.05, 5.0}) {  // a particle on a rough line sticks for μ ≥ 1
    const ProblemParts particle = {Mat::Identity(2, 2),
                                   Eigen::Vector2d(1, -1),
                                   {{"line", contact_of(Eigen::Vector2d(0, 1), Eigen::RowVector2d(1, 0), 1, mu)}}};
    ProblemParts elastic = particle;
    std::get<Contact>(elastic.elements[0].kind).tangential_restitution = 1;
    const ImpactProblem problem = elastic.build();
    const Certificate kept = named(certificates_of({"poisson", {}}, problem), "elastic impact keeps its energy");
    const double work = LawTrial({"poisson", {}}, problem).outcome(problem.u_minus()).results.front().work;
    CHECK((kept.verdict == Verdict::holds) == (std::abs(work) < 1e-9));
    CHECK((kept.verdict == Verdict::holds) == (mu > 1));
    CHECK(work == doctest::Approx(-value(kept, "energy lost by slip, relative to T⁻") *
                                  problem.kinetic_energy(problem.u_minus())));
  }
}

TEST_CASE("derived: several frictional contacts with one normal coefficient are guaranteed under Poisson") {
  ProblemParts parts = corner(0.4, 0.9, 1, -2);
  for (Element& element : parts.elements) std::get<Contact>(element.kind).restitution = 0.6;
  CHECK(prove({"poisson", {}}, parts.build()).proven);
  std::get<Contact>(parts.elements[0].kind).restitution = 0.5;
  const Proof proof = prove({"poisson", {}}, parts.build());
  if (!proof.proven) CHECK(!proof.obstacle.empty());
}

TEST_CASE("Brogliato 2012 (21): the kinetic angle of equal balls is π/3") {
  const auto list = delassus_certificates(balls(3, 1).build());
  CHECK(value(named(list, "kinetic angles"), "θ of c1 and c2, rad") == doctest::Approx(M_PI / 3));
  CHECK(named(list, "kinetic angles").verdict == Verdict::holds);
}

TEST_CASE("Delassus operator: eigenvalues, rank and redundancy on the manifold") {
  ProblemParts parts = two_contacts(0.3, 0, 0);
  const auto regular = delassus_certificates(parts.build());
  CHECK(value(named(regular, "Delassus operator"), "smallest eigenvalue") == doctest::Approx(0.7));
  CHECK(value(named(regular, "Delassus operator"), "largest eigenvalue") == doctest::Approx(1.3));
  CHECK(named(regular, "Delassus operator").verdict == Verdict::holds);
  parts.elements.push_back({"three", smooth_contact(Eigen::Vector2d(0, 1), 0)});
  const auto redundant = delassus_certificates(parts.build());
  CHECK(named(redundant, "Delassus operator").verdict == Verdict::fails);
  CHECK(value(named(redundant, "Delassus operator"), "rank") == 2);
}

TEST_CASE("Brogliato 2012, Remark 6: Proposition 7's bound and Proposition 2's condition, with their signs corrected") {
  for (double a : {-0.6, -0.2, 0.0, 0.3, 0.7}) {
    const auto list = certificates_of(matrix_law(matrix2(0.2, 0, 0, 0.1)), two_contacts(a, 0, 0).build());
    CHECK(bound(named(list, "bound by norms"), "|ℰ_nn|") ==
          doctest::Approx(std::sqrt((1 - a * a) / (2 * (1 + a * a)))));
    CHECK(value(named(list, "bound by norms"), "|ℰ_nn|") == doctest::Approx(std::sqrt(0.05)));
    CHECK(bound(named(list, "bound by the condition number"), "σ_max(ℰ_nn)") ==
          doctest::Approx(std::sqrt((1 - std::abs(a)) / (1 + std::abs(a)))));
    for (double e1 : {0.0, 0.5, 0.9, 1.0}) {
      for (double e2 : {0.0, 0.4, 0.95, 1.0}) {
        const double condition = -a * (1 - e1 * e2) + std::sqrt((1 - e1 * e1) * (1 - e2 * e2));
        if (std::abs(condition) < 1e-6) continue;
        const auto verdicts = certificates_of(matrix_law(matrix2(e1, 0, 0, e2)), two_contacts(a, 0, 0).build());
        CAPTURE(a);
        CAPTURE(e1);
        CAPTURE(e2);
        CHECK((named(verdicts, "copositive energy form").verdict == Verdict::holds) == (condition > 0));
      }
    }
  }
}

TEST_CASE("Brogliato 2012 (52): one column conserves on the ellipse e₁² + e₂₁² + e₁e₂₁ = 1, not on the printed one") {
  for (double e1 : {0.0, 0.3, 0.7, 1.0}) {
    const double e21 = 0.5 * (-e1 + std::sqrt(4 - 3 * e1 * e1));
    const auto list = certificates_of(matrix_law(matrix2(e1, 0, e21, 0)), balls(3, 0).build());
    CHECK(value(named(list, "conserving matrix"), "T⁺/T⁻ when only contact 1 approaches") == doctest::Approx(1));
    ProblemParts parts = balls(3, 0);
    const ImpactProblem problem = parts.build();
    const auto outcome = LawTrial(matrix_law(matrix2(e1, 0, e21, 0)), problem).outcome(problem.u_minus());
    REQUIRE(!outcome.results.empty());
    CHECK(outcome.results.front().work == doctest::Approx(0).epsilon(1e-9));
    if (e1 > 0 && e1 < 1) CHECK(e1 * e1 + e21 * e21 - e1 * e21 != doctest::Approx(1));
  }
}

TEST_CASE("Brogliato 2012, Proposition 8: admissible matrices and the velocities that break the others") {
  const ImpactProblem problem = balls(3, 0).build();
  const auto admissible = [&](const Mat& nn) {
    return named(certificates_of(matrix_law(nn), problem), "admissible matrix");
  };
  CHECK(admissible(matrix2(1, 0, 0, 1)).verdict == Verdict::holds);
  CHECK(admissible(matrix2(0, 1, 1, 0)).verdict == Verdict::holds);  // Winandy & Leine's cone III
  for (const Mat& nn : {matrix2(-0.2, 0, 0, 0.5), matrix2(1, 0.5, 0, 1), matrix2(0.2, -1.5, 0, 0.1)}) {
    const Certificate broken = admissible(nn);
    CHECK(broken.verdict == Verdict::fails);
    REQUIRE(broken.velocity);
    const auto outcome = LawTrial(matrix_law(nn), problem).outcome(*broken.velocity);
    REQUIRE(!outcome.results.empty());
    const ImpactResult& result = outcome.results.front();
    CHECK(!(result.kinematic.holds && result.kinetic.holds && result.energetic.holds));
  }
}

TEST_CASE("Brogliato 2012, Propositions 3, 4, 5 and 9 and Corollary 1") {
  const ImpactProblem orthogonal = two_contacts(0, 0, 0).build();
  auto list = certificates_of(matrix_law(0.8 * Mat::Identity(2, 2)), orthogonal);
  CHECK(named(list, "orthogonal contacts").verdict == Verdict::holds);
  CHECK(value(named(list, "orthogonal contacts"), "e² = T_n⁺/T_n⁻") == doctest::Approx(0.64));
  CHECK(value(named(list, "small enough matrix"), "ℰ_nn may be multiplied by") == doctest::Approx(1.25));
  CHECK(value(named(list, "commuting matrix"), "spectral radius of ℰ_nn") == doctest::Approx(0.8));
  CHECK(named(list, "conserving matrix").verdict == Verdict::fails);
  CHECK(named(list, "bound by norms, with tangential effects").verdict == Verdict::not_applicable);
  list = certificates_of(matrix_law(matrix2(0, 1, 1, 0)), balls(3, 0).build());
  CHECK(named(list, "conserving matrix").verdict == Verdict::holds);
  CHECK(value(named(list, "conserving matrix"), "spectral radius of ℰ_nn") == doctest::Approx(1));
  for (double angle : {0.3, 1.0, 2.5}) {  // isometries of G⁻¹: nothing is gained, but for rounding
    Mat root = Mat::Identity(2, 2), turn(2, 2);
    root.row(1) << 0.3, std::sqrt(1 - 0.09);
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    list = certificates_of(matrix_law(root * turn * root.inverse()), two_contacts(0.3, 0, 0).build());
    CHECK(named(list, "conserving matrix").verdict == Verdict::holds);
    CHECK(named(list, "copositive energy form").verdict == Verdict::holds);
  }

  LawChoice tangential = matrix_law(Mat::Constant(1, 1, 0.3));
  tangential.parameters.set("tt", Mat(Mat::Constant(1, 1, 0.2)));
  list = certificates_of(tangential, kane(0, 0.5).build());
  const Certificate nine = named(list, "bound by norms, with tangential effects");
  CHECK(value(nine, "|ℰ|") == doctest::Approx(std::sqrt(0.13)));
  CHECK(bound(nine, "|ℰ|") == doctest::Approx(1 / std::sqrt(2.0)));
  CHECK(nine.verdict == Verdict::holds);
}

TEST_CASE("U-property: a single contact has it, orthogonal and equal-ball contacts do not") {
  CHECK(conserving_matrices(Mat::Identity(1, 1)).size() == 1);
  CHECK(conserving_matrices(Mat::Identity(3, 3)).size() == 6);  // every permutation, against the text of the paper
  CHECK(conserving_matrices(matrix2(1, -0.5, -0.5, 1)).size() == 2);
  CHECK(conserving_matrices(matrix2(1, 0.4, 0.4, 1)).size() == 1);  // only the exchange: the identity would pull
  CHECK(u_property(kane(0.5, 0.5).build()).verdict == Verdict::holds);
  CHECK(u_property(balls(3, 1).build()).verdict == Verdict::fails);
  // Each is what Corollary 1 asks for.
  for (const Mat& G : {matrix2(1, -0.5, -0.5, 1), matrix2(1, 0.4, 0.4, 1)}) {
    const Mat D = G.inverse();
    for (const Mat& E : conserving_matrices(G)) {
      CHECK((E.transpose() * D * E - D).norm() < 1e-12);
      CHECK(E.minCoeff() >= 0);
      CHECK((D * (Mat::Identity(2, 2) + E)).minCoeff() >= -1e-12);
    }
  }
}

TEST_CASE("Brogliato 2012, Example 5: the two bounds of a particle on a rough line") {
  for (double e : {0.0, 0.2}) {
    for (double mu : {0.1, 0.3}) {
      for (double slope : {0.2, 3.0}) {
        const ProblemParts parts = {2 * Mat::Identity(2, 2),
                                    Eigen::Vector2d(1, -slope),
                                    {{"line", contact_of(Eigen::Vector2d(0, 1), Eigen::RowVector2d(1, 0), e, mu)}}};
        const auto list = friction_certificates(parts.build());
        const Certificate theorem = named(list, "normal enough an impact, Theorem 2");
        // Divided by (1+e): 1−e > μ²(1+e), |ẏ/ẋ| ≥ 2μ/(1−e−μ²(1+e)).
        CHECK(value(theorem, "λ_min(M̄)") == doctest::Approx(1 - e * e));
        CHECK(value(theorem, "λ_max(K)") == doctest::Approx(mu * mu * (1 + e) * (1 + e)));
        const double needed = 2 * mu / (1 - e - mu * mu * (1 + e));
        CHECK(bound(theorem, "|v_n|/|v_t|") == doctest::Approx(needed));
        CHECK((theorem.verdict == Verdict::holds) == (slope >= needed));
        CHECK(value(named(list, "small friction, Lemma 1"), "|G⁻¹||n_qᵀH_T||[μ̄]|") == doctest::Approx(0));
        CHECK(value(named(list, "small restitution, Lemma 2"), "(|E|² + 2|E|) cond(G)") ==
              doctest::Approx(e * e + 2 * e));
      }
    }
  }
}

TEST_CASE("Brogliato 2012, Example 6: P-matrix if and only if μ₁μ₂ sgn sgn < 1") {
  for (double mu1 : {0.3, 1.5, 4.0}) {
    for (double mu2 : {0.2, 0.9, 2.0}) {
      for (double slip : {-1.0, 1.0}) {
        const auto list = contact_lcp_certificates(corner(mu1, mu2, 1, slip).build());
        CAPTURE(mu1);
        CAPTURE(mu2);
        CAPTURE(slip);
        CHECK((named(list, "P-matrix").verdict == Verdict::holds) == (mu1 * mu2 * slip < 1));
        CHECK((named(list, "P-matrix, however contacts slide").verdict == Verdict::holds) == (mu1 * mu2 < 1));
        // Proposition 14 is sufficient: it never holds where the matrix is no P-matrix.
        const bool small = named(list, "positive definite contact LCP").verdict == Verdict::holds;
        CHECK(small == (std::hypot(mu1, mu2) < 1));
        // Copositive: off-diagonal −μ₁s₁, −μ₂s₂; strictly if their mean stays above −1.
        const double mean = -0.5 * (mu1 + mu2 * slip);
        if (std::abs(mean + 1) > 1e-9)
          CHECK((named(list, "copositive contact LCP").verdict == Verdict::holds) == (mean > -1));
      }
    }
  }
}

TEST_CASE("Painlevé's rod: μ_c = (1+3cos²θ)/(3 sinθ cosθ), at least 4/3") {
  double least = HUGE_VAL;
  for (int degrees = 5; degrees < 90; ++degrees) {
    const double theta = degrees * M_PI / 180;
    const double critical = (1 + 3 * std::cos(theta) * std::cos(theta)) / (3 * std::sin(theta) * std::cos(theta));
    for (double mu : {0.5 * critical, 1.5 * critical}) {
      const Certificate found = painleve_certificates(rod(theta, mu, 1).build()).front();
      CHECK(bound(found, "μ") == doctest::Approx(critical));
      CHECK(value(found, "distance μ_c − μ") == doctest::Approx(critical - mu));
      CHECK((found.verdict == Verdict::holds) == (mu < critical));
      // G_NT < 0: sliding forward friction pushes the tip down, backward it lifts it.
      const double forward = value(found, "1 + G_NT·f/G_NN as it slides now");
      CHECK(forward == doctest::Approx(1 + mu / critical));
      const Certificate back = painleve_certificates(rod(theta, mu, -1).build()).front();
      CHECK(value(back, "1 + G_NT·f/G_NN as it slides now") == doctest::Approx(1 - mu / critical));
    }
    least = std::min(least, critical);
  }
  CHECK(least == doctest::Approx(4.0 / 3).epsilon(1e-3));
}

TEST_CASE("Winandy & Leine 2016, sect. 6: the sequential law is non-expansive, but a cycle gains") {
  const ImpactProblem problem = balls(3, 1).build();
  const auto list = map_certificates({"sequential", {}}, problem);
  CHECK(named(list, "continuous map").verdict == Verdict::not_contradicted);
  CHECK(named(list, "non-expansive map").verdict == Verdict::not_contradicted);
  CHECK(value(named(list, "non-expansive map"), "largest |Δu⁺|/|Δu⁻| found") == doctest::Approx(1));
  CHECK(named(list, "cyclically monotone").verdict == Verdict::fails);
  const Cycle cycle = gaining_cycle({"sequential", {}}, problem);
  CHECK(cycle.sum > 0);
  // The sum again, from the law's own answers.
  const LawTrial law({"sequential", {}}, problem);
  double sum = 0;
  for (std::size_t k = 0; k < cycle.u_minus.size(); ++k) {
    const Vec& u = cycle.u_minus[k];
    const Vec& next = cycle.u_minus[(k + 1) % cycle.u_minus.size()];
    const Vec x = 0.5 * (u + *law.after(u)), x_next = 0.5 * (next + *law.after(next));
    sum += (problem.M() * (u - *law.after(u))).dot(x_next - x);
  }
  CHECK(sum == doctest::Approx(cycle.sum));
  // The published cycle has ½ m v².
  const auto published = [&](double g1, double g2) {
    return Vec(Eigen::Vector3d(-(2 * g1 + g2) / 3, (g1 - g2) / 3, (g1 + 2 * g2) / 3));
  };
  const std::vector<Vec> abc = {published(-2, 1), published(-1, 0), published(0, 0)};
  double printed = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec x = 0.5 * (abc[k] + *law.after(abc[k]));
    const Vec& next = abc[(k + 1) % 3];
    printed += (abc[k] - *law.after(abc[k])).dot(0.5 * (next + *law.after(next)) - x);
  }
  CHECK(printed == doctest::Approx(0.5));
}

TEST_CASE("laws as maps: Moreau is proven, Newton with friction drives velocities apart") {
  for (const Certificate& certificate : map_certificates({"moreau", {}}, balls(4, 0.7).build()))
    CHECK(certificate.verdict == Verdict::holds);
  const auto list = map_certificates({"newton", {}}, kane(0.7, 0.5).build());
  const Certificate expansive = named(list, "non-expansive map");
  CHECK(expansive.verdict == Verdict::fails);
  CHECK(named(list, "continuous map").verdict == Verdict::not_contradicted);
}

TEST_CASE("clutches and joints without a contact: nothing about normals applies, nothing collides") {
  const Vec direction = Eigen::Vector2d(-1, 1);
  const ImpactProblem clutch =
      ProblemParts{Mat::Identity(2, 2), Eigen::Vector2d(1, 0), {{"ratchet", Clutch{direction, 0}}}}.build();
  CHECK(u_property(clutch).verdict == Verdict::not_applicable);
  CHECK(assess({"newton", {}}, clutch).guaranteed());
  const ImpactProblem joint =
      ProblemParts{Mat::Identity(2, 2), Eigen::Vector2d(1, 1), {{"joint", Bilateral{direction}}}}.build();
  CHECK(u_property(joint).verdict == Verdict::not_applicable);
  CHECK(prove({"sequential", {}}, joint).theorem == "nothing can collide");
}

// A search with one solution of several jumps from one to another. Where the law's own answer does not, the two
// velocities are too near to each other for a quotient, and others are shown.
TEST_CASE("velocities that are driven apart are far enough from each other to tell") {
  Mat M(3, 3);
  M << 2.284, 0.125, 0.124, 0.125, 2.638, -0.337, 0.124, -0.337, 0.772;
  const Contact one =
      contact_of(Eigen::Vector3d(-0.19, -1.433, 0.039), Eigen::RowVector3d(0.907, -0.743, -1.268), 0.28, 0.42);
  const Contact two =
      contact_of(Eigen::Vector3d(1.081, 0.234, 0.309), Eigen::RowVector3d(1.274, -0.573, 1.001), 0.85, 0.99);
  const ProblemParts parts{M, Eigen::Vector3d(2.175, 1.784, -1.933), {{"one", one}, {"two", two}}};
  const Certificate apart = map_certificates({"newton", {}}, parts.build())[1];
  REQUIRE(apart.velocity);
  const Vec first = *apart.velocity;
  Vec other(3);
  for (Index k = 0; k < 3; ++k) other(k) = apart.figures[static_cast<std::size_t>(1 + k)].value.value_or(0);
  CHECK((first - other).norm() > 1e-6 * first.norm());
}

TEST_CASE("the number of solutions is found by enumeration") {
  CHECK(named(assess({"newton", {}}, kane(0.5, 0.5).build()).certificates, "number of solutions").verdict ==
        Verdict::holds);
  // Two rough contacts have several answers now and then, and the count says so.
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 300 && several < 3; ++seed) {
    const ImpactProblem problem =
        random_problem(seed, {.contacts = 2, .largest_friction = 3, .approaching = true}).build();
    const std::size_t count = LawTrial({"inelastic", {}}, problem).outcome(problem.u_minus()).results.size();
    if (count < 2) continue;
    ++several;
    const auto list = assess({"inelastic", {}}, problem).certificates;
    CHECK(named(list, "number of solutions").verdict == Verdict::fails);
    CHECK(value(named(list, "number of solutions"), "solutions") == static_cast<double>(count));
  }
  CHECK(several > 0);
}
