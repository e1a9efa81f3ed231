#include "models/polytope.h"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace carom {

using Eigen::Vector3d;

// Once in each direction.
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

namespace {

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

Polytope prism() {
  Polytope prism;
  const auto around = [](double sides) -> Vector3d {
    const double angle = 2 * std::numbers::pi * sides / prism_sides;
    return {0, std::cos(angle), std::sin(angle)};
  };
  Polytope::Face start{{}, -Vector3d::UnitX()}, end{{}, Vector3d::UnitX()};
  for (int k = 0; k < prism_sides; ++k) {
    const int next = (k + 1) % prism_sides;
    prism.vertices.push_back(around(k) - Vector3d::UnitX());
    prism.vertices.push_back(around(k) + Vector3d::UnitX());
    prism.faces.push_back({{2 * k, 2 * next, 2 * next + 1, 2 * k + 1}, around(k + 0.5)});
    start.corners.insert(start.corners.begin(), 2 * k);
    end.corners.push_back(2 * k + 1);
  }
  prism.faces.push_back(start);
  prism.faces.push_back(end);
  prism.edges = edges_of(prism.faces);
  return prism;
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

const Polytope& unit_prism() {
  static const Polytope unit = prism();
  return unit;
}

}  // namespace carom
