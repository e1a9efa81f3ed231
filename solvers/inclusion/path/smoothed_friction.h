// A path to one solution for contacts that friction in space leaves hard to find: friction and contact are smoothed,
// and the smoothing is taken away. In the units of UnitFriction, with the width w,
//
//   λ_N ξ_N = w,  λ_N, ξ_N > 0          λ_T = −R ξ_T/√(|ξ_T|² + w²),   R = λ_N + offset.
//
// Where coefficients of restitution differ between the rows of a flat face, c is just outside the image of G: contacts
// creep at 1e-9 of the impact's speed while redundant impulses grow to the edge of the friction discs. Sweeps take
// forever there, and modes look like sticking. The path comes to such a solution from the side of sliding.
//
// Slow slip is known only as far as ξ is. With G = VdVᵀ the unknowns are the components of ξ along the v with d > 0,
// and those of λ along the others, the self-stresses: what creeps is then not the small difference of GΛ and c. All of
// it is computed in long double.
//
// A path may turn back before its end. Then others are tried, on which every contact has a width of its own. Where
// creep is so slow that none of them tells it from rest, Newton's method goes on from their ends.

#pragma once

#include "solvers/inclusion/attempt.h"

namespace carom {

Attempt solve_by_smoothed_friction(const Inclusion& inclusion, const Demand& demand);

}  // namespace carom
