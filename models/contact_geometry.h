// Where two shapes touch or nearly do. Every function gives points with the gap between them (negative: overlap) and
// the unit normal from B to A, so that an impulse along +n pushes A away from B.
//
// The least gap of a pair is the distance of the shapes, or minus the shortest way that separates them. A and B in the
// other order give the same gaps and opposite normals, except where shapes with coincident centres have none and one
// is chosen. In space all points of a pair have one normal, except those of two rods.

#pragma once

#include <string>
#include <vector>

#include "engine/linear_algebra.h"
#include "models/shape.h"

namespace carom {

// Pose of a body: in the plane z and the rotation's other axes are unused.
struct Placement {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();

  Eigen::Vector3d at(const Eigen::Vector3d& local) const { return origin + rotation * local; }
};

struct Touch {
  double gap = 0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // world, from B to A
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // world, on A
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  // world, on B
  // Tells the points of a pair apart, the same from step to step: the vertex that touches, in the plane or nearest to
  // the point on the face that touches, numbered through A's and then B's (a plane has none, a disk one, a rod its
  // start and end); in space after those the two edges that cross.
  int feature = 0;
};

// Whether this pair of shapes is known, of compounds all pairs of their parts; otherwise a sentence that says what is.
// Shapes of no thickness (two points, a point and a line) are not: their gap could never become negative.
bool can_touch(const Shape& a, const Shape& b, bool planar, std::string& why_not);

// Appends the touches of a pair whose gap is at most `reach` (HUGE_VAL: all there are). Returns how many.
// std::invalid_argument for a pair that cannot touch, and for compounds.
int find_touches(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, bool planar,
                 double reach, std::vector<Touch>& touches);

}  // namespace carom
