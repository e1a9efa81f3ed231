// Impulses of given contacts that make a given jump of the velocity. Redundant contacts can share it in many ways.

#pragma once

#include <vector>

#include "engine/impact_problem.h"

namespace carom {

inline constexpr double same_jump = 1e-9;  // of the velocities: what impulses may miss of the jump

// The least impulses within the force sets if there are any, from normals alone if they can; otherwise the least of
// all. In the sum Σ GᵢᵢΛᵢ² with the Gᵢᵢ of a contact's normal for all of its rows the least does not depend on the
// choice of coordinates. The jump is in white coordinates; `scale` is the size of the velocities. False: no impulses
// make it.
bool share_impulses(const ImpactProblem& problem, const std::vector<std::size_t>& contacts, const Vec& jump,
                    double scale, Vec& Lambda);

}  // namespace carom
