// The core of a bounded shape in space, placed: a vertex, a segment or a polytope, with a radius around it. About an
// origin that both cores of a pair share, so that bodies far from the world's lose no digits.

#pragma once

#include <algorithm>
#include <vector>

#include "models/contact_geometry.h"
#include "models/polytope.h"

namespace carom {

class ConvexCore {
 public:
  // Storage is kept from one shape to the next. A cylinder is placed as the rod of its axis.
  void place(const Shape& shape, const Placement& pose, const Eigen::Vector3d& common);
  // A cylinder as a prism in it that has a side where the cylinder reaches farthest to `towards`.
  void place_prism(const Shape& cylinder, const Placement& pose, const Eigen::Vector3d& common,
                   const Eigen::Vector3d& towards);

  int vertex_count() const { return static_cast<int>(vertices.size()); }
  int edge_count() const { return static_cast<int>(form->edges.size()); }
  int face_count() const { return static_cast<int>(normals.size()); }
  bool has_faces() const { return !normals.empty(); }
  bool is_segment() const { return edge_count() == 1; }
  const Eigen::Vector3d& vertex(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  const Eigen::Vector3d& normal(int face) const { return normals[static_cast<std::size_t>(face)]; }
  const Polytope::Edge& edge(int i) const { return form->edges[static_cast<std::size_t>(i)]; }
  const std::vector<int>& corners(int face) const { return form->faces[static_cast<std::size_t>(face)].corners; }
  Eigen::Vector3d along(const Polytope::Edge& e) const { return vertex(e.to) - vertex(e.from); }
  double offset(int face) const { return normal(face).dot(vertex(corners(face).front())); }
  double lowest(const Eigen::Vector3d& up) const {
    double least = up.dot(vertices.front());
    for (const Eigen::Vector3d& v : vertices) least = std::min(least, up.dot(v));
    return least;
  }

  const Polytope* form = nullptr;
  std::vector<Eigen::Vector3d> vertices, normals;
  double radius = 0;
  double extent = 0;  // of the core, from its centre
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  bool has_flat_ends = false;  // the rod of a cylinder

 private:
  void place_form(const Polytope& of, const Eigen::Vector3d& scale, const Eigen::Matrix3d& rotation);
};

// What of two cores touches in a point. Every name of a pair stays as long as the same features meet, on whichever
// face; the rod of a cylinder is called after the side of the prism that touches.
class FeatureNames {
 public:
  FeatureNames(const ConvexCore& a, const ConvexCore& b) : a_(named(a)), b_(named(b)) {}
  int vertex_of_a(int i) const { return i; }
  int vertex_of_b(int i) const { return a_.vertices + i; }
  int edges(int of_a, int of_b) const {
    return a_.vertices + b_.vertices + (a_.first_edge + of_a) * b_.edges + b_.first_edge + of_b;
  }

 private:
  struct Named {
    int vertices, edges, first_edge;
  };
  static Named named(const ConvexCore& core) {
    if (!core.has_flat_ends) return {core.vertex_count(), core.edge_count(), 0};
    const Polytope& prism = unit_prism();
    return {static_cast<int>(prism.vertices.size()), static_cast<int>(prism.edges.size()), side_of_prism};
  }

  Named a_, b_;
};

// The nearest points of two cores, or those that are deepest in each other.
struct Separation {
  double distance = 0;                                // negative: minus the shortest way that separates them
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // from B to A
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
  int feature = 0;
};

// False if the cores are farther from each other than `reach`, with nothing found.
bool find_separation(const ConvexCore& a, const ConvexCore& b, double reach, Separation& separation);

// A point of each core, one above the other along the normal.
struct GapCorner {
  double gap;
  Eigen::Vector3d on_a, on_b;
  int feature;
};

// Where the gap along the normal of a separation has its corners, up to `reach`; the nearest points are among them.
void find_gap_corners(const ConvexCore& a, const ConvexCore& b, const Separation& separation, double reach,
                      std::vector<GapCorner>& corners);

}  // namespace carom
