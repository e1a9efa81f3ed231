// carom schema: the JSON Schema of a scene, a sweep or a raw impact problem, from the table that the loader reads by,
// and from the lists of laws and models.

#include <algorithm>
#include <cmath>
#include <iostream>

#include "config/diagnostics.h"
#include "config/schema.h"
#include "config/sweep_file.h"
#include "models/list.h"
#include "solvers/laws/list.h"
#include "tools/command_line.h"
#include "tools/json.h"

namespace carom {

namespace {

using Kind = ValueForm::Kind;

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

std::string definition_name(std::string map) {
  std::replace(map.begin(), map.end(), ' ', '-');
  return map;
}

// A number, or a text that is an expression of constants; bounds hold for numbers.
Json number_schema(double lowest, double highest, bool lowest_open) {
  Json json = {{"type", {"number", "string"}}};
  if (lowest > -HUGE_VAL) json[lowest_open ? "exclusiveMinimum" : "minimum"] = lowest;
  if (highest < HUGE_VAL) json["maximum"] = highest;
  return json;
}

Json list_schema(Json items, int least, int most) {
  Json json = {{"type", "array"}, {"items", std::move(items)}};
  if (least > 0) json["minItems"] = least;
  if (most < 1000000) json["maxItems"] = most;
  return json;
}

Json word_schema(const std::vector<std::string>& words) {
  Json json = {{"type", "string"}};
  if (!words.empty()) json["enum"] = words;
  return json;
}

Json form_schema(const ValueForm& form) {
  switch (form.kind) {
    case Kind::number:
      return number_schema(form.lowest, form.highest, form.lowest_open);
    case Kind::integer: {
      Json json = number_schema(form.lowest, form.highest, form.lowest_open);
      json["type"] = {"integer", "string"};
      return json;
    }
    case Kind::flag:
      return {{"type", "boolean"}};
    case Kind::word:
      return word_schema(form.words);
    case Kind::expression:
      return {{"type", {"number", "string"}}};
    case Kind::numbers:
      return list_schema({{"type", {"number", "string"}}}, form.least, form.most);
    case Kind::names:
      return list_schema(word_schema(form.words), form.least, form.most);
    case Kind::any:
      return Json::object();
    case Kind::map:
      return reference(definition_name(form.of));
    case Kind::list:
      return list_schema(form_schema(form.forms.front()), form.least, form.most);
    case Kind::named:
      return {{"type", "object"}, {"additionalProperties", form_schema(form.forms.front())}};
    case Kind::any_of: {
      Json json = {{"anyOf", Json::array()}};
      for (const ValueForm& choice : form.forms) json["anyOf"].push_back(form_schema(choice));
      return json;
    }
    case Kind::law:
      return reference("law");
    case Kind::model:
      return reference("model");
  }
  return {};
}

std::string described(std::string meaning, const std::string& default_text) {
  if (default_text.empty()) return meaning;
  return meaning + " (default: " + default_text + ")";
}

Json map_schema(const MapSpec& map) {
  Json json = {{"type", "object"}, {"description", map.meaning}};
  Json required = Json::array();
  json["properties"] = Json::object();
  for (const KeySpec& key : map.keys) {
    Json property = form_schema(key.form);
    std::string meaning = key.meaning;
    for (std::size_t i = 0; i < key.only_for.size(); ++i) meaning += (i ? ", " : "; for ") + key.only_for[i];
    property["description"] = described(meaning, key.default_text);
    json["properties"][key.name] = property;
    if (key.required && !map.takes_defaults) required.push_back(key.name);
  }
  if (!required.empty()) json["required"] = required;
  json["additionalProperties"] = map.open;
  return json;
}

Json parameter_schema(const ParameterSpec& spec) {
  const Json number = number_schema(spec.lowest, spec.highest, spec.lowest_open);
  Json json;
  switch (spec.type) {
    case ParameterSpec::Type::number:
      json = number;
      break;
    case ParameterSpec::Type::integer:
      json = number;
      json["type"] = {"integer", "string"};
      break;
    case ParameterSpec::Type::word:
      json = word_schema(spec.words);
      break;
    case ParameterSpec::Type::names:
      json = list_schema(word_schema({}), 0, 1000000);
      break;
    case ParameterSpec::Type::vector:
      json["anyOf"] = {number, list_schema(number, 0, 1000000)};
      break;
    case ParameterSpec::Type::matrix:
      json["anyOf"] = {number, list_schema(list_schema(number, 1, 1000000), 1, 1000000)};
      break;
    case ParameterSpec::Type::law:
      json = reference("law");
      break;
  }
  json["description"] = described(spec.meaning, spec.default_text);
  return json;
}

// One of several kinds, by name or with parameters.
template <class Entry>
Json choice_schema(const std::vector<Entry>& entries, const Json& more_keys) {
  Json names = Json::array(), choices = Json::array();
  for (const Entry& entry : entries) {
    names.push_back(entry.name);
    Json choice = {{"type", "object"}, {"description", entry.statement}};
    choice["properties"]["type"] = {{"const", entry.name}};
    for (const ParameterSpec& spec : entry.parameters) choice["properties"][spec.name] = parameter_schema(spec);
    for (const auto& [key, schema] : more_keys.items())
      if (!choice["properties"].contains(key)) choice["properties"][key] = schema;
    choice["required"] = {"type"};
    choice["additionalProperties"] = false;
    choices.push_back(choice);
  }
  choices.insert(choices.begin(), Json{{"type", "string"}, {"enum", names}});
  return {{"anyOf", choices}};
}

Json sweep_json() {
  const std::vector<MapSpec>& maps = sweep_schema();
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "A sweep of carom"}};
  json.update(map_schema(maps.front()));
  for (std::size_t i = 1; i < maps.size(); ++i) json["$defs"][definition_name(maps[i].name)] = map_schema(maps[i]);
  // Measures are words, or maps of one of them with what it is of.
  Json words = Json::array(), keys = {{"name", {{"type", "string"}, {"description", "what it is called"}}}};
  for (const MeasureSpec& spec : measure_specs()) {
    words.push_back(spec.name);
    keys[spec.name] = {{"type", {"string", "number", "null"}}, {"description", spec.meaning}};
  }
  json["properties"]["measures"]["items"] = {
      {"anyOf",
       {{{"type", "string"}, {"enum", words}},
        {{"type", "object"}, {"properties", keys}, {"additionalProperties", false}}}}};
  return json;
}

Json scene_json() {
  const std::vector<MapSpec>& maps = scene_schema();
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "A scene of carom"}};
  json.update(map_schema(maps.front()));
  json["anyOf"] = {{{"required", {"bodies"}}}, {{"required", {"model"}}}};
  for (std::size_t i = 1; i < maps.size(); ++i) json["$defs"][definition_name(maps[i].name)] = map_schema(maps[i]);
  const Json keys_of_scene = {
      {"several",
       {{"type", "string"},
        {"enum", {"sequential", "refuse"}},
        {"description",
         "where the law takes one contact only: one after the other (default), or not "
         "at all"}}},
      {"restitution", {{"type", {"number", "string"}}, {"description", "ε of every contact, in place of its own"}}}};
  json["$defs"]["law"] = choice_schema(impact_laws(), keys_of_scene);
  json["$defs"]["model"] = choice_schema(closed_form_models(), Json::object());
  return json;
}

// An element of a raw impact problem (config/impact_file.h): its kind, its rows and its coefficients.
Json element_schema(const std::string& kind, const Json& keys, const std::vector<std::string>& rows) {
  Json json = {{"type", "object"}};
  json["properties"]["name"] = {{"type", "string"}, {"description", "for messages, results and --set"}};
  json["properties"]["kind"] = {{"const", kind}};
  json["properties"].update(keys);
  json["required"] = {"kind"};
  for (const std::string& row : rows) json["required"].push_back(row);
  json["additionalProperties"] = false;
  return json;
}

Json impact_json() {
  const Json number = {{"type", {"number", "string"}}}, row = list_schema(number, 1, 1000000);
  const auto described_as = [](Json schema, const char* meaning) {
    schema["description"] = meaning;
    return schema;
  };
  const Json direction = {{"direction", described_as(row, "the row w of γ = w·u")}};
  Json clutch = direction;
  clutch["restitution"] = described_as(number, "ε (default: 0)");
  const Json contact = {
      {"normal", described_as(row, "the row w of γ_N = w·u, positive where the contact opens")},
      {"tangent", {{"anyOf", {row, list_schema(row, 1, 2)}}, {"description", "one row, or two of a spatial contact"}}},
      {"restitution", described_as(number, "ε (default: 0)")},
      {"friction", {{"anyOf", {number, list_schema(number, 2, 2)}}, {"description", "μ, or [μ1, μ2] (default: 0)"}}},
      {"tangential_restitution", described_as(number, "ε_T (default: 0)")},
      {"stiffness", described_as(number, "for the compliant law; only ratios matter (default: 1)")}};
  Json impact = {{"type", "object"}, {"description", "One impact: M(u⁺ − u⁻) = WΛ."}};
  impact["properties"] = {
      {"mass", described_as(list_schema(row, 1, 1000000), "M, row by row")},
      {"velocity", described_as(row, "u⁻")},
      {"elements",
       {{"type", "array"},
        {"minItems", 1},
        {"items",
         {{"anyOf",
           {element_schema("contact", contact, {"normal"}), element_schema("clutch", clutch, {"direction"}),
            element_schema("bilateral", direction, {"direction"})}}}}}}};
  impact["required"] = {"mass", "velocity", "elements"};
  impact["additionalProperties"] = false;
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"title", "A raw impact problem of carom"},
               {"type", "object"}};
  json["properties"] = {{"scene", {{"type", "string"}, {"description", "what the problem is called"}}},
                        {"about", {{"type", "string"}, {"description", "a sentence for headings"}}},
                        {"impact", impact},
                        {"law", reference("law")}};
  json["required"] = {"impact"};
  json["additionalProperties"] = false;
  json["$defs"]["law"] = choice_schema(impact_laws(), Json::object());
  return json;
}

struct Options {
  bool sweep = false, impact = false;
};

int run(const Options& options) {
  if (options.sweep && options.impact) throw BadInput("--sweep and --impact are schemas of their own: leave one out");
  std::cout << dump(options.sweep ? sweep_json() : options.impact ? impact_json() : scene_json());
  return done;
}

}  // namespace

Subcommand schema_subcommand() {
  return {"schema", "the JSON Schema of a scene, a sweep or a raw impact problem, for editors", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.flag("--sweep", options->sweep, "of a sweep");
            line.flag("--impact", options->impact, "of a raw impact problem");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
