#include "config/document_override.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "engine/suggestion.h"

namespace carom {

namespace {

using Data = Node::Data;

// `law: poisson` is short for `law: {type: poisson}`; the same holds for these keys.
bool has_short_form(const std::string& key) { return key == "law" || key == "model" || key == "each"; }

bool holds_named_parts(const std::string& key) { return key == "bodies" || key == "contacts"; }

// A value put into the tree at a path. List items are named by their position or by their `name`.
class Override {
 public:
  // `setter` is what a message begins with, e.g. --set.
  Override(const std::string& path, const std::string& setter, const std::string& file)
      : file_(file), setter_(setter), path_(path) {
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
        at->entries.emplace_back(keys_[k], next);
        at->key_places.emplace_back();
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
  [[noreturn]] void refuse(const std::string& why, Place place = {}) const {
    bad_file(file_, fmt::format("{} {}: {}", setter_, path_, why), place);
  }

  std::shared_ptr<Data> item(const Data& list, const std::string& key) const {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::shared_ptr<Data> name = list.items[i]->find("name");
      if (std::to_string(i) == key || (name && name->form == Data::Form::scalar && name->scalar == key))
        return list.items[i];
    }
    refuse(fmt::format("there is no '{}' in the list", key));
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
      refuse(fmt::format("'{}' has no key '{}' below it: in the file it is {}", above.empty() ? file_ : above, key,
                         at.form == Data::Form::scalar ? "'" + at.scalar + "', not a map" : "a list"),
             at.place);
    }
  }

  static void set(Data& map, const std::string& key, const std::shared_ptr<Data>& value) {
    for (std::size_t k = 0; k < map.entries.size(); ++k) {
      if (map.entries[k].first != key) continue;
      map.entries[k].second = value;
      map.key_places[k] = {};
      return;
    }
    map.entries.emplace_back(key, value);
    map.key_places.emplace_back();
  }

  std::string file_, setter_, path_;
  std::vector<std::string> keys_;
};

}  // namespace

void put_value(const std::string& path, const std::string& setter, const std::string& file,
               const std::shared_ptr<Data>& root, const std::shared_ptr<Data>& value) {
  Override(path, setter, file).apply(root, value);
}

void apply_setting(const std::string& text, const std::string& file, const std::shared_ptr<Data>& root,
                   Diagnostics& diagnostics) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) bad_file(file, fmt::format("--set needs key=value, not '{}'", text));
  const std::string path = text.substr(0, equals);
  const Override setting(path, "--set", file);
  const TextOrigin origin = {
      .name = fmt::format("--set {}", path), .path = path, .depth = setting.depth(), .has_places = false};
  const std::string value = text.substr(equals + 1);
  // Nothing after the sign is the value that there is none.
  setting.apply(root, value.empty() ? std::make_shared<Data>() : read_tree(value, origin, diagnostics));
}

}  // namespace carom
