#include "config/scene_draft.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>

namespace carom {

namespace {

Vec3 in_space(const Vec& v) { return v.size() == 2 ? Vec3(v(0), v(1), 0) : Vec3(v); }

std::vector<std::string> body_names(const SceneDraft& draft) {
  std::vector<std::string> names = {"world"};
  for (const auto& [name, index] : draft.index) names.push_back(name);
  for (const auto& [name, members] : draft.groups) names.push_back(name);
  return names;
}

// The point that the user calls vertex-k: of a polygon given clockwise, vertex 1 stays and the others count back.
std::string vertex_name(const BodyDraft& body, const std::string& name) {
  const std::size_t at = name.rfind("vertex-");
  if (at == std::string::npos || !body.reversed.contains(name.substr(0, at))) return name;
  const std::string prefix = name.substr(0, at) + "vertex-", part = name.substr(0, at ? at - 1 : 0);
  const Shape* polygon = &body.body.shape;
  if (polygon->kind == Shape::Kind::compound)
    polygon = &std::find_if(polygon->parts->begin(), polygon->parts->end(), [&](const ShapePart& of) {
                 return of.name == part;
               })->shape;
  const std::size_t count = polygon->vertices.size();
  std::size_t k = 0;
  const char* end = name.data() + name.size();
  if (std::from_chars(name.data() + prefix.size(), end, k).ptr != end || k < 2 || k > count) return name;
  return prefix + std::to_string(count + 2 - k);
}

}  // namespace

const Origin* BodyDraft::says(bool is_length, bool is_velocity) const {
  if (is_length && is_velocity) return has_velocity ? &velocity_at : nullptr;
  if (is_length) return has_position ? &position_at : nullptr;
  if (is_velocity) return has_rate ? &rate_at : nullptr;
  return has_attitude ? &attitude_at : nullptr;
}

std::string hint_at_comma(const Node& list) {
  const auto is_whole = [](const Node& item, bool signed_too) {
    const std::string& text = item.text();
    const std::size_t begin = signed_too && text.find_first_of("+-") == 0 ? 1 : 0;
    return item.is_scalar() && begin < text.size() && text.find_first_not_of("0123456789", begin) == std::string::npos;
  };
  const std::vector<Node> items = list.items();
  for (std::size_t k = 1; k < items.size(); ++k) {
    const Place first = items[k - 1].place(), second = items[k].place();
    const int behind = first.column + static_cast<int>(items[k - 1].text().size()) + 1;  // the comma, without a blank
    if (is_whole(items[k - 1], true) && is_whole(items[k], false) && second.line == first.line &&
        second.column == behind && items[k - 1].text() != "0")
      return fmt::format("; decimals have a point, not a comma: {}.{}", items[k - 1].text(), items[k].text());
  }
  return "";
}

std::optional<Vec3> read_point(const Node& node, bool planar, Unit unit) {
  const auto values = read_quantities(node, unit);
  const Index size = planar ? 2 : 3;
  if (!node.is_list() || std::ssize(node.items()) == size)
    return values ? std::optional(in_space(*values)) : std::nullopt;
  node.error(
      fmt::format("must have {} numbers in a {} scene, but has {} (the size of gravity makes a scene planar or "
                  "spatial){}",
                  size, planar ? "planar" : "spatial", node.items().size(), hint_at_comma(node)));
  return std::nullopt;
}

std::optional<Vec3> read_direction(const Node& node, bool planar) {
  const auto vector = read_point(node, planar);
  if (!vector) return std::nullopt;
  if (vector->isZero(0)) {
    node.error(fmt::format("must be a direction such as {}, but has no length", planar ? "[0, 1]" : "[0, 0, 1]"));
    return std::nullopt;
  }
  return vector->stableNormalized();
}

std::optional<Vec3> find_place_on_body(const Node& node, const std::string& name, int body, const SceneDraft& draft) {
  const BodyDraft& owner = draft.bodies[static_cast<std::size_t>(body)];
  if (!owner.shape_is_known) return std::nullopt;
  Vec3 at = Vec3::Zero();
  if (find_point(owner.body.shape, draft.planar, vertex_name(owner, name), at)) return at;
  const std::vector<std::string> names = named_points(owner.body.shape, draft.planar);
  node.error(fmt::format("'{}' has no point '{}'{}; it has {}, or give coordinates", owner.body.name, name,
                         suggestion(name, names), fmt::join(names, ", ")));
  return std::nullopt;
}

std::optional<Vec3> read_place_on_body(const Node& node, int body, const SceneDraft& draft) {
  return node.is_scalar() ? find_place_on_body(node, node.text(), body, draft) : read_point(node, draft.planar);
}

std::optional<int> find_body(const Node& node, const std::string& name, const SceneDraft& draft) {
  if (name == "world") return world;
  const auto found = draft.index.find(name);
  if (found != draft.index.end()) return found->second;
  const bool may_be_repeated =
      std::any_of(draft.uncounted.begin(), draft.uncounted.end(),
                  [&](const std::string& group) { return name.starts_with(group.substr(0, group.find('{'))); });
  if (may_be_repeated) return std::nullopt;  // the mistake is that of the repetition
  if (draft.groups.count(name)) {
    node.error(fmt::format("'{}' is repeated: name one of them, such as '{}'", name,
                           draft.body(draft.groups.at(name).front()).name));
  } else {
    node.error(fmt::format("there is no body '{}'{}", name, suggestion(name, body_names(draft))));
  }
  return std::nullopt;
}

std::vector<int> find_bodies(const Node& node, const std::string& name, const SceneDraft& draft) {
  const auto group = draft.groups.find(name);
  if (group != draft.groups.end()) return group->second;
  const auto body = find_body(node, name, draft);
  if (!body) return {};
  if (*body != world) return {*body};
  node.error("the world is no body; leave it out");
  return {};
}

bool is_good_name(const Node& node, const std::string& name) {
  if (name == "world" || name == "q" || name == "u" || name == "all" || name == "none") {
    node.error(fmt::format("'{}' cannot be a name: it means something else in a scene; choose another", name));
    return false;
  }
  const bool is_printed = std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == 127; });
  if (!name.empty() && name.size() <= 200 && is_printed && name.find_first_of("./[]{}*,=\"'\\ ") == std::string::npos)
    return true;
  node.error(fmt::format("'{}' cannot be a name: names have no spaces, dots, slashes, brackets or quotes", name));
  return false;
}

std::string numbered(const std::string& text, std::int64_t i) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos || text[at + 1] != 'i') {
      result += text[at++];
      continue;
    }
    std::int64_t shift = 0;
    const char* const first = text.data() + at + 2;
    const char* const last = text.data() + end;
    const bool plus = first != last && *first == '+';
    const bool plain = first == last;
    if (!plain && std::from_chars(first + (plus ? 1 : 0), last, shift).ptr != last) {
      result += text[at++];
      continue;
    }
    result += std::to_string(i + shift);
    at = end + 1;
  }
  return result;
}

std::string numbered_name(const std::string& name, std::int64_t i) {
  const std::string with_number = numbered(name, i);
  return with_number == name ? name + std::to_string(i) : with_number;
}

void for_each_repetition(SpecReader& map, std::size_t made_already, const std::function<void(std::int64_t)>& read) {
  const bool repeats = map.has_itself("repeat");
  const std::int64_t count = repeats ? map.integer("repeat").value_or(1) : 1;
  if (static_cast<std::int64_t>(made_already) + count > most_parts) {
    map.node().error(fmt::format("repetition makes more than {} parts; a smaller 'repeat' makes fewer", most_parts));
    return;
  }
  const Diagnostics& diagnostics = map.node().diagnostics();
  const std::size_t before = diagnostics.error_count();
  for (std::int64_t i = 1; i <= count && diagnostics.error_count() == before; ++i)
    read(repeats ? i : 0);  // after one with mistakes the others would have the same
}

std::optional<std::string> kind_of(SpecReader& map, const std::vector<std::string>& kinds) {
  std::vector<std::string> found;
  for (const std::string& kind : kinds) {
    if (map.has_itself(kind)) found.push_back(kind);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    map.node().error(fmt::format("is {} at once; one of them", fmt::join(found, " and ")));
    return std::nullopt;
  }
  map.need(kinds, fmt::format("needs one of {}", fmt::join(kinds, ", ")));
  return std::nullopt;
}

}  // namespace carom
