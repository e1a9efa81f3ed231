#include "solvers/certificates/p_matrix.h"

#include <cmath>

#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

// Visits all principal minors of what is left of A, given those of the eliminated rows.
struct MinorSearch {
  Vec diagonal;
  PMatrix result = {PMatrix::Answer::yes, HUGE_VAL, {}};

  void visit(const Mat& A, const std::vector<Index>& names, double minor, const std::vector<Index>& eliminated) {
    if (A.rows() == 0 || result.answer == PMatrix::Answer::no) return;
    const double pivot = A(0, 0);
    std::vector<Index> with = eliminated;
    with.push_back(names.front());
    if (minor * pivot < result.least_minor) {
      result.least_minor = minor * pivot;
      result.rows = with;
    }
    if (!(pivot > PMatrix::tolerance * diagonal(names.front()))) {
      result = {PMatrix::Answer::no, minor * pivot, with};
      return;
    }
    const Index rest = A.rows() - 1;
    if (rest == 0) return;
    const std::vector<Index> others(names.begin() + 1, names.end());
    visit(A.bottomRightCorner(rest, rest), others, minor, eliminated);
    const Mat schur = A.bottomRightCorner(rest, rest) - A.bottomLeftCorner(rest, 1) * A.topRightCorner(1, rest) / pivot;
    visit(schur, others, minor * pivot, with);
  }
};

PMatrix small_minors(const Mat& A) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double minor = A(i, i) * A(j, j) - A(i, j) * A(j, i);
      if (!(minor > PMatrix::tolerance * A(i, i) * A(j, j))) return {PMatrix::Answer::no, minor, {j, i}};
    }
  }
  return {};
}

}  // namespace

PMatrix p_matrix(const Mat& A) {
  const Index n = A.rows();
  if (n == 0) return {PMatrix::Answer::yes, 1, {}};
  for (Index i = 0; i < n; ++i)
    if (!(A(i, i) > 0)) return {PMatrix::Answer::no, A(i, i), {i}};
  if (n <= PMatrix::largest_exact) {
    std::vector<Index> names;
    for (Index i = 0; i < n; ++i) names.push_back(i);
    MinorSearch search{A.diagonal()};
    search.visit(A, names, 1, {});
    return search.result;
  }
  PMatrix result = small_minors(A);
  if (result.answer == PMatrix::Answer::no) return result;
  const Vec scale = A.diagonal().cwiseSqrt().cwiseInverse();
  const Mat scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const double smallest = eigenvalues(scaled)(0);
  result.least_minor = smallest;  // an estimate: the minors themselves are too many
  if (smallest > PMatrix::tolerance) result.answer = PMatrix::Answer::yes;
  return result;
}

}  // namespace carom
