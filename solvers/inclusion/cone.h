// Is b in the cone of the columns of A?   ∃x ≥ 0: Ax = b,   or (Farkas) ∃y: Aᵀy ≤ 0, y·b > 0.

#pragma once

#include <optional>

#include "engine/linear_algebra.h"

namespace carom {

// True only if a separating y was found and holds beyond rounding; in doubt b counts as inside.
bool outside_cone(Mat A, Vec b);

// The x ≥ 0 with Ax = b that has the largest g·x, a corner of their polyhedron. Nothing if b is outside the cone, g·x
// has no bound, or the method gives up.
std::optional<Vec> largest_in_cone(Mat A, Vec b, const Vec& g);

}  // namespace carom
