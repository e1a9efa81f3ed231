// Every mode that holds a solution, by branch and bound: the way to all solutions where several contacts with two
// tangents may slide at once and the slip directions are unknown angles.
//
// A branch says of some contacts that they are open, stick, or slide in a direction within an arc. What is then known
// of Λ and ξ is a cone, and ξ = GΛ + c asks whether −c lies in the cone of known directions; if it does not, no
// solution lies in the branch. Nor does one where impulses would have to work: Λᵀξ = ΛᵀGΛ + Λᵀc ≤ 0, an ellipsoid,
// whose tangents cut the cone. Contacts are decided and arcs halved until the equations of a mode provably have one
// root at most within the arcs, and Newton's method has it; or until the arcs are as narrow as rounding and a linear
// programme shows that the velocities are too. Up to rounding this is a proof.
//
// Redundant contacts (G is singular) can share their impulses in many ways. Where all ways give the same velocities it
// is one solution; where they do not, two solutions of one mode without arcs are joined by solutions, and the search
// ends: there is a continuum. There can be one without redundancy too, where a contact jams (rounding.h).

#pragma once

#include <optional>
#include <vector>

#include "engine/inclusion.h"
#include "solvers/inclusion/mode.h"

namespace carom {

struct ModeAnswer {
  std::optional<Vec> xi = {};  // of a solution in the mode, if one was found
  bool decided = false;        // no other velocities solve the mode's equations, its angles being as given
};

// Whom branch and bound hands over to what it finds.
class ModeJudge {
 public:
  virtual ~ModeJudge() = default;
  // Looks for a solution in a mode with these angles of its sliding contacts; not all modes have one.
  virtual ModeAnswer decide(const Mode& mode) = 0;
  // The impulses of a solution in the mode near Λ, if there is one; redundant contacts may share them differently.
  virtual std::optional<Vec> solution_near(const Mode& mode, const Vec& Lambda) = 0;
  // Whether solutions with the given impulses have different velocities, and there are others on the way between them.
  virtual bool are_joined(const Vec& begin, const Vec& end) = 0;
  // Whether a solution in the mode near Λ has others beside it.
  virtual bool continues(const Mode& mode, const Vec& Lambda) = 0;
  // Whether a solution that has others beside it is found anywhere, without much trouble.
  virtual bool finds_continuum() = 0;
  // The velocities of the solutions that were found so far.
  virtual std::vector<Vec> known() const = 0;
};

struct BranchingOutcome {
  bool complete = false;   // every solution lies in a mode that was handed over; not claimed of what may creep
  bool continuum = false;  // solutions with different velocities are joined by others
  bool redundant = false;  // G is singular
  int tests = 0;           // linear programmes solved
};

// Stops after so many tests, or at a continuum.
BranchingOutcome branch(const Inclusion& inclusion, int most_tests, ModeJudge& judge);

}  // namespace carom
