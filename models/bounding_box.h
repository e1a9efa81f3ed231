// The smallest box along the world's axes around a placed shape.

#pragma once

#include "models/broad_phase.h"
#include "models/contact_geometry.h"
#include "models/shape.h"

namespace carom {

// Unbounded for a plane, but for the side it faces where that is along an axis.
Box bounding_box(const Shape& shape, const Placement& frame);

// The farthest a bounded shape reaches from the origin of its frame; 0 for a plane.
double extent_of(const Shape& shape);
// The nearest its surface comes to it: the radius of a disk, half of the shortest edge of a block. That of a line is
// its half length; a point and a plane have none, 0.
double half_thickness_of(const Shape& shape, bool planar);

}  // namespace carom
