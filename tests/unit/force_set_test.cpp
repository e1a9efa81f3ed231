#include "engine/force_set.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random_problem.h"

using namespace carom;

TEST_CASE("projection on an ellipse is the nearest of all its points") {
  testing::Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Eigen::Vector2d axes(std::exp(random.uniform(-4, 3)), std::exp(random.uniform(-4, 3)));
    const Eigen::Vector2d x(random.normal() * 3, random.normal() * 3);
    const Eigen::Vector2d p = project_on_ellipse(x, axes);
    CHECK(p.cwiseQuotient(axes).norm() <= 1 + 1e-12);
    double nearest = x.cwiseQuotient(axes).norm() <= 1 ? 0 : HUGE_VAL;
    for (int k = 0; k < 2000; ++k) {
      const double phi = 2 * std::numbers::pi * k / 2000;
      nearest = std::min(nearest, (x - Eigen::Vector2d(axes(0) * std::cos(phi), axes(1) * std::sin(phi))).norm());
    }
    CHECK((x - p).norm() <= nearest + 1e-12);
  }
}

TEST_CASE("projections satisfy the variational inequality (x − p)·(y − p) ≤ 0 for all y in the set") {
  testing::Random random(8);
  for (int trial = 0; trial < 500; ++trial) {
    ForceSet set;
    set.shape = static_cast<ForceSet::Shape>(trial % 3);
    set.row = 1;
    set.normal_row = 0;
    set.friction = {random.uniform(0.1, 2), random.uniform(0.1, 2)};
    set.offset = random.uniform(0, 1);
    Vec Lambda = Vec::Zero(3);
    Lambda(0) = random.uniform(0, 2);
    const auto any = [&] { return Eigen::Vector2d(random.normal() * 3, set.size() == 2 ? random.normal() * 3 : 0.0); };
    const Eigen::Vector2d x = any();
    const Eigen::Vector2d p = project(set, x, Lambda);
    const Eigen::Vector2d y = project(set, any(), Lambda);
    CHECK((x - p).dot(y - p) <= 1e-11);
    CHECK((project(set, p, Lambda) - p).norm() <= 1e-12);
  }
}

TEST_CASE("degenerate ellipses are segments and points") {
  CHECK(project_on_ellipse({3, 4}, {0, 0}).norm() == 0);
  CHECK((project_on_ellipse({3, 4}, {2, 0}) - Eigen::Vector2d(2, 0)).norm() == 0);
  CHECK((project_on_ellipse({0.5, 4}, {2, 0}) - Eigen::Vector2d(0.5, 0)).norm() == 0);
  CHECK((project_on_ellipse({3, 4}, {1, 1}) - Eigen::Vector2d(0.6, 0.8)).norm() < 1e-15);
}
