// The most energy that Newton's rule on Routh's path can create from any velocity, exactly, for contacts in the plane.
//
// With rows of unit length, g = G_NT and slip to the side s = ±1, the impulse grows by (1, −sμ) dI_N and the velocity
// by (1 − sμg, g − sμ) dI_N. Slip that comes to rest stays there (rate (1, −g)) if |g| ≤ μ, else it goes on to the side
// of g. The normal velocity changes by −(1 + ε)γ_N⁻ in all. So there are two pieces (law_pieces.h) to each side: slip
// all the way, and slip up to rest with x₁, then on with x₂,
//
//   (1 − sμg) x = −(1 + ε)γ_N⁻,                     sγ_T⁻ + s(g − sμ)x ≥ 0
//   (μ − sg) x₁ = sγ_T⁻,  (1 − sμg) x₁ + a x₂ = −(1 + ε)γ_N⁻,   a = 1 − g² or 1 − μ|g| > 0.
//
// Dependent rows, g = ±1, allow one motion, γ_T = gγ_N, which comes to rest as a whole and leaves with γ_N⁺ = −εγ_N⁻ or
// is held by friction: no gain, as ε ≤ 1.

#pragma once

#include "solvers/certificates/law_pieces.h"

namespace carom {

// Not exact for friction in space.
WorstVelocity newton_routh_worst(const ContactIsland& island, const PieceLimits& limits);

}  // namespace carom
