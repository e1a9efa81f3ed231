// The natural residual of an inclusion, as far as it matters.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// natural_residual() if it is at most `limit`; otherwise anything above the limit, as soon as that is known.
double residual_up_to(double limit, const Inclusion& inclusion, const Vec& Lambda);

// The same where ξ is known from velocities at either end of a step, whatever it takes from GΛ + c. Their rounding
// counts in place of that of a sum: each velocity carries what the impulses of its step left in it.
double residual_up_to(double limit, const Inclusion& inclusion, const Vec& Lambda, const Vec& xi);

}  // namespace carom
