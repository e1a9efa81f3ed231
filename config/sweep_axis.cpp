#include "config/sweep_axis.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/law_file.h"
#include "solvers/laws/list.h"

namespace carom {

double Draws::operator()(const RandomStream& stream, std::uint64_t i) const {
  switch (kind) {
    case Kind::uniform:
      return first + (second - first) * stream.uniform(i);
    case Kind::log_uniform:
      return first * std::pow(second / first, stream.uniform(i));
    case Kind::normal:
      break;
  }
  return first + second * stream.normal(i);
}

namespace {

// Numbers of one axis, all of them in degrees or none.
class NumbersReader {
 public:
  std::optional<double> read(const Node& node) {
    const auto quantity = read_number_and_unit(node);
    if (!quantity) return std::nullopt;
    if (in_degrees_ && *in_degrees_ != quantity->in_degrees()) {
      node.error("all numbers of an axis are in degrees (\"30 deg\"), or none");
      return std::nullopt;
    }
    in_degrees_ = quantity->in_degrees();
    return quantity->number;
  }
  bool in_degrees() const { return in_degrees_.value_or(false); }

 private:
  std::optional<bool> in_degrees_;
};

bool reads_as_number(const Node& node) {
  const Document alone = Document::from_node(node, "");
  return node.is_scalar() && read_number_and_unit(alone.root()).has_value();
}

// Both ends are met exactly.
std::vector<double> range_of(double from, double to, Index count, bool logarithmic) {
  std::vector<double> values(static_cast<std::size_t>(count), from);
  for (Index i = 1; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    values[static_cast<std::size_t>(i)] = logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
  }
  if (count > 1) values.back() = to;
  return values;
}

class AxisReader {
 public:
  AxisReader(const std::string& name, const Node& node) : node_(node) {
    draft_.axis.name = name;
    draft_.axis.paths = {name};
    draft_.axis.place = node.place();
  }

  std::optional<AxisDraft> read() {
    if (node_.is_list()) {
      read_list(node_);
    } else if (node_.is_map()) {
      read_map();
    } else {
      node_.error(fmt::format(
          "must be a list of values, or a map with from, to and count, values, or uniform, but is {}", node_.form()));
      good_ = false;
    }
    draft_.axis.in_degrees = numbers_.in_degrees();
    return good_ ? std::optional<AxisDraft>(draft_) : std::nullopt;
  }

 private:
  void fail(const Node& node, const std::string& message) {
    node.error(message);
    good_ = false;
  }

  void read_list(const Node& node) {
    const std::vector<Node> items = node.items();
    if (items.empty()) return fail(node, "must hold at least one value");
    const bool numeric = std::all_of(items.begin(), items.end(), reads_as_number);
    for (const Node& item : items) {
      if (item.is_null()) {
        fail(item, "an empty value: nothing to put into the scene");
        continue;
      }
      check_law(item);
      if (!numeric) {
        draft_.axis.choices.emplace_back(item);
      } else if (const auto number = numbers_.read(item)) {
        draft_.axis.numbers.push_back(*number);
      } else {
        good_ = false;
      }
    }
  }

  // A law that there is not would be refused at every point; here it is a slip of the pen.
  void check_law(const Node& item) {
    const bool names_law = std::any_of(draft_.axis.paths.begin(), draft_.axis.paths.end(),
                                       [](const std::string& path) { return path == "law" || path == "law.type"; });
    if (names_law && item.is_scalar() && !find_law(item.text())) fail(item, unknown_law_message(item.text()));
  }

  void read_map() {
    SpecReader map(node_, sweep_schema()[1]);
    read_paths(map);
    const std::optional<std::string> kind = kind_of_axis(map);
    if (kind == "values") {
      if (const auto values = map.get("values")) read_list(*values);
    } else if (kind == "from") {
      read_range(map);
    } else if (kind) {
      read_draws(map, *kind);
    }
    map.finish();
  }

  void read_paths(SpecReader& map) {
    const auto path = map.get("path");
    if (!path) return;
    const auto names = path->is_list() ? map.names("path") : std::nullopt;
    const auto word = path->is_list() ? std::nullopt : map.word("path");
    if (names) draft_.axis.paths = *names;
    if (word) draft_.axis.paths = {*word};
    good_ = good_ && (names || word);
  }

  // What says where its values come from; there is one.
  std::optional<std::string> kind_of_axis(SpecReader& map) {
    std::vector<std::string> found;
    for (const char* kind : {"values", "from", "uniform", "log-uniform", "normal"}) {
      if (map.has(kind)) found.emplace_back(kind);
    }
    if (found.empty() && (map.has("to") || map.has("scale"))) found = {"from"};
    if (found.size() == 1) {
      refuse_keys_of_others(map, found[0]);
      return found[0];
    }
    good_ = false;
    if (found.empty()) {
      map.need({"values", "from", "uniform", "log-uniform", "normal"},
               "needs values, from with to and count, uniform, log-uniform or normal");
    } else {
      node_.error(
          fmt::format("{} do not go together: an axis has its values from one of them", fmt::join(found, " and ")));
    }
    return std::nullopt;
  }

  void refuse_keys_of_others(SpecReader& map, const std::string& kind) {
    const auto refuse = [&](const char* key) {
      if (map.has(key)) fail(*map.get(key), fmt::format("'{}' does not go with '{}'", key, kind));
    };
    if (kind != "from") {
      refuse("to");
      refuse("scale");
    }
    if (kind == "values") refuse("count");
  }

  void read_range(SpecReader& map) {
    draft_.is_range = true;
    const auto number = [&](const char* key) -> std::optional<double> {
      const auto node = map.get(key);
      if (node) return numbers_.read(*node);
      map.need({key}, fmt::format("a range needs from, to and count; '{}' is missing", key));
      return std::nullopt;
    };
    const auto from = number("from"), to = number("to");
    const auto count = map.integer("count");
    if (!map.has("count")) map.need({"count"}, "a range needs from, to and count; 'count' is missing");
    const bool logarithmic = map.has("scale") && map.word("scale").value_or("") == "log";
    good_ = good_ && from && to && count;
    if (!good_) return;
    if (logarithmic && !(*from > 0 && *to > 0))
      return fail(*map.get(*from > 0 ? "to" : "from"), "a logarithmic range needs positive ends");
    if (*count > 1 && *from == *to) return fail(*map.get("to"), "the range has no length: from and to are equal");
    if (!std::isfinite(logarithmic ? *to / *from : *to - *from))
      return fail(*map.get("to"), "the range is longer than the largest number there is");
    draft_.axis.numbers = range_of(*from, *to, *count, logarithmic);
  }

  void read_draws(SpecReader& map, const std::string& kind) {
    const Node node = *map.get(kind);
    const std::vector<Node> items = node.items();
    draft_.count = map.integer("count");
    if (items.size() != 2) {
      if (node.is_list()) node.error(fmt::format("must have 2 numbers, but has {}", items.size()));
      for (const Node& item : items) numbers_.read(item);
      good_ = false;
      return;
    }
    const auto first = numbers_.read(items[0]), second = numbers_.read(items[1]);
    good_ = good_ && first && second && (draft_.count || !map.has("count"));
    if (!good_) return;
    Draws draws{Draws::Kind::uniform, *first, *second};
    if (kind == "log-uniform") draws.kind = Draws::Kind::log_uniform;
    if (kind == "normal") draws.kind = Draws::Kind::normal;
    if (draws.kind == Draws::Kind::normal && !(*second > 0))
      return fail(items[1], fmt::format("the standard deviation must be above 0, but is {:g}", *second));
    if (draws.kind != Draws::Kind::normal && !(*second > *first))
      return fail(items[1], fmt::format("must be above {:g}, the lower end, but is {:g}", *first, *second));
    if (draws.kind == Draws::Kind::log_uniform && !(*first > 0))
      return fail(items[0], "a logarithm needs positive numbers");
    if (!std::isfinite(*second - *first) ||
        (draws.kind == Draws::Kind::log_uniform && !std::isfinite(*second / *first)))
      return fail(items[1], "the range is longer than the largest number there is");
    draft_.draws = draws;
  }

  Node node_;
  AxisDraft draft_;
  NumbersReader numbers_;
  bool good_ = true;
};

}  // namespace

std::optional<AxisDraft> read_axis(const std::string& name, const Node& node) { return AxisReader(name, node).read(); }

}  // namespace carom
