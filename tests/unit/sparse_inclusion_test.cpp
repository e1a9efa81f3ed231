#include <doctest/doctest.h>

#include "engine/delassus.h"
#include "engine/inclusion.h"
#include "solvers/inclusion/islands.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/path/contact_directions.h"
#include "tests/support/large_problem.h"

using namespace carom;
using testing::FrictionKind;
using testing::LargeProblem;
using testing::PileOptions;

namespace {

InclusionOutcome solve(const char* solver, const Inclusion& inclusion, const Demand& demand = {}) {
  return find_solver(solver)->make()->solve(inclusion, demand);
}

Inclusion over(const Inclusion& inclusion, const Delassus& G) {
  Inclusion same = inclusion;
  same.G = &G;
  return same;
}

// Rows over a few coordinates each, mass blocks of sizes 1 to 3.
void make_random_rows(std::uint64_t seed, Index rows, Rows& W, MassMatrix& M) {
  testing::Random random(seed);
  std::vector<Index> sizes;
  for (Index i = 0; i < rows; ++i) sizes.push_back(random.integer(1, 3));
  M.resize(sizes);
  for (Index b = 0; b < M.block_count(); ++b) M.block(b) = random.mass_matrix(M.block_size(b));
  REQUIRE(M.factor());
  W.clear();
  for (Index i = 0; i < rows; ++i) {
    W.open_row();
    for (int k = 0; k < 4; ++k) W.add(random.integer(0, static_cast<int>(M.size()) - 1), random.normal());
  }
}

}  // namespace

TEST_CASE("the sparse operator is the dense one: entries, rows, products, parts") {
  Delassus G;  // rebuilt again and again, larger and smaller
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rows W;
    MassMatrix M;
    const Index rows = seed % 2 ? 20 : 70 + static_cast<Index>(seed);
    make_random_rows(seed, rows, W, M);
    G.rebuild(W, M);
    CHECK(G.sparse() == (rows > Delassus::largest_dense));
    const Mat Wd = W.dense(M.size());
    const Mat expected = Wd * M.dense().llt().solve(Mat(Wd.transpose()));
    const double scale = expected.cwiseAbs().maxCoeff();
    CHECK((G.dense() - expected).cwiseAbs().maxCoeff() < 1e-12 * scale);
    CHECK(G.dense() == G.dense().transpose());
    const Vec x = testing::Random(seed).vector(rows);
    CHECK((G * x - expected * x).cwiseAbs().maxCoeff() < 1e-11 * scale);
    CHECK((G.times(Mat(x)) - expected * x).cwiseAbs().maxCoeff() < 1e-11 * scale);
    CHECK(G.row_dot(3, x) == doctest::Approx((expected * x)(3)));
    double visited = 0;
    Index last = -1;
    G.visit_row(7, [&](Index j, double value) {
      CHECK(j > last);
      CHECK(value == G(7, j));
      last = j;
      visited += value * x(j);
    });
    CHECK(visited == doctest::Approx((expected * x)(7)));
    std::vector<Index> odd;
    for (Index i = 1; i < rows; i += 2) odd.push_back(i);
    CHECK((G.restricted(odd).dense() - expected(odd, odd)).cwiseAbs().maxCoeff() < 1e-12 * scale);
  }
}

TEST_CASE("the operator of a chain, kept as its two diagonals, is the dense one") {
  Delassus G;
  for (const Index rows : {70, 90, 70}) {
    testing::Random random(static_cast<std::uint64_t>(rows));
    Vec masses = random.vector(rows + 1).cwiseAbs();
    masses.array() += 1;
    MassMatrix M = MassMatrix::diagonal(masses);
    REQUIRE(M.factor());
    Rows W;
    for (Index i = 0; i < rows; ++i) {
      W.open_row();
      W.add(i, random.normal());
      if (i % 7 != 0) W.add(i + 1, random.normal());  // some do not couple at all
    }
    G.rebuild(W, M);
    const Mat dense = G.dense();
    const Vec x = random.vector(rows);
    for (Index i = 0; i < rows; ++i) {
      CHECK(G.row_dot(i, x) == doctest::Approx(dense.row(i).dot(x)).epsilon(1e-14));
      CHECK(G.row_sum(i, x).value == G.row_dot(i, x));
      CHECK(G.row_sum(i, x).size == doctest::Approx(dense.row(i).cwiseAbs().dot(x.cwiseAbs())).epsilon(1e-14));
      Vec visited = Vec::Zero(rows);
      G.visit_row(i, [&](Index j, double G_ij) { visited(j) = G_ij; });
      CHECK(visited == dense.row(i).transpose());
    }
  }
}

TEST_CASE("the residual of many rows is taken through their directions, and is that of the entries") {
  for (FrictionKind friction : {FrictionKind::none, FrictionKind::line, FrictionKind::disc, FrictionKind::ellipse}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      LargeProblem pile;
      testing::make_pile({.columns = 7, .layers = 6, .friction = friction, .noise = 0.01, .seed = seed}, pile);
      const Delassus G = pile.dense_G();
      Vec Lambda = testing::Random(seed).vector(G.size());
      for (const ForceSet& set : pile.inclusion.sets)
        if (!set.is_friction()) Lambda(set.row) = std::abs(Lambda(set.row));
      Lambda *= seed % 2 ? 1e-3 : 1e3;
      pile.G.set_directions(pile.W, pile.M);
      const double by_directions = natural_residual(pile.inclusion, Lambda);
      CHECK(by_directions == doctest::Approx(natural_residual(over(pile.inclusion, G), Lambda)).epsilon(1e-10));
      CHECK(pile.G.diagonal(5) == doctest::Approx(G(5, 5)).epsilon(1e-14));
      CHECK(pile.G.dense() == G.dense());  // found when asked for
    }
  }
}

TEST_CASE("sweeps over contacts are those of a plain projected Gauss–Seidel") {
  for (FrictionKind friction : {FrictionKind::none, FrictionKind::line, FrictionKind::disc}) {
    LargeProblem pile;
    testing::make_pile({.columns = 5, .layers = 5, .friction = friction, .noise = 0.01}, pile);
    const Mat G = pile.G.dense();
    const auto xi = [&](Index row, const Vec& Lambda) { return G.row(row).dot(Lambda) + pile.inclusion.c(row); };
    Vec plain = Vec::Zero(G.rows()), swept = plain;
    for (int k = 0; k < 5; ++k) {
      for (const ForceSet& set : pile.inclusion.sets) {
        if (!set.is_friction()) {
          plain(set.row) = std::max(0.0, plain(set.row) - xi(set.row, plain) / G(set.row, set.row));
          continue;
        }
        const Index n = set.size();
        const Eigen::SelfAdjointEigenSolver<Mat> own(G.block(set.row, set.row, n, n));
        Vec velocity(n);
        for (Index d = 0; d < n; ++d) velocity(d) = xi(set.row + d, plain);
        Vec target = plain.segment(set.row, n) - velocity / own.eigenvalues().maxCoeff();
        const double radius = set.friction(0) * plain(set.normal_row);
        if (target.norm() > radius) target *= radius / target.norm();
        plain.segment(set.row, n) = target;
      }
    }
    const ContactDirections contacts(pile.inclusion);
    std::vector<Eigen::Vector3d> z = contacts.stretched(swept);
    Vec v;
    contacts.velocity(z, v);
    contacts.sweep(5, z, v);
    contacts.unstretch(z, swept);
    CHECK((swept - plain).cwiseAbs().maxCoeff() < 1e-12 * plain.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a plastic impact on a chain moves it as one, whatever its length") {
  for (Index n : {3, 10, 100, 1000, 100000}) {
    LargeProblem chain;
    testing::make_chain(Vec::Ones(n), Vec::Unit(n, 0), false, chain);
    chain.demand.tolerance = 1e-11;
    const InclusionOutcome outcome = solve("semismooth", chain.inclusion, chain.demand);
    REQUIRE(outcome.status == InclusionOutcome::Status::solved);
    const Vec& Lambda = outcome.solutions.front().Lambda;  // Λᵢ = 1 − (i + 1)/n
    double off = 0;
    for (Index i = 0; i < Lambda.size(); ++i)
      off = std::max(off, std::abs(Lambda(i) - (1 - static_cast<double>(i + 1) / static_cast<double>(n))));
    CHECK(off < 1e-6);
  }
}

TEST_CASE("a chain at rest under gravity carries its weight, and keeps doing so from a warm start") {
  for (Index n : {10, 1000, 100000}) {
    LargeProblem chain;
    testing::make_chain(Vec::Ones(n), Vec::Constant(n, -0.01), true, chain);
    chain.demand.tolerance = 1e-10;
    const InclusionOutcome outcome = solve("semismooth", chain.inclusion, chain.demand);
    REQUIRE(outcome.status == InclusionOutcome::Status::solved);
    const Vec& Lambda = outcome.solutions.front().Lambda;
    for (Index i : {Index{0}, n / 2, n - 1}) CHECK(Lambda(i) == doctest::Approx(0.01 * static_cast<double>(n - i)));
    chain.demand.start = &Lambda;
    const InclusionOutcome again = solve("semismooth", chain.inclusion, chain.demand);
    CHECK(again.status == InclusionOutcome::Status::solved);
    CHECK(again.iterations == 0);
  }
}

TEST_CASE("random chains: semismooth agrees with pivoting on the dense operator") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    testing::Random random(seed);
    LargeProblem chain;
    Vec masses(90);
    for (double& mass : masses) mass = random.uniform(0.1, 3);
    testing::make_chain(masses, random.vector(90), seed % 2 == 0, chain);
    REQUIRE(chain.G.sparse());
    const InclusionOutcome sparse = solve("semismooth", chain.inclusion, chain.demand);
    const Delassus G = chain.dense_G();
    const InclusionOutcome dense = solve("lemke", over(chain.inclusion, G), chain.demand);
    REQUIRE(sparse.status == InclusionOutcome::Status::solved);
    REQUIRE(dense.status == InclusionOutcome::Status::solved);
    const double scale = dense.solutions.front().Lambda.cwiseAbs().maxCoeff();
    CHECK((sparse.solutions.front().Lambda - dense.solutions.front().Lambda).cwiseAbs().maxCoeff() < 1e-10 * scale);
  }
}

TEST_CASE("piles with every kind of friction are solved to their residual, seen by the dense operator too") {
  for (FrictionKind friction : {FrictionKind::none, FrictionKind::line, FrictionKind::disc, FrictionKind::ellipse}) {
    for (double noise : {0.0, 0.003}) {
      for (double mu : {0.1, 0.5}) {
        LargeProblem pile;
        testing::make_pile({.columns = 7, .layers = 6, .friction = friction, .mu = mu, .noise = noise}, pile);
        pile.demand.tolerance = 1e-11;
        const InclusionOutcome outcome = solve("semismooth", pile.inclusion, pile.demand);
        CAPTURE(static_cast<int>(friction));
        CAPTURE(noise);
        CAPTURE(mu);
        REQUIRE_MESSAGE(outcome.status == InclusionOutcome::Status::solved, outcome.reason);
        const Delassus G = pile.dense_G();
        CHECK(natural_residual(over(pile.inclusion, G), outcome.solutions.front().Lambda) < 2e-11);
      }
    }
  }
}

TEST_CASE("frictionless piles have one velocity, also where contacts are redundant") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    PileOptions options{.columns = 6, .layers = 6, .friction = FrictionKind::none, .noise = 0.01, .seed = seed};
    LargeProblem once;
    testing::make_pile(options, once);
    options.copies = 2;
    LargeProblem twice;
    testing::make_pile(options, twice);
    const InclusionOutcome sparse = solve("semismooth", once.inclusion, once.demand);
    const InclusionOutcome redundant = solve("semismooth", twice.inclusion, twice.demand);
    const Delassus G = once.dense_G();
    const InclusionOutcome dense = solve("gauss-seidel", over(once.inclusion, G), once.demand);
    REQUIRE_MESSAGE(sparse.status == InclusionOutcome::Status::solved, sparse.reason);
    REQUIRE_MESSAGE(redundant.status == InclusionOutcome::Status::solved, redundant.reason);
    REQUIRE_MESSAGE(dense.status == InclusionOutcome::Status::solved, dense.reason);
    const Vec& xi = sparse.solutions.front().xi;
    const double scale = once.inclusion.c.cwiseAbs().maxCoeff();
    CHECK((xi - dense.solutions.front().xi).cwiseAbs().maxCoeff() < 1e-10 * scale);
    CHECK((xi - redundant.solutions.front().xi.head(xi.size())).cwiseAbs().maxCoeff() < 1e-10 * scale);
  }
}

TEST_CASE("gauss-seidel takes the same path on the sparse and on the dense operator") {
  for (FrictionKind friction : {FrictionKind::line, FrictionKind::ellipse}) {
    LargeProblem pile;
    testing::make_pile({.columns = 4, .layers = 4, .friction = friction, .noise = 0.01}, pile);
    pile.demand.tolerance = 1e-11;
    const Delassus G = pile.dense_G();
    const InclusionOutcome sparse = solve("gauss-seidel", pile.inclusion, pile.demand);
    const InclusionOutcome dense = solve("gauss-seidel", over(pile.inclusion, G), pile.demand);
    REQUIRE(sparse.status == InclusionOutcome::Status::solved);
    REQUIRE(dense.status == InclusionOutcome::Status::solved);
    const double scale = dense.solutions.front().Lambda.cwiseAbs().maxCoeff();
    CHECK((sparse.solutions.front().Lambda - dense.solutions.front().Lambda).cwiseAbs().maxCoeff() < 1e-10 * scale);
  }
}

TEST_CASE("what G does not couple is solved apart") {
  LargeProblem chain;  // every fourth contact is missing: balls in groups of four, three contacts each
  Vec u = testing::Random(3).vector(400);
  chain.M = MassMatrix::diagonal(Vec::Ones(400));
  REQUIRE(chain.M.factor());
  chain.u = u;
  for (Index i = 0; i + 1 < 400; ++i) {
    if (i % 4 == 3) continue;
    ForceSet set;
    set.row = chain.W.count();
    chain.inclusion.sets.push_back(set);
    chain.W.open_row();
    chain.W.add(i, -1);
    chain.W.add(i + 1, 1);
  }
  chain.pose();
  const std::vector<Island> parts = islands(chain.inclusion);
  CHECK(parts.size() == 100);
  CHECK(parts[7].rows == std::vector<Index>{21, 22, 23});
  const InclusionOutcome outcome = solve("semismooth", chain.inclusion, chain.demand);
  REQUIRE(outcome.status == InclusionOutcome::Status::solved);
  CHECK(natural_residual(chain.inclusion, outcome.solutions.front().Lambda) <= residual_tolerance);
}

TEST_CASE("a large problem without solution is reported as such, never answered") {
  LargeProblem chain;
  testing::make_chain(Vec::Ones(100), testing::Random(1).vector(100), true, chain);
  chain.W.open_row();  // a direction that nothing moves along
  ForceSet dead;
  dead.row = chain.W.count() - 1;
  chain.inclusion.sets.push_back(dead);
  chain.pose();
  chain.inclusion.r(dead.row) = 1;
  chain.inclusion.c(dead.row) = -1;
  for (const char* name : {"semismooth", "auto"}) {
    const InclusionOutcome outcome = solve(name, chain.inclusion, chain.demand);
    CHECK(outcome.status == InclusionOutcome::Status::unsolved);
    CHECK(!outcome.reason.empty());
    CHECK(outcome.solutions.empty());
  }
}

TEST_CASE("where one solution will do, auto finds one, and without friction the one that enumeration knows") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    LargeProblem pile;
    const auto friction = static_cast<FrictionKind>(seed % 4);
    testing::make_pile({.columns = 2, .layers = 1, .friction = friction, .noise = 0.01, .seed = seed}, pile);
    REQUIRE(!pile.G.sparse());
    pile.demand.every = false;
    const InclusionOutcome one = solve("auto", pile.inclusion, pile.demand);
    REQUIRE_MESSAGE(one.status == InclusionOutcome::Status::solved, one.reason);
    CHECK(one.solutions.size() == 1);
    CHECK(one.solutions.front().residual <= residual_tolerance);
    if (friction != FrictionKind::none) continue;  // with it redundant contacts have a continuum of solutions
    const InclusionOutcome all = solve("enumerate", pile.inclusion, pile.demand);
    ++compared;
    CAPTURE(seed);
    const double scale = pile.inclusion.c.cwiseAbs().maxCoeff();
    CHECK(std::any_of(all.solutions.begin(), all.solutions.end(), [&](const InclusionSolution& solution) {
      return (solution.xi - one.solutions.front().xi).cwiseAbs().maxCoeff() < 1e-8 * scale;
    }));
  }
  CHECK(compared >= 10);
}
