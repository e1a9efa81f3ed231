// The most energy that Poisson's law can create from any velocity, exactly, where friction is planar.
//
// In each pair of modes (contact_modes.h), with z⁻ and z⁺ the unknowns of compression and decompression,
//
//   Λ⁻ = P⁻z⁻,  γ° = X⁻z⁻ = GΛ⁻ + Lv
//   Δ = P⁺z⁺ + κ·kept,  γ⁺ = X⁺z⁺ = GΔ + GεΛ⁻ + γ°,   κ = (ε_N − ε_T)Λ_N⁻ = (ε_N − ε_T)(P⁻z⁻)_N,   Λ = (I + ε)Λ⁻ + Δ,
//
// linear equations again (law_pieces.h). By Glocker 2014, eq. (105), see poisson.h, W ≤ −½Λ⁻ᵀ(G − εGε)Λ⁻: compressions
// from which that allows no gain, or less than was found, are left out with all that can follow them.

#pragma once

#include "solvers/certificates/law_pieces.h"

namespace carom {

// Not exact for friction in space, redundant contacts whose share of the compression impulse matters, too many
// contacts, and modes in which impulses arise from rest. With too many contacts that inequality still is a bound.
WorstVelocity poisson_worst(const ContactIsland& island, const PieceLimits& limits);

}  // namespace carom
