// The door of this room: every solution, and proofs that there are no more.

#pragma once

#include <memory>

#include "solvers/inclusion/all/distinct.h"

namespace carom {

// Every solution, or one where that will do, by trying all combinations of open, stick and slip.
void enumerate(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

// One contact or clutch by itself, if that has one solution; unsuited otherwise. Allocates nothing.
void solve_one_element(const Inclusion& inclusion, const Demand& demand, InclusionOutcome& outcome);

// How many combinations of open, stick and slip enumeration has to try, searches for slip directions included.
double combinations(const Inclusion& inclusion);
inline constexpr double affordable_combinations = 1e5;  // beyond, enumeration is only run when asked for

// Enumeration that searches what branch and bound has not enclosed after so many tests, and then with that many trials
// at most. A count, not a time: the answer is the same on every machine.
std::unique_ptr<InclusionSolver> make_enumeration(int most_tests);

}  // namespace carom
