// Parts of the large frictional solver, and piles that need all of them.

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/inclusion.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/path/central_path.h"
#include "solvers/inclusion/path/dilated_steps.h"
#include "solvers/inclusion/path/normal_map.h"
#include "solvers/inclusion/path/proximal_newton.h"
#include "solvers/inclusion/path/velocity_matrix.h"
#include "tests/support/large_problem.h"

using namespace carom;
using testing::FrictionKind;
using testing::LargeProblem;

namespace {

// W̃ with three columns a contact.
Mat dense_directions(const ContactDirections& contacts) {
  Mat W = Mat::Zero(contacts.velocity_size(), 3 * static_cast<Index>(contacts.count()));
  for (std::size_t i = 0; i < contacts.count(); ++i)
    for (std::size_t k = 0; k < contacts[i].coordinates; ++k)
      W.block<1, 3>(contacts.coordinate(contacts[i], k), 3 * static_cast<Index>(i)) =
          contacts.direction(contacts[i], k).transpose();
  return W;
}

// A pile that falls and is shaken: most contacts open or slide.
void make_shaken_pile(int columns, int layers, double mu, std::uint64_t seed, LargeProblem& pile) {
  testing::make_pile(
      {.columns = columns, .layers = layers, .friction = FrictionKind::line, .mu = mu, .noise = 0.05, .seed = seed},
      pile);
}

}  // namespace

TEST_CASE("the velocity matrix solves as its dense image does, for symmetric and unsymmetric blocks") {
  for (FrictionKind friction : {FrictionKind::none, FrictionKind::line, FrictionKind::disc}) {
    LargeProblem pile;
    testing::make_pile({.columns = 6, .layers = 5, .friction = friction}, pile);
    const ContactDirections contacts(pile.inclusion);
    VelocityMatrix matrix(contacts);
    testing::Random random(7);
    int negative = 0;
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Eigen::Matrix3d> K(contacts.count());
      Mat blocks = Mat::Zero(3 * static_cast<Index>(K.size()), 3 * static_cast<Index>(K.size()));
      for (std::size_t i = 0; i < K.size(); ++i) {
        for (double& entry : K[i].reshaped()) entry = random.normal();
        blocks.block<3, 3>(3 * static_cast<Index>(i), 3 * static_cast<Index>(i)) = K[i];
      }
      const Mat W = dense_directions(contacts);
      const Mat expected = Mat::Identity(W.rows(), W.rows()) + W * blocks * W.transpose();
      REQUIRE(matrix.factor(K));
      const Vec b = random.vector(W.rows());
      Vec x = b;
      matrix.solve(x);
      CHECK((expected * x - b).cwiseAbs().maxCoeff() < 1e-9 * (1 + x.cwiseAbs().maxCoeff()));
      const auto lu = expected.partialPivLu();
      int sign = static_cast<int>(lu.permutationP().determinant());
      for (Index k = 0; k < W.rows(); ++k) sign *= lu.matrixLU()(k, k) < 0 ? -1 : 1;
      CHECK(matrix.determinant_sign() == sign);
      negative += sign < 0;
      const auto changed = static_cast<std::size_t>(random.integer(0, static_cast<int>(K.size()) - 1));
      for (double& entry : K[changed].reshaped()) entry = random.normal();
      Vec again = b;
      REQUIRE(matrix.factor(K));
      matrix.solve(again);
      for (const char* tree : {"its own", "the one before"}) {
        CAPTURE(tree);
        VelocityMatrix other(contacts);
        Vec anew = b;
        REQUIRE(other.factor(K));
        other.solve(anew);
        CHECK(again == anew);
      }
    }
    CHECK(negative > 0);
    CHECK(negative < 10);
  }
}

TEST_CASE("one proximal step of the normal map: its path ends where Newton's method does, in the regular inclusion") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LargeProblem pile;
    make_shaken_pile(6, 5, 0.5, seed, pile);
    for (const double offset : {0.0, 0.02, -0.02}) {
      CAPTURE(seed);
      CAPTURE(offset);
      for (ForceSet& set : pile.inclusion.sets)
        if (set.normal_row >= 0) set.offset = offset;
      const ContactDirections contacts(pile.inclusion);
      VelocityMatrix matrix(contacts);
      NormalMap map(contacts, matrix);
      const std::vector<Eigen::Vector3d> zero(contacts.count(), Eigen::Vector3d::Zero());
      map.start(zero);
      map.centre(1);  // G + diag(G_NN): the answer is the only one
      REQUIRE(map.newton(50));
      const std::vector<Eigen::Vector3d> at_once = map.impulses();
      map.start(zero);
      map.centre(1);
      REQUIRE(map.follow_path(2000));
      const std::vector<Eigen::Vector3d> cell_by_cell = map.impulses();
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < contacts.count(); ++i) {
        largest = std::max(largest, at_once[i].norm());
        difference = std::max(difference, (at_once[i] - cell_by_cell[i]).norm());
      }
      CHECK(largest > 0);
      CHECK(difference < 1e-9 * largest);
      // Λ = P(Λ − r(ξ + g(Λ − Λ°))) with Λ° from zero impulses
      Vec v;
      contacts.velocity(at_once, v);
      for (std::size_t i = 0; i < contacts.count(); ++i) {
        const auto& contact = contacts[i];
        const Eigen::Vector3d centre(std::max(0.0, -contact.rho_normal * contact.c(0)), 0, 0);
        const double R_centre = contact.radius(centre);
        const double T_centre = std::clamp(-contact.rho_tangential * contact.c(1), -R_centre, R_centre);
        const Eigen::Vector3d xi = contacts.along(contact, v) + contact.c;
        const double xi_N = xi(0) + (at_once[i](0) - centre(0)) / contact.rho_normal;
        const double xi_T = xi(1) + (at_once[i](1) - T_centre) / contact.rho_normal;
        const double R = contact.radius(at_once[i]);
        CHECK(at_once[i](0) == doctest::Approx(std::max(0.0, at_once[i](0) - contact.rho_normal * xi_N)).epsilon(1e-9));
        CHECK(at_once[i](1) ==
              doctest::Approx(std::clamp(at_once[i](1) - contact.rho_tangential * xi_T, -R, R)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("the central path leads near a solution, from which Newton's method ends at rounding level") {
  int led = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    LargeProblem pile;
    make_shaken_pile(6, 5, 0.3, seed, pile);
    const ContactDirections contacts(pile.inclusion);
    VelocityMatrix matrix(contacts);
    CentralPath path(contacts, matrix);
    path.start(std::vector<Eigen::Vector3d>(contacts.count(), Eigen::Vector3d::Zero()), 1, CentralPath::coulomb);
    Vec Lambda(pile.inclusion.c.size());
    contacts.unstretch(path.impulses(), Lambda);
    const double at_start = natural_residual(pile.inclusion, Lambda);
    for (int step = 0; step < 300 && path.gap() > 1e-15 && path.advance(); ++step) {
    }
    std::vector<Eigen::Vector3d> z = path.impulses();
    contacts.unstretch(z, Lambda);
    CHECK(natural_residual(pile.inclusion, Lambda) < 1e-2 * at_start);
    ProximalNewton newton(contacts, matrix);
    double least = HUGE_VAL;
    for (int step = 0; step < 8 && least > 1e-11; ++step) {
      newton.step(step % 2 == 0 ? 1e6 : 1e4, 8, z);
      contacts.unstretch(z, Lambda);
      least = std::min(least, natural_residual(pile.inclusion, Lambda));
    }
    led += path.gap() < 1e-7 && least < 1e-10;
  }
  CHECK(led >= 4);
}

// A pile of balls in space that falls and is shaken; with two copies every contact is there twice.
void make_balls(FrictionKind friction, std::uint64_t seed, int copies, LargeProblem& pile) {
  const double mu = seed % 2 == 0 ? 0.3 : 0.5;
  testing::make_pile(
      {.columns = 6, .layers = 5, .friction = friction, .mu = mu, .noise = 0.05, .seed = seed, .copies = copies}, pile);
}

TEST_CASE("a proximal point solves the inclusion in which every contact gives way about where it was") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    LargeProblem pile;
    make_balls(FrictionKind::disc, seed, 2, pile);
    const ContactDirections contacts(pile.inclusion);
    VelocityMatrix matrix(contacts);
    std::vector<Eigen::Vector3d> z(contacts.count(), Eigen::Vector3d::Zero());
    Vec v;
    contacts.velocity(z, v);
    contacts.sweep(5, z, v);
    Vec before(pile.inclusion.c.size()), after(before.size()), give(before.size());
    contacts.unstretch(z, before);
    const double length = 30;
    for (std::size_t i = 0; i < contacts.count(); ++i)
      for (int d = 0; d < contacts[i].size; ++d)
        give(contacts[i].rows[static_cast<std::size_t>(d)]) = 1 / (length * contacts[i].rho_normal);
    ProximalNewton newton(contacts, matrix);
    REQUIRE(newton.step(length, 20, z));
    contacts.unstretch(z, after);
    Mat G = pile.inclusion.G->dense();
    G.diagonal() += give;
    const Delassus giving = Delassus::from_matrix(G);
    Inclusion regular = pile.inclusion;
    regular.G = &giving;
    regular.c -= give.cwiseProduct(before);
    CHECK(natural_residual(regular, after) < 1e-3 * natural_residual(regular, before));
  }
}

TEST_CASE("growing proximal steps lead to a solution of balls in space from nothing, redundant contacts included") {
  for (const FrictionKind friction : {FrictionKind::disc, FrictionKind::ellipse}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      CAPTURE(seed);
      LargeProblem pile;
      make_balls(friction, seed, seed > 3 ? 2 : 1, pile);
      const ContactDirections contacts(pile.inclusion);
      VelocityMatrix matrix(contacts);
      ProximalNewton newton(contacts, matrix);
      std::vector<Eigen::Vector3d> z(contacts.count(), Eigen::Vector3d::Zero());
      Vec Lambda = Vec::Zero(pile.inclusion.c.size());
      double length = 10;
      while (newton.factorisations() < 400 && natural_residual(pile.inclusion, Lambda) > 1e-6) {
        length = std::min(length * (newton.step(length, 8, z) ? 4 : 0.25), 1e6);
        contacts.unstretch(z, Lambda);
      }
      CHECK(natural_residual(pile.inclusion, Lambda) <= 1e-6);
      pile.demand.every = false;
      pile.demand.tolerance = 1e-10;
      CHECK(find_solver("semismooth")->make()->solve(pile.inclusion, pile.demand).status ==
            InclusionOutcome::Status::solved);
    }
  }
}

TEST_CASE(
    "convex problems whose dilation is followed lead near Coulomb's law from nothing, redundant contacts included") {
  for (const FrictionKind friction : {FrictionKind::disc, FrictionKind::ellipse}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      for (const double offset : {0.0, 0.02}) {
        CAPTURE(seed);
        CAPTURE(offset);
        LargeProblem pile;
        make_balls(friction, seed, seed > 2 ? 2 : 1, pile);
        for (ForceSet& set : pile.inclusion.sets)
          if (set.is_friction()) set.offset = offset;
        const ContactDirections contacts(pile.inclusion);
        VelocityMatrix matrix(contacts);
        DilatedSteps dilated(contacts, matrix);
        std::vector<Eigen::Vector3d> z(contacts.count(), Eigen::Vector3d::Zero());
        Vec Lambda = Vec::Zero(pile.inclusion.c.size());
        dilated.start(z);
        double length = 100;
        int steps = 0;
        for (; steps < 200 && natural_residual(pile.inclusion, Lambda) > 1e-3; ++steps) {
          length = std::min((dilated.step(length, z) ? 2 : 0.25) * length, 1e6);
          contacts.unstretch(z, Lambda);
        }
        CHECK(steps > 1);
        CHECK(natural_residual(pile.inclusion, Lambda) <= 1e-3);
      }
    }
  }
}

// ξ_N − μ|ξ_T| ≥ 0, Λ in its cone, both orthogonal: the optimality of min ½|v|² + c·Λ over all cones.
TEST_CASE("the path of the associated law ends at the solution of its convex problem, however large") {
  for (const int layers : {5, 20}) {
    LargeProblem pile;
    make_shaken_pile(20, layers, 0.4, 3, pile);
    const ContactDirections contacts(pile.inclusion);
    VelocityMatrix matrix(contacts);
    CentralPath path(contacts, matrix);
    path.start(std::vector<Eigen::Vector3d>(contacts.count(), Eigen::Vector3d::Zero()), 1, CentralPath::associated);
    int steps = 0;
    while (steps < 60 && path.gap() > 1e-14 && path.advance()) ++steps;
    CAPTURE(layers);
    CHECK(path.gap() <= 1e-11);
    const std::vector<Eigen::Vector3d> z = path.impulses();
    Vec v;
    contacts.velocity(z, v);
    double speed = 0, impulse = 0;
    for (std::size_t i = 0; i < contacts.count(); ++i) {
      speed = std::max(speed, contacts[i].c.norm());
      impulse = std::max(impulse, z[i].norm());
    }
    int sliding = 0;
    for (std::size_t i = 0; i < contacts.count(); ++i) {
      const Eigen::Vector3d xi = contacts.along(contacts[i], v) + contacts[i].c;
      CHECK(xi(0) - contacts[i].m * std::abs(xi(1)) > -1e-5 * speed);
      CHECK(contacts[i].m * z[i](0) - std::abs(z[i](1)) > -1e-5 * impulse);
      CHECK(std::abs(xi.dot(z[i])) < 1e-5 * speed * impulse);
      sliding += std::abs(xi(1)) > 1e-3 * speed && z[i](0) > 1e-3 * impulse;
    }
    CHECK(sliding > 0);
    CHECK(path.largest_dilation() > 1e-3);
  }
}

TEST_CASE("a high pile at rest is found from nothing") {
  LargeProblem pile;
  testing::make_pile({.columns = 40, .layers = 40, .friction = FrictionKind::line, .mu = 0.5}, pile);
  pile.demand.tolerance = 1e-8;
  const InclusionOutcome outcome = find_solver("semismooth")->make()->solve(pile.inclusion, pile.demand);
  REQUIRE_MESSAGE(outcome.status == InclusionOutcome::Status::solved, outcome.reason);
  CHECK(outcome.iterations < 150);
}

// With friction a pile has several solutions, with velocities of their own: any of them will do.
TEST_CASE("shaken rough piles are solved to 1e-10, also as the dense operator sees it") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (double mu : {0.1, 0.3, 0.6}) {
      LargeProblem pile;
      make_shaken_pile(5, 4, mu, seed, pile);
      REQUIRE(pile.G.sparse());
      pile.demand.tolerance = 1e-10;
      const InclusionOutcome sparse = find_solver("semismooth")->make()->solve(pile.inclusion, pile.demand);
      CAPTURE(seed);
      CAPTURE(mu);
      REQUIRE_MESSAGE(sparse.status == InclusionOutcome::Status::solved, sparse.reason);
      const Delassus G = pile.dense_G();
      Inclusion dense = pile.inclusion;
      dense.G = &G;
      const Vec& Lambda = sparse.solutions.front().Lambda;
      CHECK(natural_residual(dense, Lambda) < 2e-10);
    }
  }
}

// As steps pose them while much moves: with impulses to start from that belong to other velocities.
TEST_CASE("shaken piles are solved to 1e-10 from the impulses of another moment, with fewer factorisations than anew") {
  int anew = 0, from_impulses = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    LargeProblem before, pile;
    make_shaken_pile(8, 6, 0.3, seed, before);
    make_shaken_pile(8, 6, 0.3, seed + 100, pile);
    for (LargeProblem* problem : {&before, &pile}) {
      problem->demand.every = false;
      problem->demand.tolerance = 1e-10;
    }
    const auto solver = find_solver("semismooth")->make();
    const InclusionOutcome of_before = solver->solve(before.inclusion, before.demand),
                           cold = solver->solve(pile.inclusion, pile.demand);
    REQUIRE_MESSAGE(of_before.status == InclusionOutcome::Status::solved, of_before.reason);
    REQUIRE_MESSAGE(cold.status == InclusionOutcome::Status::solved, cold.reason);
    pile.demand.start = &of_before.solutions.front().Lambda;
    const InclusionOutcome warm = solver->solve(pile.inclusion, pile.demand);
    REQUIRE_MESSAGE(warm.status == InclusionOutcome::Status::solved, warm.reason);
    const Delassus G = pile.dense_G();
    Inclusion dense = pile.inclusion;
    dense.G = &G;
    CHECK(natural_residual(dense, warm.solutions.front().Lambda) < 2e-10);
    anew += cold.iterations;
    from_impulses += warm.iterations;
  }
  CHECK(from_impulses < 0.75 * anew);
}

// A little give of its own in every row, G + diag(1), leaves a pile with weak friction one solution.
TEST_CASE(
    "shaken piles with give: the fast paths have the velocities of plain sweeps over the dense operator to 1e-10") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const double mu : {0.1, 0.3}) {
      CAPTURE(seed);
      CAPTURE(mu);
      LargeProblem pile, soft;
      make_shaken_pile(6, 5, mu, seed, pile);
      const Index n = pile.M.size(), rows = pile.W.count();
      Vec masses = Vec::Ones(n + rows);
      for (Index b = 0; b < pile.M.block_count(); ++b)
        masses.segment(pile.M.offset(b), pile.M.block_size(b)) = pile.M.block(b).diagonal();
      soft.M = MassMatrix::diagonal(masses);
      REQUIRE(soft.M.factor());
      soft.u = Vec::Zero(n + rows);
      soft.u.head(n) = pile.u;
      for (Index i = 0; i < rows; ++i) {
        soft.W.append(pile.W[i]);
        soft.W.add(n + i, 1);
      }
      soft.inclusion.sets = pile.inclusion.sets;
      soft.pose();
      soft.demand.every = false;
      const Delassus G = soft.dense_G();
      Inclusion dense = soft.inclusion;
      dense.G = &G;
      const InclusionOutcome fast = find_solver("semismooth")->make()->solve(soft.inclusion, soft.demand);
      const InclusionOutcome plain = find_solver("gauss-seidel")->make()->solve(dense, soft.demand);
      REQUIRE_MESSAGE(fast.status == InclusionOutcome::Status::solved, fast.reason);
      REQUIRE_MESSAGE(plain.status == InclusionOutcome::Status::solved, plain.reason);
      const auto velocity = [&](const InclusionOutcome& outcome) {
        Vec change = Vec::Zero(n + rows);
        for (Index i = 0; i < rows; ++i) soft.W.add_to(change, i, outcome.solutions.front().Lambda(i));
        soft.M.solve_in_place(change);
        return Vec(soft.u + change);
      };
      CHECK((velocity(fast) - velocity(plain)).cwiseAbs().maxCoeff() < 1e-10 * soft.u.cwiseAbs().maxCoeff());
    }
  }
}
