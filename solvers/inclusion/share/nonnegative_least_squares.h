// The nonnegative x with the least |Ax − b| (Lawson & Hanson 1974, ch. 23): an active-set method, finite.

#pragma once

#include "engine/linear_algebra.h"

namespace carom {

Vec nonnegative_least_squares(const Mat& A, const Vec& b);

}  // namespace carom
