#include "models/polytope.h"

#include <map>
#include <utility>

namespace carom {

namespace {

using Eigen::Vector3d;

// Every edge is in the rounds of two faces, once in each direction.
std::vector<Polytope::Edge> edges_of(const std::vector<Polytope::Face>& faces) {
  std::vector<Polytope::Edge> edges;
  std::map<std::pair<int, int>, std::size_t> by_ends;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<int>& corners = faces[f].corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const int from = corners[i], to = corners[(i + 1) % corners.size()];
      const auto other_way = by_ends.find({to, from});
      if (other_way != by_ends.end()) {
        edges[other_way->second].right = static_cast<int>(f);
      } else {
        by_ends[{from, to}] = edges.size();
        edges.push_back({from, to, static_cast<int>(f)});
      }
    }
  }
  return edges;
}

Polytope cube() {
  Polytope cube;
  for (int i = 0; i < 8; ++i) cube.vertices.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  for (int axis = 0; axis < 3; ++axis) {
    const int p = 1 << (axis + 1) % 3, q = 1 << (axis + 2) % 3, high = 1 << axis;
    cube.faces.push_back({{high, high | p, high | p | q, high | q}, Vector3d::Unit(axis)});
    cube.faces.push_back({{0, q, p | q, p}, -Vector3d::Unit(axis)});
  }
  cube.edges = edges_of(cube.faces);
  return cube;
}

}  // namespace

const Polytope& unit_point() {
  static const Polytope point{{Vector3d::Zero()}, {}, {}};
  return point;
}

const Polytope& unit_segment() {
  static const Polytope segment{{-Vector3d::UnitX(), Vector3d::UnitX()}, {{0, 1}}, {}};
  return segment;
}

const Polytope& unit_cube() {
  static const Polytope unit = cube();
  return unit;
}

}  // namespace carom
