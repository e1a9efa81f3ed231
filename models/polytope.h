// Convex bodies with flat faces: what vertices, edges and faces there are and how they hang together.

#pragma once

#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

struct Polytope {
  // `left` has the edge in its round from → to, `right` the other way: along the edge left × right of their normals.
  // A segment has one edge and no faces.
  struct Edge {
    int from, to;
    int left = -1, right = -1;
  };
  struct Face {
    std::vector<int> corners;  // counter-clockwise, seen from outside
    Eigen::Vector3d normal;    // of length one, outward
  };

  std::vector<Eigen::Vector3d> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
};

// A single vertex, a segment along x and a cube, from −1 to 1. Vertices of the cube are numbered as block_corner has
// them.
const Polytope& unit_point();
const Polytope& unit_segment();
const Polytope& unit_cube();

}  // namespace carom
