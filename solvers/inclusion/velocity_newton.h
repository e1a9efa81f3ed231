// Newton's method for many contacts with friction, redundant ones included, alternating with sweeps.
//
// The natural map −Λ = prox_C(−Λ + rξ), ξ = W̃ᵀv + c, v = W̃Λ, says of every row whether it is held or lies on the
// boundary of its set. With the friction radii frozen its derivative gives for every contact
//
//   ΔΛ = −k − KΔξ,   K = (1/δ)r where held, 0 where free or slipping, r(I − (1−δ)D)⁻¹D where sliding in a plane,
//
// (D derivative of the prox, δ a proximal term that leaves one answer to redundant contacts), and eliminating ΔΛ
//
//   (I + W̃KW̃ᵀ) Δv = −W̃k:
//
// symmetric, positive definite, and of the size of the velocities however many contacts there are. (With the radii
// coupled to the normal impulses K is not symmetric; that is tried where much slips.) A step moves all contacts
// together, over any distance; the projected Gauss–Seidel sweeps after it bring impulses back into their sets, renew
// the radii and so settle which rows are held. Neither alone would do: sweeps carry news one contact a sweep, and
// Newton's method has no reason to converge from afar.
//
// Sources: Alart & Curnier 1991 (generalised Newton method, augmented Lagrangian); Jourdan, Alart & Jean 1998.

#pragma once

#include "solvers/inclusion/attempt.h"

namespace carom {

// For an operator that was built from rows.
Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Vec& start);

}  // namespace carom
