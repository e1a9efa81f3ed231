#include "config/diagnostics.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <tuple>

#include "engine/printable.h"

namespace carom {

namespace {

constexpr std::size_t most_quoted = 2000;  // bytes of what a file holds

}  // namespace

Place Diagnostics::add_option(const std::string& given) {
  options_.push_back(printable(shortened(given, most_quoted)));
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
  return text + printable(shortened(mistake.message, most_quoted));
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
