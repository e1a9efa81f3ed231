#include "config/indentation.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <sstream>

namespace carom {

namespace {

// One line as far as indentation goes: without its comment, and how many brackets it leaves open.
struct Line {
  std::size_t spaces = 0;
  std::string content;
  int open_brackets = 0;
};

Line read_line(const std::string& text) {
  Line line;
  char quote = '\0';
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (end == 0 || text[end - 1] == ' ')) {
      break;
    } else if (c == '[' || c == '{') {
      ++line.open_brackets;
    } else if (c == ']' || c == '}') {
      --line.open_brackets;
    }
  }
  line.content = text.substr(0, end);
  line.content.erase(line.content.find_last_not_of(" \r") + 1);
  line.spaces = std::min(line.content.find_first_not_of(' '), line.content.size());
  line.content.erase(0, line.spaces);
  return line;
}

class Levels {
 public:
  bool takes(const Line& line) {
    if (line.spaces > last_text_) return true;  // of a text over several lines
    last_text_ = std::string::npos;
    const bool fits = levels_.empty() || (opens_ && line.spaces > levels_.back()) ||
                      std::find(levels_.begin(), levels_.end(), line.spaces) != levels_.end();
    if (!fits) return false;
    while (!levels_.empty() && levels_.back() >= line.spaces) levels_.pop_back();
    levels_.push_back(line.spaces);
    std::size_t inner = line.spaces;
    for (std::string rest = line.content; rest.starts_with("- ");) {
      const std::size_t skipped = rest.find_first_not_of(' ', 1);
      inner += skipped;
      rest.erase(0, skipped);
      levels_.push_back(inner);
    }
    const char end = line.content.back();
    opens_ = end == ':' || line.content == "-";
    if (end == '|' || end == '>') last_text_ = inner;
    return true;
  }
  std::vector<std::size_t> all() const { return levels_; }

 private:
  std::vector<std::size_t> levels_;
  bool opens_ = false;
  std::size_t last_text_ = std::string::npos;  // the level below which a text over several lines stands
};

}  // namespace

std::optional<BrokenIndentation> broken_indentation(const std::string& text, int last_line) {
  std::istringstream lines(text);
  Levels levels;
  int brackets = 0;
  std::string content;
  for (int number = 1; number <= last_line + 1 && std::getline(lines, content); ++number) {
    const Line line = read_line(content);
    const bool is_inside = brackets > 0;
    brackets += line.open_brackets;
    if (is_inside || line.content.empty()) continue;
    const std::vector<std::size_t> before = levels.all();
    if (!levels.takes(line)) return BrokenIndentation{{number, static_cast<int>(line.spaces) + 1}, line.spaces, before};
  }
  return std::nullopt;
}

std::string sentence(const BrokenIndentation& broken) {
  return fmt::format("this line is indented by {} space{}, those above it by {}", broken.spaces,
                     broken.spaces == 1 ? "" : "s", fmt::join(broken.fitting, ", "));
}

}  // namespace carom
