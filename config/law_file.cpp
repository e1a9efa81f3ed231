#include "config/law_file.h"

#include <spdlog/fmt/fmt.h>

#include "config/parameter_file.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawEntry& law : impact_laws()) names.push_back(law.name);
  return names;
}

}  // namespace

std::string unknown_law_message(const std::string& name) {
  return fmt::format("unknown law '{}'{}; the laws are {}", name, suggestion(name, law_names()),
                     fmt::join(law_names(), ", "));
}

Place place_in_law(const std::optional<Node>& law, const std::string& key) {
  if (!law) return {};
  return law->is_map() ? MapReader(*law).place_of(key) : law->place();
}

std::optional<LawChoice> read_law(const Node& node, const std::vector<std::string>& keys_of_scene) {
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
  const auto parameters = read_parameters(entry->parameters, map);
  for (const std::string& key : keys_of_scene) map.allow(key);
  map.finish();
  if (!parameters) return std::nullopt;
  choice.parameters = *parameters;
  return choice;
}

}  // namespace carom
