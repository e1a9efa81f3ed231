#pragma once

#include <Eigen/Dense>

namespace carom {

using Index = Eigen::Index;
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

// Compares a quantity with zero at rounding level. Laws and solvers use it to name a state (stick, open,
// separating); it never decides how much restitution there is.
inline constexpr double rounding = 1e-12;

// Verdicts allow for the rounding of a whole impact, relative to the speeds, impulses and energy in it.
inline constexpr double verdict_tolerance = 1e-9;

// Directions of unit length depend on each other where less than this is left of one beside the others. Rounding leaves
// far less of one that does, and constraints that differ leave far more.
inline constexpr double rank_tolerance = 1e-10;

inline double largest(const Vec& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

}  // namespace carom
