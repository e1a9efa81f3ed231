// Many contacts with friction, redundant ones included: Newton's method in the space of velocities.
//
// Sweeps and Newton's method solve what changes little from step to step. Where they do not, planar problems are
// followed along a path that does not guess which contacts stick (central_path.h), and left for proximal steps on the
// normal map (normal_map.h), which decide it. Spatial friction is tried by Newton's method on the natural map
// (natural_newton.h), and goes on with the iterations below.
//
// Coulomb's law is an associated one for the shifted velocity ξ̃ = ξ + |μξ_T|n (De Saxcé & Feng 1998): for given shifts
// s = |μξ_T| the inclusion is that of a convex problem, with the whole cone C of a contact as its set. Its proximal
// point iteration with a long step ρ,
//
//   Λ ← P_C(Λ − ρ ξ̃(v)),   v = W̃Λ,   ξ̃(v) = W̃ᵀv + c + sn,
//
// asks in each step for the minimum of a convex function of the velocities alone,
//
//   φ(v) = ½|v|² + Σ |P_C(Λ − ρξ̃(v))|²/2ρ,   φ″ = I + W̃ρP′_CW̃ᵀ,
//
// which Newton's method with a line search finds from anywhere, in planar problems after finitely many steps, and which
// redundant contacts do not make singular. After each step the shifts are renewed. Both together are a fixed-point
// iteration (Λ, s) ↦ (Λ, s) whose rate friction decides; Anderson's acceleration takes what is linear in it away: as
// soon as all contacts know whether they stick, slip or open, φ″ stays as it is and each step is one back substitution.
//
// Two more iterations have the same fixed points: with the radii μΛ_N frozen instead of the shifts (Tresca friction;
// the sets are cylinders), and projected Gauss–Seidel sweeps, accelerated too. With strong friction in dense piles each
// of the three may run in circles where another one does not. They take turns, each on its own course.

#pragma once

#include "solvers/inclusion/attempt.h"

namespace carom {

// An operator that was built from rows, or one that is known by its entries only and not too large: directions W̃ that
// make it up are then found from its factors.
bool suits_velocity_newton(const Delassus& G);

Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Vec& start);

}  // namespace carom
