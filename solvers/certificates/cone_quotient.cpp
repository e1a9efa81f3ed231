#include "solvers/certificates/cone_quotient.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/certificates/matrix_figures.h"
#include "solvers/inclusion/share/share.h"

namespace carom {

namespace {

constexpr double vanishing_row = 1e-11;  // of a row of unit length on a subspace
constexpr double opposite = 1e-10;       // of a combination of rows, if the cone is flat
constexpr double on_facet = 1e-12;       // of the distance of a unit vector from a facet
constexpr double no_better = 1e-13;      // of a quotient, relative to 1

// The directions of a subspace (orthonormal columns) that all the rows are normal to.
Mat within(const Mat& basis, const Mat& rows) { return basis * kernel(rows * basis, vanishing_row); }

// Rows of which a nonnegative combination vanishes; empty if the cone has inner points. Rows are of unit length or
// zero.
std::vector<Index> opposed(const Mat& rows) {
  std::vector<Index> places;
  for (Index k = 0; k < rows.rows(); ++k)
    if (rows.row(k).squaredNorm() > 0) places.push_back(k);
  if (places.size() < 2) return {};
  Mat A(rows.cols() + 1, static_cast<Index>(places.size()));
  A.topRows(rows.cols()) = rows(places, Eigen::all).transpose();
  A.bottomRows(1).setOnes();
  const Vec b = Vec::Unit(A.rows(), A.rows() - 1);
  const Vec y = nonnegative_least_squares(A, b);
  if ((A * y - b).norm() > opposite) return {};
  std::vector<Index> found;
  for (Index k = 0; k < y.size(); ++k)
    if (y(k) > 0) found.push_back(places[static_cast<std::size_t>(k)]);
  return found;
}

}  // namespace

// A face, by the subspace that it spans. The maximum that is looked for is on the given side of the cuts, and not in
// facets that are done.
struct ConeQuotient::Face {
  Mat basis;  // orthonormal columns
  Mat N;      // all rows, of unit length or zero; the cuts follow the cone's own
  std::vector<bool> done;

  Index facets() const { return static_cast<Index>(done.size()); }

  // Rows on the subspace, of unit length there; zero if it lies in their facet.
  Mat rows() const {
    Mat restricted = N * basis;
    for (Index k = 0; k < N.rows(); ++k) {
      const double length = restricted.row(k).norm();
      restricted.row(k) *= length > vanishing_row ? 1 / length : 0;
    }
    return restricted;
  }

  bool visited(const Mat& rows_here) const {
    for (Index k = 0; k < facets(); ++k)
      if (done[static_cast<std::size_t>(k)] && rows_here.row(k).isZero(0)) return true;
    return false;
  }

  Face beyond(const Vec& v) const {
    Face side = *this;
    side.N.conservativeResize(N.rows() + 1, Eigen::NoChange);
    side.N.bottomRows(1) = v.transpose();
    return side;
  }
};

bool ConeQuotient::visit(const Mat& S, const Mat& N) {
  Face face{Mat::Identity(S.rows(), S.rows()), N, std::vector<bool>(static_cast<std::size_t>(N.rows()), false)};
  for (Index k = 0; k < N.rows(); ++k)
    if (const double length = N.row(k).norm(); length > 0) face.N.row(k) /= length;
  const double before = bar();
  visit_face(S, std::move(face));
  return bar() > before;
}

void ConeQuotient::visit_face(const Mat& S, Face face) {
  while (face.basis.cols() > 0) {
    if (++faces_ > most_faces_) return;
    const SymmetricEigen eigen = symmetric_eigen(face.basis.transpose() * S * face.basis);
    const Index last = eigen.values.size() - 1;
    if (!(eigen.values(last) > bar() + no_better)) return;
    const Mat rows = face.rows();
    if (face.visited(rows)) return;
    const Vec distances = rows.topRows(face.facets()) * eigen.vectors.col(last);
    const Vec v = face.basis * eigen.vectors.col(last);
    for (double side : {1.0, -1.0}) {
      if (!(side * distances.array() >= -on_facet).all()) continue;
      greatest_ = {eigen.values(last), side * v};
      return;
    }
    const std::vector<Index> flat = opposed(rows);
    if (flat.empty()) {
      branch(S, face.beyond(v), -distances);
      branch(S, face.beyond(-v), distances);
      return;
    }
    face.basis = within(face.basis, rows(flat, Eigen::all) * face.basis.transpose());
  }
}

void ConeQuotient::branch(const Mat& S, const Face& side, const Vec& violation) {
  std::vector<Index> facets;
  for (Index k = 0; k < violation.size(); ++k)
    if (violation(k) > on_facet && !side.done[static_cast<std::size_t>(k)]) facets.push_back(k);
  if (facets.empty() || !opposed(side.rows()).empty()) return;
  std::stable_sort(facets.begin(), facets.end(), [&](Index a, Index b) { return violation(a) > violation(b); });
  Face part = side;
  for (Index k : facets) {
    part.basis = within(side.basis, side.N.row(k));
    visit_face(S, part);
    if (!complete()) return;
    part.done[static_cast<std::size_t>(k)] = true;
  }
}

}  // namespace carom
