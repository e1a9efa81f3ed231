// How much a search may do, in counts and never in seconds, so that every machine finds the same.
//
// An impact of a large system takes longer than one of a small one, and one of which all solutions are asked for longer
// than one of which any will do. What it takes is estimated from the rows of the inclusions that it solves and from
// their iterations, in units of ten to twenty microseconds.

#pragma once

#include <functional>

#include "engine/linear_algebra.h"

namespace carom {

constexpr double inclusion_units(Index rows) {
  return 0.2 + 0.001 * static_cast<double>(rows) * static_cast<double>(rows) * static_cast<double>(rows);
}
constexpr double times_in_space = 6;         // an inclusion with discs or ellipses of friction
constexpr double units_of_iteration = 0.03;  // of one solution
constexpr double units_of_branch = 0.3;      // tried for every solution
constexpr double units_of_failure = 2500;    // of all methods in turn, where none finds a solution
constexpr double units_of_collision = 0.15;  // of several in turn, besides its inclusion
constexpr double units_of_path = 0.2;        // of a contact marched through its normal impulse, in the plane
constexpr double units_of_spatial_path = 15;
constexpr double units_of_springs = 200;  // of each contact as a spring, integrated until all are open
constexpr double units_of_face = 0.5;     // of a cone (cone_quotient.h)
constexpr double most_units_of_search = 12000;  // about a fifth of a second

using SearchProgress = std::function<void(double share)>;  // how much of the search is done

}  // namespace carom
