// Two hundred disks that fall in a hexagonal lattice, at the moment when most of them touch: Coulomb's law has many
// solutions there, and many places beside them where methods end.

#include <doctest/doctest.h>

#include <cmath>

#include "engine/mass_matrix.h"
#include "solvers/inclusion/list.h"

using namespace carom;

namespace {

// Disks of mass 1 and radius 1; a wall, the other one, is −1. Velocities are those before the impact.
struct Touch {
  int disk, other;
  double angle;  // of the normal on the disk
  double gamma_N, gamma_T;
};

constexpr Touch touches[] = {
#include "tests/unit/falling_lattice.inc"
};

constexpr Index disks = 199;
constexpr double friction = 0.4;

// W of one contact: a normal impulse pushes the disk along the normal, a tangential one turns it too.
void add_rows(const Touch& touch, Rows& W) {
  const double x = std::cos(touch.angle), y = std::sin(touch.angle);
  const auto add = [&](int disk, double side, double along_x, double along_y, double turning) {
    if (disk < 0) return;
    W.add(3 * disk, side * along_x);
    W.add(3 * disk + 1, side * along_y);
    if (turning != 0) W.add(3 * disk + 2, turning);
  };
  W.open_row();
  for (const double side : {1.0, -1.0}) add(side > 0 ? touch.disk : touch.other, side, x, y, 0);
  W.open_row();
  for (const double side : {1.0, -1.0}) add(side > 0 ? touch.disk : touch.other, side, -y, x, -1);
}

}  // namespace

TEST_CASE("a lattice of two hundred rough disks lands: its plastic impact is solved to 1e-8") {
  Rows W;
  Inclusion inclusion;
  inclusion.c.resize(2 * static_cast<Index>(std::size(touches)));
  Index row = 0;
  for (const Touch& touch : touches) {
    add_rows(touch, W);
    inclusion.c.segment(row, 2) << touch.gamma_N, touch.gamma_T;
    add_contact_sets(Eigen::Vector2d::Constant(friction), 1, row, 0, inclusion.sets);
    row += 2;
  }
  Vec mass = Vec::Ones(3 * disks);
  for (Index i = 2; i < mass.size(); i += 3) mass(i) = 0.5;
  MassMatrix M = MassMatrix::diagonal(mass);
  M.factor();
  Delassus G;
  G.rebuild(W, M);
  inclusion.G = &G;
  inclusion.r.resize(row);
  for (Index i = 0; i < row; ++i) inclusion.r(i) = 1 / G.diagonal(i);
  const InclusionOutcome outcome =
      find_solver("semismooth")->make()->solve(inclusion, {.tolerance = 1e-8, .every = false});
  REQUIRE_MESSAGE(outcome.status == InclusionOutcome::Status::solved, outcome.reason);
  CHECK(natural_residual(inclusion, outcome.solutions.front().Lambda) <= 1e-8);
}
