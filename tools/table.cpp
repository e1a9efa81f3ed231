#include "tools/table.h"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <sstream>

#include "tools/terminal.h"

namespace carom {

namespace {

// A person reads it, and on a terminal that shows colours.
bool is_for_the_eye() {
  static const bool on = shows_colours(STDOUT_FILENO);
  return on;
}

std::string painted(const std::string& text, const char* code) {
  return is_for_the_eye() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

// What other programs read has the sign that they can read.
const char* minus() { return is_for_the_eye() ? "−" : "-"; }

// Numbers stand to the right of their column, words to the left.
bool is_figure(const std::string& cell) {
  const std::string unsigned_cell = cell.substr(cell.starts_with(minus()) ? std::string(minus()).size() : 0);
  return !unsigned_cell.empty() &&
         (std::isdigit(static_cast<unsigned char>(unsigned_cell[0])) || unsigned_cell[0] == '+');
}

// Before figures, as in all tables.
std::string with_true_minus(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool sign = text[i] == '-' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) &&
                      (i == 0 || text[i - 1] == ' ' || text[i - 1] == '[');
    result += sign ? minus() : std::string(1, text[i]);
  }
  return result;
}

// Makes the widest columns of words narrower until all fit on the page, but none too narrow to be read.
void narrow(std::vector<std::size_t>& width, const std::vector<bool>& right, std::size_t page) {
  constexpr std::size_t narrowest = 24, longest_name = 32;  // names, in the first column, are not broken
  const auto total = [&] { return std::accumulate(width.begin(), width.end(), 2 * (width.size() - 1)); };
  while (total() > page) {
    std::size_t widest = width.size();
    for (std::size_t c = 0; c < width.size(); ++c) {
      const bool breaks = !right[c] && (c > 0 || width[c] > longest_name);
      if (breaks && (widest == width.size() || width[c] > width[widest])) widest = c;
    }
    if (widest == width.size() || width[widest] <= narrowest) return;
    --width[widest];
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
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

std::size_t page_width() {
  constexpr std::size_t widest = 100, narrowest = 40;
  winsize terminal{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) != 0 || terminal.ws_col == 0) return widest;
  return std::clamp<std::size_t>(terminal.ws_col, narrowest, widest);
}

std::string Table::text(const std::string& indent) const { return text(indent, 0); }
std::string Table::prose(const std::string& indent) const {
  const std::size_t page = page_width(), margin = display_width(indent);
  return text(indent, page > margin ? page - margin : page);
}

std::string Table::text(const std::string& indent, std::size_t page) const {
  std::vector<std::size_t> width;
  std::vector<bool> right(header_.size(), true);
  for (const std::string& cell : header_) width.push_back(display_width(cell));
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], display_width(row[c]));
      if (!row[c].empty() && row[c] != "—" && !is_figure(row[c])) right[c] = false;
    }
  }
  if (page > 0) narrow(width, right, page);
  const auto line = [&](const std::vector<std::string>& row) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(display_width(row[c]) > width[c] ? lines_of(wrapped(row[c], width[c], ""))
                                                       : std::vector<std::string>{row[c]});
      height = std::max(height, cells.back().size());
    }
    std::string all;
    for (std::size_t k = 0; k < height; ++k) {
      std::string text = indent;
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string cell = k < cells[c].size() ? cells[c][k] : "";
        const std::string pad(width[c] - std::min(width[c], display_width(cell)), ' ');
        text += right[c] ? pad + cell : cell + pad;
        if (c + 1 < row.size()) text += "  ";
      }
      text.erase(text.find_last_not_of(' ') + 1);
      all += text + "\n";
    }
    return all;
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
  return table.prose(indent);
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

std::string figure(double value, double size) {
  const double amount = std::abs(value);
  if (amount <= rounding * size) return "0.0000";
  const bool ordinary = amount == 0 || (amount >= 1e-3 && amount < 1e5);
  return (value < 0 ? minus() : "") + (ordinary ? fmt::format("{:.4f}", amount) : fmt::format("{:.3e}", amount));
}

std::string figures(const std::vector<double>& values, double size) {
  std::string text;
  for (double value : values) text += (text.empty() ? "" : ", ") + figure(value, size);
  return "(" + text + ")";
}

std::string signed_figure(double value, double size) {
  const std::string text = figure(value, size);
  return (value > 0 && text != figure(0) ? "+" : "") + text;
}

std::string coefficient(double value) { return fmt::format("{}{:g}", value < 0 ? minus() : "", std::abs(value)); }

double size_of(std::initializer_list<double> values) {
  double size = 0;
  for (double value : values) size = std::max(size, std::abs(value));
  return size;
}

std::string good(const std::string& text) { return painted(text, "32"); }
std::string bad(const std::string& text) { return painted(text, "1;31"); }
std::string faint(const std::string& text) { return painted(text, "2"); }

}  // namespace carom
