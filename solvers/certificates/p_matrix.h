// P-matrices: all principal minors positive, so that the LCP 0 ≤ x ⟂ Ax + b ≥ 0 has one solution for every b
// (Cottle, Pang & Stone, Theorem 3.3.7).
//
// A is a P-matrix if and only if a₁₁ > 0 and both the rest of A and the Schur complement A/a₁₁ are P-matrices; their
// pivots are the ratios of the principal minors, so all of these come along (Tsatsomeros & Li 2000).

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct PMatrix {
  enum class Answer { yes, no, undecided };

  static constexpr Index largest_exact = 15;  // 2ⁿ principal minors
  static constexpr double tolerance = 1e-13;  // a pivot below it, relative to its diagonal entry, is not positive

  Answer answer = Answer::undecided;
  double least_minor = 0;   // all of them are seen unless one is not positive, which then is this
  std::vector<Index> rows;  // of that minor
};

// Exact up to largest_exact rows; beyond, a positive definite symmetric part says yes, a 1×1 or 2×2 minor no.
PMatrix p_matrix(const Mat& A);

}  // namespace carom
