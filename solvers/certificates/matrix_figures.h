// Figures of matrices that several certificates compare.

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

// Of the symmetric part, ascending.
Vec eigenvalues(const Mat& A);

double spectral_norm(const Mat& A);

// Scaled to a unit diagonal, rows without a positive one left alone: the units of the rows drop out.
Mat unit_diagonal(const Mat& A);

// With rows of unit length, up to rounding.
bool is_positive_semidefinite(const Mat& A);

}  // namespace carom
