// Every mode that holds a solution, by branch and bound: the way to all solutions where several contacts with two
// tangents may slide at once and the slip directions are unknown angles.
//
// A branch says of some contacts that they are open, stick, or slide in a direction within an arc. What is then known
// of Λ and ξ is a cone, and ξ = GΛ + c asks whether −c lies in the cone of known directions; if it does not, no
// solution lies in the branch. Contacts are decided and arcs halved until the equations of a mode provably have one
// root at most within the arcs, and Newton's method has it. Up to rounding this is a proof.

#pragma once

#include <functional>

#include "engine/inclusion.h"
#include "solvers/inclusion/mode.h"

namespace carom {

struct BranchingOutcome {
  bool complete = false;  // every solution lies in a mode that was handed over
  int tests = 0;          // cones tested
};

// Hands over modes, with the angles of their sliding contacts; not all of them have solutions. Stops after so many
// tests.
BranchingOutcome branch(const Inclusion& inclusion, int most_tests, const std::function<void(const Mode&)>& hand_over);

}  // namespace carom
