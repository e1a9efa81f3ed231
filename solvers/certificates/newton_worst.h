// The most energy that Newton's law can create from any velocity, exactly, where friction is planar and G regular.
//
// Every pair (Λ, ξ) of a mode solves the impact from γ⁻ = (I + ε)⁻¹(ξ − GΛ), so that the gain over all velocities and
// all solutions is the greatest quotient of two quadratic forms,
//
//   W = Λᵀγ⁻ + ½ΛᵀGΛ,   T⁻ = ½γ⁻ᵀG⁻¹γ⁻   (the slowest velocity with this γ⁻),
//
// over the cones of all modes: open (ξ_N ≥ 0, ξ_T free), stick (Λ between the two edges of its cone) and slip (Λ on an
// edge, ξ_T against it) at each contact. On a face of a cone a local maximum of a quotient is its greatest eigenvalue;
// so the maximum is the largest one, over all faces, whose eigenvector lies inside its face. Nothing is sampled.

#pragma once

#include <optional>

#include "solvers/certificates/island.h"

namespace carom {

struct NewtonWorst {
  double gain = 0;  // (T⁺ − T⁻)/T⁻, at least 0: no impulse, no gain
  Vec gamma;        // γ⁻ of the island's rows; empty if nothing gains
};

// None where it cannot be exact: friction in space, redundant rows, ε ≤ −1, too many contacts, or a mode in which
// impulses arise from rest.
std::optional<NewtonWorst> newton_worst(const ContactIsland& island);

}  // namespace carom
