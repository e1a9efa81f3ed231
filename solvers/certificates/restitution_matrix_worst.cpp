#include "solvers/certificates/restitution_matrix_worst.h"

#include <cmath>

#include "solvers/certificates/cone_quotient.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/restitution_matrix.h"

namespace carom {

namespace {

constexpr double no_matrix_gain = 1e-10;  // rounding
constexpr double apart = 1e-8;            // how far from its cone's edge a velocity is taken that must not lie on it

// Contacts that open do so a little: on the edge the law would count them among those at rest.
Vec opened(const MatrixPiece& piece, const Mat& motions, const Vec& x) {
  const Mat side = piece.side * motions;
  const Vec away = side.transpose() * (pseudo_inverse(side * side.transpose()) * piece.opening);
  return away.norm() > 0 ? Vec(x + apart * away.normalized()) : x;
}

}  // namespace

MatrixWorst restitution_matrix_worst(const ImpactProblem& problem, const Parameters& parameters,
                                     std::int64_t most_faces) {
  MatrixWorst worst;
  const std::optional<std::vector<MatrixPiece>> pieces = matrix_pieces(problem, parameters);
  if (!pieces) {
    worst.bound = HUGE_VAL;
    return worst;
  }
  const Mat motions = problem.free_motions();
  ConeQuotient quotient(no_matrix_gain, most_faces);
  for (const MatrixPiece& piece : *pieces) {
    const Mat J = piece.after * motions;
    const Mat S = J.transpose() * J - Mat::Identity(motions.cols(), motions.cols());
    if (quotient.visit(S, piece.side * motions))
      worst.u_minus = problem.from_white(motions * opened(piece, motions, quotient.greatest()->x));
  }
  if (quotient.greatest()) worst.gain = quotient.greatest()->value;
  worst.faces = quotient.faces();
  worst.bound = quotient.complete() ? worst.gain : HUGE_VAL;
  return worst;
}

}  // namespace carom
