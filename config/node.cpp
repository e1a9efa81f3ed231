#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "config/document_tree.h"

namespace carom {

using Data = Node::Data;

bool Node::is_map() const { return data_->form == Data::Form::map; }
bool Node::is_list() const { return data_->form == Data::Form::list; }
bool Node::is_scalar() const { return data_->form == Data::Form::scalar; }
bool Node::is_null() const { return data_->form == Data::Form::null; }
bool Node::is_quoted() const { return data_->quoted; }
Place Node::place() const { return data_->place; }
const std::string& Node::text() const { return data_->scalar; }

const char* Node::form() const {
  switch (data_->form) {
    case Data::Form::null:
      return "empty";
    case Data::Form::scalar:
      return "a single value";
    case Data::Form::list:
      return "a list";
    case Data::Form::map:
      return "a map";
  }
  return "";
}

void Node::error(const std::string& message) const { diagnostics_->error(place(), path_, message); }
void Node::warning(const std::string& message) const { diagnostics_->warning(place(), path_, message); }

std::optional<double> Node::number() const {
  if (!is_scalar()) {
    error(fmt::format("must be a number, but is {}", form()));
    return std::nullopt;
  }
  const std::string& full = data_->scalar;
  const char* begin = full.data();
  const char* end = begin + full.size();
  if (end - begin > 1 && begin[0] == '+' && begin[1] != '-') ++begin;
  double value = 0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (status == std::errc::result_out_of_range) {
    error(fmt::format("'{}' is too large or too small for a number, which reaches from 1e-308 to 1e308", full));
    return std::nullopt;
  }
  if (status != std::errc() || stop != end || data_->quoted) {
    error(fmt::format("must be a number, but is '{}'", full));
    return std::nullopt;
  }
  if (!std::isfinite(value)) {
    error(fmt::format("must be a finite number, but is '{}'", full));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> Node::word() const {
  if (!is_scalar() || data_->scalar.empty()) {
    error(fmt::format("must be a word, but is {}", is_scalar() ? "empty" : form()));
    return std::nullopt;
  }
  return data_->scalar;
}

std::optional<std::string> Node::name() const {
  auto text = word();
  if (!text || text->find_first_of("\n\t") == std::string::npos) return text;
  error("a name has no line breaks and no tabs");
  return std::nullopt;
}

std::vector<Node> Node::items() const {
  std::vector<Node> nodes;
  if (!is_list()) {
    error(fmt::format("must be a list, but is {}", form()));
    return nodes;
  }
  for (std::size_t i = 0; i < data_->items.size(); ++i)
    nodes.push_back(Node(data_->items[i], path_ + "[" + std::to_string(i) + "]", diagnostics_));
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::entries() const {
  std::vector<std::pair<std::string, Node>> list;
  if (!is_map()) error(fmt::format("must be a map of keys and values, but is {}", form()));
  for (const auto& [key, data] : data_->entries)
    list.emplace_back(key, Node(data, path_.empty() ? key : path_ + "." + key, diagnostics_));
  return list;
}

std::optional<std::vector<std::string>> Node::names() const {
  if (!is_list()) {
    error(fmt::format("must be a list of names, but is {}", form()));
    return std::nullopt;
  }
  std::vector<std::string> list;
  for (const Node& item : items()) {
    const auto name = item.word();
    if (!name) return std::nullopt;
    list.push_back(*name);
  }
  return list;
}

std::optional<Vec> Node::vector() const {
  if (!is_list()) {
    error(fmt::format("must be a list of numbers, but is {}", form()));
    return std::nullopt;
  }
  const std::vector<Node> nodes = items();
  Vec v(static_cast<Index>(nodes.size()));
  bool good = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto value = nodes[i].number();
    good = good && value;
    if (value) v(static_cast<Index>(i)) = *value;
  }
  return good ? std::optional<Vec>(v) : std::nullopt;
}

std::optional<Mat> Node::matrix() const {
  if (!is_list() || data_->items.empty()) {
    error(fmt::format("must be a list of rows of numbers, but is {}", is_list() ? "empty" : form()));
    return std::nullopt;
  }
  const std::vector<Node> nodes = items();
  Mat m;
  bool good = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto row = nodes[i].vector();
    if (!row) {
      good = false;
      continue;
    }
    if (m.size() == 0) m.resize(static_cast<Index>(nodes.size()), row->size());
    if (row->size() != m.cols()) {
      nodes[i].error(fmt::format("has {} numbers, the rows above have {}", row->size(), m.cols()));
      good = false;
      continue;
    }
    m.row(static_cast<Index>(i)) = row->transpose();
  }
  return good ? std::optional<Mat>(m) : std::nullopt;
}

MapReader::MapReader(Node node) : node_(std::move(node)) {
  if (!node_.is_map()) node_.error(fmt::format("must be a map of keys and values, but is {}", node_.form()));
}

bool MapReader::has(const std::string& key) const {
  return std::any_of(node_.data_->entries.begin(), node_.data_->entries.end(),
                     [&](const auto& entry) { return entry.first == key; });
}

std::optional<Node> MapReader::get(const std::string& key) {
  allow(key);
  for (const auto& [name, data] : node_.data_->entries) {
    if (name == key) return Node(data, node_.path_.empty() ? key : node_.path_ + "." + key, node_.diagnostics_);
  }
  return std::nullopt;
}

std::optional<Node> MapReader::require(const std::string& key, const std::string& why) {
  auto node = get(key);
  if (!node && node_.is_map()) {
    // A misspelt key is reported once, as such, not also as a missing one.
    const bool misspelt = std::any_of(node_.data_->entries.begin(), node_.data_->entries.end(),
                                      [&](const auto& entry) { return nearest_word(entry.first, {key}) == key; });
    if (!misspelt) node_.error(fmt::format("key '{}' is missing{}", key, why.empty() ? "" : ": " + why));
  }
  return node;
}

Place MapReader::place_of(const std::string& key) const {
  const auto& entries = node_.data_->entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].first == key) return node_.data_->key_places[k];
  }
  return node_.place();
}

void MapReader::finish() {
  const auto& entries = node_.data_->entries;
  std::vector<std::string> open;
  std::copy_if(known_.begin(), known_.end(), std::back_inserter(open), [&](const auto& key) { return !has(key); });
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (std::find(known_.begin(), known_.end(), entries[k].first) != known_.end()) continue;
    const Place place = node_.data_->key_places[k];
    const bool overrides =
        !place.is_known() || place.option > 0;  // what the command line sets may be in the file already
    node_.diagnostics_->error(
        place, node_.path_,
        fmt::format("unknown key '{}'{}", entries[k].first, suggestion(entries[k].first, overrides ? known_ : open)));
  }
}

}  // namespace carom
