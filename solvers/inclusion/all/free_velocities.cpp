#include "solvers/inclusion/all/free_velocities.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

using Friction = Decision::Friction;

constexpr double dependent = 1e-9;  // columns of K, relative
constexpr double no_rank = 1e-12;   // eigenvalues of G, relative

Eigen::ColPivHouseholderQR<Mat> decompose(const Mat& A) {
  Eigen::ColPivHouseholderQR<Mat> qr(A.rows(), A.cols());
  qr.setThreshold(dependent);
  qr.compute(A);
  return qr;
}

// Cuts an arc to angles within `turn` of phi. False: none are in it.
bool cut(Decision& arc, double phi, double turn) {
  phi = arc.middle() + std::remainder(phi - arc.middle(), 2 * std::numbers::pi);
  arc.begin = std::max(arc.begin, phi - turn);
  arc.end = std::min(arc.end, phi + turn);
  return arc.begin <= arc.end;
}

}  // namespace

Mat root_of(const UnitFriction& problem) {
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(problem.G_in_units_of_r());
  const Vec& values = eigen.eigenvalues();
  const Index rank = (values.array() > no_rank * values(values.size() - 1)).count();
  const Mat K = values.tail(rank).cwiseSqrt().asDiagonal() * eigen.eigenvectors().rightCols(rank).transpose();
  return K * problem.friction.asDiagonal();
}

Mat complement_of(const Mat& A) {
  if (A.cols() == 0) return Mat::Identity(A.rows(), A.rows());
  const auto qr = decompose(A);
  const Mat Q = qr.householderQ();
  return Q.rightCols(Q.cols() - qr.rank());
}

Mat held_columns(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions) {
  Mat held(K.rows(), K.cols());
  Index count = 0;
  for (std::size_t s = 0; s < decisions.size(); ++s) {
    const Site& site = problem.sites[s];
    if (decisions[s].held) held.col(count++) = K.col(site.normal);
    if (decisions[s].friction != Friction::stick) continue;
    for (Index row = site.tangent; row < site.tangent + site.tangents; ++row)
      held.col(count++) = K.col(row) / problem.friction(row);
  }
  return held.leftCols(count);
}

FreeVelocities::FreeVelocities(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions)
    : problem_(problem), K_(K), Q_(Mat::Identity(K.rows(), K.rows())), y0_(Vec::Zero(K.rows())) {
  const Mat held = held_columns(problem, K, decisions);
  if (held.cols() == 0 || K.rows() == 0) return;
  const Vec c = held_columns(problem, problem.c.transpose(), decisions).transpose();
  const auto qr = decompose(held);
  const Index rank = qr.rank();
  const Mat Q = qr.householderQ();
  Q_ = Q.rightCols(Q.cols() - rank);
  // K_H = Q R Pᵀ: the first rows of Rᵀ(Qᵀy) = −Pᵀc_H; the others follow from them, or contradict them.
  const Vec permuted = qr.colsPermutation().transpose() * c;
  const Mat R = qr.matrixR().topLeftCorner(rank, rank);
  y0_ = Q.leftCols(rank) * R.triangularView<Eigen::Upper>().transpose().solve(-permuted.head(rank));
}

bool FreeVelocities::narrow(std::vector<Decision>& decisions, double rest, double drive) const {
  for (std::size_t s = 0; s < decisions.size(); ++s) {
    const Site& site = problem_.sites[s];
    if (!decisions[s].held && are_determined(site.normal, 1) && determined(site.normal, 1)(0) < rest) return false;
    if (decisions[s].friction != Friction::arc || !are_determined(site.tangent, 2)) continue;
    const Vec slip = determined(site.tangent, 2);
    const double speed = slip.norm();
    if (speed <= rest * site.smallest_friction) return false;
    const double rounded = dependent * (speed + site.largest_friction * drive);
    if (!cut(decisions[s], std::atan2(slip(1), slip(0)), rounded / speed)) return false;
  }
  return true;
}

bool FreeVelocities::are_determined(Index row, Index count) const {
  for (Index k = row; k < row + count; ++k)
    if ((Q_.transpose() * K_.col(k)).norm() > dependent * K_.col(k).norm()) return false;
  return true;
}

Vec FreeVelocities::determined(Index row, Index count) const {
  return K_.middleCols(row, count).transpose() * y0_ + problem_.c.segment(row, count);
}

}  // namespace carom
