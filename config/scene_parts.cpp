// The `shapes:` of a body that has several, and how shapes and bodies are turned.

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/scene_draft.h"

namespace carom {

namespace {

class PartReader {
 public:
  PartReader(const Node& node, bool planar) : map_(node, map_spec("shape of several")), planar_(planar) {}

  void read(PartsDraft& draft) {
    const ShapeDraft shape = read_shape(map_, planar_);
    ShapePart part;
    part.shape = shape.shape;
    part.name = read_name(draft);
    part.at = shape.centroid;
    if (const auto position = map_.get("position")) part.at = read_point(*position, planar_).value_or(part.at);
    if (const auto angle = read_angle(map_, planar_))
      part.rotation = Eigen::AngleAxisd(*angle, Vec3::UnitZ()).toRotationMatrix();
    if (const auto orientation = read_orientation(map_, planar_)) part.rotation = orientation->toRotationMatrix();
    const double content = shape.is_known ? content_of(shape.shape, planar_) : 0;
    draft.masses.push_back(read_mass(content));
    draft.contents.push_back(content);
    if (shape.reversed) draft.reversed.insert(part.name + ".");
    draft.are_known = draft.are_known && shape.is_known;
    draft.lengths_are_read = draft.lengths_are_read && shape.lengths_are_read;
    draft.parts.push_back(std::move(part));
    map_.finish();
  }

 private:
  std::string read_name(const PartsDraft& draft) {
    const std::string number = std::to_string(draft.parts.size() + 1);
    const auto node = map_.get("name");
    const auto name = node ? node->word() : std::nullopt;
    if (!name || !is_good_name(*node, *name)) return number;
    const bool is_taken = std::any_of(draft.parts.begin(), draft.parts.end(),
                                      [&](const ShapePart& other) { return other.name == *name; });
    if (is_taken) node->error(fmt::format("the name '{}' is taken by a shape above; give this one another", *name));
    return is_taken ? number : *name;
  }

  std::optional<double> read_mass(double content) {
    const auto mass = map_.number("mass"), density = map_.number("density");
    if (map_.has("mass") && map_.has("density"))
      map_.get("density")->error("the shape has a mass already: one of them");
    if (map_.has("mass")) return mass.value_or(1);
    if (density && !(content > 0))
      map_.get("density")->error(fmt::format("the shape has no {}: give it a mass", planar_ ? "area" : "volume"));
    return map_.has("density") ? std::optional(density.value_or(1) * content) : std::nullopt;
  }

  SpecReader map_;
  bool planar_;
};

}  // namespace

bool is_given(SpecReader& map, const char* key, bool fits, bool planar, const char* instead) {
  if (map.has_itself(key) && !fits)
    map.get(key)->error(fmt::format("is for {} scenes; here it is {}", planar ? "spatial" : "planar", instead));
  return map.has(key) && fits;
}

bool PartsDraft::give_masses() const {
  return std::any_of(masses.begin(), masses.end(), [](const std::optional<double>& mass) { return mass.has_value(); });
}

PartsDraft read_parts(const Node& shapes, bool planar) {
  PartsDraft draft;
  const std::vector<Node> items = shapes.is_list() ? shapes.items() : std::vector<Node>();
  if (items.empty()) {
    shapes.error("must be a list of shapes, such as [{shape: block, size: [1, 0.1], position: [0, 0.5]}, ...]");
    draft.are_known = false;
  }
  for (const Node& item : items) PartReader(item, planar).read(draft);
  return draft;
}

std::optional<Vec3> read_turn(const Node& node) {
  SpecReader turn(node, map_spec("turn"));
  const auto axis = turn.get("axis");
  const auto direction = axis ? read_direction(*axis, false) : std::nullopt;
  const auto angle = turn.number("angle");
  if (angle) warn_if_degrees_seem_meant(*turn.get("angle"));
  turn.finish();
  return direction && angle ? std::optional<Vec3>(*angle * *direction) : std::nullopt;
}

std::optional<double> read_angle(SpecReader& map, bool planar) {
  if (!is_given(map, "angle", planar, planar, "'orientation'")) return std::nullopt;
  const auto angle = map.number("angle");
  if (angle) warn_if_degrees_seem_meant(*map.get("angle"));
  return angle.value_or(0);
}

std::optional<Eigen::Quaterniond> read_orientation(SpecReader& map, bool planar) {
  if (!is_given(map, "orientation", !planar, planar, "'angle'")) return std::nullopt;
  const Node node = *map.get("orientation");
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  if (node.is_map()) {
    const Vec3 turn = read_turn(node).value_or(Vec3::Zero());
    if (turn.norm() > 0) orientation = Eigen::AngleAxisd(turn.norm(), turn.normalized());
  } else if (const auto q = read_numbers(node, 4)) {
    if (std::abs(q->norm() - 1) > 1e-6)
      node.error(fmt::format(
          "must be a unit quaternion, but has length {:g}; divide it by that, or give axis and angle", q->norm()));
    orientation = Eigen::Quaterniond((*q)(0), (*q)(1), (*q)(2), (*q)(3)).normalized();
  }
  return orientation;
}

}  // namespace carom
