// The two halves of find_touches. Both append touches whose gap is at most `reach`, for pairs that can touch.

#pragma once

#include <vector>

#include "models/contact_geometry.h"

namespace carom {

void planar_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                    std::vector<Touch>& touches);
void spatial_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                     std::vector<Touch>& touches);

// The part of spatial_touches between convex cores: rods and blocks.
void core_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double reach,
                  std::vector<Touch>& touches);

// Lengths below this part of the shapes' size do not decide between features: far above what rounding makes of
// faces that lie on each other, far below what can be seen.
inline constexpr double feature_tolerance = 1e-11;

// Two centres nearer than this have no direction from one to the other (their squares leave the range of a double).
inline constexpr double no_direction = 1e-150;

}  // namespace carom
