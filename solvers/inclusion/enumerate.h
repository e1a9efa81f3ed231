#pragma once

#include "engine/inclusion.h"

namespace carom {

// How many combinations of open, stick and slip enumeration has to try, searches for slip directions included.
double combinations(const Inclusion& inclusion);

inline constexpr double affordable_combinations = 1e5;  // beyond, enumeration is only run when asked for

}  // namespace carom
