// Laws that are linear on cones of velocities, one a mode, and the most energy that they create on them, exactly.
//
// In a mode (open, stick or slip at each contact, in each phase) the unknowns z — impulses and velocities that the mode
// leaves — solve linear equations and keep their signs,
//
//   E z = R v,   N z ≥ 0,   Λ = P z,   v⁺ = v + LᵀΛ,
//
// with v the velocity before the impact in coordinates in which T = ½|v|². Where E is regular, z is linear in v, the
// mode holds on a polyhedral cone, and the gain |v⁺|² − |v|² over |v|² is a quotient on it (cone_quotient.h). Where
// redundant contacts share impulses in many ways, z = Z v + K κ with LᵀPK = 0, and κ is eliminated from the
// inequalities (Fourier and Motzkin). A mode whose velocities after the impact are not unique (LᵀPK ≠ 0) is not
// covered.

#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "solvers/certificates/cone_quotient.h"
#include "solvers/certificates/island.h"

namespace carom {

struct LawPiece {
  Mat E, R, N, P;
};

// An island with rows of unit kinetic length, in the white coordinates of the motions that it moves.
struct UnitIsland {
  explicit UnitIsland(const ContactIsland& island);

  Mat G;        // unit diagonal
  Mat L;        // G = LLᵀ, one column a motion: γ = Lv
  Mat rays;     // edges of the impulse cones, Λ_N = 1
  Vec epsilon;  // by rows
  Vec length;   // of the rows: γ of the island is length∘γ here

  // Elements by rows: a rough contact has two rows and two rays, which pull along −t and +t; others have one of each.
  struct Element {
    Index normal, ray;
    bool rough;
  };
  std::vector<Element> elements;
};

struct WorstVelocity {
  double gain = 0;           // (T⁺ − T⁻)/T⁻, the greatest that was found; at least 0: no impulse, no gain
  double bound = 0;          // none is greater; ∞ where nothing is known
  Vec gamma;                 // γ⁻ of the island's rows; empty if nothing gains
  std::int64_t faces = 0;    // of cones, that were looked at
  bool closed_form = false;  // by a formula: true however badly conditioned the rows are

  bool exact() const { return bound == gain; }
  static WorstVelocity unknown() { return {0, HUGE_VAL, {}}; }
};

struct PieceLimits {
  std::int64_t most_faces = 600000;  // of all pieces together, some seconds
  bool approaching = false;          // only velocities at which the first contact does not separate
};

// Collects the pieces of a law.
class PieceSearch {
 public:
  PieceSearch(const UnitIsland& island, const PieceLimits& limits);

  void visit(const LawPiece& piece);

  // The greatest zᵀFz/|v|² where Ez = Rv, Nz ≥ 0; at most the gain that the next piece has to exceed where it is less,
  // and ∞ where z is not unique.
  double bound(const Mat& E, const Mat& R, const Mat& N, const Mat& F) const;
  double gain() const { return quotient_.bar(); }  // so far

  bool affordable() const { return covered_ && quotient_.complete(); }

  // Whether the faces that are left may do, after so large a share of the pieces. The first pieces take most faces, for
  // later ones have more to exceed: half the faces for less than a third of the pieces is hardly made up for.
  bool promising(double share) const { return 2 * quotient_.faces() < most_faces_ || share > 0.3; }

  // Over the pieces so far; its bound only if all of them were affordable.
  WorstVelocity worst() const;

 private:
  void visit_singular(const LawPiece& piece);
  // Velocities v = Vs, V of orthonormal columns, jumps LᵀΛ = Js, in the mode where Ns ≥ 0.
  void visit_cone(const Mat& V, const Mat& J, const Mat& N);

  const UnitIsland& island_;
  std::int64_t most_faces_;
  bool approaching_;
  ConeQuotient quotient_;
  Vec v_;  // the worst velocity
  bool covered_ = true;
};

}  // namespace carom
