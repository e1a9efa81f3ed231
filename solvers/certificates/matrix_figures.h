// Figures of matrices that several certificates compare. Decompositions take long to compile: those that certificates
// need stand here once.

#pragma once

#include <optional>

#include "engine/linear_algebra.h"

namespace carom {

// Of the symmetric part, ascending.
Vec eigenvalues(const Mat& A);

struct SymmetricEigen {
  Vec values;  // ascending
  Mat vectors;
};
SymmetricEigen symmetric_eigen(const Mat& A);  // of the symmetric part

Mat inverse(const Mat& A);  // A is regular

// Of a symmetric positive semidefinite matrix; eigenvalues below `negligible` of the largest count as zero.
Mat pseudo_inverse(const Mat& A, double negligible = 1e-12);

// An orthonormal basis of the x with Ax = 0; what A leaves of a direction is nothing if it is at most `negligible`.
Mat kernel(const Mat& A, double negligible);

// A⁻¹B; none if A is singular up to rounding.
std::optional<Mat> solved(const Mat& A, const Mat& B);

double spectral_norm(const Mat& A);
double spectral_radius(const Mat& A);

// Scaled to a unit diagonal, rows without a positive one left alone: the units of the rows drop out.
Mat unit_diagonal(const Mat& A);

// With rows of unit length, up to rounding.
bool is_positive_semidefinite(const Mat& A);

}  // namespace carom
