// carom keys: what a scene may hold, from the table that the loader reads by.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "config/diagnostics.h"
#include "config/schema.h"
#include "tools/command_line.h"
#include "tools/json.h"
#include "tools/table.h"

namespace carom {

namespace {

using Kind = ValueForm::Kind;

struct Options {
  std::string path;
  bool json = false;
};

std::string counted(const ValueForm& form, const std::string& what) {
  if (form.least == form.most) return fmt::format("[{} {}]", form.least, what);
  if (form.most < 10) return fmt::format("[{} to {} {}]", form.least, form.most, what);
  return fmt::format("[{}]", what);
}

// The form of a value as a person would say it.
std::string told(const ValueForm& form, const std::string& unit) {
  const std::string of_unit = unit.empty() ? "" : " " + unit;
  const std::string range = form.range_text().empty() ? "" : ", " + form.range_text();
  switch (form.kind) {
    case Kind::number:
      return "number" + of_unit + range;
    case Kind::integer:
      return "whole number" + range;
    case Kind::flag:
      return "true | false";
    case Kind::word:
      return form.words.empty() ? "text" : fmt::format("{}", fmt::join(form.words, " | "));
    case Kind::expression:
      return "number or function of t" + of_unit;
    case Kind::numbers:
      return counted(form, "numbers") + of_unit;
    case Kind::names:
      return form.words.empty() ? counted(form, "names") : fmt::format("[{}]", fmt::join(form.words, ", "));
    case Kind::any:
      return "anything";
    case Kind::map:
      return fmt::format("{{{}}}", form.of);
    case Kind::list:
      return "list of " + told(form.forms.front(), unit);
    case Kind::named:
      return "NAME: " + told(form.forms.front(), unit);
    case Kind::any_of: {
      std::vector<std::string> choices;
      for (const ValueForm& choice : form.forms) choices.push_back(told(choice, unit));
      return fmt::format("{}", fmt::join(choices, " or "));
    }
    case Kind::law:
      return "a law (carom laws)";
    case Kind::model:
      return "a model (carom models)";
  }
  return "";
}

// The map that lies below a value, by itself, in a list, under names of the user's or among alternatives; null if none.
const MapSpec* map_below(const ValueForm& form) {
  if (form.kind == Kind::map) return &map_spec(form.of);
  for (const ValueForm& inner : form.forms) {
    if (const MapSpec* const map = map_below(inner)) return map;
  }
  return nullptr;
}

bool takes_names(const ValueForm& form) {
  return form.kind == Kind::named || form.kind == Kind::list ||
         std::any_of(form.forms.begin(), form.forms.end(), [](const ValueForm& inner) { return takes_names(inner); });
}

std::vector<std::string> key_names(const MapSpec& map) {
  std::vector<std::string> names;
  for (const KeySpec& key : map.keys) names.push_back(key.name);
  return names;
}

// A map of the scene, or one key of it.
struct Found {
  const MapSpec* map = nullptr;
  const KeySpec* key = nullptr;  // null: the map itself
};

// contacts.tip.friction: names of the user's, and places in lists, may stand in the path or be left out.
Found find(const std::string& path) {
  Found found{&scene_schema().front()};
  std::istringstream parts(path);
  bool after_list = false;
  for (std::string part; std::getline(parts, part, '.');) {
    const MapSpec* const below = found.key ? map_below(found.key->form) : found.map;
    const KeySpec* const key = below ? below->find(part) : nullptr;
    if (key) {
      found = {below, key};
      after_list = takes_names(key->form);
    } else if (after_list && below) {
      after_list = false;
    } else {
      throw BadInput(fmt::format("carom keys: there is no key '{}' in {}{}", part,
                                 found.key ? "'" + found.key->name + "'" : "a scene",
                                 below ? suggestion(part, key_names(*below)) : ""));
    }
  }
  if (found.key)
    if (const MapSpec* const below = map_below(found.key->form)) found = {below, nullptr};
  return found;
}

// The map of this name, or the key at this path; maps have two words at most and no dots.
Found look_up(const std::string& path) {
  for (const MapSpec& map : scene_schema()) {
    if (map.name == path && !scene_schema().front().find(path)) return {&map};
  }
  return find(path);
}

std::string meaning_of(const KeySpec& key) {
  return key.meaning + (key.required ? " (required)" : "") +
         (key.only_for.empty() ? "" : fmt::format(" ({})", fmt::join(key.only_for, ", ")));
}

std::string map_page(const MapSpec& map) {
  Table table({"key", "value", "default", "meaning"});
  for (const KeySpec& key : map.keys)
    table.add({key.name, told(key.form, key.unit), key.default_text.empty() ? "—" : key.default_text, meaning_of(key)});
  const std::string example = map.example.empty() ? "" : "\n  for example  " + map.example + "\n";
  return map.name + "\n" + wrapped(map.meaning, page_width(), "  ") + "\n" + table.prose("  ") + example;
}

std::string key_page(const MapSpec& map, const KeySpec& key) {
  std::string text = fmt::format("{} ({}): {}\n", key.name, map.name, told(key.form, key.unit));
  text += wrapped(meaning_of(key), page_width(), "  ");
  if (!key.default_text.empty()) text += "  default: " + key.default_text + "\n";
  if (map.example.find(key.name + ":") != std::string::npos) text += "  for example  " + map.example + "\n";
  return text;
}

Json key_json(const KeySpec& key) {
  return {
      {"name", key.name},       {"value", told(key.form, "")}, {"unit", key.unit},        {"default", key.default_text},
      {"meaning", key.meaning}, {"required", key.required},    {"only_for", key.only_for}};
}

Json map_json(const MapSpec& map) {
  Json json = {{"name", map.name}, {"meaning", map.meaning}, {"example", map.example}, {"keys", Json::array()}};
  for (const KeySpec& key : map.keys) json["keys"].push_back(key_json(key));
  return json;
}

int run(const Options& options) {
  const Found found = look_up(options.path);
  if (options.json) {
    std::cout << dump(found.key ? key_json(*found.key) : map_json(*found.map));
    return done;
  }
  std::cout << (found.key ? key_page(*found.map, *found.key) : map_page(*found.map));
  if (options.path.empty())
    std::cout << "\nMore: carom keys bodies, carom keys contacts.friction, ...; carom schema is for editors\n";
  return done;
}

}  // namespace

Subcommand keys_subcommand() {
  return {"keys", "what a scene may hold: every key with unit, default and meaning", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("PATH", options->path, "a part of a scene, as bodies or contacts.friction", false);
            line.flag("--json", options->json, "print JSON");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
