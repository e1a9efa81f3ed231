// The `bodies:` part of a scene: shapes, masses, initial poses, repetition.

#include <spdlog/fmt/fmt.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "config/scene_draft.h"

namespace carom {

namespace {

class BodyReader {
 public:
  BodyReader(const Node& node, const std::string& name, const SceneDraft& draft)
      : map_(node, map_spec("body"), draft.body_defaults), draft_(draft), planar_(draft.planar) {
    body_.body.name = name;
    body_.origin = {node.place(), node.path()};
    body_.position_at = body_.attitude_at = body_.velocity_at = body_.rate_at = body_.origin;
  }

  BodyDraft read() {
    if (map_.node().is_map()) {
      read_geometry();
      read_mass();
      check_fixed();
      check_turning();
    }
    repeat();
    map_.finish();
    return body_;
  }

  std::optional<Node> repeat() { return map_.has_itself("repeat") ? map_.get("repeat") : std::nullopt; }

 private:
  void read_geometry() {
    const Diagnostics& diagnostics = map_.node().diagnostics();
    const std::size_t mistakes = diagnostics.error_count();
    if (map_.has_itself("shapes")) {
      read_several();
    } else {
      read_one();
    }
    read_pose(map_, body_, planar_);
    body_.geometry_is_read = lengths_are_read_ && diagnostics.error_count() == mistakes;
  }

  void read_one() {
    if (!map_.has("shape"))
      map_.need({"shape", "shapes"}, "key 'shape' is missing: " + map_spec("body").find("shape")->meaning +
                                         "; or 'shapes', a list of several");
    const ShapeDraft draft = read_shape(map_, planar_);
    body_.body.shape = draft.shape;
    body_.body.fixed = draft.shape.kind == Shape::Kind::plane;
    body_.shape_is_known = draft.is_known;
    lengths_are_read_ = draft.lengths_are_read;
    if (draft.reversed) body_.reversed = {""};
  }

  void read_several() {
    const Node shapes = *map_.get("shapes");
    if (map_.has_itself("shape")) map_.get("shape")->error("the body has 'shapes' already: one of them");
    map_.only_keys_of("body of several shapes");
    parts_ = read_parts(shapes, planar_);
    body_.shape_is_known = parts_->are_known;
    lengths_are_read_ = parts_->lengths_are_read;
    body_.reversed = parts_->reversed;
  }

  void read_mass() {
    BodyDescription& body = body_.body;
    const bool plane = body.shape.kind == Shape::Kind::plane;
    if (map_.has("fixed")) {
      const bool fixed = map_.flag("fixed").value_or(true);  // one that cannot be read asks for no mass
      if (plane && !fixed) map_.get("fixed")->error("a plane cannot move; leave 'fixed' out");
      body.fixed = fixed || plane;
    }
    if (parts_) return read_mass_of_parts();
    read_point_masses();
    double total = 0;
    for (const PointMass& mass : body.point_masses) total += mass.mass;
    if (gives_density()) {
      read_density();
    } else if (const auto mass = map_.number("mass")) {
      body.mass = *mass;
      if (!body.fixed && *mass + total == 0) map_.get("mass")->error("a body that moves has a mass above 0");
    } else if (!map_.has("mass") && !body.fixed) {
      map_.need({"mass", "density", "fixed"}, "key 'mass' is missing: a body that moves has one, or a density");
    }
    read_inertia_and_material();
  }

  void read_inertia_and_material() {
    if (const auto inertia = map_.get("inertia")) read_inertia(*inertia);
    body_.body.material = read_material(map_, draft_);
  }

  // By their own masses, or by the body's, of which each has its part by area or volume.
  void read_mass_of_parts() {
    BodyDescription& body = body_.body;
    check_planes(body.fixed);
    double content = 0;
    for (const double of_part : parts_->contents) content += of_part;
    const bool own = parts_->give_masses();
    const auto mass = map_.number("mass"), density = map_.number("density");
    if (map_.has_itself("mass") && (own || map_.has_itself("density")))
      map_.get("mass")->error(own ? "its shapes have masses of their own: one of them"
                                  : "the body has a density already: one of them");
    std::vector<double> masses;
    for (std::size_t k = 0; k < parts_->parts.size(); ++k)
      masses.push_back(
          parts_->masses[k].value_or(own ? density.value_or(0) * parts_->contents[k] : parts_->contents[k]));
    check_masses(own, content, masses);
    double sum = 0;
    for (const double of_part : masses) sum += of_part;
    for (std::size_t k = 0; sum > 0 && k < masses.size(); ++k) parts_->parts[k].share = masses[k] / sum;
    body.mass = own ? sum : map_.has_itself("density") || !mass ? density.value_or(1) * content : *mass;
    if (body_.shape_is_known) body.shape = compound_shape(parts_->parts);
    read_point_masses();
    read_inertia_and_material();
  }

  void check_planes(bool fixed) {
    const auto is_plane = [](const ShapePart& part) { return part.shape.kind == Shape::Kind::plane; };
    if (!fixed && std::any_of(parts_->parts.begin(), parts_->parts.end(), is_plane))
      map_.get("shapes")->error("a plane cannot move; say 'fixed: true' of the body");
  }

  void check_masses(bool own, double content, const std::vector<double>& masses) {
    if (body_.body.fixed || !body_.shape_is_known || !lengths_are_read_) return;
    const auto lacks = [](double mass) { return !(mass > 0); };
    if (own && std::any_of(masses.begin(), masses.end(), lacks)) {
      map_.get("shapes")->error(
          "of its shapes some have a mass and some have none: give each one, or the body a density");
    } else if (!own && !map_.has("mass") && !map_.has("density")) {
      map_.need({"mass", "density", "fixed"},
                "key 'mass' is missing: a body that moves has one, or a density, or its shapes have");
    } else if (!own && !(content > 0)) {
      map_.get("shapes")->error(fmt::format("have no {}: give each of them a mass", planar_ ? "area" : "volume"));
    }
  }

  // The body's own key counts before one of the defaults, which are left out where they do not fit.
  bool gives_density() {
    if (map_.has_itself("mass") && map_.has_itself("density"))
      map_.get("density")->error("the body has a mass already: one of them");
    return map_.has_itself("density") ||
           (map_.has("density") && !map_.has("mass") && content_of(body_.body.shape, planar_) > 0);
  }

  void read_density() {
    BodyDescription& body = body_.body;
    const auto density = map_.number("density");
    const double content = content_of(body.shape, planar_);
    if (density && !(content > 0) && body_.shape_is_known && lengths_are_read_)
      return map_.get("density")->error(fmt::format("the body has no {}: give it a {}mass", planar_ ? "area" : "volume",
                                                    body.shape.kind == Shape::Kind::rod ? "thickness or a " : ""));
    body.mass = density.value_or(1) * content;
  }

  void read_point_masses() {
    const auto node = map_.get("masses");
    if (!node) return;
    // The body is not in the draft yet, but its points are needed.
    SceneDraft alone;
    alone.planar = planar_;
    alone.bodies.push_back(body_);
    for (const Node& item : node->items()) {
      SpecReader map(item, map_spec("point mass"));
      PointMass mass;
      if (const auto at = map.get("at")) mass.at = read_place_on_body(*at, 0, alone).value_or(mass.at);
      mass.mass = map.number("mass").value_or(0);
      map.finish();
      body_.body.point_masses.push_back(mass);
    }
  }

  void read_inertia(const Node& node) {
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    if (planar_) {
      if (node.is_list()) return node.error("the inertia of a planar body is one number");
      const auto value = map_.number("inertia");
      if (!value) return;
      inertia(2, 2) = *value;
      body_.body.inertia = inertia;
      return;
    }
    if (!node.is_list())
      return node.error("the inertia of a spatial body is three numbers (principal moments) or three rows of three");
    const bool rows = !node.items().empty() && node.items().front().is_list();
    if (rows) {
      const auto tensor = read_quantity_rows(node);
      if (!tensor) return;
      if (tensor->rows() != 3 || tensor->cols() != 3) return node.error("must have three rows of three numbers");
      inertia = *tensor;
    } else {
      const auto moments = read_numbers(node, 3);
      if (!moments) return;
      inertia.diagonal() = *moments;
    }
    if (!inertia.isApprox(inertia.transpose(), 1e-12))
      return node.error("must be a symmetric tensor: entries across the diagonal are alike");
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(moments(0) > 0))
      return node.error("must have positive principal moments; a body given by its shape needs no inertia");
    if (moments(2) > (1 + 1e-9) * (moments(0) + moments(1)))
      return node.error("no body has this inertia: its largest principal moment exceeds the sum of the others");
    body_.body.inertia = inertia;
  }

  void check_fixed() {
    if (!body_.body.fixed) return;
    for (const char* key : {"velocity", "angular_velocity"}) {
      if (map_.has_itself(key)) map_.get(key)->error("the body is fixed, so it has no velocity; leave one of them out");
    }
    body_.body.velocity.setZero();
    body_.body.angular_velocity.setZero();
  }

  void check_turning() {
    const BodyDescription& body = body_.body;
    if (!body_.shape_is_known) return;
    const bool has_inertia = body.shape.kind != Shape::Kind::point || body.inertia || !body.point_masses.empty();
    if (!has_inertia && map_.has_itself("angular_velocity") && !body.angular_velocity.isZero(0))
      map_.get("angular_velocity")->error("a point does not turn; give the body an 'inertia' or another shape");
  }

  SpecReader map_;
  const SceneDraft& draft_;
  bool planar_;
  BodyDraft body_;
  bool lengths_are_read_ = true;  // of the shape
  std::optional<PartsDraft> parts_;
};

// Bodies in a row: what each has more than the one before.
struct Row {
  std::int64_t count = 1;
  Vec3 offset = Vec3::Zero(), velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  double angle = 0;
  Vec3 turn = Vec3::Zero();  // axis times angle
};

void shift(BodyDraft& draft, const Row& row, double steps) {
  BodyDescription& body = draft.body;
  body.position += steps * row.offset;
  body.velocity += steps * row.velocity;
  body.angle += steps * row.angle;
  body.angular_velocity += steps * row.angular_velocity;
  if (const double angle = steps * row.turn.norm(); angle != 0)
    body.orientation = Eigen::AngleAxisd(angle, row.turn.normalized()) * body.orientation;
  draft.has_position = draft.has_position || !row.offset.isZero(0);
  draft.has_velocity = draft.has_velocity || !row.velocity.isZero(0);
  draft.has_attitude = draft.has_attitude || row.angle != 0 || !row.turn.isZero(0);
  draft.has_rate = draft.has_rate || !row.angular_velocity.isZero(0);
}

// A grid is a row of rows along x, y (and z).
void read_grid(SpecReader& map, const Node& count, bool planar, std::vector<Row>& rows) {
  for (const char* key : {"offset", "velocity", "angle", "turn", "angular_velocity"}) {
    if (map.has(key)) map.get(key)->error(fmt::format("'{}' is for a row; a list of rows makes any lattice", key));
  }
  const auto sides = read_point(count, planar);
  const auto spacing = map.get("spacing");
  if (!spacing) map.need({"spacing"}, "key 'spacing' is missing: a grid needs the distance between neighbours");
  const auto step = spacing ? read_point(*spacing, planar) : std::nullopt;
  for (int k = 0; sides && k < (planar ? 2 : 3); ++k) {
    const double side = (*sides)(k);
    if (!(side >= 1 && side <= static_cast<double>(most_parts) && side == std::floor(side)))
      return count.error(fmt::format("must be whole numbers from 1 to {}", most_parts));
    Row row;
    row.count = static_cast<std::int64_t>(side);
    if (step) row.offset(k) = (*step)(k);
    rows.push_back(row);
  }
}

Row read_row(SpecReader& map, bool planar) {
  Row row;
  if (map.has("spacing"))
    map.get("spacing")->error("'spacing' is for a grid, whose 'count' is a list; in a row it is 'offset'");
  row.count = map.integer("count").value_or(0);
  const auto read_vector = [&](const char* key, Vec3& target, Unit unit = Unit::plain) {
    if (const auto node = map.get(key)) target = read_point(*node, planar, unit).value_or(target);
  };
  read_vector("offset", row.offset);
  read_vector("velocity", row.velocity);
  if (planar) {
    row.angle = map.number("angle").value_or(0);
    if (const auto rate = map.get("angular_velocity"))
      row.angular_velocity.z() = read_quantity(*rate, Unit::angle).value_or(0);
    if (map.has("turn")) map.get("turn")->error("is for spatial scenes; here it is 'angle'");
    return row;
  }
  read_vector("angular_velocity", row.angular_velocity, Unit::angle);
  if (map.has("angle")) map.get("angle")->error("is for planar scenes; here it is 'turn'");
  if (const auto turn = map.get("turn")) row.turn = read_turn(*turn).value_or(Vec3::Zero());
  return row;
}

// Not `counted`: how many bodies they make cannot be read.
std::vector<Row> read_rows(const Node& node, bool planar, bool& counted) {
  std::vector<Row> rows;
  const std::vector<Node> items = node.is_list() ? node.items() : std::vector<Node>{node};
  if (items.empty()) node.error("there are no rows in it; {count: 5, offset: [0.1, 0]} is one");
  for (const Node& item : items) {
    SpecReader map(item, map_spec("repeat"));
    const auto count = map.get("count");
    const std::size_t before = rows.size();
    if (count && count->is_list()) {
      read_grid(map, *count, planar, rows);
      counted = counted && rows.size() > before;
    } else if (item.is_map()) {
      rows.push_back(read_row(map, planar));
    }
    counted = counted && count && (count->is_list() || rows.back().count > 0);
    map.finish();
  }
  return rows;
}

// False if its name is a bad one; what refers to it is not told to be missing all the same.
bool add_body(const Node& node, const BodyDraft& body, SceneDraft& draft) {
  const bool good = is_good_name(node, body.body.name);
  const int index = static_cast<int>(draft.bodies.size());
  if (draft.groups.count(body.body.name) || !draft.index.emplace(body.body.name, index).second)
    node.error(fmt::format("the name '{}' is taken by a body above; give this one another", body.body.name));
  draft.bodies.push_back(body);
  return good;
}

void add_repeated(const Node& node, const Node& repeat, const BodyDraft& body, SceneDraft& draft) {
  bool counted = true;
  std::vector<Row> rows = read_rows(repeat, draft.planar, counted);
  double size = 1;
  for (const Row& row : rows) size *= static_cast<double>(row.count);
  if (static_cast<double>(draft.bodies.size()) + size > static_cast<double>(most_parts)) {
    repeat.error(fmt::format("repetition makes more than {} bodies; a smaller 'count' makes fewer", most_parts));
    counted = false;
  }
  if (!counted) {
    draft.uncounted.insert(body.body.name);
    rows.clear();
    size = 1;
  }
  std::vector<int> members;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(size); ++i) {
    BodyDraft copy = body;
    copy.body.name = numbered_name(body.body.name, i + 1);
    std::int64_t rest = i;
    for (const Row& row : rows) {
      shift(copy, row, static_cast<double>(rest % row.count));
      rest /= row.count;
    }
    members.push_back(static_cast<int>(draft.bodies.size()));
    if (!add_body(node, copy, draft)) break;
  }
  if (draft.index.count(body.body.name))
    return node.error(fmt::format("the name '{}' is taken by a body above; give this one another", body.body.name));
  draft.groups.emplace(body.body.name, members);
}

}  // namespace

void read_pose(SpecReader& map, BodyDraft& draft, bool planar) {
  BodyDescription& body = draft.body;
  const Origin here = {map.node().place(), map.node().path()};
  if (const auto node = map.get("position")) {
    body.position = read_point(*node, planar).value_or(body.position);
    draft.has_position = true;
    draft.position_at = here;
  }
  if (const auto angle = read_angle(map, planar)) {
    body.angle = *angle;
    draft.has_attitude = true;
    draft.attitude_at = here;
  }
  if (const auto orientation = read_orientation(map, planar)) {
    body.orientation = *orientation;
    draft.has_attitude = true;
    draft.attitude_at = here;
  }
  if (const auto node = map.get("velocity")) {
    body.velocity = read_point(*node, planar).value_or(body.velocity);
    draft.has_velocity = true;
    draft.velocity_at = here;
  }
  if (const auto node = map.get("angular_velocity")) {
    if (planar) {
      body.angular_velocity = Vec3(0, 0, read_quantity(*node, Unit::angle).value_or(0));
    } else {
      body.angular_velocity = read_point(*node, false, Unit::angle).value_or(body.angular_velocity);
    }
    draft.has_rate = true;
    draft.rate_at = here;
    draft.rate_in_world = false;
  }
  if (is_given(map, "frame", !planar, planar, "not needed"))
    draft.rate_in_world = map.word("frame").value_or("body") == "world";
}

void read_bodies(const Node& node, SceneDraft& draft) {
  const auto entries = node.entries();
  if (node.is_map() && entries.empty()) node.error("there are no bodies; at least one moves");
  for (const auto& [name, value] : entries) {
    BodyReader reader(value, name, draft);
    const BodyDraft body = reader.read();
    if (const auto repeat = reader.repeat()) {
      add_repeated(value, *repeat, body, draft);
    } else {
      add_body(value, body, draft);
    }
  }
}

}  // namespace carom
