// An inclusion in units in which friction is a unit circle: Λ = Dλ, G' = DGD, c' = Dc with
//
//   D_N = √r_N,   D_T = μ√r_N   ⟹   −λ_T ∈ Rδ, |δ| ≤ 1, R = λ_N + offset',   ξ'_T ∥ −λ_T where it slides.
//
// What is small is told in the units of r, Λ = √r λ, in which the entries of G are at most about one whatever μ is.

#pragma once

#include <vector>

#include "engine/inclusion.h"

namespace carom {

// A unilateral set with the friction set it scales, if any.
struct Site {
  std::size_t normal_set = 0;
  std::size_t friction_set = 0;  // normal_set + 1 where there is friction
  Index normal = 0;              // rows
  Index tangent = 0;
  Index tangents = 0;  // 0, 1 or 2
  double offset = 0;
  double smallest_friction = 0;  // of the rows' friction below
  double largest_friction = 0;
};

struct UnitFriction {
  explicit UnitFriction(const Inclusion& inclusion);

  Mat G;
  Vec c;
  Vec D;
  Vec friction;  // D/√r by rows, one at normals: of a velocity in these units to that in the units of r
  std::vector<Site> sites;

  // In the units of r; rows in no set are zero.
  Mat G_in_units_of_r() const { return by_friction().asDiagonal() * G * by_friction().asDiagonal(); }
  Vec c_in_units_of_r() const { return by_friction().cwiseProduct(c); }

 private:
  Vec by_friction() const {
    return friction.unaryExpr([](double mu) { return mu > 0 ? 1 / mu : 0.0; });
  }
};

}  // namespace carom
