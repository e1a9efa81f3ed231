// A sparse factor that keeps its ordering solves what a dense one solves.

#include "engine/sparse_ldlt.h"

#include <doctest/doctest.h>

#include "tests/support/random_problem.h"

using namespace carom;
using testing::Random;

namespace {

// [A B; Bᵀ −κ] with a definite A: quasi-definite, so that any order of elimination has pivots.
SparseLdlt::Entries random_entries(int size, int bodies, std::uint64_t places, Random& values) {
  Random random(places);
  SparseLdlt::Entries entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, (i < bodies ? 1 : -1) * values.uniform(20, 30));
  for (int k = 0; k < 3 * size; ++k) {
    const int i = random.integer(0, size - 1), j = random.integer(0, size - 1);
    if (i == j || (i >= bodies && j >= bodies)) continue;
    const double value = values.normal();  // some places come twice
    entries.emplace_back(i, j, value);
    entries.emplace_back(j, i, value);
  }
  return entries;
}

Mat dense(int size, const SparseLdlt::Entries& entries) {
  Mat A = Mat::Zero(size, size);
  for (const auto& entry : entries) A(entry.row(), entry.col()) += entry.value();
  return A;
}

}  // namespace

TEST_CASE("A sparse LDLᵀ solves what a dense LU solves, at new places and with new values at the same places") {
  SparseLdlt factor;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    const std::uint64_t places = seed / 3;  // the same ones three times
    Random random(seed), of_places(places + 1000);
    const int size = of_places.integer(1, 60), bodies = of_places.integer((size + 1) / 2, size);
    const SparseLdlt::Entries entries = random_entries(size, bodies, places, random);
    const Mat A = dense(size, entries);
    REQUIRE(factor.factor(size, entries));
    const Vec b = random.vector(size);
    Vec x = b;
    factor.solve_in_place(x);
    CHECK((x - A.fullPivLu().solve(b)).norm() < 1e-10 * (1 + x.norm()));

    // b·A⁻¹b by the factor's own coordinates.
    Vec y = b;
    factor.forward(y);
    CHECK(std::abs((y.array().square() / factor.pivots().array()).sum() - b.dot(x)) < 1e-10 * (1 + b.squaredNorm()));
  }
  CHECK_FALSE(factor.factor(2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}}));
}
