#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "config/document_tree.h"
#include "config/synonyms.h"

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

namespace {

bool is_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// "0.5" for "0,5"; empty for what is not of this form.
std::string with_decimal_point(std::string text) {
  const std::size_t comma = text.find(','), begin = text.find_first_not_of("+-");
  if (comma == std::string::npos || begin > 1) return "";
  if (!is_digits(text.substr(begin, comma - begin)) || !is_digits(text.substr(comma + 1))) return "";
  text[comma] = '.';
  return text;
}

}  // namespace

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
    const std::string point = with_decimal_point(full);
    error(fmt::format("must be a number, but is '{}'{}", full,
                      point.empty() ? "" : fmt::format("; decimals have a point: {}", point)));
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
  bool good = true;
  for (const Node& item : items()) {
    const auto name = item.word();
    good = good && name;
    list.push_back(name.value_or(""));
  }
  return good ? std::optional(list) : std::nullopt;
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
  if (!node) need({key}, fmt::format("key '{}' is missing{}", key, why.empty() ? "" : ": " + why));
  return node;
}

void MapReader::need(std::vector<std::string> keys, const std::string& complaint, const std::optional<Node>& at) {
  for (const std::string& key : keys) allow(key);
  const auto same = [&](const Need& need) { return need.complaint == complaint; };  // of repeated parts
  if (std::none_of(needs_.begin(), needs_.end(), same)) needs_.push_back({std::move(keys), complaint, at});
}

Place MapReader::place_of(const std::string& key) const {
  const auto& entries = node_.data_->entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].first == key) return node_.data_->key_places[k];
  }
  return node_.place();
}

std::string MapReader::glued_key(std::size_t entry) const {
  const std::string& text = node_.data_->entries[entry].first;
  const std::string key = text.substr(0, text.find(':'));
  return key.size() < text.size() && holds(known_, key) && !has(key) ? key : "";
}

std::string MapReader::meant_by(std::size_t entry, const std::vector<std::string>& absent) const {
  if (const std::string glued = glued_key(entry); !glued.empty()) return glued;
  const Place& place = node_.data_->key_places[entry];
  const bool overrides =
      !place.is_known() || place.option > 0;  // what the command line sets may be in the file already
  return meant_key(node_.data_->entries[entry].first, overrides ? known_ : absent);
}

void MapReader::refuse_unknown(std::size_t entry, const std::string& meant, bool is_needed) const {
  const std::string& key = node_.data_->entries[entry].first;
  const std::string given = synonym_among(key, known_);
  std::string hint;
  if (const std::string glued = glued_key(entry); !glued.empty()) {
    hint = fmt::format(": a blank is missing after the colon ({}: {})", glued, key.substr(glued.size() + 1));
  } else if (is_digits(key) && node_.data_->entries[entry].second->form == Data::Form::null) {
    hint = fmt::format(": decimals have a point, not a comma (0.{0}, not 0,{0})", key);
  } else if (!given.empty() && given != meant) {
    hint = fmt::format(" ('{}' is given already)", given);
  } else if (!meant.empty()) {
    hint = fmt::format(" (did you mean '{}'?){}", meant, is_needed ? fmt::format("; '{}' is required", meant) : "");
  }
  node_.diagnostics_->error(node_.data_->key_places[entry], node_.path_, fmt::format("unknown key '{}'{}", key, hint));
}

void MapReader::finish() {
  if (!node_.is_map()) return;
  std::vector<std::string> absent, meant;
  std::copy_if(known_.begin(), known_.end(), std::back_inserter(absent), [&](const auto& key) { return !has(key); });
  const auto& entries = node_.data_->entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    meant.push_back(holds(known_, entries[k].first) ? "" : meant_by(k, absent));
  std::vector<std::string> needed;
  for (const Need& need : needs_) {
    const auto misspelt =
        std::find_if(need.keys.begin(), need.keys.end(), [&](const std::string& key) { return holds(meant, key); });
    if (misspelt == need.keys.end()) need.at.value_or(node_).error(need.complaint);
    if (misspelt == need.keys.begin()) needed.push_back(*misspelt);  // others are ways to do without it
  }
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (!holds(known_, entries[k].first)) refuse_unknown(k, meant[k], holds(needed, meant[k]));
  misspelt_ = meant;
}

bool MapReader::is_misspelt(const std::string& key) const { return holds(misspelt_, key); }

}  // namespace carom
