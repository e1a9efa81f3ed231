// The most energy that Poisson's law can create from any velocity, exactly, where friction is planar.
//
// In each pair of modes (contact_modes.h), with z⁻ and z⁺ the unknowns of compression and decompression,
//
//   Λ⁻ = P⁻z⁻,  γ° = X⁻z⁻ = GΛ⁻ + Lv
//   Δ = P⁺z⁺ + κ·kept,  γ⁺ = X⁺z⁺ = GΔ + GεΛ⁻ + γ°,   κ = (ε_N − ε_T)Λ_N⁻ = (ε_N − ε_T)(P⁻z⁻)_N,   Λ = (I + ε)Λ⁻ + Δ,
//
// linear equations again (law_pieces.h). By Glocker 2014, eq. (105), see poisson.h, W ≤ −½Λ⁻ᵀ(G − εGε)Λ⁻: compressions
// from which that allows no gain, or less than was found, are left out with all that can follow them.
//
// A contact alone, ε_T ≤ ε_N, needs no modes. The inequalities of poisson.h with c = ε_N give |u⁺|² ≤ |u_c|² ≤ |u⁻|² +
// (ε_N² − 1)Λ⁻ᵀGΛ⁻, and Λ⁻ᵀGΛ⁻ ≤ |u⁻|² since |u°|² ≥ 0 and Λ⁻ᵀγ° ≤ 0: the gain is ε_N² − 1 at most. It is attained.
// With rows of unit length take Λ⁻ = (1, f), f the number in [−μ, μ] nearest to −g, which is where Λ⁻ᵀGΛ⁻ is least, and
// γ⁻ = −GΛ⁻. Compression then ends at rest with Λ⁻, and decompression with Λ⁺ = ε_NΛ⁻: Δ_N = 0, γ_N⁺ = ε_N(1 + gf) > 0,
// and γ_T⁺ = ε_N(g + f) is zero, or has the sign of −f while Δ_T = (ε_N − ε_T)f is at its limit. So u⁺ = −ε_N u⁻.
//
// Only where the rows are dependent, g = ±1, and friction locks them, μ ≥ 1, is Λ⁻ᵀGΛ⁻ zero there. A velocity w = −γ_N⁻
// = −gγ_T⁻ is all there is then. Compression stops it by Λ_N⁻ + gΛ_T⁻ = w, in many ways, Λ_N⁻ ≥ w/(1 + μ); a contact
// that separates in the end slides, gΔ_T = −μ(ε_N − ε_T)Λ_N⁻, with γ_N⁺ = ε_Tw + (ε_N − ε_T)(1 − μ)Λ_N⁻, which is most
// with the least Λ_N⁻: γ_N⁺ = w(ε_N(1 − μ) + 2με_T)/(1 + μ). Any other comes to rest.

#pragma once

#include "solvers/certificates/law_pieces.h"

namespace carom {

// Not exact for friction in space, redundant contacts whose share of the compression impulse matters, too many
// contacts, and modes in which impulses arise from rest. With too many contacts that inequality still is a bound.
WorstVelocity poisson_worst(const ContactIsland& island, const PieceLimits& limits);

}  // namespace carom
