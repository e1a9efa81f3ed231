// The natural residual of an inclusion, as far as it matters.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// natural_residual() if it is at most `limit`; otherwise anything above the limit, as soon as that is known.
double residual_up_to(double limit, const Inclusion& inclusion, const Vec& Lambda);

}  // namespace carom
