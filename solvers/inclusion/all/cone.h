// Is b in the cone of the columns of A?   ∃x ≥ 0: Ax = b,   or (Farkas) ∃y: Aᵀy ≤ 0, y·b > 0.

#pragma once

#include <memory>
#include <optional>

#include "engine/linear_algebra.h"

namespace carom {

class Simplex;

// The search for an x, which goes on where bounds are added.
class PlaceInCone {
 public:
  PlaceInCone(Mat A, Vec b);
  ~PlaceInCone();

  // True only if a separating y was found and holds beyond rounding; in doubt b counts as inside.
  bool outside();
  // An x ≥ 0 with Ax = b, if outside() came to one.
  std::optional<Vec> x() const;
  // Only x with g·x ≤ limit count from now on.
  void bound(const Vec& g, double limit);

 private:
  Vec unit_;  // of x
  std::unique_ptr<Simplex> simplex_;
};

// The x ≥ 0 with Ax = b that has the largest g·x, a corner of their polyhedron. Nothing if b is outside the cone, g·x
// has no bound, or the method gives up.
std::optional<Vec> largest_in_cone(Mat A, Vec b, const Vec& g);

}  // namespace carom
