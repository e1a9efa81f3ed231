// The shape of a body: what kind it is, its lengths, and the points that make it.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/scene_draft.h"

namespace carom {

namespace {

Shape::Kind shape_kind(const std::string& word) {
  if (word == "disk" || word == "sphere") return Shape::Kind::disk;
  if (word == "rod") return Shape::Kind::rod;
  if (word == "block") return Shape::Kind::block;
  if (word == "polygon") return Shape::Kind::polygon;
  if (word == "plane") return Shape::Kind::plane;
  if (word == "cylinder") return Shape::Kind::cylinder;
  if (word == "polyhedron") return Shape::Kind::polyhedron;
  return Shape::Kind::point;
}

constexpr std::size_t most_points = 500;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Twice the signed area, and the centroid.
double doubled_area(const std::vector<Eigen::Vector2d>& vertices, Eigen::Vector2d& centroid) {
  const Eigen::Vector2d base = vertices.front();  // keeps figures far from the origin accurate
  double area = 0;
  centroid.setZero();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector2d p = vertices[i] - base, q = vertices[(i + 1) % vertices.size()] - base;
    const double part = cross(p, q);
    area += part;
    centroid += part * (p + q) / 3;
  }
  centroid = base + centroid / area;
  return area;
}

// Counter-clockwise vertices turn left at every corner, and once around in all.
bool is_convex(const std::vector<Eigen::Vector2d>& vertices) {
  const std::size_t n = vertices.size();
  double turned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Eigen::Vector2d in = vertices[(i + 1) % n] - vertices[i];
    const Eigen::Vector2d out = vertices[(i + 2) % n] - vertices[(i + 1) % n];
    if (!(cross(in, out) > 1e-12 * in.norm() * out.norm())) return false;
    turned += std::atan2(cross(in, out), in.dot(out));
  }
  return turned < 7;  // 2π; a star would turn twice as much
}

class ShapeReader {
 public:
  ShapeReader(SpecReader& map, bool planar) : map_(map), planar_(planar) {}

  ShapeDraft read() {
    read_shape();
    return std::move(draft_);
  }

 private:
  void read_shape() {
    const auto word = map_.word("shape");
    if (!word) return;
    map_.only_keys_of(*word);
    const bool spatial_shape = *word == "sphere" || *word == "cylinder" || *word == "polyhedron";
    const bool planar_shape = *word == "disk" || *word == "polygon";
    if ((planar_ && spatial_shape) || (!planar_ && planar_shape)) {
      map_.get("shape")->error(fmt::format("a {} is {}, but the scene is {} (the size of gravity makes it so)", *word,
                                           spatial_shape ? "spatial" : "planar", planar_ ? "planar" : "spatial"));
      return;
    }
    Shape& shape = draft_.shape;
    shape.kind = shape_kind(*word);
    draft_.is_known = true;
    switch (shape.kind) {
      case Shape::Kind::point:
      case Shape::Kind::compound:  // has no word
        break;
      case Shape::Kind::disk:
        required("radius", map_.number("radius"), shape.radius);
        break;
      case Shape::Kind::rod:
        required("length", map_.number("length"), shape.length);
        read_thickness();
        break;
      case Shape::Kind::block:
        read_size();
        break;
      case Shape::Kind::polygon:
        draft_.is_known = read_vertices();
        break;
      case Shape::Kind::plane:
        read_plane();
        break;
      case Shape::Kind::cylinder:
        required("radius", map_.number("radius"), shape.radius);
        required("length", map_.number("length"), shape.length);
        break;
      case Shape::Kind::polyhedron:
        draft_.is_known = read_points();
        break;
    }
  }

  template <class T>
  void required(const char* key, std::optional<T> value, T& target) {
    if (value) target = *value;
    draft_.lengths_are_read = draft_.lengths_are_read && value;
    if (!map_.has(key))
      map_.need({key}, fmt::format("key '{}' is missing: {}", key, map_spec("body").find(key)->meaning));
  }

  void read_thickness() {
    const auto thickness = map_.number("thickness");
    draft_.lengths_are_read = draft_.lengths_are_read && thickness.has_value() == map_.has("thickness");
    draft_.shape.radius = thickness.value_or(0) / 2;
  }

  void read_size() {
    const auto node = map_.get("size");
    std::optional<Vec3> size = node ? read_point(*node, planar_) : std::nullopt;
    if (size && !(size->head(planar_ ? 2 : 3).minCoeff() > 0)) {
      node->error("edge lengths must be above 0");
      size.reset();
    }
    required("size", size, draft_.shape.size);
  }

  void read_plane() {
    Shape& shape = draft_.shape;
    shape.normal = planar_ ? Vec3::UnitY() : Vec3::UnitZ();
    if (const auto node = map_.get("normal")) shape.normal = read_direction(*node, planar_).value_or(shape.normal);
  }

  bool read_vertices() {
    std::vector<Eigen::Vector2d>& vertices = draft_.shape.vertices;
    required("vertices", std::optional<std::vector<Eigen::Vector2d>>(), vertices);
    const auto node = map_.get("vertices");
    if (!node) return false;
    for (const Node& item : node->items()) {
      if (const auto vertex = read_numbers(item, 2)) vertices.emplace_back(*vertex);
    }
    if (!node->is_list() || vertices.size() != node->items().size()) return false;
    if (vertices.size() < 3) {
      node->error(fmt::format("a polygon has at least 3 vertices, not {}", vertices.size()));
      return false;
    }
    Eigen::Vector2d centroid;
    if (doubled_area(vertices, centroid) < 0) {
      std::reverse(vertices.begin() + 1, vertices.end());
      draft_.reversed = true;
    }
    if (!is_convex(vertices)) {
      node->error("must be the corners of a convex polygon, in order; split others into several bodies");
      return false;
    }
    doubled_area(vertices, centroid);
    for (Eigen::Vector2d& vertex : vertices) vertex -= centroid;
    draft_.centroid.head<2>() = centroid;
    return true;
  }

  // The hull of points, about its centroid.
  bool read_points() {
    draft_.shape.polytope = std::make_shared<const Polytope>(unit_cube());  // in place of one with mistakes
    const auto node = map_.get("points");
    std::vector<Vec3> points, read;
    for (const Node& item : node ? node->items() : std::vector<Node>())
      if (const auto point = read_numbers(item, 3)) read.emplace_back(*point);
    const bool are_read = node && node->is_list() && read.size() == node->items().size();
    required("points", are_read ? std::optional(read) : std::nullopt, points);
    if (!are_read) return false;
    if (points.size() > most_points) {
      node->error(fmt::format("a polyhedron is the hull of at most {} points, not of {}", most_points, points.size()));
      return false;
    }
    Polytope hull = hull_of(points);
    if (hull.faces.size() < 4) {
      node->error("must span a body: at least four points that are not in one plane");
      return false;
    }
    draft_.centroid = solid_of(hull).centroid;
    for (Vec3& vertex : hull.vertices) vertex -= draft_.centroid;
    draft_.shape.polytope = std::make_shared<const Polytope>(std::move(hull));
    return true;
  }

  SpecReader& map_;
  bool planar_;
  ShapeDraft draft_;
};

}  // namespace

ShapeDraft read_shape(SpecReader& map, bool planar) { return ShapeReader(map, planar).read(); }

}  // namespace carom
