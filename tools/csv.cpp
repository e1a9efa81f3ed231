#include "tools/csv.h"

#include <spdlog/fmt/fmt.h>

#include <string_view>

namespace carom {

std::string csv_cell(const std::string& text) {
  // A table calculation would take these for a formula, and carry it out.
  const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  if (!is_formula && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = is_formula ? "\"'" : "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_cell(double number) { return fmt::format("{:.17g}", number); }

}  // namespace carom
