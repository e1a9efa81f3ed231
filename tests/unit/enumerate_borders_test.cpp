// Lists of solutions where modes meet: solutions on the border of several modes, and two solutions that nearly
// coincide.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "engine/force_set.h"
#include "engine/inclusion.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/inclusion_form.h"
#include "tests/support/random_problem.h"

using namespace carom;
using Eigen::Vector2d;

namespace {

InclusionOutcome enumerate(const Inclusion& inclusion) { return find_solver("enumerate")->make()->solve(inclusion); }

// Distance of the nearest solution, relative to what drives the impact.
double distance_to(const Inclusion& inclusion, const std::vector<InclusionSolution>& all, const Vec& xi) {
  double least = HUGE_VAL;
  for (const InclusionSolution& solution : all) least = std::min(least, (solution.xi - xi).norm());
  return least / inclusion.c.norm();
}

// Λ and ξ of contacts with two tangents.
struct State {
  Vec Lambda;
  Vec xi;
};

// Two states that solve one inclusion.
struct Planted {
  Delassus G;
  Inclusion inclusion;
  State first, second;
};

Vector2d on_circle(double angle) { return {std::cos(angle), std::sin(angle)}; }
double any_angle(testing::Random& random) { return random.uniform(0, 2 * std::numbers::pi); }

// G maps Λ₂ − Λ₁ to ξ₂ − ξ₁, for which a positive definite one exists if their product is positive, and the rest to
// anything. Nothing if it is not.
std::optional<Planted> plant(testing::Random& random, const Vec& friction, const State& first, const State& second) {
  const Vec Lambda = second.Lambda - first.Lambda;
  const Vec xi = second.xi - first.xi;
  if (!(Lambda.dot(xi) > 0.05 * Lambda.norm() * xi.norm())) return std::nullopt;
  const Index n = Lambda.size();
  const Mat P = Mat::Identity(n, n) - Lambda * Lambda.transpose() / Lambda.squaredNorm();
  Planted planted;
  planted.first = first;
  planted.second = second;
  planted.G = Delassus::from_matrix(xi * xi.transpose() / Lambda.dot(xi) + P * random.mass_matrix(n) * P);
  planted.inclusion.c = first.xi - planted.G * first.Lambda;
  planted.inclusion.r = planted.G.dense().diagonal().cwiseInverse();
  for (Index k = 0; k < friction.size(); ++k)
    add_contact_sets(Vector2d::Constant(friction(k)), 2, 3 * k, 0, planted.inclusion.sets);
  return planted;
}

// The G of a plant that moved is not in its place: points the inclusion to it.
const Inclusion& posed(Planted& planted) {
  planted.inclusion.G = &planted.G;
  return planted.inclusion;
}

// One contact: slides, sticks or opens.
void set_contact(testing::Random& random, double friction, int mode, Index row, State& state) {
  const Vector2d e = on_circle(any_angle(random));
  if (mode == 0) {
    state.xi.segment(row, 3) << random.uniform(0.1, 2), random.normal(), random.normal();
    return;
  }
  state.Lambda(row) = random.uniform(0.1, 2);
  state.Lambda.segment(row + 1, 2) = -(mode == 1 ? 0.7 : 1) * friction * state.Lambda(row) * e;
  if (mode == 2) state.xi.segment(row + 1, 2) = random.uniform(0.1, 2) * e;
}

// One contact on a border: sliding at no speed, grazing with slip, or loose.
void set_on_border(testing::Random& random, double friction, int border, Index row, State& state) {
  const Vector2d e = on_circle(any_angle(random));
  if (border == 0) {
    state.Lambda(row) = random.uniform(0.1, 2);
    state.Lambda.segment(row + 1, 2) = -friction * state.Lambda(row) * e;
  }
  if (border == 1) state.xi.segment(row + 1, 2) = random.uniform(0.1, 2) * e;
}

// A solution in which every contact is on a border, and another one.
Planted plant_on_borders(testing::Random& random, Index contacts) {
  for (;;) {
    State first{Vec::Zero(3 * contacts), Vec::Zero(3 * contacts)};
    State second = first;
    Vec friction(contacts);
    for (Index k = 0; k < contacts; ++k) {
      friction(k) = random.uniform(0.1, 2);
      set_on_border(random, friction(k), random.integer(0, 2), 3 * k, first);
      set_contact(random, friction(k), random.integer(0, 2), 3 * k, second);
    }
    if (auto planted = plant(random, friction, first, second)) return std::move(*planted);
  }
}

// Two solutions of one mode, so far apart: contacts slide, one may stick.
Planted plant_fold(testing::Random& random, Index contacts, double apart) {
  for (;;) {
    State first{Vec::Zero(3 * contacts), Vec::Zero(3 * contacts)};
    State second = first;
    Vec friction(contacts);
    for (Index k = 0; k < contacts; ++k) {
      friction(k) = random.uniform(0.2, 3);
      const bool sticks = k > 0 && random.integer(0, 2) == 0;
      const double angle = any_angle(random);
      const double normal = random.uniform(0.1, 2), slip = sticks ? 0 : random.uniform(0.1, 2);
      for (State* state : {&first, &second}) {
        const double aside = state == &second ? apart : 0;
        const Vector2d e = on_circle(angle + aside * random.normal());
        state->Lambda(3 * k) = normal * (1 + aside * random.normal());
        state->Lambda.segment(3 * k + 1, 2) = -(sticks ? 0.7 : 1) * friction(k) * state->Lambda(3 * k) * e;
        state->xi.segment(3 * k + 1, 2) = slip * (1 + aside * random.normal()) * e;
      }
    }
    if (auto planted = plant(random, friction, first, second)) return std::move(*planted);
  }
}

// Contacts with more rows than the system has freedom, that all slide along the surfaces: γ_N = w·u is nothing but
// rounding, of either sign. No impulse changes that.
testing::ProblemParts just_touching(testing::Random& random, int contacts, Index freedom) {
  testing::ProblemParts parts{random.mass_matrix(freedom), random.vector(freedom), {}};
  const Vec& u = parts.u_minus;
  for (int k = 0; k < contacts; ++k) {
    Contact contact;
    const Vec w = random.vector(freedom);
    contact.normal = w - w.dot(u) / u.squaredNorm() * u;
    contact.tangent = random.vector(freedom).transpose();
    contact.friction = Vec::Constant(1, random.uniform(0.05, 1.5));
    parts.elements.push_back({std::string(1, static_cast<char>('a' + k)), contact});
  }
  return parts;
}

}  // namespace

TEST_CASE("a solution in which every contact is on the border of modes: every solution, and nearly always proved") {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::Random random(seed);
    Planted planted = plant_on_borders(random, 2 + static_cast<Index>(seed % 3));
    const InclusionOutcome all = enumerate(posed(planted));
    CAPTURE(seed);
    proved += all.exhaustive;
    CHECK(all.iterations < 50000);
    CHECK(distance_to(planted.inclusion, all.solutions, planted.first.xi) < 1e-7);
    CHECK(distance_to(planted.inclusion, all.solutions, planted.second.xi) < 1e-7);
  }
  CHECK(proved >= 39);
}

TEST_CASE("two solutions that nearly coincide are both listed, and mostly proved to be all") {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    testing::Random random(seed);
    Planted planted = plant_fold(random, 1 + static_cast<Index>(seed % 3), seed % 2 ? 1e-4 : 1e-5);
    const InclusionOutcome all = enumerate(posed(planted));
    CAPTURE(seed);
    proved += all.exhaustive;
    const double apart = (planted.first.xi - planted.second.xi).norm() / planted.inclusion.c.norm();
    if (apart < 2e-6 && !all.exhaustive) continue;  // rounding does not tell such solutions from what is between them
    CHECK(distance_to(planted.inclusion, all.solutions, planted.first.xi) < 0.1 * apart);
    CHECK(distance_to(planted.inclusion, all.solutions, planted.second.xi) < 0.1 * apart);
  }
  CHECK(proved >= 45);
}

TEST_CASE("redundant contacts that only just touch need no impulses, whatever rounding makes of their approach") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    testing::Random random(seed);
    const int contacts = 2 + static_cast<int>(seed % 2);
    const ImpactProblem problem = just_touching(random, contacts, contacts + 1).build();
    const Inclusion inclusion = pose(problem, problem.gamma_minus());
    const InclusionOutcome all = enumerate(inclusion);
    CAPTURE(seed);
    CAPTURE(all.reason);
    CHECK(all.status == InclusionOutcome::Status::solved);
    CHECK(distance_to(inclusion, all.solutions, inclusion.c) < 1e-12);
  }
}

TEST_CASE("a solution that rounding places beside the narrow arcs it is in: the list is proved all the same") {
  // Three contacts with nine rows of which the system has four freedoms; two of them only just touch.
  const Mat M{{2.4044558978978587, 2.255657644410563, 0.12941593431186493, -0.4288618624145792},
              {2.255657644410563, 4.5520752247758995, 1.1172045397528205, -2.5109101183438396},
              {0.12941593431186493, 1.1172045397528205, 1.9883347640910154, -2.3539765689855088},
              {-0.4288618624145792, -2.5109101183438396, -2.3539765689855088, 4.82477149000771}};
  const Vec u{{-0.47979050447158467, 1.035928952157486, 1.0218373127949956, -1.7937747438856946}};
  const auto contact = [](const Vec& normal, const Mat& tangent, const Vec& friction) {
    Contact rough;
    rough.normal = normal;
    rough.tangent = tangent;
    rough.friction = friction;
    return rough;
  };
  const ImpactProblem problem(
      M, u,
      {{"a", contact(Vec{{-0.5897855836394016, 0.24476946166855795, -0.43855407840341154, 0.04928510336160863}},
                     Mat{{-0.05909758157492537, -0.18103569780679407, 0.6839612240822327, 2.7956940745616863},
                         {1.8110347868903007, 0.4354220071752584, 0.03687732907301058, -0.3610914854560821}},
                     Vec{{1.0208707323262902, 1.9813320280234903}})},
       {"b", contact(Vec{{-0.7452728474376032, -1.020980913258642, 0.1943388724461876, -0.42217157764997715}},
                     Mat{{0.3702862165453454, 0.07245853002737035, -1.6749428719336903, 0.08605236208518759},
                         {-0.8610947702675721, 0.2259497973765865, 1.7757927078998066, 0.017438562362472477}},
                     Vec{{1.0078055738915048, 1.6942432005053436}})},
       {"c", contact(Vec{{-1.0197732731714213, -0.34476134373051415, 0.4682946698983493, 0.3404274950313708}},
                     Mat{{-0.7842057759852064, 0.8032315791263881, -0.11072838261533939, -0.473896602601732},
                         {0.01220387077313617, -0.003133810604330233, 2.196014115943961, 0.7646169810817027}},
                     Vec{{2.758655339757389, 2.8628325349640784}})}});
  Vec c = problem.gamma_minus();
  const std::array<double, 3> restitution = {0.3836501838954335, 0.5, 0.0};
  for (Index k = 0; k < 3; ++k) c(3 * k) *= 1 + restitution[static_cast<std::size_t>(k)];
  const InclusionOutcome all = enumerate(pose(problem, c));
  CHECK(all.exhaustive);
  CHECK(all.solutions.size() == 5);
}
