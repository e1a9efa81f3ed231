#include "config/diagnostics.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>
#include <tuple>

namespace carom {

namespace {

// Bytes of a control character of C0, C1 or of the direction of writing that begins here; 0 if none does.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0), second = byte(1), third = byte(2);
  if ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7f) return 1;
  if (first == 0xc2 && second >= 0x80 && second < 0xa0) return 2;
  const bool turns_direction = first == 0xe2 && ((second == 0x80 && third >= 0xaa && third <= 0xae) ||
                                                 (second == 0x81 && third >= 0xa6 && third <= 0xa9));
  return turns_direction ? 3 : 0;
}

std::string code_point(std::string_view character) {
  unsigned point = static_cast<unsigned char>(character[0]);
  if (character.size() > 1) point &= 0x7fu >> character.size();
  for (std::size_t i = 1; i < character.size(); ++i)
    point = (point << 6) | (static_cast<unsigned char>(character[i]) & 0x3fu);
  return fmt::format("U+{:04X}", point);
}

// What a message quotes acts on no terminal.
std::string printable(const std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = control_length(std::string_view(text).substr(at));
    shown += length > 0 ? "<" + code_point(std::string_view(text).substr(at, length)) + ">" : text.substr(at, 1);
    at += std::max<std::size_t>(1, length);
  }
  return shown;
}

// What a file holds may be quoted, but not at any length.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 2000, kept = 300;
  if (text.size() <= most) return text;
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };  // UTF-8
  std::size_t first = kept, last = text.size() - kept;
  while (is_inside(first)) --first;
  while (is_inside(last)) ++last;
  return text.substr(0, first) + " … " + text.substr(last);
}

}  // namespace

std::string control_character(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const std::size_t length = control_length(std::string_view(text).substr(at)))
      return code_point(std::string_view(text).substr(at, length));
  }
  return {};
}

Place Diagnostics::add_option(const std::string& given) {
  options_.push_back(printable(shortened(given)));
  return {.option = static_cast<int>(options_.size())};
}

void Diagnostics::begin(const std::string& file) {
  file_ = file;
  errors_.clear();
  warnings_.clear();
  notes_.clear();
}

std::string Diagnostics::text_of(const Place& place) const {
  if (place.option > 0) return options_[static_cast<std::size_t>(place.option - 1)];
  if (place.line == 0) return file_;
  return file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string Diagnostics::line_of(const Mistake& mistake) const {
  std::string text = text_of(mistake.place) + ": ";
  // An option names most paths itself.
  const bool tells_path = mistake.place.option > 0 && text.find(mistake.path) != std::string::npos;
  if (!tells_path && !mistake.path.empty()) text += printable(mistake.path) + ": ";
  return text + printable(shortened(mistake.message));
}

void Diagnostics::throw_if_bad() {
  if (ok()) return;
  std::stable_sort(errors_.begin(), errors_.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.place.option, a.place.line, a.place.column) <
           std::tie(b.place.option, b.place.line, b.place.column);
  });
  // A default that several bodies share is wrong once.
  errors_.erase(std::unique(errors_.begin(), errors_.end(),
                            [](const Mistake& a, const Mistake& b) {
                              return a.place == b.place && a.path == b.path && a.message == b.message;
                            }),
                errors_.end());
  constexpr std::size_t shown = 50;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, errors_.size()); ++i) text += (i ? "\n" : "") + line_of(errors_[i]);
  if (errors_.size() > shown)
    text += "\n" + file_ + ": and " + std::to_string(errors_.size() - shown) + " more mistakes";
  throw BadInput(text);
}

std::vector<std::string> Diagnostics::lines_of(const std::vector<Mistake>& mistakes) const {
  std::vector<std::string> lines;
  for (const Mistake& mistake : mistakes) lines.push_back(line_of(mistake));
  return lines;
}

}  // namespace carom
