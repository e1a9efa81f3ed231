// Large, sparse inclusions of known make: chains of balls and piles of round bodies on a hexagonal lattice in a box.

#pragma once

#include <cstdint>

#include "engine/inclusion.h"
#include "engine/mass_matrix.h"
#include "engine/rows.h"
#include "tests/support/random_problem.h"

namespace carom::testing {

// Holds what the inclusion points to, so it stays where it is.
struct LargeProblem {
  LargeProblem() = default;
  LargeProblem(const LargeProblem&) = delete;
  LargeProblem& operator=(const LargeProblem&) = delete;

  Rows W;
  MassMatrix M;
  Vec u;
  Delassus G;
  Inclusion inclusion;
  Demand demand;

  void pose();  // from W, M, u and the sets: a plastic impact, c = Wᵀu
  Delassus dense_G() const { return Delassus::from_matrix(G.dense()); }
};

// Touching balls in a row, each against the next; on the ground if the first one stands on it.
void make_chain(const Vec& masses, const Vec& velocities, bool on_ground, LargeProblem& problem);

struct PileOptions {
  int columns = 10;
  int layers = 10;
  FrictionKind friction = FrictionKind::line;  // disc, ellipse: balls in one plane that may leave it
  double mu = 0.3;
  double noise = 0;  // of the velocities, against a fall of 0.01 m/s
  std::uint64_t seed = 1;
  int copies = 1;  // of every contact: redundant beyond 1
};

void make_pile(const PileOptions& options, LargeProblem& problem);

}  // namespace carom::testing
