// Velocities before an impact that a uniform draw seldom meets: those of a given mode.
//
// Every pair (Λ, ξ) that a mode allows — open, stick, slip at each contact — solves ξ = GΛ + (I + ε)γ⁻ from
//
//   γ⁻ = (I + ε)⁻¹(ξ − GΛ),
//
// so that drawing the mode first gives narrow cones of velocities the same chance as wide ones. With ε = 0 they are the
// modes of an inelastic impact and of Poisson's compression, with the rows' own ε those of Newton's law.

#pragma once

#include <random>
#include <vector>

#include "engine/impact_problem.h"

namespace carom {

class ModeVelocities {
 public:
  explicit ModeVelocities(const ImpactProblem& problem);

  // White, and slowest among those with its γ⁻; the nearest to it where redundant rows do not allow γ⁻.
  Vec draw(std::mt19937_64& engine) const;

 private:
  struct Row {
    Index normal = 0;  // its row, and the number of tangents that carry friction
    Index tangents = 0;
    Eigen::Vector2d friction;
  };

  void draw_element(const Row& row, std::mt19937_64& engine, Vec& Lambda, Vec& xi) const;

  std::vector<Row> elements_;
  Mat G_;
  Mat slowest_;  // γ → v
  Vec onward_;   // 1 + ε; ones where an ε ≤ −1
  Vec unit_;     // √ of the compliance: velocity of a row at unit energy
};

}  // namespace carom
