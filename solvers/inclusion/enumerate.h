#pragma once

#include "engine/inclusion.h"

namespace carom {

// How many combinations of open, stick and slip enumeration has to try, searches for slip directions included.
double combinations(const Inclusion& inclusion);

}  // namespace carom
