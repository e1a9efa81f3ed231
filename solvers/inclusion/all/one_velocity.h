// Redundant contacts (G is singular) share impulses in many ways, and the equations of a mode in which they slide have
// no single root. Their velocities may still be unique; this is the proof.

#pragma once

#include <vector>

#include "solvers/inclusion/all/slide_roots.h"

namespace carom {

// What is known of a sliding contact in a branch.
struct SlideBounds {
  double largest_impulse = 0;  // of R = λ_N + offset
  double least_slip = 0;       // of |ξ_T|
};

// Whether every solution within the decisions has the velocities ξ of one that is known. G = KᵀK. One entry of the
// bounds a site; those of sites without an arc are not looked at.
bool have_one_velocity(const UnitFriction& problem, const Mat& K, const std::vector<Decision>& decisions, const Vec& xi,
                       const std::vector<SlideBounds>& bounds);

}  // namespace carom
