// The closed form of one contact: every mode of it, and what it leaves to others.

#include "solvers/inclusion/one_contact.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

using namespace carom;

namespace {

Inclusion one_contact(const Delassus& G, const Vec& c, double mu, double offset) {
  Inclusion inclusion;
  inclusion.G = &G;
  inclusion.c = c;
  inclusion.r = Vec{{1 / G(0, 0), 1 / G(1, 1)}};
  inclusion.sets.resize(2);
  inclusion.sets[0].row = 0;
  inclusion.sets[1].shape = ForceSet::Shape::line;
  inclusion.sets[1].row = 1;
  inclusion.sets[1].normal_row = 0;
  inclusion.sets[1].friction = {mu, mu};
  inclusion.sets[1].offset = offset;
  return inclusion;
}

}  // namespace

TEST_CASE("one contact: a solution wherever it gives one, in all its modes") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::array<int, 4> count{};  // open, stuck, slipping either way
  int left = 0;
  for (int k = 0; k < 20000; ++k) {
    const double G_NN = std::pow(10, 3 * uniform(random)), G_TT = std::pow(10, 3 * uniform(random));
    const double G_NT = uniform(random) * std::sqrt(G_NN * G_TT);
    const Delassus G = Delassus::from_matrix(Mat{{G_NN, G_NT}, {G_NT, G_TT}});
    const Vec c{{uniform(random) * std::sqrt(G_NN), uniform(random) * std::sqrt(G_TT)}};
    const double mu = (1 + uniform(random)) * std::sqrt(G_NN / G_TT);
    const double offset = k % 2 == 0 ? 0 : (1 + uniform(random)) / std::sqrt(G_NN) / 4;
    const Inclusion inclusion = one_contact(G, c, mu, offset);
    Vec Lambda;
    if (!solve_one_contact(inclusion, Lambda)) {
      ++left;
      continue;
    }
    CHECK(natural_residual(inclusion, Lambda) < 1e-12);
    const double limit = mu * (Lambda(0) + offset);
    if (Lambda(0) == 0)
      ++count[0];
    else if (std::abs(Lambda(1)) < limit)
      ++count[1];
    else
      ++count[Lambda(1) > 0 ? 2 : 3];
  }
  for (const int seen : count) CHECK(seen > 1000);
  CHECK(left > 1000);  // jammed ones
  CHECK(left < 10000);
}

TEST_CASE("one contact: friction that may jam is left to those who look for several solutions") {
  const Delassus G = Delassus::from_matrix(Mat{{1, 0.8}, {0.8, 1}});
  const Vec c{{-1, 0.5}};
  Vec Lambda;
  CHECK(solve_one_contact(one_contact(G, c, 1.2, 0), Lambda));
  CHECK_FALSE(solve_one_contact(one_contact(G, c, 1.3, 0), Lambda));
}
