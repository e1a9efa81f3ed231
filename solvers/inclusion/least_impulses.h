// Redundant contacts: where G is singular, other impulses give the same velocities.

#pragma once

#include "engine/inclusion.h"

namespace carom {

struct LeastImpulses {
  Vec Lambda;
  Mat others;          // columns: the directions in which other impulses with the same velocities lie, if any
  bool found = false;  // Λ is in its force sets
};

// Of all impulses with the velocities ξ = GΛ + c of the given ones and in the force sets for these velocities, the
// least in Σ Λᵢ²/r, with the r of an element's normal row for all of its rows. It is unique, and depends neither on
// the order of the elements nor on the choice of tangents. The given Λ solves the equations of a mode; it need not be
// in the force sets.
LeastImpulses least_impulses(const Inclusion& inclusion, const Vec& Lambda);

}  // namespace carom
