// The most energy that Newton's law can create at one planar contact whose impulse lies on an edge of its friction
// cone while it sticks, when its normal coefficient may be anything in a range.
//
// With rows of unit length, g = G_NT, Λ = x(1, f) with f = ±μ, and ξ = 0,
//
//   γ_T⁻ = −(g + f)x/(1 + ε_T),   γ_N⁻ = −(1 + gf)x/(1 + ε_N),   lo ≤ ε_N ≤ hi.
//
// x and −γ_N⁻ are the unknowns of one piece (law_pieces.h) to each edge: the range bounds their ratio. With ε ≤ 1 only
// edges at which friction locks the contact, 1 + gf < 0, have to be looked at between the ends of the range. Otherwise,
//   f(g + f) ≥ 0:  2W/x² = −(1 + gf)(1−ε_N)/(1+ε_N) − f(g + f)(1−ε_T)/(1+ε_T) is no gain;
//   f(g + f) < 0:  the same γ⁻ with more ε_N slips, x grows along the edge, and so does W, which is convex in x,
//                  zero at x = 0 and positive already. The greatest ε_N gains more.

#pragma once

#include "solvers/certificates/coefficient_ranges.h"
#include "solvers/certificates/law_pieces.h"

namespace carom {

struct EdgeWorst {
  WorstVelocity worst;
  double restitution = 0;  // ε_N that it happens with
};

// The island is one contact, with the friction and the tangential coefficient to be looked at.
EdgeWorst newton_edge_worst(const ContactIsland& island, const CoefficientRanges::Range& restitution,
                            const PieceLimits& limits);

}  // namespace carom
