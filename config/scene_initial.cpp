#include "config/scene_initial.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace carom {

namespace {

bool names_bodies(const std::string& key, const SceneDraft& draft) {
  return draft.index.count(key) > 0 || draft.groups.count(key) > 0;
}

void read_initial_pose(const Node& node, const std::vector<int>& bodies, SceneDraft& draft) {
  SpecReader map(node, map_spec("pose"));
  for (int i : bodies) {
    BodyDraft& body = draft.bodies[static_cast<std::size_t>(i)];
    if (body.body.fixed && (map.has("velocity") || map.has("angular_velocity")))
      node.error(fmt::format("'{}' is fixed, so it has no velocity; leave one of them out", body.body.name));
    read_pose(map, body, draft.planar);
  }
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
      units_.push_back(coordinate.unit.starts_with("rad") ? Unit::angle : Unit::plain);
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
    given[static_cast<std::size_t>(at)] = true;
    if (const auto value = read_quantity(node, names.unit(static_cast<std::size_t>(at)))) entries(at) = *value;
  }
};

// The whole list, or some of it by name.
void read_coordinates(const Node& node, Values& values) {
  const Names& names = values.names;
  if (node.is_list()) {
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
    if (const auto position = positions.names.find(name)) return positions.set(node, *position);
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
  std::string first;
  int more = 0;
  const auto compare = [&](const std::vector<Coordinate>& names, const std::vector<bool>& is_given, const Vec& of_body,
                           const Vec& values, bool BodyDraft::*says_length, bool BodyDraft::*says_turn) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double says = of_body(static_cast<Index>(i)), counts = values(static_cast<Index>(i));
      const auto body = draft.index.find(names[i].name.substr(0, names[i].name.rfind('.')));
      if (!is_given[i] || body == draft.index.end()) continue;
      const BodyDraft& of = draft.bodies[static_cast<std::size_t>(body->second)];
      const bool is_length = names[i].unit.starts_with("m");
      const bool differs = std::abs(says - counts) > 1e-9 * (1 + std::abs(says));
      if (!differs || !(of.*(is_length ? says_length : says_turn))) continue;
      if (!first.empty()) {
        ++more;
        continue;
      }
      const Place& place = of.origin.place;
      first = fmt::format("gives {} = {:g}, but {}{} {:g}; what is given here counts", names[i].name, counts,
                          of.origin.path, place.line > 0 ? fmt::format(" (line {}) says", place.line) : " says", says);
    }
  };
  compare(bodies.positions(), given.q, bodies.initial_positions(), q, &BodyDraft::has_position,
          &BodyDraft::has_attitude);
  compare(bodies.velocities(), given.u, bodies.initial_velocities(), u, &BodyDraft::has_velocity, &BodyDraft::has_rate);
  if (!first.empty()) initial.warning(first + (more > 0 ? fmt::format(" ({} more like this)", more) : ""));
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
    const bool is_length = velocities[k].unit == "m/s";
    if (!is_joined[i] || (is_length ? body.has_position : body.has_attitude)) given.positions[k] = true;
    if (!is_joined[i] || (is_length ? body.has_velocity : body.has_rate)) given.velocities[k] = true;
  }
  return given;
}

}  // namespace carom
