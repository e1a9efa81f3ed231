// The matrix tests against programs that share nothing with them.

#include <doctest/doctest.h>

#include <cmath>

#include "solvers/certificates/copositivity.h"
#include "solvers/certificates/guarantee.h"
#include "solvers/certificates/matrix_figures.h"
#include "solvers/certificates/p_matrix.h"
#include "tests/support/random_problem.h"

using namespace carom;
using testing::Random;

namespace {

Mat random_matrix(Random& random, Index n, double spread) {
  Mat A(n, n);
  for (Index i = 0; i < n; ++i) A.row(i) = spread * random.vector(n).transpose();
  return A;
}

std::vector<Index> members(unsigned mask, Index n) {
  std::vector<Index> K;
  for (Index i = 0; i < n; ++i)
    if (mask >> i & 1u) K.push_back(i);
  return K;
}

// Every principal minor by its own determinant.
double least_minor(const Mat& A) {
  double least = HUGE_VAL;
  for (unsigned mask = 1; mask < (1u << A.rows()); ++mask) {
    const std::vector<Index> K = members(mask, A.rows());
    least = std::min(least, Mat(A(K, K)).determinant());
  }
  return least;
}

// Kaplan 2000: copositive if and only if no principal submatrix has a positive eigenvector with a negative eigenvalue.
bool copositive_by_eigenvectors(const Mat& A) {
  for (unsigned mask = 1; mask < (1u << A.rows()); ++mask) {
    const std::vector<Index> K = members(mask, A.rows());
    const SymmetricEigen eigen = symmetric_eigen(A(K, K));
    for (Index k = 0; k < eigen.values.size(); ++k) {
      const Vec v = eigen.vectors.col(k);
      const bool one_sign = (v.array() > 0).all() || (v.array() < 0).all();
      if (one_sign && eigen.values(k) < 0) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("P-matrices against the determinants of all principal submatrices") {
  int yes = 0, no = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const Index n = random.integer(1, 7);
    Mat A = random_matrix(random, n, random.uniform(0.05, 0.8));
    A.diagonal().array() = random.uniform(0.3, 3);
    const double least = least_minor(A);
    if (std::abs(least) < 1e-9) continue;
    const PMatrix found = p_matrix(A);
    CAPTURE(seed);
    CHECK((found.answer == PMatrix::Answer::yes) == (least > 0));
    const Mat minor = A(found.rows, found.rows);
    CHECK(minor.determinant() == doctest::Approx(found.least_minor).epsilon(1e-7));
    if (least > 0) CHECK(found.least_minor == doctest::Approx(least).epsilon(1e-7));
    (least > 0 ? yes : no)++;
  }
  CHECK(yes > 150);
  CHECK(no > 150);
}

TEST_CASE("beyond the exact size a positive definite matrix is a P-matrix and a negative minor is found") {
  Random random(1);
  const Mat A = random_matrix(random, 18, 0.05) + Mat::Identity(18, 18);
  CHECK(p_matrix(A).answer == PMatrix::Answer::yes);
  Mat B = A;
  B(3, 11) = 2;
  B(11, 3) = 2;
  CHECK(p_matrix(B).answer == PMatrix::Answer::no);
  CHECK(p_matrix(B).rows == std::vector<Index>{3, 11});
}

TEST_CASE("copositivity against eigenvectors of all principal submatrices, with witnesses") {
  int yes = 0, no = 0, indefinite = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const Index n = random.integer(1, 7);
    Mat A = random_matrix(random, n, random.uniform(0.1, 1.5));
    A = Mat(0.5 * (A + A.transpose()));
    A.diagonal().array() += random.uniform(0, 3);
    const bool expected = copositive_by_eigenvectors(A);
    const Copositivity found = copositivity(A);
    CAPTURE(seed);
    CHECK(found.exact);
    if (std::abs(found.least) < 1e-9) continue;
    CHECK(found.holds() == expected);
    CHECK((found.witness.array() >= 0).all());
    if (!expected) CHECK(found.witness.dot(A * found.witness) < 0);
    (expected ? yes : no)++;
    indefinite += expected && eigenvalues(A)(0) < 0;
  }
  CHECK(yes > 150);
  CHECK(no > 150);
  CHECK(indefinite > 25);  // copositive without being positive semidefinite
}

TEST_CASE("copositive matrices that are no sum of semidefinite and nonnegative ones: Horn's") {
  Mat horn(5, 5);
  horn << 1, -1, 1, 1, -1, -1, 1, -1, 1, 1, 1, -1, 1, -1, 1, 1, 1, -1, 1, -1, -1, 1, 1, -1, 1;
  CHECK(copositivity(horn).answer == Copositivity::Answer::copositive);
  CHECK(copositivity(horn - 1e-6 * Mat::Identity(5, 5)).answer == Copositivity::Answer::violated);
  const Copositivity overflowing = copositivity_on_cone(1e200 * horn, 1e200 * Mat::Identity(5, 5));
  CHECK(overflowing.answer == Copositivity::Answer::undecided);
  CHECK(overflowing.witness.size() == 5);
  CHECK(copositivity(horn + 1e-6 * Mat::Identity(5, 5)).answer == Copositivity::Answer::strict);
}

TEST_CASE("beyond the exact size copositivity is decided where it is easy and left open otherwise") {
  Random random(3);
  const Index n = 20;
  Mat A = random_matrix(random, n, 0.02);
  A = Mat(A + A.transpose()) + Mat::Identity(n, n);
  CHECK(copositivity(A).holds());
  CHECK(!copositivity(A).exact);
  A(2, 5) = A(5, 2) = -3;
  const Copositivity found = copositivity(A);
  CHECK(found.answer == Copositivity::Answer::violated);
  CHECK(found.witness.dot(A * found.witness) < 0);
}

TEST_CASE("with free coordinates: against the same form on doubled, signed ones") {
  int yes = 0, no = 0;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    Random random(seed);
    const Index s = random.integer(1, 3), f = random.integer(1, 3), n = s + f;
    Mat A = random_matrix(random, n, random.uniform(0.1, 1));
    A = Mat(0.5 * (A + A.transpose()));
    A.diagonal().array() += random.uniform(0, 3);
    Mat R = Mat::Zero(n, s + 2 * f);  // x, y⁺, y⁻ with y = y⁺ − y⁻
    R.leftCols(n).setIdentity();
    R.rightCols(f).bottomRows(f) = -Mat::Identity(f, f);
    const Copositivity doubled = copositivity_on_cone(A, R);
    const Copositivity found = copositivity_half_free(A, s);
    CAPTURE(seed);
    // y⁺ = y⁻ is zero velocity, so the doubled form is never strict: compare holding with holding.
    if (std::abs(found.least) < 1e-9) continue;
    CHECK(found.holds() == (doubled.least > -1e-10));
    if (!found.holds()) CHECK(found.witness.dot(A * found.witness) < 0);
    (found.holds() ? yes : no)++;
  }
  CHECK(yes > 100);
  CHECK(no > 100);
}

TEST_CASE("multipliers of friction cones prove what octagons around them cannot decide: a box on its corners") {
  const auto box_on = [](int corners, double epsilon, double mu) {
    testing::ProblemParts parts;
    parts.M = Mat::Identity(6, 6) * 2;
    parts.M.diagonal().tail(3) << 0.167, 0.227, 0.273;
    parts.u_minus = Vec::Zero(6);
    for (int k = 0; k < corners; ++k) {
      const Eigen::Vector3d r(k < 2 ? 0.5 : -0.5, k % 2 ? 0.401 : -0.4, -0.3 + 1e-3 * k);
      Contact contact;
      contact.normal = Vec::Zero(6);
      contact.tangent = Mat::Zero(2, 6);
      for (int d = 0; d < 3; ++d) {
        const Eigen::Vector3d along = Eigen::Vector3d::Unit((d + 2) % 3), arm = r.cross(along);
        Vec row(6);
        row << along, arm;
        if (d == 0) contact.normal = row;
        if (d > 0) contact.tangent.row(d - 1) = row.transpose();
      }
      contact.friction = Vec::Constant(2, mu);
      contact.restitution = epsilon;
      parts.elements.push_back({"corner" + std::to_string(k + 1), contact});
    }
    return parts.build();
  };
  for (int corners : {2, 3, 4}) {
    CAPTURE(corners);
    CHECK(prove({"newton", {}}, box_on(corners, 0.4, 0.5)).proven);
    const Proof elastic = prove({"newton", {}}, box_on(corners, 0.95, 0.9));
    CHECK(!elastic.proven);
  }
}
