// What the held rows of a mode leave open of the velocities. Of redundant contacts (G is singular) some rows can follow
// from others: what those hold is at rest or moves as they say, whatever the impulses.

#pragma once

#include <vector>

#include "solvers/inclusion/all/slide_roots.h"

namespace carom {

Mat root_of(const UnitFriction& problem);  // K with KᵀK = G, of full row rank
Mat complement_of(const Mat& A);           // what is orthogonal to the columns of A, in orthonormal columns
// Columns of held rows, those of sticking friction in the units of r.
Mat held_columns(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions);

// With G = KᵀK the velocities are ξ = Kᵀy + c, y = Kλ. Held rows H say K_Hᵀy = −c_H, that is y = y₀ + Qζ.
class FreeVelocities {
 public:
  FreeVelocities(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions);

  // Arcs of slip that the held rows determine shrink to its direction. False: what is decided of a contact contradicts
  // what the held rows say of it. `rest` is what counts as rest, `drive` what drives the impact.
  bool narrow(std::vector<Decision>& decisions, double rest, double drive) const;

  const Mat& directions() const { return Q_; }

 private:
  bool are_determined(Index row, Index count) const;
  Vec determined(Index row, Index count) const;

  const UnitFriction& problem_;
  const Mat& K_;
  Mat Q_;
  Vec y0_;
};

}  // namespace carom
