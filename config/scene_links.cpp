// What connects bodies: the `joints:`, `clutches:` and `forces:` parts of a scene.

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/scene_draft.h"

namespace carom {

namespace {

const std::vector<std::string> joint_kinds = {"revolute", "ball",       "prismatic", "weld",
                                              "distance", "knife-edge", "motion"};

// "body.x": a body and one of its coordinates.
struct CoordinateName {
  std::string body;
  int coordinate = 0;
};

std::optional<CoordinateName> split_coordinate(const std::string& text, bool planar, bool with_angle) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string last = text.substr(dot + 1);
  const std::vector<std::string> names = {"x", "y", "z", "angle"};
  const auto found = std::find(names.begin(), names.end(), last);
  const int coordinate = static_cast<int>(found - names.begin());
  if (found == names.end() || (planar && coordinate == 2) || (coordinate == 3 && !(planar && with_angle)))
    return std::nullopt;
  return CoordinateName{text.substr(0, dot), coordinate};
}

// One item of a list of joints, clutches or forces, as the i-th of those it stands for.
class LinkReader {
 public:
  LinkReader(SpecReader& map, const SceneDraft& draft, std::int64_t i) : map_(map), draft_(draft), i_(i) {}

  // Two different bodies (or the world), not both at rest.
  bool read_pair(const std::string& key) {
    names_are_read_ = map_.names(key).has_value();
    const Node node = *map_.get(key);
    const std::vector<Node> items = node.is_list() ? node.items() : std::vector<Node>();
    int* const bodies[] = {&link.a, &link.b};
    for (std::size_t k = 0; k < std::min<std::size_t>(2, items.size()); ++k)
      if (items[k].is_scalar() && !items[k].text().empty()) read_body(items[k], items[k].text(), *bodies[k]);
    return bodies_are_known() && check_pair(key);
  }

  // The only body of what acts on one.
  bool read_only_body(const Node& node) {
    const auto name = node.word();
    names_are_read_ = name.has_value();
    return name && read_body(node, *name, link.b);
  }

  bool read_body(const Node& node, const std::string& text, int& body) {
    const std::string name = numbered(text, i_);
    names_.push_back(name);
    const auto found = find_body(node, name, draft_);
    if (found) body = *found;
    all_are_found_ = all_are_found_ && found;
    return found.has_value();
  }

  bool check_pair(const std::string& key) {
    if (link.a == link.b) {
      map_.get(key)->error(fmt::format("connects '{}' with itself; name another body, or world", names_.front()));
    } else if (!draft_.moves(link.a) && !draft_.moves(link.b)) {
      map_.get(key)->error("connects two bodies that cannot move; leave it out, or let one of them move");
    } else {
      return true;
    }
    all_are_found_ = false;
    return false;
  }

  // `at` as a map by body, or as one point if only one side is a body. Where bodies are misnamed, the values are looked
  // at all the same.
  void read_anchors() {
    if (const auto point = map_.has("point") ? map_.get("point") : std::nullopt)
      link.point = read_point(*point, draft_.planar);
    const auto at = map_.get("at");
    if (!at) return;
    if (!at->is_map()) return read_only_anchor(*at);
    for (const auto& [key, value] : at->entries()) {
      const std::string name = numbered(key, i_);
      const auto found = draft_.index.find(name);
      if (name == "world" || (names_are_read_ && !is_named(name))) {
        value.error(
            fmt::format("'{}' is not one of the two bodies{}", name,
                        name == "world" ? " (a point of the world is given by 'point')" : suggestion(name, names_)));
      } else if (found == draft_.index.end()) {
        check_coordinates(value);
      } else {
        (found->second == link.a ? link.at_a : link.at_b) = read_place_on_body(value, found->second, draft_);
      }
    }
  }

  // Anchors of what acts from point to point: the centres unless given; the world has none of its own.
  void anchors_at_centres(const std::string& what) {
    if (link.a != world && !link.at_a) link.at_a = Vec3::Zero();
    if (link.b != world && !link.at_b) link.at_b = Vec3::Zero();
    if (!names_are_read_) return;
    if (is_named("world") && !map_.has("point"))
      map_.need({"point"}, fmt::format("key 'point' is missing: {} needs the anchor in the world", what));
    if (!is_named("world") && map_.has("point"))
      map_.get("point")->error("is an anchor in the world, but both ends are bodies: 'at' gives points of theirs");
  }

  // The name given, or one made of the bodies'; never twice.
  std::string name(std::set<std::string>& taken) {
    if (map_.has("name")) {
      const auto word = map_.word("name");
      if (!word) return "";
      const std::string given = i_ > 0 ? numbered_name(*word, i_) : *word;
      if (is_good_name(*map_.get("name"), given) && !taken.insert(given).second)
        map_.get("name")->error(fmt::format("the name '{}' is taken above; give this one another", given));
      return given;
    }
    const std::string base = fmt::format("{}", fmt::join(names_, "-"));
    std::string made = base;
    for (int k = 2; !taken.insert(made).second; ++k) made = fmt::format("{}-{}", base, k);
    return made;
  }

  AnchorPair link;

 private:
  bool bodies_are_known() const { return names_are_read_ && all_are_found_; }
  bool is_named(const std::string& body) const { return std::find(names_.begin(), names_.end(), body) != names_.end(); }

  void check_coordinates(const Node& at) const {
    if (at.is_list()) read_point(at, draft_.planar);
  }

  void read_only_anchor(const Node& at) {
    if (!bodies_are_known() || (link.a == world && link.b == world)) return check_coordinates(at);
    if (link.a != world && link.b != world)
      return at.error("names one point, but there are two bodies: write {BODY: point, BODY: point}");
    (link.b != world ? link.at_b : link.at_a) = read_place_on_body(at, link.b != world ? link.b : link.a, draft_);
  }

  SpecReader& map_;
  const SceneDraft& draft_;
  std::int64_t i_;
  std::vector<std::string> names_;                      // of bodies, as they are given
  bool names_are_read_ = false, all_are_found_ = true;  // and nothing is wrong between them
};

Joint::Kind joint_kind(const std::string& word) {
  const auto position = std::find(joint_kinds.begin(), joint_kinds.end(), word) - joint_kinds.begin();
  constexpr Joint::Kind kinds[] = {Joint::Kind::revolute, Joint::Kind::ball,     Joint::Kind::prismatic,
                                   Joint::Kind::weld,     Joint::Kind::distance, Joint::Kind::knife_edge,
                                   Joint::Kind::motion};
  return kinds[position];
}

// A coordinate of a body that moves, for motions and for springs between coordinates.
bool read_coordinate(const Node& node, const std::string& text, bool with_angle, LinkReader& reader, bool planar,
                     int& body, int& coordinate) {
  const auto name = split_coordinate(text, planar, with_angle);
  if (!name) {
    const char* const names = !planar ? ".x, .y or .z" : with_angle ? ".x, .y or .angle" : ".x or .y";
    node.error(fmt::format("must be a body with {}, but is '{}'", names, text));
    return false;
  }
  coordinate = name->coordinate;
  return reader.read_body(node, name->body, body);
}

void read_motion(SpecReader& map, LinkReader& reader, const SceneDraft& draft, Joint& joint) {
  const Node node = *map.get("motion");
  const auto text = node.word();
  if (text && read_coordinate(node, *text, true, reader, draft.planar, reader.link.b, joint.coordinate) &&
      !draft.moves(reader.link.b))
    node.error("a body that is fixed has no motion; leave one of them out");
  const auto as = map.get("as");
  if (!as) map.need({"as"}, "key 'as' is missing: the coordinate as a function of time");
  if (const auto expression = as ? read_expression(*as) : std::nullopt) joint.motion = *expression;
}

void read_knife_edge(SpecReader& map, LinkReader& reader, const SceneDraft& draft, Joint& joint) {
  const Node node = *map.get("knife-edge");
  if (reader.read_only_body(node) && !draft.moves(reader.link.b))
    node.error("a body that is fixed needs no knife edge; leave one of them out");
  reader.read_anchors();
  if (!reader.link.at_b) reader.link.at_b = Vec3::Zero();
  joint.axis = Vec3::UnitY();
  if (const auto direction = map.get("direction"))
    joint.axis = read_direction(*direction, draft.planar).value_or(joint.axis);
}

void read_pair_joint(SpecReader& map, const std::string& kind, LinkReader& reader, const SceneDraft& draft,
                     JointDraft& made) {
  Joint& joint = made.joint;
  reader.read_pair(kind);
  reader.read_anchors();
  const bool needs_anchor = joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::ball;
  if (needs_anchor && !map.has("at") && !map.has("point"))
    map.need({"at", "point"}, "needs the point that the bodies share: 'at' on a body, or 'point' in the world");
  if (joint.kind == Joint::Kind::distance) {
    reader.anchors_at_centres("a distance");
    joint.length = map.number("length");
  }
  const bool has_axis = joint.kind == Joint::Kind::prismatic || (joint.kind == Joint::Kind::revolute && !draft.planar);
  const auto axis = map.get("axis");
  if (axis && draft.planar && joint.kind == Joint::Kind::revolute)
    axis->error("a planar revolute joint needs no axis; leave it out");
  if (has_axis) {
    made.world_axis = joint.kind == Joint::Kind::prismatic ? Vec3::UnitX() : Vec3::UnitZ();
    if (axis) made.world_axis = read_direction(*axis, draft.planar);
  }
}

void read_joint(SpecReader& map, std::int64_t i, SceneDraft& draft) {
  const auto kind = kind_of(map, joint_kinds);
  if (!kind) return;
  map.only_keys_of(*kind);
  LinkReader reader(map, draft, i);
  JointDraft made;
  made.joint.kind = joint_kind(*kind);
  made.origin = {map.node().place(), map.node().path()};
  if (made.joint.kind == Joint::Kind::ball && draft.planar)
    map.get("ball")->error("a ball joint is spatial; in the plane use revolute");
  if (made.joint.kind == Joint::Kind::motion) {
    read_motion(map, reader, draft, made.joint);
  } else if (made.joint.kind == Joint::Kind::knife_edge) {
    read_knife_edge(map, reader, draft, made.joint);
  } else {
    read_pair_joint(map, *kind, reader, draft, made);
  }
  made.joint.name = reader.name(draft.joint_names);
  made.link = reader.link;
  draft.joints.push_back(made);
}

void read_clutch(SpecReader& map, std::int64_t i, SceneDraft& draft) {
  const auto kind = kind_of(map, {"rotation", "translation"});
  if (!kind) return;
  map.only_keys_of(*kind);
  LinkReader reader(map, draft, i);
  ClutchDraft made;
  made.origin = {map.node().place(), map.node().path()};
  ClutchDescription& clutch = made.clutch;
  clutch.rotation = *kind == "rotation";
  reader.read_pair(*kind);
  if (clutch.rotation) {
    clutch.direction = Vec3::UnitZ();
    const auto axis = map.get("axis");
    if (axis && draft.planar) axis->error("a planar rotation needs no axis; leave it out");
    if (axis && !draft.planar) clutch.direction = read_direction(*axis, false).value_or(clutch.direction);
  } else {
    reader.read_anchors();
    const auto direction = map.get("direction");
    if (!direction) map.need({"direction"}, "key 'direction' is missing: the sense in which motion is free");
    if (direction) clutch.direction = read_direction(*direction, draft.planar).value_or(clutch.direction);
    if (reader.link.a != world && !reader.link.at_a) reader.link.at_a = Vec3::Zero();
    if (reader.link.b != world && !reader.link.at_b) reader.link.at_b = Vec3::Zero();
  }
  clutch.sign = map.flag("reverse").value_or(false) ? -1 : 1;
  clutch.restitution = map.number("restitution").value_or(0);
  made.restitution = map.place_of("restitution");
  clutch.name = reader.name(draft.clutch_names);
  made.link = reader.link;
  draft.clutches.push_back(made);
}

// Whether both names of a spring are coordinates ("a.x") and not bodies.
bool between_coordinates(SpecReader& map) {
  const auto node = map.get("spring");
  if (!node->is_list()) return false;
  const std::vector<Node> items = node->items();
  return std::any_of(items.begin(), items.end(),
                     [](const Node& item) { return item.is_scalar() && item.text().find('.') != std::string::npos; });
}

void read_coordinate_spring(SpecReader& map, LinkReader& reader, const SceneDraft& draft, Spring& spring) {
  for (const char* key : {"at", "point"})
    if (map.has(key)) map.get(key)->error("is for a spring between bodies; one between coordinates has no such point");
  const auto names = map.names("spring");
  if (!names) return;
  const std::vector<Node> items = map.get("spring")->items();
  int first = 0;
  const bool good =
      read_coordinate(items[0], (*names)[0], false, reader, draft.planar, reader.link.a, first) &
      read_coordinate(items[1], (*names)[1], false, reader, draft.planar, reader.link.b, spring.coordinate);
  if (!good || !reader.check_pair("spring")) return;
  if (first != spring.coordinate) map.get("spring")->error("connects different coordinates; both are .x, .y or .z");
  reader.link.at_a = reader.link.at_b = reader.link.point = Vec3::Zero();
}

// Of the revolute joint between two bodies.
std::optional<Vec3> hinge_axis(const SceneDraft& draft, const AnchorPair& link) {
  for (const JointDraft& joint : draft.joints) {
    const bool same =
        (joint.link.a == link.a && joint.link.b == link.b) || (joint.link.a == link.b && joint.link.b == link.a);
    if (same && joint.joint.kind == Joint::Kind::revolute) return joint.world_axis;
  }
  return std::nullopt;
}

void read_spring(SpecReader& map, const std::string& kind, std::int64_t i, SceneDraft& draft) {
  LinkReader reader(map, draft, i);
  SpringDraft made;
  made.origin = {map.node().place(), map.node().path()};
  Spring& spring = made.spring;
  if (kind == "torsion") {
    spring.kind = Spring::Kind::torsion;
    if (reader.read_pair("torsion") && !draft.planar && draft.joints_are_read) {
      made.world_axis = hinge_axis(draft, reader.link);
      if (!made.world_axis)
        map.get("torsion")->error(
            "in space a torsion spring acts about the axis of a revolute joint, but the two bodies have none; join "
            "them by one");
    }
    reader.link.at_a = reader.link.at_b = reader.link.point = Vec3::Zero();
  } else if (between_coordinates(map)) {
    spring.kind = Spring::Kind::coordinates;
    read_coordinate_spring(map, reader, draft, spring);
  } else {
    reader.read_pair("spring");
    reader.read_anchors();
    reader.anchors_at_centres("a spring");
    if (map.has("rest") && map.number("rest").value_or(0) < 0)
      map.get("rest")->error("must be at least 0: it is a length");
  }
  if (!map.has("stiffness") && !map.has("damping"))
    map.need({"stiffness", "damping"}, "needs a 'stiffness' or a 'damping': without them it does nothing");
  spring.stiffness = map.number("stiffness").value_or(0);
  spring.damping = map.number("damping").value_or(0);
  spring.rest = map.number("rest");
  std::set<std::string> untaken;
  spring.name = reader.name(untaken);
  made.link = reader.link;
  draft.springs.push_back(made);
}

void read_components(const Node& node, bool planar, Expression* components) {
  const std::vector<Node> items = node.items();
  if (!node.is_list()) return;
  const std::size_t size = planar ? 2 : 3;
  if (items.size() != size)
    node.error(fmt::format("must have {} components in a {} scene, but has {}", size, planar ? "planar" : "spatial",
                           items.size()));
  for (std::size_t k = 0; k < items.size(); ++k) {
    const auto component = read_expression(items[k]);
    if (component && k < size) components[k] = *component;
  }
}

void read_load(SpecReader& map, std::int64_t i, SceneDraft& draft) {
  const Node node = *map.get("load");
  LinkReader reader(map, draft, i);
  if (reader.read_only_body(node) && !draft.moves(reader.link.b))
    node.error("a load on a body that cannot move does nothing; leave one of them out");
  reader.read_anchors();
  Load load;
  load.at = {reader.link.b, reader.link.at_b.value_or(Vec3::Zero())};
  if (!map.has("force") && !map.has("torque")) map.need({"force", "torque"}, "needs a 'force' or a 'torque'");
  if (const auto force = map.get("force")) read_components(*force, draft.planar, load.force);
  if (const auto torque = map.get("torque")) {
    if (!draft.planar) {
      read_components(*torque, false, load.torque);
    } else if (const auto expression = read_expression(*torque)) {
      load.torque[2] = *expression;
    }
  }
  load.follows_body = map.flag("follows").value_or(false);
  std::set<std::string> untaken;
  load.name = reader.name(untaken);
  draft.loads.push_back({load, {map.node().place(), map.node().path()}});
}

void read_force(SpecReader& map, std::int64_t i, SceneDraft& draft) {
  const auto kind = kind_of(map, {"spring", "torsion", "load"});
  if (!kind) return;
  map.only_keys_of(*kind);
  if (*kind == "load") {
    read_load(map, i, draft);
  } else {
    read_spring(map, *kind, i, draft);
  }
}

template <class Parts, class Read>
void read_list(const Node& node, const char* spec, const Parts& parts, SceneDraft& draft, Read read) {
  for (const Node& item : node.items()) {
    SpecReader map(item, map_spec(spec));
    if (item.is_map()) for_each_repetition(map, parts.size(), [&](std::int64_t i) { read(map, i, draft); });
    map.finish();
  }
}

}  // namespace

void read_joints(const Node& node, SceneDraft& draft) {
  const std::size_t before = node.diagnostics().error_count();
  read_list(node, "joint", draft.joints, draft, read_joint);
  draft.joints_are_read = node.diagnostics().error_count() == before;
}
void read_clutches(const Node& node, SceneDraft& draft) {
  read_list(node, "clutch", draft.clutches, draft, read_clutch);
}
void read_forces(const Node& node, SceneDraft& draft) { read_list(node, "force", draft.springs, draft, read_force); }

}  // namespace carom
