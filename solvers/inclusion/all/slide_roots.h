// The equations of a mode in which contacts slide in space, and the proof that a root of theirs is the only one.

#pragma once

#include <optional>
#include <vector>

#include "solvers/inclusion/unit_friction.h"

namespace carom {

// What is decided of one site. A slip in the plane is an arc of no width: angle 0 or π.
struct Decision {
  enum class Friction { none, stick, slip, arc };

  bool held = false;  // ξ_N = 0, otherwise λ_N = 0
  Friction friction = Friction::none;
  double begin = 0;
  double end = 0;

  double middle() const { return 0.5 * (begin + end); }
  double width() const { return end - begin; }
};

// The angles of the arcs, in the order of the sites, at the root of the mode's equations that Newton's method finds
// from the middle of the arcs, if it can be shown that the arcs hold no other.
std::optional<std::vector<double>> only_root(const UnitFriction& problem, const std::vector<Decision>& decisions);

// Narrows the arcs to where roots of the mode's equations can be. False: nowhere.
bool narrow_to_roots(const UnitFriction& problem, std::vector<Decision>& decisions);

}  // namespace carom
