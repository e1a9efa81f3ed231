// Joints eliminated by a sparse factor, as many of them are, against the dense projection on their manifold.

#include "engine/constrained_mass.h"

#include <doctest/doctest.h>

#include "tests/support/random_problem.h"

using namespace carom;
using testing::Random;

namespace {

// Planar bodies in a row, each hinged to the next at a random point: two rows a hinge.
struct HingedChain {
  MassMatrix M;
  Rows B;

  HingedChain(Index bodies, Random& random) : M(std::vector<Index>(static_cast<std::size_t>(bodies), 3)) {
    for (Index b = 0; b < bodies; ++b) {
      const double mass = random.uniform(0.5, 2);
      M.block(b).diagonal() << mass, mass, mass * random.uniform(0.01, 0.1);
    }
    REQUIRE(M.factor());
    for (Index b = 0; b + 1 < bodies; ++b) add_hinge(b, b + 1, random);
  }

  void add_hinge(Index first, Index second, Random& random) {
    const Eigen::Vector2d from_first(random.uniform(-1, 1), random.uniform(-1, 1));
    const Eigen::Vector2d from_second(random.uniform(-1, 1), random.uniform(-1, 1));
    for (Index axis = 0; axis < 2; ++axis) {
      B.open_row();
      add_point(first, -1, from_first, axis);
      add_point(second, 1, from_second, axis);
    }
  }
  void repeat_row(Index row) {
    const Rows copy = B;
    B.append(copy[row]);
  }

 private:
  void add_point(Index body, double sign, const Eigen::Vector2d& arm, Index axis) {
    B.add(3 * body + axis, sign);
    B.add(3 * body + 2, sign * (axis == 0 ? -arm.y() : arm.x()));
  }
};

// δ = M⁻¹f − M⁻¹B(BᵀM⁻¹B)⁺(BᵀM⁻¹f − r).
Vec dense_response(const HingedChain& chain, const Vec& f, const Vec& r) {
  const Mat B = chain.B.dense(chain.M.size()).transpose();
  const Mat M_inverse = chain.M.dense().inverse();
  const Mat compliance = B.transpose() * M_inverse * B;
  const Vec lambda = compliance.completeOrthogonalDecomposition().solve(B.transpose() * M_inverse * f - r);
  return M_inverse * (f - B * lambda);
}

void check_response(const HingedChain& chain, Random& random) {
  ConstrainedMass response;
  REQUIRE(response.set_mass(chain.M, nullptr, 0, 0));
  response.set_joints(chain.B);
  const Vec f = Vec::NullaryExpr(chain.M.size(), [&] { return random.normal(); });
  // A rate that the joints can have, redundant ones included.
  const Vec u = Vec::NullaryExpr(chain.M.size(), [&] { return random.normal(); });
  Vec r(chain.B.count());
  for (Index j = 0; j < r.size(); ++j) r(j) = chain.B.dot(j, u);
  Vec delta;
  response.solve(f, r, delta);
  const Vec expected = dense_response(chain, f, r);
  CHECK((delta - expected).norm() <= 1e-10 * (1 + expected.norm()));
  for (Index j = 0; j < r.size(); ++j) CHECK(std::abs(chain.B.dot(j, delta) - r(j)) <= 1e-10 * (1 + r.norm()));
  Vec lambda(chain.B.count()), impulse = f, momentum;
  response.find_joint_impulses(lambda);
  for (Index j = 0; j < lambda.size(); ++j) chain.B.add_to(impulse, j, lambda(j));
  chain.M.multiply(delta, momentum);
  CHECK((momentum - impulse).norm() <= 1e-9 * (1 + momentum.norm()));
}

}  // namespace

TEST_CASE("Many hinges answer as the dense projection does, redundant ones and closed loops included") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    HingedChain chain(random.integer(65, 80), random);
    check_response(chain, random);
    chain.add_hinge(chain.M.block_count() - 1, 0, random);  // a loop
    check_response(chain, random);
    for (int k = 0; k < 4; ++k) chain.repeat_row(random.integer(0, 100));
    check_response(chain, random);
  }
}

TEST_CASE("Few hinges answer as the dense projection does, redundant ones included") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    HingedChain chain(random.integer(3, 9), random);
    check_response(chain, random);
    chain.repeat_row(random.integer(0, 3));
    check_response(chain, random);
  }
}

TEST_CASE("A factor of joints is good for new directions between the same bodies, and for other bodies") {
  Random random(7);
  ConstrainedMass response;
  for (const Index bodies : {70, 70, 80, 70}) {
    const HingedChain chain(bodies, random);
    REQUIRE(response.set_mass(chain.M, nullptr, 0, 0));
    response.set_joints(chain.B);
    const Vec f = Vec::NullaryExpr(chain.M.size(), [&] { return random.normal(); });
    Vec delta = f;
    response.respond(delta);
    const Vec expected = dense_response(chain, f, Vec::Zero(chain.B.count()));
    CHECK((delta - expected).norm() <= 1e-10 * (1 + expected.norm()));
  }
}
