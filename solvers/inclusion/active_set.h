// Active-set method for unilateral rows without friction: guess which are held, solve
//
//   G_HH Λ_H = −c_H,   Λ_F = 0,
//
// let every row change sides that wants to, −Λ + rξ < 0 held and otherwise free, and solve again. It is Newton's
// method on the natural map, and where G has no positive off-diagonal entry (a chain of balls) it ends after
// finitely many guesses from any start (Hintermüller, Ito & Kunisch 2003, SIAM J. Optim. 13).

#pragma once

#include "solvers/inclusion/attempt.h"

namespace carom {

bool is_frictionless(const Inclusion& inclusion);

// From the inclusion's start, or from all rows held that do not separate by themselves.
Attempt solve_by_active_set(const Inclusion& inclusion);

}  // namespace carom
