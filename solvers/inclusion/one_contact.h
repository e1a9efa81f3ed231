// One planar contact or clutch by itself, in closed form.

#pragma once

#include "engine/inclusion.h"

namespace carom {

// The impulses of the only solution; false if the inclusion is not of this kind, or friction may give it several
// solutions or none.
bool solve_one_contact(const Inclusion& inclusion, Vec& Lambda);

}  // namespace carom
