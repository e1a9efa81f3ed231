#include "config/scene_model.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "config/parameter_file.h"
#include "config/plugin_file.h"

namespace carom {

namespace {

const ModelEntry* model_named(const Node& type) {
  const auto name = type.word();
  const ModelEntry* entry = name ? find_model(*name) : nullptr;
  if (!name || entry) return entry;
  std::vector<std::string> names;
  for (const ModelEntry& model : closed_form_models()) names.push_back(model.name);
  type.error(fmt::format("unknown model '{}'{}; the models are {}; {}", *name, suggestion(*name, names),
                         fmt::join(names, ", "), others_by_plugin));
  return nullptr;
}

// Without a model its keys may be those of any.
void allow_keys_of_all(MapReader& map) {
  for (const ModelEntry& model : closed_form_models())
    for (const ParameterSpec& spec : model.parameters) map.allow(spec.name);
}

// Without it nobody knows how many values the others need.
bool tells_count(const ParameterSpec* spec) {
  return spec->type == ParameterSpec::Type::integer || spec->type == ParameterSpec::Type::word;
}

// Values that do not go together are told at the one that the model's sentence begins with; then the model is made
// without it, so that it tells all of them.
std::optional<Model> make_model(const ModelEntry& entry, const Node& node, std::optional<MapReader>& map,
                                const std::optional<double>& restitution) {
  std::set<std::string> left_out;
  for (;;) {
    ReadParameters parameters = map ? read_parameters(entry.parameters, *map, left_out) : ReadParameters();
    if (std::any_of(parameters.misread.begin(), parameters.misread.end(), tells_count)) return std::nullopt;
    if (restitution) parameters.values.set("restitution", *restitution);
    try {
      return entry.make(parameters.values);
    } catch (const std::invalid_argument& e) {
      const std::string sentence = e.what(), key = sentence.substr(0, sentence.find(' '));
      const auto named = map && map->has(key) ? map->get(key) : std::nullopt;
      named.value_or(node).error(sentence);
      if (!named || !left_out.insert(key).second) return std::nullopt;
    }
  }
}

}  // namespace

std::optional<Model> read_model(const Node& node, const std::optional<double>& restitution) {
  std::optional<MapReader> map;
  if (!node.is_scalar()) map.emplace(node);
  if (map && !node.is_map()) return std::nullopt;
  const auto type = map ? map->require("type", "it names the model") : std::optional<Node>(node);
  const ModelEntry* entry = type ? model_named(*type) : nullptr;
  std::optional<Model> model;
  if (entry) model = make_model(*entry, node, map, restitution);
  if (!entry && map) allow_keys_of_all(*map);
  if (map) map->finish();
  return model;
}

}  // namespace carom
