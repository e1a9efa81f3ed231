// Masses and moments of inertia that can be computed with. Solvers and laws square impulses, M u, and compliances, M⁻¹:
// with some digits to spare below the smallest of them, both must stay in the range of numbers, 1e±308.

#pragma once

namespace carom {

inline constexpr double least_mass = 1e-120, most_mass = 1e120;

}  // namespace carom
