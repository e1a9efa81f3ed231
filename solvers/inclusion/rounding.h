// What rounding leaves of velocities.
//
// A contact jams where friction pushes its normal as much as the normal impulse does, G_NN = μG_NT: in the equation of
// that mode its impulse has a difference of equal numbers as a factor. Taken as it is, rounding would decide between
// impulses of either sign and any size. Taken as zero, the equation says what it is: nothing about this impulse.

#pragma once

#include <limits>

namespace carom {

// Of the entries of G in the units of r, in which they are at most about one: each is a sum of as many products as a
// body or two have freedom. Factors of impulses that are smaller are zero, and proofs hold for any G within.
inline constexpr double rounding_of_G = 64 * std::numeric_limits<double>::epsilon();

}  // namespace carom
