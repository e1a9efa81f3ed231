// Redundant contacts: where G is singular, other impulses give the same velocities.

#pragma once

#include <vector>

#include "engine/inclusion.h"

namespace carom {

struct LeastImpulses {
  Vec Lambda;
  Mat others;          // columns: the directions in which other impulses with the same velocities lie, if any
  bool found = false;  // Λ is in its force sets
};

// Of all impulses with the velocities ξ = GΛ + c of the given ones and in the force sets for these velocities, the
// least in Σ GᵢᵢΛᵢ², with the Gᵢᵢ of an element's normal row for all of its rows. It is unique, and depends neither on
// the order of the elements nor on the choice of tangents and coordinates. The given Λ solves the equations of a mode;
// it need not be in the force sets.
LeastImpulses least_impulses(const Inclusion& inclusion, const Vec& Lambda);

// G is so far from singular that other impulses give other velocities. False proves nothing: the test is made for a
// few rows only, and allocates nothing.
bool velocities_determine_impulses(const Inclusion& inclusion);

// The corners of the polyhedron of these impulses, the least ones being given. Where it is curved (a contact with two
// tangents sticks) it has more extreme points than the corners; where there are too many candidates, none are given.
std::vector<Vec> extreme_impulses(const Inclusion& inclusion, const Vec& least);

}  // namespace carom
