// The ladder: which method is asked for which problem, cheapest first. Where one finds nothing the next that suits the
// problem is asked, and none twice. Large problems climb it island by island.

#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "engine/inclusion.h"

namespace carom {

using SolveInclusion = void (*)(const Inclusion&, const Demand&, InclusionOutcome&);

// What a rung takes.
struct Suits {
  enum class Friction { any, planar, spatial };  // planar: at most one tangent a contact
  enum class Wanted { either, one, all };
  enum class Directions { either, known, unknown };  // whether G was built from directions, or is known by its entries

  Index least_rows = 0;
  Index most_rows = std::numeric_limits<Index>::max();
  Friction friction = Friction::any;
  bool joints = false;  // rows of bilateral sets too
  Wanted wanted = Wanted::either;
  Directions directions = Directions::either;
  double most_combinations = HUGE_VAL;  // of open, stick and slip
};

struct Rung {
  const char* name;  // of the solver that it is
  const char* purpose;
  Suits suits;
  SolveInclusion solve;
};

std::span<const Rung> ladder();

void climb(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

}  // namespace carom
