// A box that lands nearly flat in space. Normal and tangential coefficients of restitution differ, so that c is outside
// the image of G by about the tilt: no impulse brings the contacts to rest, and they creep.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/inclusion.h"
#include "solvers/inclusion/all/existence.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/inclusion_form.h"
#include "tests/support/random_problem.h"

using namespace carom;

namespace {

// An inclusion that owns its G.
struct Posed {
  Delassus G;
  Inclusion inclusion;
};

Vec row_of(const Eigen::Vector3d& arm, const Eigen::Vector3d& direction) {
  return (Vec(6) << direction, arm.cross(direction)).finished();
}

// Corners of the lower face first, then other points of it; turned by the tilt about a horizontal axis.
void pose_landing_box(std::uint64_t seed, int contacts, double tilt, double friction, double restitution,
                      Posed& posed) {
  testing::Random random(seed);
  const Eigen::Vector3d size(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
  const double heading = random.uniform(0, 6.28);
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(tilt, Eigen::Vector3d(std::cos(heading), std::sin(heading), 0)).toRotationMatrix();
  const Eigen::Vector3d J = (Eigen::Vector3d::Constant(size.squaredNorm()) - size.cwiseAbs2()) / 12;
  Mat W(6, 3 * contacts);
  for (int k = 0; k < contacts; ++k) {
    Eigen::Vector3d point(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, -0.5);
    if (k >= 4) point.head(2) << random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5);
    const Eigen::Vector3d arm = R * point.cwiseProduct(size);
    W.col(3 * k) = row_of(arm, Eigen::Vector3d::UnitZ());
    W.col(3 * k + 1) = row_of(arm, Eigen::Vector3d::UnitX());
    W.col(3 * k + 2) = row_of(arm, Eigen::Vector3d::UnitY());
  }
  Mat inverse_mass = Mat::Identity(6, 6);
  inverse_mass.bottomRightCorner(3, 3) = R * J.cwiseInverse().asDiagonal() * R.transpose();
  const Vec u = (Vec(6) << 0.02 * random.vector(2), -1, 0.05 * random.vector(3)).finished();
  posed.G = Delassus::from_matrix(W.transpose() * inverse_mass * W);
  posed.inclusion.G = &posed.G;
  posed.inclusion.c = W.transpose() * u;
  for (int k = 0; k < contacts; ++k) {
    posed.inclusion.c(3 * k) *= 1 + restitution;
    add_contact_sets(Eigen::Vector2d::Constant(friction), 2, 3 * k, 0, posed.inclusion.sets);
  }
  posed.inclusion.r = posed.G.dense().diagonal().cwiseInverse();
}

// Contact and Coulomb's law one by one, with ξ summed more finely than the solver can: the largest violation.
double violation(const Posed& posed, double friction, const Vec& Lambda) {
  using Fine = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Vec xi =
      (Fine(posed.G.dense().cast<long double>()) * Lambda.cast<long double>() + posed.inclusion.c.cast<long double>())
          .cast<double>();
  double worst = 0;
  for (Index i = 0; i < Lambda.size(); i += 3) {
    const double bound = friction * Lambda(i);
    const double slip = xi.segment(i + 1, 2).norm();
    worst = std::max({worst, -Lambda(i), -xi(i), std::min(Lambda(i), xi(i)),                //
                      Lambda.segment(i + 1, 2).norm() - bound,                              // within the disc
                      Lambda.segment(i + 1, 2).dot(xi.segment(i + 1, 2)) + bound * slip});  // and against the slip
  }
  return worst;
}

double largest_slip(const Inclusion& inclusion, const Vec& xi) {
  double slip = 0;
  for (Index i = 0; i < inclusion.c.size(); i += 3) slip = std::max(slip, xi.segment(i + 1, 2).norm());
  return slip;
}

}  // namespace

TEST_CASE("a box that lands nearly flat is solved at every tilt, and what it finds is Coulomb's law") {
  std::uint64_t seed = 0;
  int creeping = 0;
  for (int contacts : {2, 3, 4, 6, 8}) {
    for (double tilt : {0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
      for (double friction : {0.1, 0.4, 1.0}) {
        Posed posed;
        ++seed;
        pose_landing_box(seed, contacts, tilt, friction, 0.1 + 0.1 * static_cast<double>(seed % 9), posed);
        CAPTURE(contacts);
        CAPTURE(tilt);
        CAPTURE(friction);
        CAPTURE(seed);
        for (const std::string name : {"homotopy", "auto"}) {
          CAPTURE(name);
          const Demand demand{.tolerance = name == "homotopy" ? residual_tolerance : 1e-8, .every = false};
          const InclusionOutcome outcome = find_solver(name)->make()->solve(posed.inclusion, demand);
          CHECK(outcome.status == InclusionOutcome::Status::solved);
          if (outcome.solutions.empty()) continue;
          const InclusionSolution& solution = outcome.solutions.front();
          CHECK(natural_residual(posed.inclusion, solution.Lambda) <= 1e-8);
          // Of the others auto takes what first meets the tolerance.
          CHECK(violation(posed, friction, solution.Lambda) < (name == "homotopy" ? 1e-12 : 1e-8));
          const double slip = largest_slip(posed.inclusion, solution.xi);
          creeping += slip > 1e-13 && slip < 1e-3;
        }
      }
    }
  }
  CHECK(creeping > 50);  // otherwise nothing was tested
}

TEST_CASE("of contacts that may creep enumeration lists what it finds, and does not claim that it is all") {
  for (double tilt : {1e-8, 1e-7, 1e-6}) {
    Posed posed;
    pose_landing_box(7, 2, tilt, 1, 0.4, posed);
    const InclusionOutcome outcome = find_solver("enumerate")->make()->solve(posed.inclusion);
    CAPTURE(tilt);
    REQUIRE(!outcome.solutions.empty());
    CHECK(outcome.solutions.front().residual < 1e-10);
    if (largest_slip(posed.inclusion, outcome.solutions.front().xi) < 1e-8) CHECK(!outcome.exhaustive);
  }
}

TEST_CASE("a solution is promised only where a velocity satisfies every constraint strictly") {
  // Two walls against each other, with friction: the gap that opens between what they ask for decides.
  Contact wall;
  wall.normal = Vec::Unit(2, 0);
  wall.tangent = Vec::Unit(2, 1).transpose();
  wall.friction = Vec::Constant(1, 0.3);
  Contact opposite = wall;
  opposite.normal = -wall.normal;
  const ImpactProblem walls(Mat::Identity(2, 2), Eigen::Vector2d(1, 0.3), {{"a", wall}, {"b", opposite}});
  const auto promised = [&](double restitution_a, double restitution_b) {
    Vec c = walls.gamma_minus();
    c(0) *= 1 + restitution_a;
    c(2) *= 1 + restitution_b;
    return must_have_solution(pose(walls, c));
  };
  CHECK(!promised(0.5, 0.50005));  // both walls would have to be left at once
  CHECK(promised(0.6, 0.5));       // there is room, and no friction in the way: c_T can be brought to zero
  // A regular G always has a solution.
  const auto parts = testing::random_problem(3, {.contacts = 2, .friction = testing::FrictionKind::disc});
  const ImpactProblem regular = parts.build();
  CHECK(must_have_solution(pose(regular, regular.gamma_minus())));
}
