// A mode says of every force set on which piece of its boundary −Λ lies. Within a mode the inclusion is a
// system of equations: linear, unless a contact with two tangents slides.
//
//   unilateral   free   Λ = 0                    held   ξ = 0
//   friction     idle   Λ = 0 (empty set)        held   ξ = 0 (stick)
//                slip   Λ = −σ μ R, σ = ±1       one tangent
//                slide  Λ = −R e(φ), e'(φ)·ξ = 0 two tangents, e(φ) = (μ₁cos φ, μ₂ sin φ)

#pragma once

#include <optional>
#include <vector>

#include "engine/inclusion.h"

namespace carom {

struct Piece {
  enum class Kind { free, held, slip, slide };

  Kind kind = Kind::free;
  double sign = 0;   // slip
  double angle = 0;  // slide: where Newton's method starts
};

using Mode = std::vector<Piece>;  // one piece a set

// Solves the equations of a mode; the answer need not satisfy its inequalities (the natural residual tells).
// Redundant rows get the least impulses. Nothing if Newton's method on the slide angles does not settle.
std::optional<Vec> solve_mode(const Inclusion& inclusion, const Mode& mode);

// Whether the equations of a mode leave the velocities no freedom (the impulses they may: redundant rows). Asked of
// modes with singular equations; a sliding contact's angle counts as given.
bool determines_velocities(const Inclusion& inclusion, const Mode& mode);

// The same from given impulses, with the least changes to them.
std::optional<Vec> solve_mode_near(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda);

// That solution and two beside it, along the direction that the equations leave open and in which the velocities change
// most. Empty if there is no such direction.
std::vector<Vec> neighbours(const Inclusion& inclusion, const Mode& mode, const Vec& Lambda);

// Where a contact with two tangents can slide in this mode, the angles of the other sliding contacts being as
// given: e'(φ)·ξ times the determinant of the held rows is a trigonometric polynomial of degree two, whose at
// most four roots are all found. `set` is the sliding set. Empty if the held rows are singular.
std::vector<double> slide_angles(const Inclusion& inclusion, Mode mode, std::size_t set);

// The mode that one prox step from Λ points to; find_mode() keeps the storage of the mode it fills.
Mode mode_at(const Inclusion& inclusion, const Vec& Lambda);
void find_mode(const Inclusion& inclusion, const Vec& Lambda, Mode& mode);

// Follows the modes from Λ as long as that lowers the residual: Newton's method on the natural map.
Vec polish(const Inclusion& inclusion, Vec Lambda);

}  // namespace carom
