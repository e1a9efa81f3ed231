// Enumeration finds every solution, also where several contacts slide in space: checked against what is known of the
// solutions by other ways.

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

bool contains(const Inclusion& inclusion, const std::vector<InclusionSolution>& all, const Vec& xi) {
  const double scale = inclusion.c.norm() + xi.norm();
  return std::any_of(all.begin(), all.end(),
                     [&](const InclusionSolution& solution) { return (solution.xi - xi).norm() < 1e-7 * scale; });
}

testing::ProblemParts spatial_problem(std::uint64_t seed, int contacts, double largest_friction) {
  return testing::random_problem(seed, {.contacts = contacts,
                                        .friction = seed % 2 ? FrictionKind::disc : FrictionKind::ellipse,
                                        .largest_friction = largest_friction});
}

// An inclusion that owns its G.
struct Posed {
  Delassus G;
  Inclusion inclusion;
};

// Solutions by Newton's method from random impulses: not all of them, but found without any case distinction.
std::vector<InclusionSolution> from_random_starts(const Inclusion& inclusion, std::uint64_t seed, int starts) {
  testing::Random random(seed);
  std::vector<InclusionSolution> found;
  for (int k = 0; k < starts; ++k) {
    Vec Lambda = Vec::Zero(inclusion.c.size());
    for (const ForceSet& set : inclusion.sets) {
      Eigen::Vector2d x(random.normal(), random.normal());
      x *= 3 * inclusion.r(set.row) * inclusion.c.cwiseAbs().maxCoeff();
      set_rows_of(set, -project(set, x, Lambda), Lambda);
    }
    InclusionSolution solution = with_residual(inclusion, polish(inclusion, Lambda));
    if (solution.residual < residual_tolerance && !contains(inclusion, found, solution.xi))
      found.push_back(std::move(solution));
  }
  return found;
}

// Several inclusions side by side, with a little coupling between all rows.
Posed side_by_side(const std::vector<Inclusion>& parts, double coupling) {
  Posed whole;
  Index rows = 0;
  for (const Inclusion& part : parts) rows += part.c.size();
  Mat G = Mat::Constant(rows, rows, coupling);
  whole.inclusion.c.resize(rows);
  whole.inclusion.r.resize(rows);
  Index first = 0;
  for (const Inclusion& part : parts) {
    const Index n = part.c.size();
    G.block(first, first, n, n) = part.G->dense();
    whole.inclusion.c.segment(first, n) = part.c;
    whole.inclusion.r.segment(first, n) = part.r;
    for (ForceSet set : part.sets) {
      set.row += first;
      if (set.normal_row >= 0) set.normal_row += first;
      whole.inclusion.sets.push_back(set);
    }
    first += n;
  }
  whole.G = Delassus::from_matrix(std::move(G));
  return whole;
}

// Λ and ξ of one contact in a mode of its own: open, stick or slide at random.
void plant(testing::Random& random, const ForceSet& normal, const ForceSet& friction, Vec& Lambda, Vec& xi) {
  const int mode = random.integer(0, 4);
  if (mode == 0) {
    xi(normal.row) = random.uniform(0.1, 2);
    set_rows_of(friction, {random.normal(), random.normal()}, xi);
    return;
  }
  Lambda(normal.row) = random.uniform(0.1, 2);
  const double angle = random.uniform(0, 6.28);
  const Eigen::Vector2d e(std::cos(angle), std::sin(angle));
  const double reach = mode == 1 ? random.uniform(0, 0.95) : 1;
  set_rows_of(friction, -reach * Lambda(normal.row) * friction.friction.cwiseProduct(e), Lambda);
  if (mode > 1) set_rows_of(friction, random.uniform(0.1, 2) * e.cwiseQuotient(friction.friction), xi);
}

}  // namespace

// With G positive definite no solution escapes to infinity when friction is turned on (ΛᵀGΛ ≤ −Λᵀc), so the degree of
// the problem stays that of the frictionless one: the number of solutions is odd, unless two of them coincide.
TEST_CASE(
    "two to four sliding contacts: nothing found from random starts is missing, and solutions are odd in number") {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto parts = spatial_problem(seed, 2 + static_cast<int>(seed % 3), 5);
    const ImpactProblem problem = parts.build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    const InclusionOutcome all = enumerate(inclusion);
    CHECK_REPLAY(all.exhaustive, parts, "inelastic", seed);
    CHECK_REPLAY(all.note.empty(), parts, "inelastic", seed);
    CHECK_REPLAY(all.solutions.size() % 2 == 1, parts, "inelastic", seed);
    several += all.solutions.size() > 1;
    for (const InclusionSolution& solution : all.solutions)
      CHECK_REPLAY(solution.residual < residual_tolerance, parts, "inelastic", seed);
    for (const InclusionSolution& solution : from_random_starts(inclusion, seed, 30))
      CHECK_REPLAY(contains(inclusion, all.solutions, solution.xi), parts, "inelastic", seed);
  }
  CHECK(several > 20);
}

TEST_CASE("four to eight spatial contacts with little friction have one solution") {
  for (int contacts = 4; contacts <= 8; ++contacts) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto parts = spatial_problem(seed, contacts, 0.1);
      const ImpactProblem problem = parts.build();
      const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
      CHECK_REPLAY(all.exhaustive, parts, "inelastic", seed);
      CHECK_REPLAY(all.solutions.size() == 1, parts, "inelastic", seed);
    }
  }
}

TEST_CASE("solutions of contacts side by side are every choice of each one's, coupled a little or not at all") {
  std::vector<testing::ProblemParts> parts;
  for (std::uint64_t seed = 1; parts.size() < 3; ++seed) {
    const auto candidate = spatial_problem(seed, 2, 6);
    const ImpactProblem problem = candidate.build();
    if (enumerate(pose(problem, problem.gamma_minus())).solutions.size() >= 3) parts.push_back(candidate);
  }
  std::vector<ImpactProblem> problems;
  for (const auto& part : parts) problems.push_back(part.build());
  std::vector<Inclusion> inclusions;
  std::vector<std::vector<InclusionSolution>> solutions;
  for (const ImpactProblem& problem : problems) {
    inclusions.push_back(pose(problem, problem.gamma_minus()));
    solutions.push_back(enumerate(inclusions.back()).solutions);
  }
  const std::size_t product = solutions[0].size() * solutions[1].size() * solutions[2].size();
  for (double coupling : {0.0, 1e-9}) {
    Posed whole = side_by_side(inclusions, coupling);
    whole.inclusion.G = &whole.G;
    const InclusionOutcome all = enumerate(whole.inclusion);
    CHECK(all.exhaustive);
    CHECK(all.solutions.size() == product);
    for (const auto& a : solutions[0]) {
      for (const auto& b : solutions[1]) {
        for (const auto& c : solutions[2]) {
          Vec xi(whole.inclusion.c.size());
          xi << a.xi, b.xi, c.xi;
          CHECK(std::any_of(all.solutions.begin(), all.solutions.end(), [&](const InclusionSolution& solution) {
            return (solution.xi - xi).norm() < 1e-5 * xi.norm();
          }));
        }
      }
    }
  }
}

TEST_CASE("contacts that only others couple are solved together, in any order") {
  // Bodies in a row: the last two contacts couple the first two, normal with normal alone.
  Posed row{Delassus::from_matrix(Mat::Identity(8, 8)), {}};
  Mat G = Mat::Identity(8, 8);
  for (Index k : {4, 6}) {
    for (Index other : {0, 2}) G(k, other) = G(other, k) = -0.3;
  }
  row.G = Delassus::from_matrix(G);
  row.inclusion.G = &row.G;
  row.inclusion.r = Vec::Ones(8);
  row.inclusion.c = Vec(8);
  row.inclusion.c << -1, 0.2, -2, 0.3, -0.5, -0.1, 0.4, 1;
  for (Index k = 0; k < 8; k += 2) add_contact_sets(Eigen::Vector2d(0.4, 0), 1, k, 0, row.inclusion.sets);
  const InclusionOutcome all = enumerate(row.inclusion);
  CHECK(all.exhaustive);
  REQUIRE(all.solutions.size() == 1);
  CHECK(all.solutions.front().residual < residual_tolerance);
}

TEST_CASE("at rest there is one solution, at once") {
  const ImpactProblem problem = spatial_problem(3, 4, 0.5).build();
  Inclusion inclusion = pose(problem, problem.gamma_minus());
  inclusion.c.setZero();
  const InclusionOutcome all = enumerate(inclusion);
  CHECK(all.exhaustive);
  CHECK(all.iterations == 0);
  REQUIRE(all.solutions.size() == 1);
  CHECK(all.solutions.front().xi.isZero(0));
}

TEST_CASE("a contact that neither pushes nor moves is one solution, and that is proved") {
  // A ball falls on a floor and touches balls at rest beside it.
  for (const int beside : {1, 2}) {
    const Index n = 6 * (1 + beside);
    testing::ProblemParts balls;
    balls.M = Mat::Identity(n, n);
    for (Index ball = 0; ball < n; ball += 6) balls.M.block(ball + 3, ball + 3, 3, 3) *= 0.4;
    balls.u_minus = -Vec::Unit(n, 2);
    const auto touch = [&](const char* name, const Eigen::Vector3d& normal, Index other) {
      const Eigen::Vector3d along = normal.unitOrthogonal(), across = normal.cross(along);
      const auto row = [&](const Eigen::Vector3d& direction) {
        Vec w = Vec::Zero(n);
        w.segment<3>(0) = direction;
        w.segment<3>(3) = (-normal).cross(direction);
        if (other == 0) return w;
        w.segment<3>(other) = -direction;
        w.segment<3>(other + 3) = -normal.cross(direction);
        return w;
      };
      Contact contact;
      contact.normal = row(normal);
      contact.tangent.resize(2, n);
      contact.tangent << row(along).transpose(), row(across).transpose();
      contact.friction = Vec::Constant(2, 0.3);
      balls.elements.push_back({name, contact});
    };
    touch("floor", Eigen::Vector3d::UnitZ(), 0);
    touch("first", Eigen::Vector3d::UnitX(), 6);
    if (beside == 2) touch("second", Eigen::Vector3d::UnitY(), 12);
    const ImpactProblem problem = balls.build();
    const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
    CHECK(all.exhaustive);
    REQUIRE(all.solutions.size() == 1);
    CHECK(all.solutions.front().Lambda(0) == doctest::Approx(1));
    CHECK(all.solutions.front().Lambda.tail(3 * beside).isZero(1e-12));
  }
}

TEST_CASE("a solution planted among two to eight spatial contacts is found") {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 43; ++seed) {
    const int contacts = seed == 43 ? 8 : 2 + static_cast<int>(seed % 6);
    const auto parts = spatial_problem(seed, contacts, 3);
    const ImpactProblem problem = parts.build();
    Inclusion inclusion = pose(problem, problem.gamma_minus());
    testing::Random random(1000 + seed);
    Vec Lambda = Vec::Zero(inclusion.c.size());
    Vec xi = Vec::Zero(inclusion.c.size());
    for (std::size_t s = 0; s + 1 < inclusion.sets.size(); s += 2)
      plant(random, inclusion.sets[s], inclusion.sets[s + 1], Lambda, xi);
    inclusion.c = xi - problem.G() * Lambda;
    const InclusionOutcome all = enumerate(inclusion);
    CHECK_REPLAY(all.exhaustive, parts, "inelastic", seed);
    CHECK_REPLAY(contains(inclusion, all.solutions, xi), parts, "inelastic", seed);
    several += all.solutions.size() > 1;
  }
  CHECK(several > 3);
}

namespace {

// A plate that lands on legs around it; how more than three of them share the load is open.
testing::ProblemParts plate(int legs, const Vec& u_minus, const Vec& friction) {
  testing::ProblemParts plate;
  plate.M = Vec((Vec(6) << 1, 1, 1, 0.4, 0.3, 0.2).finished()).asDiagonal();
  plate.u_minus = u_minus;
  for (int leg = 0; leg < legs; ++leg) {
    const double angle = 6.283185307179586 * (leg + 0.5) / legs;
    const Eigen::Vector3d r(1.2 * std::cos(angle), 0.8 * std::sin(angle), -0.3);
    const auto row = [&](const Eigen::Vector3d& direction) {
      Vec w(6);
      w << direction, r.cross(direction);
      return w;
    };
    Contact contact;
    contact.normal = row(Eigen::Vector3d::UnitZ());
    contact.tangent.resize(2, 6);
    contact.tangent.row(0) = row(Eigen::Vector3d::UnitX()).transpose();
    contact.tangent.row(1) = row(Eigen::Vector3d::UnitY()).transpose();
    contact.friction = Vec::Constant(2, friction(leg));
    plate.elements.push_back({"leg" + std::to_string(leg), contact});
  }
  return plate;
}

}  // namespace

TEST_CASE("redundant contacts that leave the velocities no choice: one solution, and that is proved") {
  for (int legs : {4, 6}) {
    const auto parts = plate(legs, (Vec(6) << 0.05, 0, -1, 0, 0, 0).finished(), Vec::Constant(legs, 0.3));
    const ImpactProblem problem = parts.build();
    const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
    CHECK(all.exhaustive);
    CHECK(all.note.empty());
    REQUIRE(all.solutions.size() == 1);
    CHECK(all.solutions.front().xi.norm() < 1e-12);  // it sticks
  }
  // Sliding straight on with equal friction: however the legs share the load, friction has the same sum.
  for (int legs : {4, 6, 8}) {
    const auto parts = plate(legs, (Vec(6) << 1, 0, -1, 0, 0, 0).finished(), Vec::Constant(legs, 0.3));
    const ImpactProblem problem = parts.build();
    const InclusionOutcome all = enumerate(pose(problem, problem.gamma_minus()));
    CHECK(all.exhaustive);
    REQUIRE(all.solutions.size() == 1);
    for (Index leg = 0; leg < legs; ++leg)
      CHECK((all.solutions.front().xi.segment(3 * leg, 3) - Eigen::Vector3d(0, 0.7, 0)).norm() < 1e-9);
  }
}

TEST_CASE("that there is no solution is claimed where friction locks a bead, and not where rounding hides one") {
  Contact floor;
  floor.normal = Vec::Unit(3, 2);
  floor.tangent = Mat::Identity(2, 3);
  floor.friction = Vec::Constant(2, 1.2);
  const ImpactProblem bead(Mat::Identity(3, 3), Eigen::Vector3d(-1, -0.5, -1),
                           {{"floor", floor},
                            {"wire1", Bilateral{Eigen::Vector3d(1, -2, 0)}},
                            {"wire2", Bilateral{Eigen::Vector3d(1, 0, -1)}}});
  Vec c = bead.gamma_minus();
  c(0) *= 1.5;  // Newton's law with restitution 0.5
  const InclusionOutcome locked = enumerate(pose(bead, c));
  CHECK(locked.exhaustive);
  CHECK(locked.reason.find("has no solution") != std::string::npos);

  // An inelastic impact always has a solution. Normals that nearly oppose each other wedge what is between them, with
  // impulses that double precision does not reach.
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::Random random(seed);
    testing::ProblemParts parts{random.mass_matrix(5), random.vector(5), {}};
    const Vec normal = random.vector(5);
    for (int i = 0; i < 4; ++i) {
      Contact contact;
      contact.normal = (i % 2 ? -1.0 : 1.0) * (normal + 1e-9 * random.vector(5));
      parts.elements.push_back({"c" + std::to_string(i), contact});
    }
    const ImpactProblem problem = parts.build();
    const InclusionOutcome outcome = enumerate(pose(problem, problem.gamma_minus()));
    CHECK_REPLAY(outcome.reason.find("has no solution") == std::string::npos, parts, "inelastic", seed);
  }
}

TEST_CASE("where every contact is open a solution has nothing beside it") {
  const auto parts = spatial_problem(1, 2, 1);
  const ImpactProblem problem = parts.build();
  const Inclusion inclusion = pose(problem, problem.gamma_minus());
  CHECK(neighbours(inclusion, Mode(inclusion.sets.size()), Vec::Zero(inclusion.c.size())).empty());
}

TEST_CASE("a continuum of solutions is called a sample, not a list") {
  // The plate turns as it slides, on legs with different friction: how they share the load decides the slip.
  for (int legs : {4, 8}) {
    Vec friction(legs);
    for (int leg = 0; leg < legs; ++leg) friction(leg) = 0.1 + 0.3 * (leg % 4) / 4.0;
    const auto parts = plate(legs, (Vec(6) << 1, 0.3, -1, 0, 0, 0.2).finished(), friction);
    const ImpactProblem problem = parts.build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    const InclusionOutcome all = enumerate(inclusion);
    CHECK(all.status == InclusionOutcome::Status::solved);
    CHECK(!all.exhaustive);
    CHECK(all.note.find("continuum") != std::string::npos);
    CHECK(all.solutions.size() > 2);
    for (const InclusionSolution& solution : all.solutions) CHECK(solution.residual < 1e-10);
  }
}

namespace {

// Rows of −1, 0 and 1, friction and restitution of few values: solutions lie on borders of modes, rows depend on each
// other, and slip has the directions of axes and diagonals.
testing::ProblemParts integer_problem(std::uint64_t seed, int contacts) {
  testing::Random random(seed * 1000 + static_cast<std::uint64_t>(contacts));
  const Index n = random.integer(3, std::min(8, 3 * contacts + 1));
  const auto row = [&] {
    Vec v = Vec::Zero(n);
    while (v.isZero(0)) {
      for (double& x : v) x = random.integer(-1, 1);
    }
    return v;
  };
  testing::ProblemParts parts;
  parts.M = Mat::Identity(n, n);
  for (Index i = 0; i < n; ++i) parts.M(i, i) = random.integer(1, 2);
  for (int i = 0; i < contacts; ++i) {
    Contact contact;
    contact.normal = row();
    contact.tangent.resize(2, n);
    contact.tangent.row(0) = row().transpose();
    do contact.tangent.row(1) = row().transpose();
    while (std::abs(contact.tangent.row(0).normalized().dot(contact.tangent.row(1).normalized())) > 0.99);
    contact.friction = Vec::Constant(2, std::ldexp(1.0, random.integer(-2, 1)));
    if (random.integer(0, 2) == 0) contact.friction(1) = std::ldexp(1.0, random.integer(-2, 1));
    contact.restitution = 0.5 * random.integer(0, 2);
    parts.elements.push_back({"contact" + std::to_string(i), contact});
  }
  parts.u_minus = 2 * row() + row();
  return parts;
}

}  // namespace

TEST_CASE("contacts of symmetric geometry: lists are complete, or a continuum, and nothing is missing from them") {
  int complete = 0;
  int searched = 0;
  int several = 0;
  int trials = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto parts = integer_problem(seed, 1 + static_cast<int>(seed % 4));
    const ImpactProblem problem = parts.build();
    Inclusion inclusion = pose(problem, problem.gamma_minus());
    if (seed % 2) inclusion.c += restitution_by_rows(problem).cwiseProduct(problem.gamma_minus());
    const InclusionOutcome all = enumerate(inclusion);
    const bool continuum = all.note.find("continuum") != std::string::npos;
    searched += !all.exhaustive && !continuum;
    trials += all.iterations;
    if (!all.exhaustive) continue;
    ++complete;
    several += all.solutions.size() > 1;
    for (const InclusionSolution& solution : from_random_starts(inclusion, seed, 30))
      CHECK_REPLAY(contains(inclusion, all.solutions, solution.xi), parts, "inelastic", seed);
  }
  CHECK(complete > 130);
  CHECK(searched <= 1);  // seed 4: two roots meet where slip ends, at the border of the friction disc
  CHECK(several > 5);
  CHECK(trials < 100000);
}

TEST_CASE("eight rough contacts: the list is complete after some thousand tests") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto parts = spatial_problem(seed, 8, 2);
    const ImpactProblem problem = parts.build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    const InclusionOutcome all = enumerate(inclusion);
    CHECK_REPLAY(all.exhaustive, parts, "inelastic", seed);
    CHECK_REPLAY(all.solutions.size() % 2 == 1, parts, "inelastic", seed);
    CHECK_REPLAY(all.iterations < 20000, parts, "inelastic", seed);
    for (const InclusionSolution& solution : from_random_starts(inclusion, seed, 30))
      CHECK_REPLAY(contains(inclusion, all.solutions, solution.xi), parts, "inelastic", seed);
  }
}
