#include "config/diagnostics.h"

#include <algorithm>
#include <tuple>

namespace carom {

namespace {

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

std::string Diagnostics::line_of(const Mistake& mistake) const {
  std::string text = file_;
  if (mistake.place.line > 0)
    text += ":" + std::to_string(mistake.place.line) + ":" + std::to_string(mistake.place.column);
  text += ": ";
  if (!mistake.path.empty()) text += mistake.path + ": ";
  return text + shortened(mistake.message);
}

void Diagnostics::throw_if_bad() {
  if (ok()) return;
  std::stable_sort(errors_.begin(), errors_.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  // A default that several bodies share is wrong once.
  errors_.erase(std::unique(errors_.begin(), errors_.end(),
                            [](const Mistake& a, const Mistake& b) {
                              return a.place.line == b.place.line && a.place.column == b.place.column &&
                                     a.path == b.path && a.message == b.message;
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
