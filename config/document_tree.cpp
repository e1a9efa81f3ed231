#include "config/document_tree.h"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "config/indentation.h"
#include "engine/printable.h"

namespace carom {

using Data = Node::Data;

std::shared_ptr<Data> deep_copy(const Data& data) {
  auto copy = std::make_shared<Data>(data);
  for (auto& item : copy->items) item = deep_copy(*item);
  for (auto& [key, value] : copy->entries) value = deep_copy(*value);
  return copy;
}

void bad_file(const std::string& name, const std::string& message, Place place) {
  Diagnostics diagnostics(name);
  diagnostics.error(place, "", message);
  diagnostics.throw_if_bad();
  throw BadInput(message);
}

namespace {

constexpr int most_values = 2000000;
constexpr int deepest = 64;

std::string too_deep() {
  return fmt::format(
      "values are nested more than {} deep, and no key takes that: is a bracket not closed, or does an alias (*) stand "
      "within its own anchor (&)?",
      deepest);
}

Place place_of_mark(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// Of an item that is not there, which has the mark of what comes next: the last dash before it in its list.
Place place_of_dash(const std::vector<std::string>& lines, Place list, Place next) {
  const auto column = static_cast<std::size_t>(list.column - 1);
  for (int number = std::min(next.line, static_cast<int>(lines.size())); number >= list.line; --number) {
    const Place here = {number, list.column};
    const std::string& line = lines[static_cast<std::size_t>(number - 1)];
    const std::size_t begin = line.find_first_not_of(' ');
    const bool comment = begin != std::string::npos && line[begin] == '#';
    if (here < next && !comment && column < line.size() && line[column] == '-') return here;
  }
  return next;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct TreeReader {
  Diagnostics& diagnostics;
  std::vector<std::string> source;  // lines
  Place option = {};                // of what the command line sets
  int values = 0;
  bool too_large = false;

  Place place(const YAML::Mark& mark) const { return option.is_known() ? option : place_of_mark(mark); }

  std::shared_ptr<Data> read(const YAML::Node& node, const std::string& path, int depth) {
    auto data = std::make_shared<Data>();
    data->place = place(node.Mark());
    if (too_large) return data;
    if (++values > most_values) {
      too_large = true;
      diagnostics.error(
          data->place, path,
          fmt::format("the file has more than {} values (aliases counted as often as they are used); 'repeat' stands "
                      "for many alike parts",
                      most_values));
      return data;
    }
    if (depth > deepest) {
      diagnostics.error(data->place, path, too_deep());
      too_large = true;
      return data;
    }
    check_tag(node.Tag(), data->place, path);
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        data->form = Data::Form::scalar;
        data->scalar = node.Scalar();
        data->quoted = node.Tag() == "!";
        check_characters(data->scalar, data->place, path);
        break;
      case YAML::NodeType::Sequence: {
        data->form = Data::Form::list;
        std::size_t i = 0;
        for (const YAML::Node& item : node) {
          data->items.push_back(read(item, path + "[" + std::to_string(i++) + "]", depth + 1));
          if (item.IsNull() && node.Style() == YAML::EmitterStyle::Block && !option.is_known())
            data->items.back()->place = place_of_dash(source, data->place, data->items.back()->place);
        }
        break;
      }
      case YAML::NodeType::Map:
        data->form = Data::Form::map;
        read_entries(node, path, depth, *data);
        break;
    }
    return data;
  }

  // Those of YAML itself say what a value is anyway: "?" of every plain one, "!" of one in quotes.
  void check_tag(const std::string& tag, Place at, const std::string& path) {
    if (tag.empty() || tag == "?" || tag == "!" || tag.starts_with("tag:yaml.org,")) return;
    diagnostics.error(at, path, fmt::format("the tag '{}' means nothing here; leave it out", tag));
  }

  void check_characters(const std::string& text, Place at, const std::string& path) {
    if (const std::string control = control_character(text); !control.empty())
      diagnostics.error(at, path, fmt::format("holds the control character {}, which would act on terminals", control));
  }

  void read_entries(const YAML::Node& node, const std::string& path, int depth, Data& data) {
    std::map<std::string, int> lines;
    for (const auto& entry : node) {
      const Place key_place = place(entry.first.Mark());
      if (!entry.first.IsScalar()) {
        diagnostics.error(key_place, path, "a key must be a word, not a list or a map: is a bracket too many?");
        continue;
      }
      const std::string key = entry.first.Scalar();
      check_characters(key, key_place, path);
      if (key.find_first_of("\n\t") != std::string::npos)
        diagnostics.error(key_place, path, "a key has no line breaks and no tabs");
      if (key == "<<") {
        diagnostics.error(key_place, path, "merge keys ('<<') are not supported: write the keys out");
        continue;
      }
      const auto [first, fresh] = lines.emplace(key, key_place.line);
      if (!fresh)
        diagnostics.error(
            key_place, path,
            fmt::format("key '{}' is given twice (first in line {}); one of them is too many", key, first->second));
      data.entries.emplace_back(key, read(entry.second, path.empty() ? key : path + "." + key, depth + 1));
      data.key_places.push_back(key_place);
      // Of nothing the parser gives the place of what follows.
      if (Data& value = *data.entries.back().second; value.form == Data::Form::null) value.place = key_place;
    }
  }
};

// The first byte that is no text. Strictly UTF-8: no overlong forms, surrogates or code points beyond U+10FFFF.
std::size_t first_no_text(const std::string& text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : (c >> 5) == 6 ? 2 : (c >> 4) == 14 ? 3 : (c >> 3) == 30 ? 4 : 0;
    if (c == 0 || length == 0 || i + length > text.size()) return i;
    unsigned long point = length == 1 ? c : c & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next >> 6) != 2) return i;
      point = (point << 6) | (next & 0x3fu);
    }
    constexpr unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || (point >= 0xd800 && point < 0xe000) || point > 0x10ffff) return i;
    i += length;
  }
  return i;
}

void check_text(const std::string& text, const std::string& name) {
  if (const std::size_t bad = first_no_text(text); bad < text.size()) {
    const auto begin = text.begin(), end = begin + static_cast<std::ptrdiff_t>(bad);
    const std::size_t line_end = text.substr(0, bad).rfind('\n');
    const auto column = line_end == std::string::npos ? bad + 1 : bad - line_end;
    bad_file(name, "is not a text file (it holds bytes that are no UTF-8 text, the first one here)",
             {static_cast<int>(std::count(begin, end, '\n')) + 1, static_cast<int>(column)});
  }
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
      diagnostics.error({number, 1}, "",
                        "a second document begins here; a file holds one, the other goes into a file of its own");
      diagnostics.throw_if_bad();
    }
    ended = marks("...");
    content = true;
  }
}

// Editors show them alike, but YAML takes spaces only.
bool is_indented_by_tab(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string content;
  for (int number = 0; number <= line; ++number)
    if (!std::getline(lines, content)) return false;
  return content.substr(0, content.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

// Of a line such as `gravity:[0, -9.81]`, at which or before which the parser stumbles: where the blank is missing.
std::optional<Place> missing_blank(const std::string& text, int line) {
  const std::vector<std::string> lines = lines_of(text);
  const auto is_key = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  int with_content = 0;  // that of the parser's line, and the one before
  for (int number = std::min(line + 1, static_cast<int>(lines.size())); number >= 1 && with_content < 2; --number) {
    const std::string& content = lines[static_cast<std::size_t>(number - 1)];
    const std::size_t begin = std::min(content.find_first_not_of(" -"), content.size());
    if (begin == content.size() || content[begin] == '#') continue;
    ++with_content;
    const auto end = std::find_if_not(content.begin() + static_cast<std::ptrdiff_t>(begin), content.end(), is_key);
    const auto colon = static_cast<std::size_t>(end - content.begin());
    if (colon > begin && colon + 1 < content.size() && content[colon] == ':' && content[colon + 1] != ' ')
      return Place{number, static_cast<int>(colon) + 2};
  }
  return std::nullopt;
}

YAML::Node parse(const std::string& text, const TextOrigin& origin) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    Diagnostics diagnostics(origin.name);
    const bool has_place = !e.mark.is_null() && !origin.option.is_known();
    const bool tab = has_place && is_indented_by_tab(text, e.mark.line);
    const bool deep = dynamic_cast<const YAML::DeepRecursion*>(&e);
    const auto blank = has_place && !tab && !deep ? missing_blank(text, e.mark.line) : std::nullopt;
    const auto broken = has_place && !tab && !deep && !blank ? broken_indentation(text, e.mark.line) : std::nullopt;
    diagnostics.error(blank       ? *blank
                      : broken    ? broken->place
                      : has_place ? place_of_mark(e.mark)
                                  : Place{},
                      "",
                      "not valid YAML: " + (tab      ? "a tab indents this line; use spaces"
                                            : deep   ? too_deep()
                                            : blank  ? "a blank is missing after the colon, as in 'key: value'"
                                            : broken ? sentence(*broken)
                                                     : e.msg));
    diagnostics.throw_if_bad();
    throw;
  }
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

std::shared_ptr<Data> read_tree(const std::string& text, const TextOrigin& origin, Diagnostics& diagnostics) {
  check_text(text, origin.name);
  TreeReader reader{diagnostics, lines_of(text), origin.option};
  std::shared_ptr<Data> root = reader.read(parse(text, origin), origin.path, origin.depth);
  if (reader.too_large) diagnostics.throw_if_bad();
  return root;
}

std::string yaml_of(const Data& data) {
  YAML::Emitter out;
  emit(out, data, true);
  return std::string(out.c_str()) + "\n";
}

std::string yaml_on_one_line(const Data& data) {
  if (data.form == Data::Form::scalar) return data.scalar;
  YAML::Emitter out;
  out.SetSeqFormat(YAML::Flow);
  out.SetMapFormat(YAML::Flow);
  emit(out, data, true);
  return out.c_str();
}

}  // namespace carom
