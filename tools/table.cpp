#include "tools/table.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace carom {

namespace {

bool colours() {
  static const bool on = isatty(STDOUT_FILENO) && (!std::getenv("NO_COLOR") || !*std::getenv("NO_COLOR"));
  return on;
}

std::string painted(const std::string& text, const char* code) {
  return colours() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

// Numbers stand to the right of their column, words to the left.
bool is_figure(const std::string& cell) {
  return !cell.empty() &&
         (std::isdigit(static_cast<unsigned char>(cell[0])) || cell[0] == '+' || cell.rfind("−", 0) == 0);
}

// Before figures, as in all tables.
std::string with_true_minus(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool sign = text[i] == '-' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) &&
                      (i == 0 || text[i - 1] == ' ' || text[i - 1] == '[');
    result += sign ? "−" : std::string(1, text[i]);
  }
  return result;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  bool escape = false;
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c == 0x1b) escape = true;
    if (!escape && (c & 0xc0) != 0x80) ++width;
    if (escape && c == 'm') escape = false;
  }
  return width;
}

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> width;
  std::vector<bool> right(header_.size(), true);
  for (const std::string& cell : header_) width.push_back(display_width(cell));
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], display_width(row[c]));
      if (!row[c].empty() && row[c] != "—" && !is_figure(row[c])) right[c] = false;
    }
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text = indent;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad(width[c] - display_width(row[c]), ' ');
      text += right[c] ? pad + row[c] : row[c] + pad;
      if (c + 1 < row.size()) text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(header_);
  for (const auto& row : rows_) text += line(row);
  return text;
}

std::string parameter_table(const std::vector<ParameterSpec>& specs, const std::string& indent) {
  Table table({"name", "default", "range", "meaning"});
  for (const ParameterSpec& spec : specs) {
    const std::string range =
        !spec.words.empty() ? fmt::format("{}", fmt::join(spec.words, ", ")) : with_true_minus(spec.range_text);
    table.add({spec.name, with_true_minus(spec.default_text), range.empty() ? "—" : range, spec.meaning});
  }
  return table.text(indent);
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent,
                    const std::string& more_indent) {
  std::string result;
  std::string line = indent;
  bool first = true;
  std::istringstream words(text);
  for (std::string word; words >> word; first = false) {
    if (!first && display_width(line) + 1 + display_width(word) > width) {
      result += line + "\n";
      line = (more_indent.empty() ? indent : more_indent) + word;
    } else {
      line += (first ? "" : " ") + word;
    }
  }
  return result + line + "\n";
}

std::string figure(double value) {
  const double size = std::abs(value);
  std::string text = size == 0 || (size >= 1e-3 && size < 1e5) ? fmt::format("{:.4f}", size)
                     : size < 5e-13                            ? "0.0000"
                                                               : fmt::format("{:.3e}", size);
  const bool negative = value < 0 && text != "0.0000";
  return (negative ? "−" : "") + text;
}

std::string figures(const std::vector<double>& values) {
  std::string text;
  for (double value : values) text += (text.empty() ? "" : ", ") + figure(value);
  return "(" + text + ")";
}

std::string good(const std::string& text) { return painted(text, "32"); }
std::string bad(const std::string& text) { return painted(text, "1;31"); }
std::string faint(const std::string& text) { return painted(text, "2"); }

}  // namespace carom
