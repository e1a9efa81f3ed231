#include "config/document.h"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

namespace carom {

namespace {

constexpr std::size_t largest_file = 64u << 20;
constexpr int most_values = 5000000;
constexpr int deepest = 64;

}  // namespace

// A copy of the parsed tree, with aliases followed, keys in their order and places for everything.
struct Node::Data {
  enum class Form { null, scalar, list, map };

  Form form = Form::null;
  Place place;
  bool quoted = false;
  std::string scalar;
  std::vector<std::shared_ptr<Data>> items;                            // list
  std::vector<std::pair<std::string, std::shared_ptr<Data>>> entries;  // map
  std::vector<Place> key_places;
};

namespace {

Place place_of_mark(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

struct TreeReader {
  Diagnostics& diagnostics;
  const std::vector<std::string>& overridden;  // paths that the command line has set: they have no place in the file
  int values = 0;
  bool too_large = false;

  bool is_overridden(const std::string& path) const {
    return std::any_of(overridden.begin(), overridden.end(), [&](const std::string& set) {
      return path.rfind(set, 0) == 0 &&
             (path.size() == set.size() || path[set.size()] == '.' || path[set.size()] == '[');
    });
  }

  template <class Data>
  std::shared_ptr<Data> read(const YAML::Node& node, const std::string& path, int depth) {
    auto data = std::make_shared<Data>();
    data->place = is_overridden(path) ? Place{} : place_of_mark(node.Mark());
    if (too_large) return data;
    if (++values > most_values) {
      too_large = true;
      diagnostics.error(
          data->place, path,
          fmt::format("the file has more than {} values (aliases counted as often as they are used)", most_values));
      return data;
    }
    if (depth > deepest) {
      diagnostics.error(data->place, path,
                        fmt::format("values are nested more than {} deep (or refer to themselves)", deepest));
      too_large = true;
      return data;
    }
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        data->form = Data::Form::scalar;
        data->scalar = node.Scalar();
        data->quoted = node.Tag() == "!";
        break;
      case YAML::NodeType::Sequence: {
        data->form = Data::Form::list;
        std::size_t i = 0;
        for (const YAML::Node& item : node)
          data->items.push_back(read<Data>(item, path + "[" + std::to_string(i++) + "]", depth + 1));
        break;
      }
      case YAML::NodeType::Map:
        data->form = Data::Form::map;
        read_entries(node, path, depth, *data);
        break;
    }
    return data;
  }

  template <class Data>
  void read_entries(const YAML::Node& node, const std::string& path, int depth, Data& data) {
    std::map<std::string, int> lines;
    for (const auto& entry : node) {
      const Place marked = place_of_mark(entry.first.Mark());
      if (!entry.first.IsScalar()) {
        diagnostics.error(marked, path, "a key must be a word");
        continue;
      }
      const std::string key = entry.first.Scalar();
      const std::string inner = path.empty() ? key : path + "." + key;
      const Place key_place = is_overridden(inner) ? Place{} : marked;
      if (key == "<<") {
        diagnostics.error(key_place, path, "merge keys ('<<') are not supported: write the keys out");
        continue;
      }
      const auto [first, fresh] = lines.emplace(key, key_place.line);
      if (!fresh)
        diagnostics.error(key_place, path,
                          fmt::format("key '{}' is given twice (first in line {})", key, first->second));
      data.entries.emplace_back(key, read<Data>(entry.second, path.empty() ? key : path + "." + key, depth + 1));
      data.key_places.push_back(key_place);
    }
  }
};

[[noreturn]] void bad_file(const std::string& name, const std::string& message) {
  Diagnostics diagnostics(name);
  diagnostics.error({}, "", message);
  diagnostics.throw_if_bad();
  throw BadInput(message);
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) bad_file(path, "no such file");
  if (std::filesystem::is_directory(status)) bad_file(path, "is a directory, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) bad_file(path, "cannot be read (permission?)");
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_file) bad_file(path, fmt::format("is larger than {} MB", largest_file >> 20));
  }
  if (in.bad()) bad_file(path, "cannot be read to its end");
  return text;
}

// Strictly: no overlong forms, surrogates or code points beyond U+10FFFF.
bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : (c >> 5) == 6 ? 2 : (c >> 4) == 14 ? 3 : (c >> 3) == 30 ? 4 : 0;
    if (length == 0 || i + length > text.size()) return false;
    unsigned long point = length == 1 ? c : c & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next >> 6) != 2) return false;
      point = (point << 6) | (next & 0x3fu);
    }
    constexpr unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || (point >= 0xd800 && point < 0xe000) || point > 0x10ffff) return false;
    i += length;
  }
  return true;
}

void check_text(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos || !is_utf8(text))
    bad_file(name, "is not a text file (it holds bytes that are no UTF-8 text)");
  const bool empty =
      std::all_of(text.begin(), text.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)); });
  if (empty) bad_file(name, "is empty");
  // A second document would be ignored by the parser.
  std::istringstream lines(text.rfind("\xef\xbb\xbf", 0) == 0 ? text.substr(3) : text);
  std::string line;
  bool content = false;  // of the first document, which may begin with a marker
  bool ended = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto marks = [&](const char* marker) {
      return line.rfind(marker, 0) == 0 && (line.size() == 3 || std::isspace(static_cast<unsigned char>(line[3])));
    };
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#' || (line[0] == '%' && !content)) continue;
    if ((marks("---") && content) || ended) {
      Diagnostics diagnostics(name);
      diagnostics.error({number, 1}, "", "a second document begins here; a file holds one");
      diagnostics.throw_if_bad();
    }
    ended = marks("...");
    content = true;
  }
}

YAML::Node parse(const std::string& text, const std::string& name) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    Diagnostics diagnostics(name);
    diagnostics.error(e.mark.is_null() ? Place{} : place_of_mark(e.mark), "", "not valid YAML: " + e.msg);
    diagnostics.throw_if_bad();
    throw;
  }
}

// Sets the value at a.b.c in the tree; list items are named by their position or by their `name`. Returns the path
// as messages spell it.
std::string apply_override(const std::string& text, YAML::Node root, const std::string& file) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) bad_file(file, fmt::format("--set needs key=value, not '{}'", text));
  const std::string path = text.substr(0, equals);
  check_text(text.substr(equals + 1) + "\n~", "--set " + path);
  const YAML::Node value = parse(text.substr(equals + 1), "--set " + path);
  std::vector<std::string> keys;
  std::istringstream parts(path + ".");
  for (std::string part; std::getline(parts, part, '.');) {
    if (part.empty()) bad_file(file, fmt::format("--set {}: there is an empty key in the path", path));
    keys.push_back(part);
  }
  std::string place;
  YAML::Node at;
  at.reset(root);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool last = k + 1 == keys.size();
    YAML::Node next;
    if (at.IsSequence()) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        const bool named =
            at[i].IsMap() && at[i]["name"] && at[i]["name"].IsScalar() && at[i]["name"].Scalar() == keys[k];
        if (!named && std::to_string(i) != keys[k]) continue;
        next.reset(at[i]);
        place += "[" + std::to_string(i) + "]";
        break;
      }
      if (!next.IsDefined() || next.IsNull())
        bad_file(file, fmt::format("--set {}: there is no '{}' in the list", path, keys[k]));
      if (last) next = value;
    } else if (at.IsScalar()) {
      // law: poisson is short for law: {type: poisson}
      if (keys[k] != "type" || !last)
        bad_file(file, fmt::format("--set {}: '{}' has no keys below it", path, k ? keys[k - 1] : path));
      at = value;
      return place;
    } else {
      place += (place.empty() ? "" : ".") + keys[k];
      if (last) {
        at[keys[k]] = value;
      } else if (!at[keys[k]].IsDefined() || at[keys[k]].IsNull()) {
        at[keys[k]] = YAML::Node(YAML::NodeType::Map);
      }
      next.reset(at[keys[k]]);
    }
    at.reset(next);
  }
  return place;
}

}  // namespace

Document Document::from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return from_text(read_text(path), path, overrides);
}

Document Document::from_text(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides) {
  check_text(text, name);
  YAML::Node yaml = parse(text, name);
  std::vector<std::string> overridden;
  if (yaml.IsDefined() && !yaml.IsNull()) {
    for (const std::string& set : overrides) {
      try {
        overridden.push_back(apply_override(set, yaml, name));
      } catch (const YAML::Exception& e) {
        bad_file(name, fmt::format("--set {}: {}", set, e.msg));
      }
    }
  }
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(name);
  TreeReader reader{*document.diagnostics_, overridden};
  document.root_ = reader.read<Node::Data>(yaml, "", 0);
  if (document.root_->form == Node::Data::Form::null) bad_file(name, "holds nothing but comments");
  if (reader.too_large) document.diagnostics_->throw_if_bad();
  return document;
}

Node Document::root() const { return Node(root_, "", diagnostics_.get()); }

bool Node::is_map() const { return data_->form == Data::Form::map; }
bool Node::is_list() const { return data_->form == Data::Form::list; }
bool Node::is_scalar() const { return data_->form == Data::Form::scalar; }
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
    error(fmt::format("'{}' is too large or too small for a number", full));
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
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (std::find(known_.begin(), known_.end(), entries[k].first) != known_.end()) continue;
    std::vector<std::string> open;
    for (const std::string& key : known_) {
      if (!has(key)) open.push_back(key);
    }
    node_.diagnostics_->error(node_.data_->key_places[k], node_.path_,
                              fmt::format("unknown key '{}'{}", entries[k].first, suggestion(entries[k].first, open)));
  }
}

}  // namespace carom
