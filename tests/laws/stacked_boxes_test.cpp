// Two boxes on each other and on a floor, flat or tilted against each other by next to nothing: eight redundant
// contacts, of which some creep where no impulse brings all of them to rest.

#include <doctest/doctest.h>

#include <string>

#include "engine/impact_problem.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/random_problem.h"

using namespace carom;

namespace {

using Eigen::Vector3d;

struct Box {
  Vector3d size;
  double mass;
  Eigen::Matrix3d turn;
};

Box random_box(testing::Random& random, double tilt) {
  Box box;
  box.size = Vector3d(random.uniform(0.2, 2), random.uniform(0.2, 2), random.uniform(0.2, 2));
  box.mass = random.uniform(0.1, 10);
  box.turn = Eigen::AngleAxisd(tilt, Vector3d(random.vector(3)).normalized()).toRotationMatrix();
  return box;
}

// A point of the upper box (the lower one for the floor) on one of the lower box, or on the floor.
Element contact_at(const std::string& name, const Vector3d* upper, const Vector3d& lower, double friction,
                   double restitution) {
  const auto row = [&](const Vector3d& direction) {
    Vec w = Vec::Zero(12);
    const double side = upper ? -1 : 1;
    w.head(6) << side * direction, side * lower.cross(direction);
    if (upper) w.tail(6) << direction, upper->cross(direction);
    return w;
  };
  Contact contact;
  contact.normal = row(Vector3d::UnitZ());
  contact.tangent.resize(2, 12);
  contact.tangent.row(0) = row(Vector3d::UnitX()).transpose();
  contact.tangent.row(1) = row(Vector3d::UnitY()).transpose();
  contact.friction = Vec::Constant(2, friction);
  contact.restitution = restitution;
  return {name, contact};
}

ImpactProblem stack(std::uint64_t seed, double tilt, double friction, double restitution) {
  testing::Random random(seed);
  const Box lower = random_box(random, tilt), upper = random_box(random, tilt);
  Mat M = Mat::Zero(12, 12);
  for (Index i : {0, 1}) {
    const Box& box = i == 0 ? lower : upper;
    const Vector3d J = box.mass / 12 * (Vector3d::Constant(box.size.squaredNorm()) - box.size.cwiseAbs2());
    M.block(6 * i, 6 * i, 3, 3) = box.mass * Mat::Identity(3, 3);
    M.block(6 * i + 3, 6 * i + 3, 3, 3) = box.turn * J.asDiagonal() * box.turn.transpose();
  }
  Vec u = 0.3 * random.vector(12);
  u(2) = -random.uniform(0.1, 2);
  u(8) = -random.uniform(0.1, 2);
  std::vector<Element> elements;
  const Eigen::Vector2d half = 0.45 * lower.size.head(2).cwiseMin(upper.size.head(2));
  for (int k = 0; k < 4; ++k) {
    const Vector3d corner(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0.5);
    const Vector3d at(2 * corner(0) * half(0), 2 * corner(1) * half(1), 0);
    const Vector3d top = lower.turn * (at + 0.5 * lower.size(2) * Vector3d::UnitZ());
    const Vector3d bottom = upper.turn * (at - 0.5 * upper.size(2) * Vector3d::UnitZ());
    const Vector3d foot = lower.turn * Vector3d(corner(0), corner(1), -corner(2)).cwiseProduct(lower.size);
    elements.push_back(contact_at("foot" + std::to_string(k), nullptr, foot, friction, restitution));
    elements.push_back(contact_at("upper" + std::to_string(k), &bottom, top, friction, restitution));
  }
  return ImpactProblem(0.5 * (M + M.transpose()), u, elements);
}

}  // namespace

TEST_CASE("stacked boxes are resolved to rounding, also where contacts creep") {
  struct Stack {
    std::uint64_t seed;
    double tilt, friction, restitution;
  };
  const auto solver = find_solver("auto")->make();
  for (const Stack& s :
       {Stack{1, 0, 0.3, 0}, Stack{2, 0, 1, 0}, Stack{3, 0, 0.5, 0.5}, Stack{4, 1e-9, 0.3, 0}, Stack{7, 1e-3, 0.5, 1},
        Stack{24, 1e-9, 0.5, 0.8}, Stack{39, 1e-9, 1, 0.8}, Stack{79, 1e-9, 1, 0.8}, Stack{85, 1e-9, 0.6, 0},
        Stack{186, 1e-9, 0.7, 0.2}, Stack{248, 1e-9, 0.9, 0.6}, Stack{514, 1e-10, 0.5, 0.8}, Stack{773, 1e-9, 0.4, 0.6},
        Stack{1261, 1e-9, 0.2, 0.2}, Stack{1938, 1e-9, 0.9, 0.6}}) {
    const ImpactProblem problem = stack(s.seed, s.tilt, s.friction, s.restitution);
    for (const char* law : {"newton", "moreau", "inelastic", "poisson"}) {
      CAPTURE(s.seed);
      CAPTURE(law);
      const LawOutcome outcome = make_law({law, {}})->resolve(problem, *solver);
      CHECK_MESSAGE(outcome.status == LawOutcome::Status::resolved, outcome.reason);
      for (const ImpactResult& result : outcome.results) {
        CHECK(result.solver.residual <= residual_tolerance);
        CHECK(result.kinetic.holds);
      }
    }
  }
}
