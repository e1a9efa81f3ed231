#pragma once

#include <memory>

#include "engine/inclusion.h"

namespace carom {

// Enumeration that searches what branch and bound has not enclosed after so many tests, and then with that many trials
// at most. A count, not a time: the answer is the same on every machine.
std::unique_ptr<InclusionSolver> make_enumeration(int most_tests);

// How many combinations of open, stick and slip enumeration has to try, searches for slip directions included.
double combinations(const Inclusion& inclusion);

inline constexpr double affordable_combinations = 1e5;  // beyond, enumeration is only run when asked for

}  // namespace carom
