// Lists of solutions where rounding decides: contacts that jam, narrow ellipses of friction, friction of any size.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/inclusion.h"
#include "solvers/inclusion/list.h"
#include "solvers/inclusion/mode.h"
#include "solvers/laws/inclusion_form.h"
#include "tests/support/random_problem.h"
#include "tests/support/replay.h"

using namespace carom;
using testing::FrictionKind;

namespace {

InclusionOutcome enumerate(const Inclusion& inclusion) { return find_solver("enumerate")->make()->solve(inclusion); }

bool is_called_continuum(const InclusionOutcome& outcome) {
  return !outcome.exhaustive && outcome.note.find("continuum") != std::string::npos;
}

bool contains(const Inclusion& inclusion, const std::vector<InclusionSolution>& all, const Vec& xi) {
  const double scale = inclusion.c.norm() + xi.norm();
  return std::any_of(all.begin(), all.end(),
                     [&](const InclusionSolution& solution) { return (solution.xi - xi).norm() < 1e-6 * scale; });
}

// A contact in the plane, and how it slides when it jams: friction against the slip pushes the normal back as much as
// the normal impulse pushes it open, G_NN = ±μG_NT up to rounding.
struct Jam {
  Mat W;  // rows: normal, tangent, and those of other elements
  double friction = 0;
  double slip = 0;

  Mat G() const { return W * W.transpose(); }
};

Jam random_jam(testing::Random& random, Index others) {
  Jam jam;
  jam.W.resize(2 + others, 4 + others);
  for (Index i = 0; i < jam.W.rows(); ++i) jam.W.row(i) = random.vector(jam.W.cols()).transpose();
  const Mat G = jam.G();
  jam.friction = G(0, 0) / std::abs(G(0, 1));
  jam.slip = G(0, 1) > 0 ? 1 : -1;
  return jam;
}

Inclusion posed(const Delassus& G, const Vec& c) {
  Inclusion inclusion;
  inclusion.G = &G;
  inclusion.c = c;
  inclusion.r = G.dense().diagonal().cwiseInverse();
  return inclusion;
}

}  // namespace

// ξ_N = c_N whatever the impulse, ξ_T = c_T + (G_TN − σμG_TT)Λ_N: from the slip c_T on, as far as it stops.
TEST_CASE("a contact that jams and does not approach has a continuum of solutions, and is not called redundant") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    testing::Random random(seed);
    const Jam jam = random_jam(random, 0);
    const Delassus G = Delassus::from_matrix(jam.G());
    Inclusion inclusion = posed(G, Eigen::Vector2d(0, jam.slip * random.uniform(0.1, 2)));
    add_contact_sets(Eigen::Vector2d(jam.friction, 0), 1, 0, 0, inclusion.sets);
    const InclusionOutcome all = enumerate(inclusion);
    CAPTURE(seed);
    CHECK(is_called_continuum(all));
    CHECK(all.note.find("redundant") == std::string::npos);
    CHECK(all.solutions.size() > 2);
    for (const InclusionSolution& solution : all.solutions) CHECK(solution.residual < residual_tolerance);
  }
}

TEST_CASE("a contact that jams and approaches sticks; one that opens has one solution more at most") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    testing::Random random(seed);
    const Jam jam = random_jam(random, 0);
    const Delassus G = Delassus::from_matrix(jam.G());
    for (double approach : {-1.0, 1.0}) {
      Inclusion inclusion = posed(G, Eigen::Vector2d(approach, jam.slip * random.uniform(0.1, 2)));
      add_contact_sets(Eigen::Vector2d(jam.friction, 0), 1, 0, 0, inclusion.sets);
      const InclusionOutcome all = enumerate(inclusion);
      CAPTURE(seed);
      CHECK(all.exhaustive);
      REQUIRE(!all.solutions.empty());
      if (approach < 0) {
        CHECK(all.solutions.size() == 1);
        CHECK(all.solutions.front().xi.norm() < 1e-12);
      } else {
        CHECK(contains(inclusion, all.solutions, inclusion.c));
      }
    }
  }
}

// The normal of a second contact, or of one with two tangents, moves with the slip of the first.
TEST_CASE("a contact that jams beside others: the continuum is seen in the plane and in space") {
  for (Index tangents : {0, 1, 2}) {
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      testing::Random random(seed);
      const Jam jam = random_jam(random, 1 + tangents);
      const Delassus G = Delassus::from_matrix(jam.G());
      Vec c = Vec::Constant(3 + tangents, 5);  // the other contact opens far
      c(0) = 0;
      c(1) = jam.slip;
      Inclusion inclusion = posed(G, c);
      add_contact_sets(Eigen::Vector2d(jam.friction, 0), 1, 0, 0, inclusion.sets);
      add_contact_sets(Eigen::Vector2d(0.4, 0.3), tangents, 2, 0, inclusion.sets);
      const InclusionOutcome all = enumerate(inclusion);
      CAPTURE(seed);
      CHECK(!all.exhaustive);
      seen += is_called_continuum(all);
    }
    CHECK(seen >= 19);
  }
}

// The same in space, where slip along the plane of symmetry jams and its direction is any angle of the tangents.
TEST_CASE("a contact in space that jams in its plane of symmetry has a continuum of solutions") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::Random random(seed);
    const double G_NN = random.uniform(0.5, 2);
    const double G_NT = random.uniform(0.2, 1.2);
    Mat G = Eigen::Vector3d(G_NN, G_NT * G_NT / G_NN + random.uniform(0.1, 2), 1).asDiagonal();
    G(0, 1) = G(1, 0) = G_NT;
    const double angle = seed % 2 ? random.uniform(0, 6) : 0;
    Mat turn = Mat::Identity(3, 3);
    turn.bottomRightCorner(2, 2) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Delassus turned = Delassus::from_matrix(turn * G * turn.transpose());
    Vec c = turn * Eigen::Vector3d(0, random.uniform(0.2, 2), 0);
    c(0) = (static_cast<int>(seed % 3) - 1) * 1e-17;
    Inclusion inclusion = posed(turned, c);
    add_contact_sets(Eigen::Vector2d::Constant(G_NN / G_NT), 2, 0, 0, inclusion.sets);
    CAPTURE(seed);
    CHECK(is_called_continuum(enumerate(inclusion)));
  }
}

TEST_CASE("ellipses of friction up to a million times as long as wide: every solution, and that is proved") {
  for (double ratio : {1e4, 1e5, 1e6}) {
    int complete = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      auto parts = testing::random_problem(
          seed, {.contacts = 1 + static_cast<int>(seed % 3), .friction = FrictionKind::disc, .largest_friction = 3});
      for (std::size_t i = 0; i < parts.elements.size(); ++i)
        std::get<Contact>(parts.elements[i].kind).friction((seed + i) % 2 ? 0 : 1) /= ratio;
      const ImpactProblem problem = parts.build();
      const Inclusion inclusion = pose(problem, problem.gamma_minus());
      const InclusionOutcome all = enumerate(inclusion);
      complete += all.exhaustive;
      CHECK_REPLAY(all.solutions.size() % 2 == 1, parts, "inelastic", seed);
    }
    CAPTURE(ratio);
    CHECK(complete >= 59);
  }
}

TEST_CASE("an ellipse that angles do not resolve is searched, and the list says so") {
  auto parts = testing::random_problem(1, {.contacts = 1, .friction = FrictionKind::disc});
  std::get<Contact>(parts.elements.front().kind).friction(1) *= 1e-9;
  const ImpactProblem problem = parts.build();
  const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
  CHECK(all.status == InclusionOutcome::Status::solved);
  CHECK(!all.exhaustive);
  CHECK(!all.note.empty());
}

TEST_CASE("friction of a millionth and of a thousand: every solution, and that is proved") {
  for (double friction : {1e-6, 1e3}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      auto parts = testing::random_problem(
          seed, {.contacts = 1 + static_cast<int>(seed % 3), .friction = FrictionKind::disc, .largest_friction = 3});
      for (Element& element : parts.elements) std::get<Contact>(element.kind).friction *= friction;
      const ImpactProblem problem = parts.build();
      const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
      CHECK_REPLAY(all.exhaustive, parts, "inelastic", seed);
      CHECK_REPLAY(all.solutions.size() % 2 == 1, parts, "inelastic", seed);
    }
  }
}
