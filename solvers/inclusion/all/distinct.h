// When two solutions that a solver found are one, and which of very many are shown.

#pragma once

#include <string>
#include <vector>

#include "engine/inclusion.h"

namespace carom {

inline constexpr double accept_residual = 1e-10;  // a candidate at the seam of two modes misses by rounding only

// |ξ_a − ξ_b| is rounding, relative to what drives the problem.
bool have_same_velocities(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b);

// The same, or close together with a solution halfway up to rounding: near a fold, where two solutions have nearly met,
// rounding is a wider range of velocities. Both exact, they may then be two after all.
inline constexpr double exact_residual = 3e-14;
bool are_one(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b);

// Of solutions with the same velocities: the clearly smaller residual, then the smaller impulses.
bool is_better(const Inclusion& inclusion, const InclusionSolution& a, const InclusionSolution& b);

// Of a continuum of solutions so many are listed.
inline constexpr std::size_t listed_samples = 12;
inline constexpr const char* samples_of_continuum = "a continuum of solutions: those listed are samples";

// Positions of the points that spread widest: the first, then always the one farthest from those taken. In their order.
std::vector<std::size_t> spread(const std::vector<Vec>& points, std::size_t count);

}  // namespace carom
