// Many contacts with friction, redundant ones included: Newton's method in the space of velocities.
//
// Sweeps and Newton's method solve what changes little from step to step. Where they do not, planar problems are
// followed along a path that does not guess which contacts stick (central_path.h), left for proximal steps on the
// normal map (normal_map.h), which decide it; where that ends far from a solution, as in lattices that fall, they are
// searched by proximal steps from several starts: seconds for some hundred contacts. Spatial problems are led to a
// solution by proximal points whose steps grow (proximal_newton.h), and where these end short of one by convex problems
// (dilated_steps.h).
//
// Coulomb's problem has a solution wherever there are velocities by which all contacts part at once, each by more than
// μ times what it slides, whatever c is (Acary, Cadoux, Lemaréchal & Malick 2011): stacks, walls, dominoes and heaps
// that nothing holds down, also where restitution of redundant contacts asks for what no rigid motion can do. It may
// have none where friction can hold bodies between contacts without any force from outside, as a ball jammed between
// two walls.

#pragma once

#include "solvers/inclusion/attempt.h"

namespace carom {

// An operator that was built from rows, or one that is known by its entries only and not too large: directions W̃ that
// make it up are then found from its factors.
bool suits_velocity_newton(const Delassus& G);

Attempt solve_by_velocity_newton(const Inclusion& inclusion, const Demand& demand);

}  // namespace carom
