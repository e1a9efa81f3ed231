#include "config/law_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "config/parameter_file.h"
#include "config/plugin_file.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawEntry& law : impact_laws()) names.push_back(law.name);
  return names;
}

// Without a law its keys may be those of any; no two laws mean different things by one.
void read_parameters_of_all(MapReader& map) {
  std::vector<ParameterSpec> specs;
  for (const LawEntry& law : impact_laws()) specs.insert(specs.end(), law.parameters.begin(), law.parameters.end());
  read_parameters(specs, map);
}

// A misspelt name is told, and the law that it may mean stands in: what else is wrong for that one is told with it.
const LawEntry* law_named_by(const Node& node) {
  const LawEntry* law = find_law(node.text());
  if (!law) node.error(unknown_law_message(node.text()));
  return law ? law : find_law(nearest_word(node.text(), law_names()));
}

// A number within its range, for one that could not be read.
double stand_in(const ParameterSpec& spec) {
  const double low = std::isfinite(spec.lowest) ? spec.lowest : std::min(0.0, spec.highest);
  return std::isfinite(spec.highest) ? 0.5 * (low + spec.highest) : low + 1;
}

bool is_number(const ParameterSpec* spec) {
  return spec->type == ParameterSpec::Type::number || spec->type == ParameterSpec::Type::integer;
}

}  // namespace

std::string unknown_law_message(const std::string& name) {
  return fmt::format("unknown law '{}'{}; the laws are {}; {}", name, suggestion(name, law_names()),
                     fmt::join(law_names(), ", "), others_by_plugin);
}

Place place_in_law(const std::optional<Node>& law, const std::string& key) {
  if (!law) return {};
  return law->is_map() ? MapReader(*law).place_of(key) : law->place();
}

std::optional<LawChoice> read_law(const Node& node, const std::vector<std::string>& keys_of_scene) {
  LawChoice choice;
  if (node.is_scalar()) {
    const LawEntry* law = law_named_by(node);
    if (!law) return std::nullopt;
    choice.type = law->name;
    return choice;
  }
  MapReader map(node);
  if (!node.is_map()) return std::nullopt;
  const auto type = map.require("type", "it names the law");
  const LawEntry* entry = type && type->word() ? law_named_by(*type) : nullptr;
  for (const std::string& key : keys_of_scene) map.allow(key);
  if (!entry) {
    read_parameters_of_all(map);
    map.finish();
    return std::nullopt;
  }
  choice.type = entry->name;
  ReadParameters parameters = read_parameters(entry->parameters, map);
  map.finish();
  if (!std::all_of(parameters.misread.begin(), parameters.misread.end(), is_number)) return std::nullopt;
  for (const ParameterSpec* spec : parameters.misread) parameters.values.set(spec->name, stand_in(*spec));
  choice.parameters = parameters.values;
  return choice;
}

void check_order(const Node& law, const std::vector<std::string>& contacts,
                 const std::function<bool(const std::string&)>& is_contact) {
  if (!law.is_map()) return;
  MapReader map(law);
  const auto type = map.get("type"), order = map.get("order");
  const LawEntry* entry = type && type->is_scalar() ? find_law(type->text()) : nullptr;
  if (!entry || !entry->is_combinator() || !order || !order->is_list()) return;
  for (const Node& item : order->items()) {
    if (item.is_scalar() && !item.text().empty() && !is_contact(item.text()))
      item.error(fmt::format("'{}' is not a contact{}", item.text(), suggestion(item.text(), contacts)));
  }
}

}  // namespace carom
