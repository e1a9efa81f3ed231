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

  std::shared_ptr<Data> find(const std::string& key) const {
    for (const auto& [name, data] : entries) {
      if (name == key) return data;
    }
    return nullptr;
  }
};

namespace {

using Data = Node::Data;

Place place_of_mark(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

struct TreeReader {
  Diagnostics& diagnostics;
  bool has_places = true;  // what the command line sets has no place in the file
  int values = 0;
  bool too_large = false;

  Place place(const YAML::Mark& mark) const { return has_places ? place_of_mark(mark) : Place{}; }

  std::shared_ptr<Data> read(const YAML::Node& node, const std::string& path, int depth) {
    auto data = std::make_shared<Data>();
    data->place = place(node.Mark());
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
          data->items.push_back(read(item, path + "[" + std::to_string(i++) + "]", depth + 1));
        break;
      }
      case YAML::NodeType::Map:
        data->form = Data::Form::map;
        read_entries(node, path, depth, *data);
        break;
    }
    return data;
  }

  void read_entries(const YAML::Node& node, const std::string& path, int depth, Data& data) {
    std::map<std::string, int> lines;
    for (const auto& entry : node) {
      const Place key_place = place(entry.first.Mark());
      if (!entry.first.IsScalar()) {
        diagnostics.error(key_place, path, "a key must be a word");
        continue;
      }
      const std::string key = entry.first.Scalar();
      if (key == "<<") {
        diagnostics.error(key_place, path, "merge keys ('<<') are not supported: write the keys out");
        continue;
      }
      const auto [first, fresh] = lines.emplace(key, key_place.line);
      if (!fresh)
        diagnostics.error(key_place, path,
                          fmt::format("key '{}' is given twice (first in line {})", key, first->second));
      data.entries.emplace_back(key, read(entry.second, path.empty() ? key : path + "." + key, depth + 1));
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

// `law: poisson` is short for `law: {type: poisson}`; the same holds for these keys.
bool has_short_form(const std::string& key) { return key == "law" || key == "model" || key == "each"; }

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

  // A value as the command line gives it.
  std::shared_ptr<Data> parsed(const std::string& value, Diagnostics& diagnostics) const {
    const std::string name = setter_ + " " + path_;
    check_text(value + "\n~", name);
    TreeReader reader{diagnostics, false};
    const std::shared_ptr<Data> data = reader.read(parse(value, name), path_, static_cast<int>(keys_.size()));
    if (reader.too_large) diagnostics.throw_if_bad();
    return data;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    bad_file(file_, fmt::format("{} {}: {}", setter_, path_, why));
  }

  std::shared_ptr<Data> item(const Data& list, const std::string& key) const {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::shared_ptr<Data> name = list.items[i]->find("name");
      if (std::to_string(i) == key || (name && name->form == Data::Form::scalar && name->scalar == key))
        return list.items[i];
    }
    refuse(fmt::format("there is no '{}' in the list", key));
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
      refuse(fmt::format("'{}' has no key '{}' below it", above.empty() ? file_ : above, key));
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

// One path=value of the command line.
void apply_setting(const std::string& text, const std::string& file, const std::shared_ptr<Data>& root,
                   Diagnostics& diagnostics) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) bad_file(file, fmt::format("--set needs key=value, not '{}'", text));
  const Override setting(text.substr(0, equals), "--set", file);
  setting.apply(root, setting.parsed(text.substr(equals + 1), diagnostics));
}

std::shared_ptr<Data> deep_copy(const Data& data) {
  auto copy = std::make_shared<Data>(data);
  for (auto& item : copy->items) item = deep_copy(*item);
  for (auto& [key, value] : copy->entries) value = deep_copy(*value);
  return copy;
}

// In another file they would point at nothing.
void forget_places(Data& data) {
  data.place = {};
  data.key_places.assign(data.key_places.size(), Place{});
  for (const auto& item : data.items) forget_places(*item);
  for (const auto& entry : data.entries) forget_places(*entry.second);
}

// Nothing inside but single values and lists of them: short enough for one line.
bool fits_one_line(const Data& data, int depth) {
  const auto inner = [&](const Data& child) {
    const bool container = child.form == Data::Form::list || child.form == Data::Form::map;
    return !container || (depth > 0 && fits_one_line(child, depth - 1));
  };
  return std::all_of(data.items.begin(), data.items.end(), [&](const auto& item) { return inner(*item); }) &&
         std::all_of(data.entries.begin(), data.entries.end(), [&](const auto& entry) { return inner(*entry.second); });
}

void emit(YAML::Emitter& out, const Data& data, bool top) {
  switch (data.form) {
    case Data::Form::null:
      out << YAML::Null;
      return;
    case Data::Form::scalar:
      if (data.quoted) out << YAML::DoubleQuoted;
      out << data.scalar;
      return;
    case Data::Form::list:
      if (fits_one_line(data, 2)) out << YAML::Flow;
      out << YAML::BeginSeq;
      for (const auto& item : data.items) emit(out, *item, false);
      out << YAML::EndSeq;
      return;
    case Data::Form::map:
      if (!top && fits_one_line(data, 2)) out << YAML::Flow;
      out << YAML::BeginMap;
      for (const auto& [key, value] : data.entries) {
        out << YAML::Key << key << YAML::Value;
        emit(out, *value, false);
      }
      out << YAML::EndMap;
      return;
  }
}

}  // namespace

Document Document::from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return from_text(read_text(path), path, overrides);
}

Document Document::from_text(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides) {
  check_text(text, name);
  const YAML::Node yaml = parse(text, name);
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(name);
  TreeReader reader{*document.diagnostics_};
  const std::shared_ptr<Data> root = reader.read(yaml, "", 0);
  if (reader.too_large) document.diagnostics_->throw_if_bad();
  if (root->form == Data::Form::null) bad_file(name, "holds nothing but comments");
  for (const std::string& setting : overrides) apply_setting(setting, name, root, *document.diagnostics_);
  document.root_ = root;
  return document;
}

Document Document::from_node(const Node& node, const std::string& name) {
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(name);
  document.root_ = deep_copy(*node.data_);
  return document;
}

Document Document::copy() const {
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(*diagnostics_);
  document.root_ = deep_copy(*root_);
  return document;
}

void Document::set(const std::string& path, const DocumentValue& value, const std::string& setter) {
  *diagnostics_ = Diagnostics(diagnostics_->file());
  Override(path, setter, diagnostics_->file()).apply(root_, deep_copy(*value.data_));
}

DocumentValue::DocumentValue(double number) {
  auto data = std::make_shared<Node::Data>();
  data->form = Data::Form::scalar;
  data->scalar = fmt::format("{}", number);
  data_ = std::move(data);
}

DocumentValue::DocumentValue(const Node& node) {
  const std::shared_ptr<Data> data = deep_copy(*node.data_);
  forget_places(*data);
  data_ = data;
}

std::string DocumentValue::text() const {
  YAML::Emitter out;
  out.SetSeqFormat(YAML::Flow);
  out.SetMapFormat(YAML::Flow);
  if (data_->form == Data::Form::scalar) return data_->scalar;
  emit(out, *data_, true);
  return out.c_str();
}

std::string Document::yaml(const std::string& scene) const {
  Data named = *root_;
  if (named.form == Data::Form::map && !scene.empty() && !named.find("scene")) {
    auto name = std::make_shared<Data>();
    name->form = Data::Form::scalar;
    name->scalar = scene;
    named.entries.insert(named.entries.begin(), {"scene", name});
  }
  YAML::Emitter out;
  emit(out, named, true);
  return std::string(out.c_str()) + "\n";
}

Node Document::root() const { return Node(root_, "", diagnostics_.get()); }

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
