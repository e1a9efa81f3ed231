// The most energy that Newton's law can create from any velocity, exactly, where friction is planar.
//
//   ξ = GΛ + (I + ε)γ⁻   in each mode of open, stick and slip (contact_modes.h),
//
// so that its pieces (law_pieces.h) are (X − GP)z = (I + ε)Lv. Nothing is sampled; of several solutions the most
// gaining one counts.

#pragma once

#include "solvers/certificates/law_pieces.h"

namespace carom {

// Not exact for friction in space, ε ≤ −1, too many contacts, and modes in which impulses arise from rest.
WorstVelocity newton_worst(const ContactIsland& island, const PieceLimits& limits);

}  // namespace carom
