#include "engine/printable.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>

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

}  // namespace

std::string control_character(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const std::size_t length = control_length(std::string_view(text).substr(at)))
      return code_point(std::string_view(text).substr(at, length));
  }
  return {};
}

std::string printable(const std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = control_length(std::string_view(text).substr(at));
    shown += length > 0 ? "<" + code_point(std::string_view(text).substr(at, length)) + ">" : text.substr(at, 1);
    at += std::max<std::size_t>(1, length);
  }
  return shown;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t kept = std::min<std::size_t>(most / 2, 300);
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };  // UTF-8
  std::size_t first = kept, last = text.size() - kept;
  while (first > 0 && is_inside(first)) --first;
  while (last < text.size() && is_inside(last)) ++last;
  return text.substr(0, first) + " … " + text.substr(last);
}

}  // namespace carom
