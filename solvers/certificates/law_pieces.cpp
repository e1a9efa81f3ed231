#include "solvers/certificates/law_pieces.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/certificates/matrix_figures.h"

namespace carom {

namespace {

constexpr double redundant = 1e-12;        // eigenvalue of G with rows of unit length
constexpr double vanishing_entry = 1e-10;  // of entries that are of order one
constexpr double no_gain = 1e-10;          // rounding
constexpr Index most_inequalities = 400;   // after an elimination

// One unknown less: where N's last column is, pairs of rows of opposite sign are added up so that it vanishes.
Mat without_last(const Mat& N) {
  const Index last = N.cols() - 1;
  std::vector<Vec> rows;
  std::vector<Index> above, below;
  for (Index k = 0; k < N.rows(); ++k) {
    if (N(k, last) > vanishing_entry) {
      above.push_back(k);
    } else if (N(k, last) < -vanishing_entry) {
      below.push_back(k);
    } else {
      rows.push_back(N.row(k).head(last));
    }
  }
  for (Index a : above)
    for (Index b : below) rows.push_back(N.row(a).head(last) / N(a, last) - N.row(b).head(last) / N(b, last));
  Mat rest(static_cast<Index>(rows.size()), last);
  for (std::size_t k = 0; k < rows.size(); ++k) rest.row(static_cast<Index>(k)) = rows[k].transpose();
  return rest;
}

// Without what rounding leaves of inequalities 0 ≥ 0.
Mat without_rounding(Mat N) {
  for (Index k = 0; k < N.rows(); ++k)
    if (N.row(k).norm() <= vanishing_entry) N.row(k).setZero();
  return N;
}

}  // namespace

UnitIsland::UnitIsland(const ContactIsland& island) : epsilon(island.epsilon) {
  length = island.G.diagonal().cwiseSqrt();
  G = unit_diagonal(island.G);
  rays = length.asDiagonal() * island.rays;
  const SymmetricEigen eigen = symmetric_eigen(G);
  const Index n = G.rows();
  const Index motions = (eigen.values.array() > redundant).count();
  L = eigen.vectors.rightCols(motions) * eigen.values.tail(motions).cwiseSqrt().asDiagonal();
  for (Index row = 0, ray = 0; row < n;) {
    const bool rough = ray + 1 < rays.cols() && rays(row, ray) > 0 && rays(row, ray + 1) > 0;
    elements.push_back({row, ray, rough});
    for (Index end = ray + (rough ? 2 : 1); ray < end; ++ray) rays.col(ray) /= Vec(rays.col(ray))(row);
    row += rough ? 2 : 1;
  }
}

// Decompositions take the cube of the rows: beyond six, as of three rough contacts, fewer faces in the same time.
PieceSearch::PieceSearch(const UnitIsland& island, const PieceLimits& limits)
    : island_(island),
      most_faces_(limits.most_faces * 216 /
                  std::max<std::int64_t>(216, island.G.rows() * island.G.rows() * island.G.rows())),
      approaching_(limits.approaching),
      quotient_(no_gain, most_faces_) {}

void PieceSearch::visit(const LawPiece& piece) {
  if (!affordable()) return;
  const std::optional<Mat> Z = solved(piece.E, piece.R);
  if (!Z) return visit_singular(piece);
  const Index motions = island_.L.cols();
  visit_cone(Mat::Identity(motions, motions), island_.L.transpose() * piece.P * *Z, piece.N * *Z);
}

double PieceSearch::bound(const Mat& E, const Mat& R, const Mat& N, const Mat& F) const {
  const std::optional<Mat> Z = solved(E, R);
  if (!Z) return HUGE_VAL;
  const Mat S = Z->transpose() * F * *Z;
  if (!S.allFinite()) return HUGE_VAL;
  ConeQuotient quotient(gain(), most_faces_);
  quotient.visit(S, without_rounding(N * *Z));
  return quotient.complete() ? quotient.bar() : HUGE_VAL;
}

// z and v together: all solutions of −Rv + Ez = 0, apart into those at rest, v = 0, and the others.
void PieceSearch::visit_singular(const LawPiece& piece) {
  const Index motions = piece.R.cols(), unknowns = piece.E.cols();
  Mat equations(piece.E.rows(), motions + unknowns);
  equations << -piece.R, piece.E;
  const Mat solutions = kernel(equations, vanishing_entry);
  if (solutions.cols() == 0) return;
  const Mat at_rest = solutions * kernel(solutions.topRows(motions), vanishing_entry);
  const Mat moving = solutions * kernel(at_rest.transpose() * solutions, vanishing_entry);
  const Mat K = at_rest.bottomRows(unknowns);
  covered_ = (island_.L.transpose() * piece.P * K).norm() <= vanishing_entry;
  if (!covered_ || moving.cols() == 0) return;
  const Mat V = moving.topRows(motions);
  const SymmetricEigen eigen = symmetric_eigen(V.transpose() * V);
  const Mat orthonormal = eigen.vectors * eigen.values.cwiseSqrt().cwiseInverse().asDiagonal();
  const Mat Z = moving.bottomRows(unknowns) * orthonormal;
  Mat N(piece.N.rows(), Z.cols() + K.cols());
  N << piece.N * Z, piece.N * K;
  while (N.cols() > Z.cols()) {
    N = without_last(N);
    covered_ = N.rows() <= most_inequalities;
    if (!covered_) return;
  }
  visit_cone(V * orthonormal, island_.L.transpose() * piece.P * Z, N);
}

void PieceSearch::visit_cone(const Mat& V, const Mat& J, const Mat& N) {
  const Mat mixed = V.transpose() * J;
  const Mat S = mixed + mixed.transpose() + J.transpose() * J;
  Mat cone(N.rows() + (approaching_ ? 1 : 0), N.cols());
  cone.topRows(N.rows()) = N;
  if (approaching_) cone.bottomRows(1) = -island_.L.row(island_.elements.front().normal) * V;
  covered_ = S.allFinite() && cone.allFinite();
  if (covered_ && quotient_.visit(S, without_rounding(cone))) v_ = V * quotient_.greatest()->x;
}

WorstVelocity PieceSearch::worst() const {
  WorstVelocity worst;
  if (quotient_.greatest()) {
    worst.gain = quotient_.greatest()->value;
    worst.gamma = island_.length.cwiseProduct(island_.L * v_);
  }
  worst.bound = affordable() ? worst.gain : HUGE_VAL;
  worst.faces = quotient_.faces();
  return worst;
}

}  // namespace carom
