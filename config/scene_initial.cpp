#include "config/scene_initial.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace carom {

namespace {

bool names_bodies(const std::string& key, const SceneDraft& draft) {
  return draft.index.count(key) > 0 || draft.groups.count(key) > 0;
}

// Repeated bodies are given together, and one of them otherwise: that is no contradiction.
bool is_of_group(const Origin& at, const SceneDraft& draft) {
  return draft.groups.count(at.path.substr(at.path.find('.') + 1)) > 0;
}

// What is given at one place of `initial`, and otherwise elsewhere: what is given here counts.
class Contradictions {
 public:
  void add(const std::string& what, const Vec& here, Place place, const Origin& at, const Vec& there) {
    if (count_++ > 0) return;
    const std::string line = at.place.line > 0 ? fmt::format(" (line {})", at.place.line) : "";
    place_ = place;
    first_ = fmt::format("gives {} = {}, but {}{} says {}; what is given here counts", what, text(here), at.path, line,
                         text(there));
  }
  void tell(const Node& node) const {
    if (count_ > 0)
      node.diagnostics().warning(place_, node.path(),
                                 first_ + (count_ > 1 ? fmt::format(" ({} more like this)", count_ - 1) : ""));
  }

  static bool differ(const Vec& a, const Vec& b) { return (a - b).norm() > 1e-9 * (1 + a.norm()); }

 private:
  static std::string text(const Vec& values) {
    return values.size() == 1 ? fmt::format("{:g}", values(0))
                              : fmt::format("[{:g}]", fmt::join(values.data(), values.data() + values.size(), ", "));
  }

  std::string first_;
  Place place_;
  int count_ = 0;
};

// What a body has been given before, against what `map` gives; `is_meant` tells earlier places that may not differ.
void compare_poses(const BodyDraft& own, const BodyDraft& given, const SpecReader& map, bool planar,
                   const std::function<bool(const Origin&)>& is_meant, Contradictions& contradictions) {
  const Index size = planar ? 2 : 3;
  const auto compare = [&](const char* key, bool has, const Origin& at, const Vec& there, const Vec& here) {
    if (has && map.has_itself(key) && is_meant(at) && Contradictions::differ(there, here))
      contradictions.add(fmt::format("{} of '{}'", key, own.body.name), here, map.place_of(key), at, there);
  };
  compare("position", own.has_position, own.position_at, own.body.position.head(size), given.body.position.head(size));
  compare("velocity", own.has_velocity, own.velocity_at, own.body.velocity.head(size), given.body.velocity.head(size));
  compare("angular_velocity", own.has_rate, own.rate_at, own.body.angular_velocity.tail(planar ? 1 : 3),
          given.body.angular_velocity.tail(planar ? 1 : 3));
  if (planar)
    return compare("angle", own.has_attitude, own.attitude_at, Vec::Constant(1, own.body.angle),
                   Vec::Constant(1, given.body.angle));
  const Eigen::Quaterniond &there = own.body.orientation, &here = given.body.orientation;
  compare("orientation", own.has_attitude && there.angularDistance(here) > 1e-9, own.attitude_at,
          Vec(Eigen::Vector4d(there.w(), there.x(), there.y(), there.z())),
          Vec(Eigen::Vector4d(here.w(), here.x(), here.y(), here.z())));
}

void read_initial_pose(const Node& node, const std::vector<int>& bodies, SceneDraft& draft) {
  SpecReader map(node, map_spec("pose"));
  Contradictions contradictions;
  for (int i : bodies) {
    BodyDraft& body = draft.bodies[static_cast<std::size_t>(i)];
    if (body.body.fixed && (map.has("velocity") || map.has("angular_velocity")))
      node.error(fmt::format("'{}' is fixed, so it has no velocity; leave one of them out", body.body.name));
    const BodyDraft own = body;
    read_pose(map, body, draft.planar);
    const auto is_meant = [&](const Origin& at) { return bodies.size() > 1 || !is_of_group(at, draft); };
    compare_poses(own, body, map, draft.planar, is_meant, contradictions);
  }
  if (node.diagnostics().ok()) contradictions.tell(node);
  if (bodies.size() > 1 && map.has("position"))
    map.get("position")->error("would put all of the repeated bodies in one place; name them one by one");
  map.finish();
}

// The entries of q or u by name, and which of them are angles.
class Names {
 public:
  explicit Names(const std::vector<Coordinate>& coordinates) {
    for (const Coordinate& coordinate : coordinates) {
      numbers_.emplace(coordinate.name, static_cast<Index>(units_.size()));
      units_.push_back(coordinate.is_angle() ? Unit::angle : Unit::plain);
    }
  }

  std::optional<Index> find(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  Unit unit(std::size_t entry) const { return entry < units_.size() ? units_[entry] : Unit::plain; }
  std::vector<std::string> words() const {
    std::vector<std::string> words;
    for (const auto& [name, number] : numbers_) words.push_back(name);
    return words;
  }

 private:
  std::map<std::string, Index> numbers_;
  std::vector<Unit> units_;
};

// q or u, and which of its entries are given.
struct Values {
  Names names;
  Vec& entries;
  std::vector<bool> given;

  Values(const std::vector<Coordinate>& coordinates, Vec& values)
      : names(coordinates), entries(values), given(coordinates.size(), false) {}

  void set(const Node& node, Index at) {
    if (given[static_cast<std::size_t>(at)]) node.error("is given twice under 'initial'; leave one of them out");
    given[static_cast<std::size_t>(at)] = true;
    if (const auto value = read_quantity(node, names.unit(static_cast<std::size_t>(at)))) entries(at) = *value;
  }
};

// The whole list, or some of it by name.
void read_coordinates(const Node& node, Values& values) {
  const Names& names = values.names;
  if (node.is_list()) {
    if (std::find(values.given.begin(), values.given.end(), true) != values.given.end())
      node.error("gives all coordinates, and others under 'initial' give some of them again; leave one of them out");
    values.given.assign(values.given.size(), true);
    const auto unit = [&](std::size_t entry) { return names.unit(entry); };
    if (const auto list = read_numbers(node, values.entries.size(), unit)) values.entries = *list;
    return;
  }
  for (const auto& [key, value] : node.entries()) {
    if (const auto found = names.find(key)) {
      values.set(value, *found);
    } else {
      value.error(fmt::format("there is no coordinate '{}'{}", key, suggestion(key, names.words())));
    }
  }
}

// Where a coordinate is given, which is entry `number` of the list `whole` if there is one.
Place place_of_coordinate(const Node& node, const std::string& name, const std::string& whole, std::size_t number) {
  for (const auto& [key, value] : node.entries()) {
    if (key == name) return MapReader(node).place_of(key);
    if (key == whole && value.is_list() && number < value.items().size()) return value.items()[number].place();
    const bool is_above = key == whole || name.starts_with(key + ".");
    if (!is_above || !value.is_map()) continue;
    const Place below = place_of_coordinate(value, key == whole ? name : name.substr(key.size() + 1), "", number);
    if (below.is_known()) return below;
  }
  return {};
}

// A coordinate by its name; `a: {b: 1}` is the same as `a.b: 1`.
class NamedCoordinates {
 public:
  NamedCoordinates(const System& system, Vec& q, Vec& u)
      : positions(system.positions(), q), velocities(system.velocities(), u) {}

  // A name that positions and velocities share means the position.
  void read(const std::string& name, const Node& node) {
    if (node.is_map()) {
      for (const auto& [key, value] : node.entries()) read(name + "." + key, value);
      return;
    }
    if (const auto position = positions.names.find(name)) {
      if (positions.names.unit(static_cast<std::size_t>(*position)) == Unit::angle) warn_if_degrees_seem_meant(node);
      return positions.set(node, *position);
    }
    if (const auto velocity = velocities.names.find(name)) return velocities.set(node, *velocity);
    std::vector<std::string> words = positions.names.words();
    for (const std::string& word : velocities.names.words()) words.push_back(word);
    const std::string list = words.size() <= 12 ? fmt::format("; there are {}", fmt::join(words, ", ")) : "";
    node.error(fmt::format("there is no body or coordinate '{}'{}", name,
                           suggestion(name, words).empty() ? list : suggestion(name, words)));
  }

  Values positions, velocities;
};

// The velocities that move a coordinate of position: of a quaternion all three rates.
std::vector<std::string> velocities_of(const std::string& position) {
  const std::size_t end = position.rfind('.') + 1;
  const std::string body = position.substr(0, end), part = position.substr(end);
  if (part.front() == 'q') return {body + "wx", body + "wy", body + "wz"};
  return {body + "v" + part};
}

}  // namespace

void read_initial_poses(const Node& initial, SceneDraft& draft) {
  for (const auto& [key, value] : initial.entries()) {
    if (!names_bodies(key, draft)) continue;
    read_initial_pose(value, find_bodies(value, key, draft), draft);
  }
}

GivenCoordinates read_initial_coordinates(const Node& initial, const SceneDraft& draft, const System& system, Vec& q,
                                          Vec& u) {
  NamedCoordinates named(system, q, u);
  for (const auto& [key, value] : initial.entries()) {
    if (key == "q") {
      read_coordinates(value, named.positions);
    } else if (key == "u") {
      read_coordinates(value, named.velocities);
    } else if (!names_bodies(key, draft)) {
      named.read(key, value);
    }
  }
  return {named.positions.given, named.velocities.given};
}

void warn_of_contradictions(const Node& initial, const SceneDraft& draft, const Assembly& bodies,
                            const GivenCoordinates& given, const Vec& q, const Vec& u) {
  Contradictions contradictions;
  const auto compare = [&](const std::vector<Coordinate>& names, const std::vector<bool>& is_given, const Vec& of_body,
                           const Vec& values, bool is_velocity) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Vec says = of_body.segment(static_cast<Index>(i), 1), counts = values.segment(static_cast<Index>(i), 1);
      const auto body = draft.index.find(names[i].name.substr(0, names[i].name.rfind('.')));
      if (!is_given[i] || body == draft.index.end() || !Contradictions::differ(says, counts)) continue;
      const BodyDraft& of = draft.bodies[static_cast<std::size_t>(body->second)];
      const Origin* at = of.says(names[i].is_length(), is_velocity);
      if (at && !is_of_group(*at, draft))
        contradictions.add(names[i].name, counts,
                           place_of_coordinate(initial, names[i].name, is_velocity ? "u" : "q", i), *at, says);
    }
  };
  compare(bodies.positions(), given.q, bodies.initial_positions(), q, false);
  compare(bodies.velocities(), given.u, bodies.initial_velocities(), u, true);
  contradictions.tell(initial);
}

GivenState given_state(const SceneDraft& draft, const GivenCoordinates& coordinates, const System& system) {
  const std::vector<Coordinate> positions = system.positions(), velocities = system.velocities();
  GivenState given = {coordinates.q, coordinates.u};
  given.velocities.resize(velocities.size(), false);
  if (positions.size() != velocities.size()) {  // there are quaternions
    given.positions.assign(velocities.size(), false);
    const Names names(velocities);
    for (std::size_t i = 0; i < coordinates.q.size(); ++i) {
      if (!coordinates.q[i]) continue;
      for (const std::string& velocity : velocities_of(positions[i].name))
        given.positions[static_cast<std::size_t>(*names.find(velocity))] = true;
    }
  }
  given.positions.resize(velocities.size(), false);
  if (draft.bodies.empty()) return given;
  std::vector<bool> is_joined(draft.bodies.size(), false);
  for (const JointDraft& joint : draft.joints)
    for (const int body : {joint.link.a, joint.link.b})
      if (body != world) is_joined[static_cast<std::size_t>(body)] = true;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const auto i = static_cast<std::size_t>(draft.index.at(system.body_of(static_cast<Index>(k))));
    const BodyDraft& body = draft.bodies[i];
    const bool is_length = velocities[k].is_length();
    if (!is_joined[i] || body.says(is_length, false)) given.positions[k] = true;
    if (!is_joined[i] || body.says(is_length, true)) given.velocities[k] = true;
  }
  return given;
}

}  // namespace carom
