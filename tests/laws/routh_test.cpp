// The one-point laws against Djerassi's closed forms, and in space against what must hold on any path.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"

using namespace carom;

namespace {

struct PlanarCase {
  double m_nn, m_nt, m_tt, mu, e, v_n, v_t;

  ImpactProblem problem() const {
    const Mat G{{m_nn, m_nt}, {m_nt, m_tt}};
    Contact contact;
    contact.normal = Eigen::Vector2d(1, 0);
    contact.tangent = Eigen::RowVector2d(0, 1);
    contact.friction = Vec::Constant(1, mu);
    contact.restitution = e;
    return ImpactProblem(G.inverse(), Eigen::Vector2d(v_n, v_t), {{"c", contact}});
  }
  double g() const { return mu * m_tt - m_nt; }
  double h() const { return m_nn - mu * m_nt; }
  double p() const { return mu * m_tt + m_nt; }
  double q() const { return m_nn + mu * m_nt; }
  double Delta() const { return m_nn * m_tt - m_nt * m_nt; }
  double r_m() const { return g() / h(); }
  double alpha() const { return v_t / -v_n; }

  // Table 1 with the regions (108), (109).
  int type() const {
    if (g() < 0) return 5;
    if (h() < 0) return 1;
    if (alpha() > (1 + e) * r_m()) return 5;
    return (p() > 0 ? 1 : 3) + (alpha() > r_m() ? 1 : 0);
  }

  // Stronge's normal impulse: (38), (55), (72), (89), (102).
  double I_n2() const {
    const double a = alpha();
    const double x = a / r_m() - 1;
    switch (type()) {
      case 1:
        return -v_n * (m_tt + a * m_nt) / Delta() -
               v_n * e / Delta() * std::sqrt(m_tt * (m_tt + 2 * a * m_nt - m_nt / r_m() * a * a));
      case 2: {
        const double y = x * m_tt / Delta();
        return v_t / g() + v_n * y - v_n * std::sqrt(y * y - m_tt / Delta() * (x * x - e * e) / h());
      }
      case 3:
        return -v_n * (1 + 2 * mu * m_nt * a / g()) / q() -
               v_n * e / q() * std::sqrt(1 + 4 * mu * m_nt * a / g() - 2 * mu * m_nt * a * a / (g() * r_m()));
      case 4:
        return v_t / g() + v_n * x / q() - v_n * std::sqrt(x * x / (q() * q()) - (x * x - e * e) / (q() * h()));
      default:
        return -(1 + e) * v_n / h();
    }
  }

  // Equivalents (110)–(119): Stronge's coefficient for Newton's and Poisson's.
  double equivalent_of_newton(double e_v) const {
    const double a = alpha() / r_m() - 1;
    switch (type()) {
      case 1:
        return e_v * m_tt / std::sqrt(m_tt * (m_tt + 2 * alpha() * m_nt - m_nt / r_m() * alpha() * alpha()));
      case 2:
        return std::sqrt((g() * m_nt * a * a + h() * m_tt * e_v * e_v) / Delta());
      case 3:
        return e_v / std::sqrt(1 + 4 * mu * m_nt * alpha() / g() - 2 * mu * m_nt * alpha() * alpha() / (g() * r_m()));
      case 4:
        return std::sqrt((2 * mu * m_nt * a * a + h() * e_v * e_v) / q());
      default:
        return e_v;
    }
  }
  double equivalent_of_poisson(double e_i) const {
    const double a = alpha() / r_m() - 1;
    switch (type()) {
      case 1:
        return e_i * (m_tt + alpha() * m_nt) /
               std::sqrt(m_tt * (m_tt + 2 * alpha() * m_nt - m_nt / r_m() * alpha() * alpha()));
      case 2:
        return std::sqrt(e_i * e_i + g() * m_nt * (e_i - a) * (e_i - a) / (h() * m_tt));
      case 3:
        return e_i * (1 + 2 * mu * m_nt * alpha() / g()) /
               std::sqrt(1 + 4 * mu * m_nt * alpha() / g() - 2 * mu * m_nt * alpha() * alpha() / (g() * r_m()));
      case 4:
        return std::sqrt(e_i * e_i + 2 * mu * m_nt * (e_i - a) * (e_i - a) / h());
      default:
        return e_i;
    }
  }
};

PlanarCase random_case(testing::Random& random) {
  PlanarCase c{};
  c.m_nn = random.uniform(0.2, 2);
  c.m_tt = random.uniform(0.2, 2);
  c.m_nt = std::sqrt(c.m_nn * c.m_tt) * random.uniform(-0.98, 0.98);
  c.mu = random.uniform(0.05, 2.5);
  c.e = random.uniform(0, 1);
  c.v_n = -random.uniform(0.2, 2);
  c.v_t = random.uniform(0, 3);
  return c;
}

LawOutcome resolve(const std::string& law, const ImpactProblem& problem) {
  return make_law({law, {}})->resolve(problem, *find_solver("auto")->make());
}

ImpactResult one(const std::string& law, const ImpactProblem& problem) {
  const LawOutcome outcome = make_law({law, {}})->resolve(problem, *find_solver("auto")->make());
  CAPTURE(outcome.reason);
  REQUIRE(outcome.status == LawOutcome::Status::resolved);
  return outcome.results.front();
}

}  // namespace

TEST_CASE("Djerassi 2010: the march gives the closed forms of the five types in the five cases of Table 1") {
  testing::Random random(11);
  int types[6] = {};
  int cases[6] = {};
  for (int trial = 0; trial < 5000; ++trial) {
    const PlanarCase c = random_case(random);
    if (std::abs(c.g()) < 1e-3 || std::abs(c.h()) < 1e-3 || std::abs(c.p()) < 1e-3) continue;
    const ImpactResult result = one("stronge", c.problem());
    CHECK(result.routh->type == c.type());
    CHECK(result.elements[0].Lambda(0) == doctest::Approx(c.I_n2()).epsilon(1e-9));
    CHECK(result.energetic.holds);
    CHECK(*result.routh->equivalent_stronge() == doctest::Approx(c.e).epsilon(1e-9));
    ++types[c.type()];
    ++cases[c.g() < 0 ? 5 : c.h() < 0 ? 4 : c.p() < 0 ? 3 : c.q() < 0 ? 2 : 1];
  }
  for (int k = 1; k <= 5; ++k) {
    CAPTURE(k);
    CHECK(types[k] > 50);
    CHECK(cases[k] > 20);
  }
}

TEST_CASE("Djerassi 2010, (110)–(119): equivalents of Newton's and Poisson's coefficients") {
  testing::Random random(12);
  for (int trial = 0; trial < 3000; ++trial) {
    const PlanarCase c = random_case(random);
    if (std::abs(c.g()) < 1e-2 || std::abs(c.h()) < 1e-2 || std::abs(c.p()) < 1e-2 || c.e < 0.05) continue;
    const ImpactResult newton = one("newton-routh", c.problem());
    const ImpactResult poisson = one("poisson-routh", c.problem());
    CHECK(newton.elements[0].gamma_plus(0) == doctest::Approx(-c.e * c.v_n).epsilon(1e-9));
    CHECK(poisson.elements[0].Lambda(0) ==
          doctest::Approx((1 + c.e) * (*poisson.elements[0].compression)(0)).epsilon(1e-9));
    CHECK(poisson.energetic.holds);
    // The formulas are written for the type the impact takes; its region depends on where restitution ends.
    if (newton.routh->type == c.type())
      CHECK(*newton.routh->equivalent_stronge() == doctest::Approx(c.equivalent_of_newton(c.e)).epsilon(1e-7));
    if (poisson.routh->type == c.type())
      CHECK(*poisson.routh->equivalent_stronge() == doctest::Approx(c.equivalent_of_poisson(c.e)).epsilon(1e-7));
  }
}

TEST_CASE("degenerate slopes, grazing, direct and central impacts") {
  // g = 0: slip at constant speed. h = 0: compression waits for the slip to stop. p = 0: the edge of sticking.
  for (const auto& [m_nt, mu] : {std::pair{0.5, 0.5}, {0.8, 1.25}, {-0.5, 0.5}}) {
    const PlanarCase c{1, m_nt, 1, mu, 0.5, -1, 0.7};
    for (const char* law : {"stronge", "poisson-routh", "newton-routh"}) {
      const ImpactResult result = one(law, c.problem());
      CHECK(result.u_plus.allFinite());
      CHECK(result.elements[0].gamma_plus(0) > 0);
      CHECK(result.kinetic.holds);
      if (law != std::string("newton-routh")) CHECK(result.energetic.holds);
    }
  }
  const ImpactResult grazing = one("stronge", PlanarCase{1, 0.3, 1, 0.5, 0.5, 0, 1}.problem());
  CHECK(grazing.elements[0].Lambda.norm() == 0);
  CHECK(grazing.elements[0].state == State::open);
  const ImpactResult central = one("stronge", PlanarCase{1, 0, 1, 0.5, 0.5, -1, 0}.problem());
  CHECK(central.routh->type == 1);
  CHECK(central.u_plus(0) == doctest::Approx(0.5));
  const ImpactResult direct = one("stronge", PlanarCase{1, -0.8, 1, 0.3, 0.5, -1, 0}.problem());
  CHECK(direct.routh->type == 3);
  CHECK(direct.elements[0].gamma_plus(1) < 0);
  const ImpactResult plastic = one("stronge", PlanarCase{1, -0.8, 1, 0.3, 0, -1, 0.4}.problem());
  CHECK(std::abs(plastic.elements[0].gamma_plus(0)) < 1e-14);
  // Continuity in α across the borders of the types (comment a).
  for (double e : {0.0, 0.5, 1.0}) {
    const PlanarCase base{1, -0.6, 1, 0.2, e, -1, 0};
    for (double border : {base.r_m(), (1 + e) * base.r_m()}) {
      PlanarCase below = base;
      PlanarCase above = base;
      below.v_t = border * (1 - 1e-9);
      above.v_t = border * (1 + 1e-9);
      CHECK((one("stronge", below.problem()).u_plus - one("stronge", above.problem()).u_plus).norm() < 1e-7);
    }
  }
}

TEST_CASE("one degree of freedom: friction may lock the contact") {
  Contact contact;
  contact.normal = Vec::Constant(1, 1.0);
  contact.tangent = Mat::Constant(1, 1, 0.5);
  contact.friction = Vec::Constant(1, 3.0);  // |G_NT| = 0.5 < μ G_TT = 0.75
  contact.restitution = 0.5;
  const ImpactProblem problem(Mat::Identity(1, 1), Vec::Constant(1, -1.0), {{"c", contact}});
  CHECK(std::abs(one("stronge", problem).u_plus(0)) < 1e-12);
  CHECK(std::abs(one("poisson-routh", problem).u_plus(0)) < 1e-12);
  const LawOutcome newton = make_law({"newton-routh", {}})->resolve(problem, *find_solver("auto")->make());
  CHECK(newton.status == LawOutcome::Status::failed);
  CHECK(newton.reason.find("locks") != std::string::npos);
  contact.friction(0) = 1.0;  // 0.5 ≤ 0.25 does not hold: it slips back
  const ImpactProblem free(Mat::Identity(1, 1), Vec::Constant(1, -1.0), {{"c", contact}});
  CHECK(one("stronge", free).u_plus(0) > 0.1);
}

TEST_CASE("a hinge that leaves one motion, hardly along the contact: friction locks it, rounding does not move it") {
  Contact contact;
  contact.normal = Eigen::Vector2d(0.83, 0);
  contact.tangent = Eigen::RowVector2d(-1.65, 0);
  contact.friction = Vec::Constant(1, 0.7);
  contact.restitution = 0.1;
  for (const double tilt : {0.3, 0.07, 1e-3, 1e-5}) {
    CAPTURE(tilt);
    const Bilateral hinge{Eigen::Vector2d(-1.57, -1.57 * tilt)};
    const ImpactProblem problem(Mat::Identity(2, 2), Eigen::Vector2d(-tilt, 1), {{"hinge", hinge}, {"c", contact}});
    for (const char* law : {"stronge", "poisson-routh"}) {
      CAPTURE(law);
      const LawOutcome outcome = make_law({law, {}})->resolve(problem, *find_solver("auto")->make());
      REQUIRE(outcome.status == LawOutcome::Status::resolved);
      const ImpactResult& result = outcome.results.front();
      CHECK(result.work == doctest::Approx(result.T_plus - result.T_minus).epsilon(1e-6));
      CHECK(result.T_plus <= result.T_minus);
    }
  }
}

TEST_CASE("coupled contacts are refused with the way out, uncoupled ones are not") {
  auto parts = testing::random_problem(3, {.contacts = 2});
  const LawOutcome refused = make_law({"stronge", {}})->resolve(parts.build(), *find_solver("auto")->make());
  CHECK(refused.status == LawOutcome::Status::refused);
  CHECK(refused.reason.find("'contact1' and 'contact2'") != std::string::npos);
  CHECK(refused.reason.find("sequential") != std::string::npos);

  Contact a;
  a.normal = Eigen::Vector2d(1, 0);
  a.tangent.resize(0, 2);
  a.restitution = 0.5;
  Contact b = a;
  b.normal = Eigen::Vector2d(0, 1);
  b.restitution = 0.2;
  const ImpactProblem two(Mat::Identity(2, 2), Eigen::Vector2d(-1, -1), {{"a", a}, {"b", b}});
  CHECK((one("stronge", two).u_plus - Vec(Eigen::Vector2d(0.5, 0.2))).norm() < 1e-14);

  // The same two in coordinates z, u = Sz, whose masses hardly tell them apart: what rounding couples is not coupled.
  for (double apart : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4}) {
    CAPTURE(apart);
    const Mat S = Mat{{1.1, 0.7}, {1.3, 0.7 * 1.3 / 1.1 + apart}};
    a.normal = S.row(0).transpose();
    b.normal = S.row(1).transpose();
    const ImpactProblem mixed(S.transpose() * S, S.inverse() * Eigen::Vector2d(-1, -1), {{"a", a}, {"b", b}});
    CHECK((S * one("stronge", mixed).u_plus - Vec(Eigen::Vector2d(0.5, 0.2))).norm() < 1e-6);
  }
  a.normal = Eigen::Vector2d(1, 1e-9);  // little, but no rounding
  b.normal = Eigen::Vector2d(0, 1);
  const ImpactProblem hardly(Mat::Identity(2, 2), Eigen::Vector2d(-1, -1), {{"a", a}, {"b", b}});
  CHECK(make_law({"stronge", {}})->resolve(hardly, *find_solver("auto")->make()).status == LawOutcome::Status::refused);
}

namespace {

ImpactProblem spatial(std::uint64_t seed, bool isotropic, double angle) {
  const auto friction = isotropic ? testing::FrictionKind::disc : testing::FrictionKind::ellipse;
  auto parts = testing::random_problem(seed, {.contacts = 1, .friction = friction, .approaching = true});
  auto& contact = std::get<Contact>(parts.elements[0].kind);
  const Mat t = contact.tangent;
  contact.tangent.row(0) = std::cos(angle) * t.row(0) + std::sin(angle) * t.row(1);
  contact.tangent.row(1) = -std::sin(angle) * t.row(0) + std::cos(angle) * t.row(1);
  return parts.build();
}

}  // namespace

TEST_CASE("Darboux–Keller in space: the hypothesis holds at the end, friction is admissible, energy is lost") {
  int sticks = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const ImpactProblem problem = spatial(seed, seed % 2, 0);
    const double e = problem.elements()[0].contact()->restitution;
    const ImpactResult stronge = one("stronge", problem);
    CHECK(*stronge.routh->equivalent_stronge() == doctest::Approx(e).epsilon(1e-9));
    CHECK(stronge.kinetic.holds);
    CHECK(stronge.energetic.holds);
    CHECK(stronge.work == doctest::Approx(stronge.T_plus - stronge.T_minus).epsilon(1e-9));
    const ImpactResult newton = one("newton-routh", problem);
    CHECK(newton.elements[0].gamma_plus(0) == doctest::Approx(-e * newton.elements[0].gamma_minus(0)).epsilon(1e-9));
    const ImpactResult poisson = one("poisson-routh", problem);
    CHECK(poisson.elements[0].Lambda(0) ==
          doctest::Approx((1 + e) * (*poisson.elements[0].compression)(0)).epsilon(1e-9));
    CHECK(poisson.energetic.holds);
    sticks += stronge.elements[0].state == State::stick;
  }
  CHECK(sticks > 20);
  CHECK(sticks < 380);
}

TEST_CASE("Darboux–Keller: isotropic friction does not know which tangents describe it") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const ImpactResult a = one("stronge", spatial(seed, true, 0));
    const ImpactResult b = one("stronge", spatial(seed, true, 0.37 * static_cast<double>(seed)));
    CHECK((a.u_plus - b.u_plus).norm() < 1e-9 * (1 + a.u_plus.norm()));
  }
}

TEST_CASE("Darboux–Keller: a path in a plane is the planar one") {
  testing::Random random(13);
  for (int trial = 0; trial < 300; ++trial) {
    const PlanarCase c = random_case(random);
    if (std::abs(c.p()) < 1e-3 || std::abs(c.g()) < 1e-3) continue;
    const ImpactResult planar = one("stronge", c.problem());
    Mat G = Mat::Identity(3, 3);
    G.topLeftCorner(2, 2) = Mat{{c.m_nn, c.m_nt}, {c.m_nt, c.m_tt}};
    const double turn = random.uniform(0, 6);
    Contact contact;
    contact.normal = Eigen::Vector3d(1, 0, 0);
    contact.tangent = Mat{{0, std::cos(turn), std::sin(turn)}, {0, -std::sin(turn), std::cos(turn)}};
    contact.friction = Vec::Constant(2, c.mu);
    contact.restitution = c.e;
    const ImpactProblem problem(G.inverse(), Eigen::Vector3d(c.v_n, c.v_t, 0), {{"c", contact}});
    const ImpactResult result = one("stronge", problem);
    CHECK((result.u_plus.head(2) - planar.u_plus).norm() < 1e-9);
    CHECK(std::abs(result.u_plus(2)) < 1e-9);
  }
}

TEST_CASE("Darboux–Keller: the path is that of small steps") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const ImpactProblem problem = spatial(seed, false, 0);
    const Contact& contact = *problem.elements()[0].contact();
    const ImpactResult result = one("poisson-routh", problem);
    if (result.elements[0].state != State::slip) continue;
    const Mat& G = problem.G().dense();
    const double I_end = result.elements[0].Lambda(0);
    const auto rate = [&](const Vec& v) {
      const Vec scaled = contact.friction.cwiseProduct(v.tail(2));
      Vec direction(3);
      direction << 1, -contact.friction.cwiseProduct(scaled) / scaled.norm();
      return Vec(G * direction);
    };
    Vec v = problem.gamma_minus();
    double slowest_slip = HUGE_VAL;
    constexpr int steps = 4000;
    const double h = I_end / steps;
    for (int k = 0; k < steps; ++k) {
      const Vec k1 = rate(v), k2 = rate(v + h / 2 * k1), k3 = rate(v + h / 2 * k2), k4 = rate(v + h * k3);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      slowest_slip = std::min(slowest_slip, v.tail(2).norm());
    }
    if (slowest_slip < 0.05 * problem.gamma_minus().norm()) continue;  // turns too sharply for fixed steps
    ++compared;
    CHECK((v - result.elements[0].gamma_plus).norm() < 1e-8 * problem.gamma_minus().norm());
  }
  CHECK(compared > 5);
}

TEST_CASE("a spatial contact with two freedoms: where friction locks it, no impulse grows without bound") {
  int locked = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    testing::Random random(seed);
    Contact contact;
    contact.normal = random.vector(2);
    contact.tangent = Mat(2, 2);
    contact.tangent << random.vector(2).transpose(), random.vector(2).transpose();
    contact.friction = Eigen::Vector2d(random.uniform(0.1, 3), random.uniform(0.1, 3));
    contact.restitution = random.uniform(0.1, 1);
    Vec u_minus = random.vector(2);
    if (contact.normal.dot(u_minus) > 0) u_minus = -u_minus;
    const ImpactProblem problem(random.mass_matrix(2), u_minus, {{"c", contact}});
    const LawOutcome outcome = resolve("stronge", problem);
    if (outcome.status != LawOutcome::Status::resolved) continue;
    const ImpactResult& result = outcome.results.at(0);
    CHECK(result.elements[0].Lambda.norm() < 1e6 * problem.M().norm() * u_minus.norm());
    CHECK(result.elements[0].work == doctest::Approx(result.T_plus - result.T_minus).epsilon(1e-8));
    locked += result.elements[0].state == State::stick;
  }
  CHECK(locked > 20);
}

// One contact of three free unit masses, or of the given ones.
ImpactProblem rough_in_space(const Vec& masses, const Vec& u_minus, const Vec& normal, const Vec& friction) {
  Contact contact;
  contact.normal = normal;
  contact.tangent = Mat(2, 3);
  contact.tangent << 0, 1, 0, 0, 0, 1;
  contact.friction = friction;
  contact.restitution = 0.5;
  return {masses.asDiagonal().toDenseMatrix(), u_minus, {{"c", contact}}};
}

TEST_CASE("ellipses of friction as narrow as a skate's come near the one that is a line") {
  const Vec unit = Vec::Ones(3), normal = Eigen::Vector3d(1, 0.3, 0.2), u_minus = Eigen::Vector3d(-2.7, 3, 4);
  for (const char* law : {"stronge", "poisson-routh", "newton-routh"}) {
    for (const bool first : {true, false}) {  // which axis is the rough one
      const Vec along = first ? u_minus : Vec(Eigen::Vector3d(-2.7, 4, 3));
      const Vec n = first ? normal : Vec(Eigen::Vector3d(1, 0.2, 0.3));
      const auto with = [&](double weak) {
        const Vec friction = first ? Eigen::Vector2d(5, weak) : Eigen::Vector2d(weak, 5);
        return one(law, rough_in_space(unit, along, n, friction));
      };
      const ImpactResult line = with(0);
      for (double weak : {1e-5, 1e-8, 1e-10, 1e-12, 1e-15}) {
        CAPTURE(weak);
        const ImpactResult narrow = with(weak);
        CHECK((narrow.u_plus - line.u_plus).norm() < 10 * weak + 1e-10);
        CHECK(narrow.work == doctest::Approx(narrow.T_plus - narrow.T_minus).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("slip that is stopped at once in one direction goes on in the other") {
  // v_T1 dies within Λ_N ≈ 3e-6; from there on f₁ = −G_N1/G_11 = −0.3 and v_N' = 1.13 − 0.09 − 0.2·10⁻³ with μ₂ = 10⁻³.
  const ImpactResult rough =
      one("poisson-routh", rough_in_space(Vec::Ones(3), Eigen::Vector3d(-2.7, 3, 4), Eigen::Vector3d(1, 0.3, 0.2),
                                          Eigen::Vector2d(1e6, 1e-3)));
  CHECK(rough.elements[0].gamma_plus(0) == doctest::Approx(0.95).epsilon(1e-6));
  CHECK(rough.elements[0].Lambda(0) == doctest::Approx(1.5 * 1.9 / (1.13 - 0.09 - 0.2e-3)).epsilon(1e-5));
  // A light mass beside two heavy ones: Λ_N = 1.5·10⁸, and friction takes 0.75 of the heavy one's velocity of 4.
  const ImpactResult heavy = one("stronge", rough_in_space(Eigen::Vector3d(1e8, 1, 1e8), Eigen::Vector3d(-1, 0.3, 4),
                                                           Eigen::Vector3d(1, 0, 0), Eigen::Vector2d(0.5, 0.5)));
  CHECK((heavy.elements[0].gamma_plus - Vec(Eigen::Vector3d(0.5, 0, 3.25))).norm() < 1e-8);
}

TEST_CASE("slip that ends just as the impact does sticks, if friction could hold it") {
  for (const char* law : {"stronge", "poisson-routh", "newton-routh"}) {
    Contact contact;
    contact.normal = Eigen::Vector2d(1, 0);
    contact.tangent = Eigen::RowVector2d(1, 2);
    contact.friction = Vec::Constant(1, 0.5);
    contact.restitution = 0.5;
    const ImpactResult result = one(law, {Mat::Identity(2, 2), Eigen::Vector2d(-1, 2.75), {{"c", contact}}});
    CHECK(result.elements[0].gamma_plus(1) == 0);
    CHECK(result.elements[0].state == State::stick);
    CHECK(result.routh->type == 2);
  }
}

TEST_CASE("one-point laws tell contacts that a light hinged body couples") {
  // u = s (1, 2): both contacts move with s, although little of either is left beside what the hinge takes.
  const auto contact = [](double x, double y) {
    Contact smooth;
    smooth.normal = Eigen::Vector2d(x, y);
    smooth.tangent.resize(0, 2);
    smooth.restitution = 0.5;
    return smooth;
  };
  const Mat M = Eigen::Vector2d(1e-7, 1e7).asDiagonal();
  const Element hinge{"hinge", Bilateral{Eigen::Vector2d(2, -1)}};
  const Eigen::Vector2d u_minus(-0.1, -0.2);
  const ImpactProblem one_contact(M, u_minus, {{"a", contact(0.684, 1)}, hinge});
  const ImpactResult result = one("stronge", one_contact);
  CHECK((result.u_plus + 0.5 * u_minus).norm() < 1e-12);
  const ImpactProblem two(M, u_minus, {{"a", contact(0.684, 1)}, {"b", contact(1, 0)}, hinge});
  CHECK(resolve("stronge", two).status == LawOutcome::Status::refused);
}
