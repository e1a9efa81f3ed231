#include "config/parameter_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/law_file.h"
#include "config/quantity.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

bool in_range(const ParameterSpec& spec, const Node& node, double value) {
  const bool low = spec.lowest_open ? !(value > spec.lowest) : value < spec.lowest;
  if (low || value > spec.highest) {
    node.error(fmt::format("{:g} is outside its range ({})", value, spec.range_text));
    return false;
  }
  return true;
}

Unit unit_of(const ParameterSpec& spec, std::size_t entry = 0) {
  return entry >= spec.angles_from ? Unit::angle : Unit::plain;
}

std::optional<ParameterValue> read_number(const ParameterSpec& spec, const Node& node) {
  const auto value = read_quantity(node, unit_of(spec));
  if (!value || !in_range(spec, node, *value)) return std::nullopt;
  return *value;
}

// A list, or one number that stands for a list of one.
std::optional<ParameterValue> read_vector(const ParameterSpec& spec, const Node& node) {
  if (node.is_scalar()) {
    const auto value = read_quantity(node, unit_of(spec));
    if (!value || !in_range(spec, node, *value)) return std::nullopt;
    return Vec(Vec::Constant(1, *value));
  }
  const auto values = read_quantities(node, [&](std::size_t entry) { return unit_of(spec, entry); });
  if (!values) return std::nullopt;
  bool good = true;
  const std::vector<Node> items = node.items();
  for (std::size_t i = 0; i < items.size(); ++i)
    good = in_range(spec, items[i], (*values)(static_cast<Index>(i))) && good;
  return good ? std::optional<ParameterValue>(*values) : std::nullopt;
}

std::optional<ParameterValue> read_word(const ParameterSpec& spec, const Node& node) {
  const auto value = node.word();
  if (!value) return std::nullopt;
  if (!spec.words.empty() && std::find(spec.words.begin(), spec.words.end(), *value) == spec.words.end()) {
    node.error(fmt::format("unknown value '{}'{}; choose from {}", *value, suggestion(*value, spec.words),
                           fmt::join(spec.words, ", ")));
    return std::nullopt;
  }
  return *value;
}

}  // namespace

std::optional<ParameterValue> read_parameter(const ParameterSpec& spec, const Node& node) {
  switch (spec.type) {
    case ParameterSpec::Type::number:
      return read_number(spec, node);
    case ParameterSpec::Type::integer:
      if (auto value = read_number(spec, node)) {
        const double number = std::get<double>(*value);
        if (number == std::floor(number)) return value;
        node.error(fmt::format("must be a whole number, but is {:g}", number));
      }
      return std::nullopt;
    case ParameterSpec::Type::word:
      return read_word(spec, node);
    case ParameterSpec::Type::names:
      if (auto names = node.names()) return ParameterValue(*names);
      return std::nullopt;
    case ParameterSpec::Type::vector:
      return read_vector(spec, node);
    case ParameterSpec::Type::matrix:
      if (node.is_scalar()) {
        if (auto value = read_quantity(node, Unit::plain)) return ParameterValue(Mat(Mat::Constant(1, 1, *value)));
        return std::nullopt;
      }
      if (auto matrix = read_quantity_rows(node)) return ParameterValue(*matrix);
      return std::nullopt;
    case ParameterSpec::Type::law:
      if (auto law = read_law(node)) {
        if (find_law(law->type)->is_combinator()) {
          node.error(law->type + " cannot be the law of its own collisions; newton, poisson or stronge can");
          return std::nullopt;
        }
        return ParameterValue(std::make_shared<const LawChoice>(*law));
      }
      return std::nullopt;
  }
  return std::nullopt;
}

ReadParameters read_parameters(const std::vector<ParameterSpec>& specs, MapReader& map,
                               const std::set<std::string>& left_out) {
  ReadParameters parameters;
  for (const ParameterSpec& spec : specs) {
    const auto node = map.get(spec.name);
    if (!node || left_out.count(spec.name) > 0) continue;
    if (const auto value = read_parameter(spec, *node)) {
      parameters.values.set(spec.name, *value);
    } else {
      parameters.misread.push_back(&spec);
    }
  }
  return parameters;
}

}  // namespace carom
