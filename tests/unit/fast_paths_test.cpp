// What a step does at less cost gives what the plain way gives.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "config/scene.h"
#include "engine/residual_up_to.h"
#include "engine/simulation.h"
#include "solvers/inclusion/follower.h"
#include "solvers/inclusion/kept_lu.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/pivot/active_set.h"
#include "solvers/inclusion/pivot/banded_ldlt.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"

using namespace carom;
using testing::Random;

namespace {

double relative_distance(const Vec& a, const Vec& b) { return (a - b).norm() / (1 + b.norm()); }

// A chain of bodies with random masses, every contact between neighbours: G is tridiagonal.
struct Chain {
  Delassus G;
  Inclusion inclusion;

  Chain(Index contacts, Random& random) {
    MassMatrix M = MassMatrix::diagonal(Vec::Ones(contacts + 1));
    for (Index i = 0; i <= contacts; ++i) M.block(i)(0, 0) = random.uniform(0.2, 5);
    REQUIRE(M.factor());
    Rows W;
    for (Index i = 0; i < contacts; ++i) {
      W.open_row();
      W.add(i, -1);
      W.add(i + 1, 1);
    }
    G.rebuild(W, M);
    inclusion.G = &G;
    inclusion.c.resize(contacts);
    inclusion.r.resize(contacts);
    for (Index i = 0; i < contacts; ++i) {
      inclusion.c(i) = random.normal();
      inclusion.r(i) = 1 / G(i, i);
      inclusion.sets.push_back({.row = i});
    }
  }
};

// Planar contacts with friction on a body with more freedom than they have rows: nothing is redundant.
struct Contacts2D {
  Delassus G;
  Inclusion inclusion;

  Contacts2D(Index contacts, double mu, Random& random) {
    Mat W(2 * contacts + 2, 2 * contacts);
    for (Index i = 0; i < W.size(); ++i) W.data()[i] = random.normal();
    G = Delassus(W);
    inclusion.G = &G;
    inclusion.c.resize(2 * contacts);
    inclusion.r.resize(2 * contacts);
    for (Index i = 0; i < 2 * contacts; ++i) {
      inclusion.c(i) = random.normal();
      inclusion.r(i) = 1 / G(i, i);
    }
    for (Index i = 0; i < contacts; ++i) add_contact_sets({mu, mu}, 1, 2 * i, 0, inclusion.sets);
  }
};

// The same system without anything it can do at less cost.
class PlainSystem final : public System {
 public:
  explicit PlainSystem(const System& system) : system_(system) {}
  std::vector<Coordinate> positions() const override { return system_.positions(); }
  std::vector<Coordinate> velocities() const override { return system_.velocities(); }
  void move(const Vec& q, const Vec& d, Vec& result) const override { system_.move(q, d, result); }
  void mass(const Vec& q, MassMatrix& M) const override { system_.mass(q, M); }
  double potential(double t, const Vec& q) const override { return system_.potential(t, q); }
  void forces(double t, const Vec& q, const Vec& u, Vec& inner, Vec& applied) const override {
    system_.forces(t, q, u, inner, applied);
  }
  void force_gradient(double t, const Vec& q, const Vec& u, ForceGradient& gradient) const override {
    system_.force_gradient(t, q, u, gradient);
  }
  Index geometric_joint_rows() const override { return system_.geometric_joint_rows(); }
  Index joint_rows() const override { return system_.joint_rows(); }
  void joint_gaps(double t, const Vec& q, Vec& g) const override { system_.joint_gaps(t, q, g); }
  void joint_directions(double t, const Vec& q, Rows& B, Vec& b) const override {
    system_.joint_directions(t, q, B, b);
  }
  std::string joint_name(Index row) const override { return system_.joint_name(row); }
  void contacts(const Vec& q, const Vec& u, double h, Contacts& contacts) const override {
    system_.contacts(q, u, h, contacts);
  }
  std::size_t named_contacts() const override { return system_.named_contacts(); }
  std::string contact_name(std::uint64_t key) const override { return system_.contact_name(key); }
  void clutches(const Vec& q, Clutches& clutches) const override { system_.clutches(q, clutches); }
  std::string clutch_name(Index i) const override { return system_.clutch_name(i); }

 private:
  const System& system_;
};

// A solver that follows nothing.
class PlainSolver final : public InclusionSolver {
 public:
  void solve_into(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome) const override {
    solver_->solve_into(inclusion, demand, outcome);
  }

 private:
  std::unique_ptr<InclusionSolver> solver_ = find_solver("auto")->make();
};

void check_same_course(const std::string& yaml, int steps, double tolerance) {
  CAPTURE(yaml);
  const Scene scene = read_scene_text(yaml, "fast paths");
  const auto law = make_law(scene.law);
  const auto solver = find_solver("auto")->make();
  const PlainSystem plain_system(*scene.system);
  const PlainSolver plain_solver;
  Simulation fast(*scene.system, *law, nullptr, *solver, scene.integrator);
  Simulation plain(plain_system, *law, nullptr, plain_solver, scene.integrator);
  fast.start(scene.q, scene.u);
  plain.start(scene.q, scene.u);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    fast.step(nullptr);
    plain.step(nullptr);
    worst = std::max({worst, relative_distance(fast.state().q, plain.state().q),
                      relative_distance(fast.state().u, plain.state().u)});
    REQUIRE(fast.sample().contacts.size() == plain.sample().contacts.size());
    for (std::size_t i = 0; i < fast.sample().contacts.size(); ++i) {
      const ContactSample &a = fast.sample().contacts[i], &b = plain.sample().contacts[i];
      worst =
          std::max({worst, std::abs(a.gap - b.gap), (a.velocity - b.velocity).norm(), (a.impulse - b.impulse).norm()});
    }
    worst = std::max(worst, std::abs(fast.state().energy.drift() - plain.state().energy.drift()));
  }
  CHECK(worst < tolerance);
  CHECK(fast.counts().impacts == plain.counts().impacts);
}

// Balls of random sizes, masses and gaps between walls, with random velocities.
std::string random_chain(std::uint64_t seed) {
  Random random(seed);
  const Index balls = random.integer(2, 90);
  std::string masses, velocities, gaps;
  for (Index i = 0; i < balls; ++i) {
    const std::string comma = i > 0 ? ", " : "";
    masses += comma + std::to_string(random.uniform(0.3, 3));
    velocities += comma + std::to_string(random.uniform(-1, 1));
    if (i > 0) gaps += (i > 1 ? ", " : "") + std::to_string(std::max(0.0, random.uniform(-0.002, 0.002)));
  }
  return "model: {type: ball-chain, balls: " + std::to_string(balls) + ", radius: 0.01, mass: [" + masses +
         "], velocity: [" + velocities + "], gap: [" + gaps +
         "], gravity: 9.81, wall: both, wall_gap: 0.001, restitution: " + std::to_string(random.uniform(0, 0.9)) +
         "}\nintegrator: {step: 1e-3, duration: 1}\n";
}

// Links lying on a floor, dragged along it, hinged to each other where `is_hinged` says so: every link touches.
std::string hinged_links(int links, const std::string& friction, const std::function<bool(int)>& is_hinged) {
  std::string bodies, joints, contacts;
  const auto name = [](int i) { return "l" + std::to_string(i); };
  for (int i = 0; i < links; ++i) {
    bodies += "  " + name(i) + ": {position: [" + std::to_string(0.1 + 0.2 * i) + ", 0], velocity: [0.05, 0]}\n";
    contacts += "  s" + std::to_string(i) + ": {point: " + name(i) +
                ".start, plane: {point: [0, 0]}, friction: " + friction + "}\n";
    if (i > 0 && is_hinged(i))
      joints += "  - {revolute: [" + name(i - 1) + ", " + name(i) + "], at: {" + name(i - 1) + ": end, " + name(i) +
                ": start}}\n";
  }
  return "gravity: [0, -9.81]\ndefaults:\n  body: {shape: rod, length: 0.2, mass: 1}\nbodies:\n" + bodies +
         "joints:\n" + joints + "contacts:\n" + contacts + "integrator: {step: 1e-3, duration: 1, tolerance: 1e-12}\n";
}

}  // namespace

TEST_CASE("A banded factor solves what a dense one solves") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index n = random.integer(1, 40), width = std::min<Index>(random.integer(0, 8), n - 1);
    Mat A = Mat::Zero(n, n);
    BandedLdlt band;
    band.resize(n, width);
    for (Index i = 0; i < n; ++i)
      for (Index j = std::max<Index>(0, i - width); j <= i; ++j)
        A(i, j) = A(j, i) = band(i, j) = random.normal() + (i == j ? 3.0 * static_cast<double>(width) + 3 : 0);
    const Vec b = Vec::NullaryExpr(n, [&] { return random.normal(); });
    Vec x = b;
    REQUIRE(band.factor());
    band.solve_in_place(x);
    CHECK(relative_distance(x, A.ldlt().solve(b)) < 1e-10);
  }
  BandedLdlt indefinite;
  indefinite.resize(2, 1);
  indefinite(0, 0) = indefinite(1, 1) = 1;
  indefinite(1, 0) = 2;
  CHECK_FALSE(indefinite.factor());
}

TEST_CASE("An LU decomposition that keeps its storage solves what a plain one solves, whatever was in it before") {
  KeptLu lu;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index n = random.integer(1, 30);
    Mat A(n, n);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = random.integer(0, 3) == 0 ? 0 : random.normal();
    const Vec b = random.vector(n);
    const Eigen::FullPivLU<Mat> plain(A);
    lu.resize(n);
    lu.matrix() = A;
    lu.unknowns() = b;
    const double pivot = lu.factor();
    if (!plain.isInvertible() || !(plain.rcond() > 1e-6)) continue;
    REQUIRE(pivot > 0);
    lu.solve();
    CHECK(relative_distance(lu.unknowns(), plain.solve(b)) < 1e-9);
  }
  lu.resize(2);
  lu.matrix() << 1, 2, 2, 4;
  CHECK(lu.factor() == 0);
}

TEST_CASE("G of few directions in one mass block is WᵀM⁻¹W, and so is what their white directions give") {
  Delassus G;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index n = random.integer(1, 6), rows = random.integer(1, 5);
    MassMatrix M({n});
    const Mat dense = random.mass_matrix(n);
    M.block(0) = dense;
    REQUIRE(M.factor());
    Rows W;
    for (Index i = 0; i < rows; ++i) {
      W.open_row();
      for (Index k = n - 1; k >= 0; --k)
        if (random.integer(0, 2) > 0) W.add(k, random.normal());
      W.add(random.integer(0, static_cast<int>(n) - 1), random.normal());  // a coordinate may come twice
    }
    G.rebuild(W, M);
    const Mat full = W.dense(n), expected = full * dense.llt().solve(Mat(full.transpose()));
    CHECK((G.dense() - expected).norm() < 1e-10 * (1 + expected.norm()));
    REQUIRE(G.has_white_rows());
    const Mat white = G.white_rows().dense(n);
    CHECK((white * white.transpose() - expected).norm() < 1e-10 * (1 + expected.norm()));

    Vec x = random.vector(n);
    const Vec y = x;
    CHECK(std::abs(M.kinetic_energy(y) - 0.5 * y.dot(dense * y)) < 1e-10 * (1 + y.dot(dense * y)));
    Vec product;
    M.multiply(y, product);
    CHECK(relative_distance(product, dense * y) < 1e-12);
    M.solve_in_place(x);
    CHECK(relative_distance(dense * x, y) < 1e-10);
    x = y;
    M.whiten(x);
    M.unwhiten(x);
    CHECK(relative_distance(dense * x, y) < 1e-10);
  }
}

TEST_CASE("A residual is told to the limit that is asked for") {
  int told = 0, cut = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Contacts2D contacts(random.integer(1, 5), 0.3, random);
    const Vec Lambda = random.vector(contacts.inclusion.c.size());
    const double whole = natural_residual(contacts.inclusion, Lambda), limit = random.uniform(0, 2) * whole;
    const double found = residual_up_to(limit, contacts.inclusion, Lambda);
    if (whole <= limit) {
      ++told;
      CHECK(found == whole);
    } else {
      ++cut;
      CHECK(found > limit);
    }
  }
  CHECK(std::min(told, cut) > 20);
}

TEST_CASE("Following a chain of random bodies finds what solvers find") {
  const auto solver = find_solver("auto")->make();
  const auto follower = make_follower();  // one for all sizes: it keeps nothing that depends on the problem
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Chain chain(random.integer(1, 150), random);
    const InclusionOutcome plain = solver->solve(chain.inclusion, {.every = false});
    REQUIRE(plain.status == InclusionOutcome::Status::solved);
    Vec Lambda = Vec::Zero(chain.inclusion.c.size());
    const auto found = follower->follow(chain.inclusion, {}, Lambda);
    REQUIRE(found);
    CHECK(found->residual <= residual_tolerance);
    CHECK(relative_distance(Lambda, plain.solutions.front().Lambda) < 1e-10);
  }
}

TEST_CASE("Following one row without friction solves it, and leaves an impulse that already does") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto follower = make_follower();
  for (int k = 0; k < 1000; ++k) {
    const Delassus G = Delassus::from_matrix(Mat{{std::pow(10, 3 * uniform(random))}});
    Inclusion inclusion;
    inclusion.G = &G;
    inclusion.c = Vec{{uniform(random)}};
    inclusion.r = Vec{{1 / G(0, 0)}};
    inclusion.sets.resize(1);
    inclusion.frictionless = inclusion.unilateral = true;
    Vec Lambda{{uniform(random)}};
    const auto found = follower->follow(inclusion, {}, Lambda);
    REQUIRE(found);
    CHECK(natural_residual(inclusion, Lambda) <= 1e-15);
    CHECK((Lambda(0) > 0) == (inclusion.c(0) < 0));
    const Vec kept{{std::nextafter(Lambda(0), 2 * Lambda(0))}};
    Vec again = kept;
    REQUIRE(follower->follow(inclusion, {}, again));
    CHECK(again(0) == kept(0));
  }
}

TEST_CASE("Following contacts with friction keeps to the solution it started near") {
  const auto solver = find_solver("auto")->make();
  const auto follower = make_follower();
  int followed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Contacts2D contacts(random.integer(1, 5), random.uniform(0.05, 0.5), random);
    const InclusionOutcome plain = solver->solve(contacts.inclusion, {.every = false});
    if (plain.status != InclusionOutcome::Status::solved) continue;
    const Vec& solution = plain.solutions.front().Lambda;
    Vec Lambda = solution;
    for (Index i = 0; i < Lambda.size(); ++i) Lambda(i) *= 1 + 1e-4 * random.normal();
    const auto found = follower->follow(contacts.inclusion, {}, Lambda);
    if (!found) continue;
    ++followed;
    CHECK(natural_residual(contacts.inclusion, Lambda) <= residual_tolerance);
    CHECK(relative_distance(Lambda, solution) < 1e-10);
  }
  CHECK(followed > 180);
}

TEST_CASE("Following contacts that slide along two tangents keeps to the solution it started near") {
  const auto solver = find_solver("auto")->make();
  const auto follower = make_follower();
  int followed = 0, slid = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index contacts = random.integer(1, 3);
    Mat W(3 * contacts + 2, 3 * contacts);
    for (Index i = 0; i < W.size(); ++i) W.data()[i] = random.normal();
    const Delassus G(W);
    Inclusion inclusion;
    inclusion.G = &G;
    inclusion.c = Vec::NullaryExpr(3 * contacts, [&] { return random.normal(); });
    inclusion.r = G.dense().diagonal().cwiseInverse();
    for (Index i = 0; i < contacts; ++i)
      add_contact_sets({random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)}, 2, 3 * i, 0, inclusion.sets);
    const InclusionOutcome plain = solver->solve(inclusion, {.every = false});
    if (plain.status != InclusionOutcome::Status::solved) continue;
    const Vec& solution = plain.solutions.front().Lambda;
    Vec Lambda = solution;
    for (Index i = 0; i < Lambda.size(); ++i) Lambda(i) *= 1 + 1e-4 * random.normal();
    const auto found = follower->follow(inclusion, {}, Lambda);
    if (!found) continue;
    ++followed;
    for (Index i = 0; i < contacts; ++i)
      slid += solution(3 * i) > 0 && (W.transpose() * W * solution + inclusion.c).segment<2>(3 * i + 1).norm() > 1e-6;
    CHECK(natural_residual(inclusion, Lambda) <= residual_tolerance);
    CHECK(relative_distance(Lambda, solution) < 1e-10);
  }
  CHECK(followed > 130);
  CHECK(slid > 50);
}

TEST_CASE("Redundant sticking contacts are followed to impulses near those they had") {
  // The same contact twice on one particle: only the sum of the impulses is determined.
  Mat W(2, 4);
  W << 0, 1, 0, 1,  //
      1, 0, 1, 0;
  const Delassus G(W);
  Inclusion inclusion;
  inclusion.G = &G;
  inclusion.c = W.transpose() * Eigen::Vector2d(0.1, -1);
  inclusion.r = Vec::Ones(4);
  for (Index row : {0, 2}) add_contact_sets({0.5, 0.5}, 1, row, 0, inclusion.sets);
  const Vec start = Eigen::Vector4d(0.3, -0.03, 0.6, -0.05);
  Vec Lambda = start;
  REQUIRE(make_follower()->follow(inclusion, {}, Lambda));
  CHECK(natural_residual(inclusion, Lambda) <= residual_tolerance);
  CHECK(Lambda(0) + Lambda(2) == doctest::Approx(1));
  CHECK(Lambda(1) + Lambda(3) == doctest::Approx(-0.1));
  CHECK((Lambda - start).norm() < 0.1);
}

TEST_CASE("Redundant contacts without friction are left to solvers that find the least impulses") {
  const Delassus G(Mat::Ones(1, 2));
  Inclusion inclusion;
  inclusion.G = &G;
  inclusion.c = Vec::Constant(2, -1);
  inclusion.r = Vec::Ones(2);
  for (Index row : {0, 1}) inclusion.sets.push_back({.row = row});
  Vec Lambda = Eigen::Vector2d(0.3, 0.6);
  CHECK_FALSE(make_follower()->follow(inclusion, {}, Lambda));
}

TEST_CASE("Steps on fixed directions with a followed solution are those of the plain way") {
  for (const std::string law : {"newton", "poisson", "inelastic"}) {
    const std::string end = "law: " + law + "\n";
    check_same_course("model: {type: ball, restitution: 0.8}\nintegrator: {step: 1e-3, duration: 5}\n" + end, 4500,
                      1e-10);
    check_same_course(
        "model: {type: ball-chain, balls: 12, radius: 0.01, velocity: 0, gravity: 9.81, wall: left, restitution: 0.5}\n"
        "integrator: {step: 1e-3, duration: 1}\n" +
            end,
        300, 1e-10);
    check_same_course(
        "model: {type: ball-chain, balls: 80, radius: 0.01, speed: 1, restitution: 0.9}\n"
        "integrator: {step: 1e-3, duration: 1}\n" +
            end,
        50, 1e-10);
    check_same_course(
        "model: {type: double-pendulum, mass: 3, length: 2, position: [20 deg, 30 deg], velocity: [-0.1, -0.2],\n"
        "        contact: floor, restitution: 0.5, friction: 0.5}\nintegrator: {step: 1e-4, duration: 2}\n" +
            end,
        8000, 1e-9);
    check_same_course("model: slide-push\nintegrator: {step: 1e-3, duration: 2}\n" + end, 1500, 1e-10);
    check_same_course("model: disk-on-plane\nintegrator: {step: 1e-3, duration: 2}\n" + end, 1000, 1e-10);
  }
}

TEST_CASE("Random chains of balls take the same course the plain way") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const std::string law : {"newton", "poisson"})
      check_same_course(random_chain(seed) + "law: " + law + "\n", 40, 1e-10);
}

TEST_CASE("Many contacts on hinges, kept as rows of their own, take the course of eliminated ones") {
  const std::function<bool(int)> all = [](int) { return true; };
  const std::function<bool(int)> in_pairs = [](int i) { return i % 2 == 1; };
  const std::function<bool(int)> few = [](int i) { return i < 8; };
  for (const auto& is_hinged : {all, in_pairs, few})
    for (const std::string friction : {"0", "0.3"})
      check_same_course(hinged_links(65, friction, is_hinged) + "law: newton\n", 15, 1e-10);
}
