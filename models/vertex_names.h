// Names of the points of two shapes in space, for people to read: a pair has more features than anyone wants to. A
// vertex that touches names its point, a crossing of edges is called after the nearest vertex that is left, the nearest
// pair of point and vertex first. Of more points than vertices the farthest are left out.

#pragma once

#include <vector>

#include "models/contact_geometry.h"

namespace carom {

class VertexNames {
 public:
  VertexNames(const Shape& a, const Shape& b);
  // Replaces the features of touches by numbers of vertices, those of A and then of B, ascending.
  void give(const Placement& pose_a, const Placement& pose_b, std::vector<Touch>& touches,
            std::vector<bool>& is_taken) const;

 private:
  using Touches = std::vector<Touch>::iterator;

  Eigen::Vector3d vertex(std::size_t number, const Placement& pose_a, const Placement& pose_b) const;
  void name_nearest(const Placement& pose_a, const Placement& pose_b, Touches next, Touches end,
                    std::vector<bool>& is_taken) const;

  std::vector<Eigen::Vector3d> of_a_, of_b_;  // in the frames of their shapes
};

}  // namespace carom
