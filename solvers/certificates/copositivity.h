// Copositivity: xᵀAx ≥ 0 for all x ≥ 0.
//
// Exact for small matrices. The least value of xᵀAx over the simplex Σx = 1, x ≥ 0 is taken at a point whose support
// K, chosen minimal, makes the bordered system
//
//   A_KK x = λ1,   1ᵀx = 1      with   xᵀAx = λ
//
// regular: along a direction in which the form is flat one could walk to the edge of the face and shrink K. So the
// least λ over all supports with x > 0 is the minimum itself. Beyond `largest_exact` rows only sufficient tests remain
// (A, or A without its positive off-diagonal entries, positive semidefinite) and a search for a violating x.

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

struct Copositivity {
  enum class Answer { strict, copositive, violated, undecided };

  static constexpr Index largest_exact = 12;
  static constexpr double tolerance = 1e-13;  // of `least`, what the arithmetic rounds off

  Answer answer = Answer::undecided;
  double least = 0;  // of xᵀAx over the simplex, A scaled to a unit diagonal; an estimate if not exact
  Vec witness;       // x ≥ 0 at the least value, in the matrix' own units
  bool exact = false;

  bool holds() const { return answer == Answer::strict || answer == Answer::copositive; }
};

Copositivity copositivity(const Mat& A);  // of the symmetric part

// The same on the cone {Rx : x ≥ 0} that the columns of R span; the witness is Rx.
Copositivity copositivity_on_cone(const Mat& A, const Mat& R);

// On x ≥ 0 in the first `signed_rows` coordinates and any sign in the others, by their Schur complement.
Copositivity copositivity_half_free(const Mat& A, Index signed_rows);

}  // namespace carom
