// Is b in the cone of the columns of A?   ∃x ≥ 0: Ax = b,   or (Farkas) ∃y: Aᵀy ≤ 0, y·b > 0.

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

// True only if a separating y was found and holds beyond rounding; in doubt b counts as inside.
bool outside_cone(Mat A, Vec b);

}  // namespace carom
