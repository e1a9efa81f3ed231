// What a solution of an inclusion brings to rest, at rest to the last digit.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// ξ as the sets allow it where −Λ lies, (x − prox_C(x))/r with x = −Λ + rξ: the solution's own but for its residual.
void admissible_velocity(const Inclusion& inclusion, const InclusionSolution& solution, Vec& xi);

}  // namespace carom
