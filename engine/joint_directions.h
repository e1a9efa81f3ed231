// Bᵀu = b of the joints and prescribed motions at a position.

#pragma once

#include "engine/rows.h"
#include "engine/system.h"

namespace carom {

// Into the storage of former ones. Fails where a prescribed motion has no finite velocity.
void direct_joints(const System& system, double t, const Vec& q, Rows& B, Vec& b);

}  // namespace carom
