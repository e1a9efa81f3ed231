#include "config/document_override.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "config/schema.h"
#include "engine/suggestion.h"

namespace carom {

namespace {

using Data = Node::Data;

// `law: poisson` is short for `law: {type: poisson}`; the same holds for these keys.
bool has_short_form(const std::string& key) { return key == "law" || key == "model" || key == "each"; }

bool holds_named_parts(const std::string& key) { return key == "bodies" || key == "contacts"; }

// The keys under which the items of a list in a scene name two bodies: revolute, spring, ...
std::vector<std::string> pair_keys(const std::string& list) {
  const KeySpec* const key = scene_schema().front().find(list);
  if (!key || key->form.kind != ValueForm::Kind::list || key->form.forms.front().kind != ValueForm::Kind::map)
    return {};
  std::vector<std::string> names;
  for (const KeySpec& inner : map_spec(key->form.forms.front().of).keys) {
    if (inner.form.kind == ValueForm::Kind::names && inner.form.most == 2) names.push_back(inner.name);
  }
  return names;
}

struct NoSuchPlace {
  std::string why;
  Place place;  // in the file, of what stands in the way
};

// A value put into the tree at a path. List items are named by their position, by their `name` or by
// the two bodies that they connect, A-B. Throws NoSuchPlace.
class Override {
 public:
  // `option` is the place that all has which is new.
  explicit Override(const std::string& path, Place option = {}) : option_(option) {
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      if (end == begin) refuse("there is an empty key in the path");
      keys_.push_back(path.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void apply(const std::shared_ptr<Data>& root, const std::shared_ptr<Data>& value) const {
    std::shared_ptr<Data> at = root;
    for (std::size_t k = 0; k + 1 < keys_.size(); ++k) {
      if (at->form == Data::Form::list) {
        at = item(*at, keys_[k]);
        continue;
      }
      make_map(*at, k, keys_[k]);
      std::shared_ptr<Data> next = at->find(keys_[k]);
      if (!next) {
        if (k == 1 && holds_named_parts(keys_[0])) refuse_new_part(*at);
        next = std::make_shared<Data>();
        next->place = option_;
        at->entries.emplace_back(keys_[k], next);
        at->key_places.push_back(option_);
      }
      at = next;
    }
    const std::string& last = keys_.back();
    if (at->form == Data::Form::list) {
      *item(*at, last) = *value;
    } else if (at->form == Data::Form::scalar && last == "type" && keys_.size() > 1) {
      *at = *value;  // the short form stays short
    } else {
      make_map(*at, keys_.size() - 1, last);
      set(*at, last, value);
    }
  }

  int depth() const { return static_cast<int>(keys_.size()); }

 private:
  [[noreturn]] static void refuse(const std::string& why, Place place = {}) { throw NoSuchPlace{why, place}; }

  std::shared_ptr<Data> item(const Data& list, const std::string& key) const {
    constexpr std::size_t most_told = 12;
    std::vector<std::string> names, told;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string name = name_of(*list.items[i]);
      if (std::to_string(i) == key || (!name.empty() && name == key)) return list.items[i];
      if (!name.empty()) names.push_back(name);
      if (i < most_told) told.push_back(name.empty() ? fmt::format("{}", i) : fmt::format("{} ({})", i, name));
    }
    const std::string meant = suggestion(key, names);
    refuse(fmt::format("there is no '{}' in the list{}", key,
                       !meant.empty()       ? meant
                       : list.items.empty() ? ", which is empty"
                                            : fmt::format("; it has {}{}", fmt::join(told, ", "),
                                                          list.items.size() > most_told ? ", ..." : "")));
  }

  // The name that an item gives itself, or the one made of the two bodies that it connects; empty if it has none.
  std::string name_of(const Data& item) const {
    if (const auto given = item.find("name")) return given->form == Data::Form::scalar ? given->scalar : "";
    for (const std::string& pair : pair_keys(keys_.front())) {
      const auto bodies = item.find(pair);
      if (bodies && bodies->items.size() == 2) return bodies->items[0]->scalar + "-" + bodies->items[1]->scalar;
    }
    return "";
  }

  // A value of a body or contact that is not there: its name is misspelt.
  [[noreturn]] void refuse_new_part(const Data& parts) const {
    std::vector<std::string> names;
    for (const auto& entry : parts.entries) names.push_back(entry.first);
    refuse(fmt::format("there is no '{}' under {}{}", keys_[1], keys_[0], suggestion(keys_[1], names)));
  }

  // Nothing becomes an empty map, a short form its long one; other values have no keys.
  void make_map(Data& at, std::size_t depth, const std::string& key) const {
    if (at.form == Data::Form::map) return;
    const std::string above = depth ? keys_[depth - 1] : "";
    if (at.form == Data::Form::scalar && has_short_form(above)) {
      const auto type = std::make_shared<Data>(at);
      at.form = Data::Form::map;
      at.entries = {{"type", type}};
      at.key_places = {at.place};
    } else if (at.form == Data::Form::null) {
      at.form = Data::Form::map;
    } else {
      refuse(fmt::format("{} has no key '{}' below it: in the file it is {}",
                         above.empty() ? "the file" : "'" + above + "'", key,
                         at.form == Data::Form::scalar ? "'" + at.scalar + "', not a map" : "a list"),
             at.place);
    }
  }

  void set(Data& map, const std::string& key, const std::shared_ptr<Data>& value) const {
    for (std::size_t k = 0; k < map.entries.size(); ++k) {
      if (map.entries[k].first != key) continue;
      map.entries[k].second = value;
      map.key_places[k] = option_;
      return;
    }
    map.entries.emplace_back(key, value);
    map.key_places.push_back(option_);
  }

  Place option_;
  std::vector<std::string> keys_;
};

}  // namespace

void put_value(const std::string& path, const std::string& setter, const std::string& file,
               const std::shared_ptr<Data>& root, const std::shared_ptr<Data>& value) {
  try {
    Override(path).apply(root, value);
  } catch (const NoSuchPlace& none) {
    bad_file(file, fmt::format("{} {}: {}", setter, path, none.why), none.place);
  }
}

bool apply_setting(const Setting& setting, const std::string& file, const std::shared_ptr<Data>& root,
                   Diagnostics& diagnostics) {
  const Place option = diagnostics.add_option(setting.given_as);
  const std::string& text = setting.path_and_value;
  const std::size_t equals = text.find('=');
  try {
    if (equals == std::string::npos || equals == 0) throw NoSuchPlace{"a setting is key=value", {}};
    const std::string path = text.substr(0, equals), value = text.substr(equals + 1);
    const Override to(path, option);
    const TextOrigin origin = {.name = setting.given_as, .path = path, .depth = to.depth(), .option = option};
    // Nothing after the sign is the value that there is none.
    const auto none = std::make_shared<Data>();
    none->place = option;
    to.apply(root, value.empty() ? none : read_tree(value, origin, diagnostics));
  } catch (const NoSuchPlace& none) {
    const std::string there =
        none.place.is_known() ? fmt::format(" ({}:{}:{})", file, none.place.line, none.place.column) : "";
    diagnostics.error(option, "", none.why + there);
    return false;
  }
  return true;
}

}  // namespace carom
