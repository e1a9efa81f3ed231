#include "config/law_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "solvers/laws/list.h"

namespace carom {

namespace {

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawEntry& law : impact_laws()) names.push_back(law.name);
  return names;
}

std::optional<ParameterValue> read_number(const ParameterSpec& spec, const Node& node) {
  const auto value = node.number();
  if (!value) return std::nullopt;
  const bool low = spec.lowest_open ? !(*value > spec.lowest) : *value < spec.lowest;
  if (low || *value > spec.highest) {
    node.error(fmt::format("{:g} is outside its range ({})", *value, spec.range_text));
    return std::nullopt;
  }
  if (spec.whole && *value != std::floor(*value)) {
    node.error(fmt::format("must be a whole number, but is {:g}", *value));
    return std::nullopt;
  }
  return *value;
}

std::optional<ParameterValue> read_word(const ParameterSpec& spec, const Node& node) {
  const auto value = node.word();
  if (!value) return std::nullopt;
  if (!spec.words.empty() && std::find(spec.words.begin(), spec.words.end(), *value) == spec.words.end()) {
    node.error(
        fmt::format("'{}' is none of {}{}", *value, fmt::join(spec.words, ", "), suggestion(*value, spec.words)));
    return std::nullopt;
  }
  return *value;
}

std::optional<ParameterValue> read_value(const ParameterSpec& spec, const Node& node) {
  switch (spec.type) {
    case ParameterSpec::Type::number:
      return read_number(spec, node);
    case ParameterSpec::Type::word:
      return read_word(spec, node);
    case ParameterSpec::Type::names:
      if (auto names = node.names()) return ParameterValue(*names);
      return std::nullopt;
    case ParameterSpec::Type::matrix:
      if (node.is_scalar()) {
        if (auto value = node.number()) return ParameterValue(Mat(Mat::Constant(1, 1, *value)));
        return std::nullopt;
      }
      if (auto matrix = node.matrix()) return ParameterValue(*matrix);
      return std::nullopt;
    case ParameterSpec::Type::law:
      if (auto law = read_law(node)) {
        if (law->type == "sequential") {
          node.error("sequential cannot be the law of its own collisions");
          return std::nullopt;
        }
        return ParameterValue(std::make_shared<const LawChoice>(*law));
      }
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string unknown_law_message(const std::string& name) {
  return fmt::format("unknown law '{}'{}; the laws are {}", name, suggestion(name, law_names()),
                     fmt::join(law_names(), ", "));
}

std::optional<LawChoice> read_law(const Node& node) {
  LawChoice choice;
  if (node.is_scalar()) {
    choice.type = node.text();
    if (!find_law(choice.type)) {
      node.error(unknown_law_message(choice.type));
      return std::nullopt;
    }
    return choice;
  }
  MapReader map(node);
  if (!node.is_map()) return std::nullopt;
  const auto type = map.require("type", "it names the law");
  const auto name = type ? type->word() : std::nullopt;
  const LawEntry* entry = name ? find_law(*name) : nullptr;
  if (name && !entry) type->error(unknown_law_message(*name));
  if (!entry) {
    if (!type) map.finish();
    return std::nullopt;
  }
  choice.type = *name;
  bool good = true;
  for (const ParameterSpec& spec : entry->parameters) {
    const auto value = map.get(spec.name);
    if (!value) continue;
    if (auto parsed = read_value(spec, *value)) {
      choice.parameters.set(spec.name, *parsed);
    } else {
      good = false;
    }
  }
  map.finish();
  return good ? std::optional<LawChoice>(choice) : std::nullopt;
}

}  // namespace carom
