// Where the rim of a cylinder touches. A core in its place, the prism in it, has corners there and knows the normal
// only roughly; here it is found for the round rim itself.

#pragma once

#include "models/convex_core.h"

namespace carom {

// A shape of a pair, and the core that stands for it.
struct CoredShape {
  const Shape& shape;
  const Placement& pose;
  const ConvexCore& core;
  bool is_prism = false;  // a cylinder that touches with an end
};

// How far a cylinder reaches out of the prism in it, at most.
double out_of_prism(const CoredShape& of);

// The normal along which two shapes are the farthest apart, or the least deep in each other, and their points there:
// the best of those near a separation that their cores have. Points are seen from `common` and on the surfaces.
struct RimSeparation {
  double gap = 0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // from B to A
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
};
RimSeparation separation_at_rims(const CoredShape& a, const CoredShape& b, const Eigen::Vector3d& common,
                                 const Separation& near);

}  // namespace carom
