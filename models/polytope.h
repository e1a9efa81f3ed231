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

// A prism along x from −1 to 1 in the cylinder of radius 1. Vertices 0 and 1 are the start and the end of the side that
// points to y, the next ones follow around x.
inline constexpr int prism_sides = 12;
inline constexpr int side_of_prism = 3;  // the number of the edge between vertices 0 and 1
const Polytope& unit_prism();

// Edges from faces: each is in the rounds of two of them.
std::vector<Polytope::Edge> edges_of(const std::vector<Polytope::Face>& faces);

// The convex hull. No faces if the points are fewer than four or all in one plane.
Polytope hull_of(const std::vector<Eigen::Vector3d>& points);

struct Solid {
  double volume;
  Eigen::Vector3d centroid;
  Eigen::Matrix3d gyration;  // moments of inertia about the centroid, per unit of mass
};
Solid solid_of(const Polytope& polytope);

}  // namespace carom
