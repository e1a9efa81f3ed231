#include "config/scene_initial.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
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
      node.error(fmt::format("'{}' is fixed, so it has no velocity", body.body.name));
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

void set(const Node& node, const Names& names, Index at, Vec& values) {
  if (const auto value = read_quantity(node, names.unit(static_cast<std::size_t>(at)))) values(at) = *value;
}

// q or u: the whole list, or some of it by name.
void read_coordinates(const Node& node, const Names& names, Vec& values) {
  if (node.is_list()) {
    const auto unit = [&](std::size_t entry) { return names.unit(entry); };
    if (const auto list = read_numbers(node, values.size(), unit)) values = *list;
    return;
  }
  for (const auto& [key, value] : node.entries()) {
    if (const auto found = names.find(key)) {
      set(value, names, *found, values);
    } else {
      value.error(fmt::format("there is no coordinate '{}'{}", key, suggestion(key, names.words())));
    }
  }
}

// A coordinate by its name; `a: {b: 1}` is the same as `a.b: 1`.
class NamedCoordinates {
 public:
  NamedCoordinates(const System& system, Vec& q, Vec& u)
      : positions_(system.positions()), velocities_(system.velocities()), q_(q), u_(u) {}

  const Names& positions() const { return positions_; }
  const Names& velocities() const { return velocities_; }

  // A name that positions and velocities share means the position. True if a position was set.
  bool read(const std::string& name, const Node& node) {
    if (node.is_map()) {
      bool any = false;
      for (const auto& [key, value] : node.entries()) any = read(name + "." + key, value) || any;
      return any;
    }
    if (const auto position = positions_.find(name)) {
      set(node, positions_, *position, q_);
      return true;
    }
    if (const auto velocity = velocities_.find(name)) {
      set(node, velocities_, *velocity, u_);
      return false;
    }
    std::vector<std::string> words = positions_.words();
    for (const std::string& word : velocities_.words()) words.push_back(word);
    const std::string list = words.size() <= 12 ? fmt::format("; there are {}", fmt::join(words, ", ")) : "";
    node.error(fmt::format("there is no body or coordinate '{}'{}", name,
                           suggestion(name, words).empty() ? list : suggestion(name, words)));
    return false;
  }

 private:
  Names positions_, velocities_;
  Vec& q_;
  Vec& u_;
};

}  // namespace

void read_initial_poses(const Node& initial, SceneDraft& draft) {
  for (const auto& [key, value] : initial.entries()) {
    if (!names_bodies(key, draft)) continue;
    read_initial_pose(value, find_bodies(value, key, draft), draft);
  }
}

bool read_initial_coordinates(const Node& initial, const SceneDraft& draft, const System& system, Vec& q, Vec& u) {
  NamedCoordinates named(system, q, u);
  bool moved = false;
  for (const auto& [key, value] : initial.entries()) {
    if (key == "q") {
      read_coordinates(value, named.positions(), q);
      moved = true;
    } else if (key == "u") {
      read_coordinates(value, named.velocities(), u);
    } else if (!names_bodies(key, draft)) {
      moved = named.read(key, value) || moved;
    }
  }
  return moved;
}

}  // namespace carom
