// Reads a map by its row in the schema: words, ranges and sizes are checked by the specification, missing and unknown
// keys are named. What is wrong is recorded and then read as not given. A mistake that keeps a part from being read
// hides none in its other values: finish() looks at those that nobody has read.

#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/quantity.h"
#include "config/schema.h"

namespace carom {

class SpecReader {
 public:
  // `fallback` is a map of defaults for keys that the node does not give.
  SpecReader(const Node& node, const MapSpec& spec, const std::optional<Node>& fallback = std::nullopt);

  bool has(const std::string& key) const;  // here or in the defaults
  bool has_itself(const std::string& key) const { return map_.has(key); }
  bool knows(const std::string& key) const { return spec_.find(key) != nullptr; }
  std::optional<Node> get(const std::string& key);

  std::optional<double> number(const std::string& key);
  std::optional<Index> integer(const std::string& key);
  std::optional<bool> flag(const std::string& key);
  std::optional<std::string> word(const std::string& key);
  std::optional<std::vector<std::string>> names(const std::string& key);
  std::optional<Vec> numbers(const std::string& key);
  std::optional<Vec> numbers(const std::string& key, Index size);  // exactly as many

  // Keys that the schema gives to other kinds than this one are mistakes (in the map itself, not in defaults).
  void only_keys_of(const std::string& kind);
  // One of the keys, of which there is none.
  void need(std::vector<std::string> keys, const std::string& complaint) { map_.need(std::move(keys), complaint); }
  void finish();  // missing and unknown keys; values that were not read
  bool is_misspelt(const std::string& key) const { return map_.is_misspelt(key); }  // as finish() has found

  const Node& node() const { return map_.node(); }
  Place place_of(const std::string& key) const { return map_.place_of(key); }

 private:
  const KeySpec& key_spec(const std::string& key) const;

  MapReader map_;
  const MapSpec& spec_;
  std::optional<MapReader> fallback_;
  std::set<std::string> read_;
};

// Whether a value has a form, as far as it can be told without what stands around it.
void check_form(const Node& node, const ValueForm& form);

// One value by its form, for keys that take several forms.
std::optional<double> read_number(const Node& node, const ValueForm& form);
std::optional<Index> read_integer(const Node& node, const ValueForm& form);
std::optional<Vec> read_numbers(const Node& node, Index size);
std::optional<Vec> read_numbers(const Node& node, Index size, const std::function<Unit(std::size_t)>& unit_of_entry);

}  // namespace carom
