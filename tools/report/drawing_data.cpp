#include "tools/report/drawing_data.h"

#include <map>

#include "models/drawing.h"

namespace carom {

namespace {

constexpr Index most_bodies = 4000;              // drawn
constexpr std::size_t most_pointed_bodies = 12;  // with all of their named points; more offer their centres

Json point_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

const char* shape_name(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::point:
      return "point";
    case Shape::Kind::disk:
      return "disk";
    case Shape::Kind::rod:
      return "rod";
    case Shape::Kind::block:
      return "block";
    case Shape::Kind::polygon:
      return "polygon";
    case Shape::Kind::plane:
      return "plane";
    case Shape::Kind::cylinder:
    case Shape::Kind::polyhedron:
      return "polyhedron";
    case Shape::Kind::compound:
      break;  // drawn as its parts
  }
  return "point";
}

// A cylinder is drawn as the prism in it.
Json polyhedron_json(const Polytope& polytope) {
  Json json = {{"kind", "polyhedron"}};
  for (const Eigen::Vector3d& vertex : polytope.vertices) json["corners"].push_back(point_json(vertex));
  for (const Polytope::Face& face : polytope.faces) json["faces"].push_back(face.corners);
  return json;
}

Json shape_json(const Shape& shape) {
  if (shape.kind == Shape::Kind::cylinder || shape.kind == Shape::Kind::polyhedron)
    return polyhedron_json(faces_of(shape));
  Json json = {{"kind", shape_name(shape.kind)}};
  if (shape.radius > 0) json["radius"] = shape.radius;
  if (shape.kind == Shape::Kind::rod) json["length"] = shape.length;
  if (shape.kind == Shape::Kind::block) json["size"] = point_json(shape.size);
  if (shape.kind == Shape::Kind::plane) json["normal"] = point_json(shape.normal);
  for (const Eigen::Vector2d& vertex : shape.vertices) json["vertices"].push_back({vertex.x(), vertex.y()});
  return json;
}

// How the shape is turned on its body: of a plane its normal there, otherwise a quaternion.
Json turn_of(const DrawnShape& drawn) {
  if (drawn.shape.kind == Shape::Kind::plane)
    return {{"normal", point_json(Eigen::Vector3d(drawn.rotation * drawn.shape.normal))}};
  const Eigen::Quaterniond turn(drawn.rotation);
  return {{"turn", {turn.w(), turn.x(), turn.y(), turn.z()}}};
}

// Places of the bodies on the page, by their index in the system; the world has its own.
class Places {
 public:
  explicit Places(const std::vector<Index>& bodies) {
    places_[in_world] = in_world;
    for (std::size_t i = 0; i < bodies.size(); ++i) places_[bodies[i]] = static_cast<Index>(i);
  }
  bool has(Index body) const { return places_.count(body) > 0; }
  Json point(const DrawnPoint& point) const { return {{"body", places_.at(point.body)}, {"at", point_json(point.at)}}; }

 private:
  std::map<Index, Index> places_;
};

void add_points(const Drawing& drawing, const std::vector<std::string>& names, bool planar, bool all,
                const Places& places, Json& points) {
  for (const DrawnShape& drawn : drawing.shapes) {
    if (drawn.body == in_world || !places.has(drawn.body) || drawn.shape.kind == Shape::Kind::plane) continue;
    std::string body = names[static_cast<std::size_t>(drawn.body)];
    if (!drawn.part.empty()) body += "." + drawn.part;
    const auto add = [&](const std::string& name, const Eigen::Vector3d& at) {
      Json point = places.point({drawn.body, drawn.at + drawn.rotation * at});
      point["name"] = name;
      points.push_back(point);
    };
    add(body, Eigen::Vector3d::Zero());
    if (!all) continue;
    for (const std::string& name : named_points(drawn.shape, planar)) {
      Eigen::Vector3d at;
      if (name != "centre" && find_point(drawn.shape, planar, name, at)) add(body + "." + name, at);
    }
  }
}

}  // namespace

std::vector<Index> drawn_bodies(const System& system) {
  const auto count = static_cast<Index>(system.poses().bodies.size());
  const Index every = (count + most_bodies - 1) / most_bodies;
  std::vector<Index> bodies;
  for (Index body = 0; body < count; body += every) bodies.push_back(body);
  return bodies;
}

Json drawing_data(const System& system, const std::vector<Index>& bodies) {
  const PoseLayout layout = system.poses();
  const Drawing drawing = drawing_of(system);
  const Places places(bodies);
  const bool planar = layout.size == 3;
  Json json = {{"planar", planar},        {"body_count", layout.bodies.size()},
               {"bodies", Json::array()}, {"shapes", Json::array()},
               {"lines", Json::array()},  {"joints", Json::array()},
               {"points", Json::array()}};
  for (const Index body : bodies) json["bodies"].push_back(layout.bodies[static_cast<std::size_t>(body)]);
  for (const DrawnShape& drawn : drawing.shapes) {
    if (!places.has(drawn.body)) continue;
    Json shape = places.point({drawn.body, drawn.at});
    shape.update(shape_json(drawn.shape));
    if (!drawn.rotation.isIdentity(0)) shape.update(turn_of(drawn));
    json["shapes"].push_back(shape);
  }
  for (const DrawnLine& line : drawing.lines) {
    if (!places.has(line.a.body) || !places.has(line.b.body)) continue;
    json["lines"].push_back({{"kind", line.kind == DrawnLine::Kind::spring ? "spring" : "bar"},
                             {"a", places.point(line.a)},
                             {"b", places.point(line.b)}});
  }
  for (const DrawnPoint& joint : drawing.joints) {
    if (places.has(joint.body)) json["joints"].push_back(places.point(joint));
  }
  add_points(drawing, layout.bodies, planar, bodies.size() <= most_pointed_bodies, places, json["points"]);
  return json;
}

}  // namespace carom
