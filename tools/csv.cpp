#include "tools/csv.h"

#include <spdlog/fmt/fmt.h>

namespace carom {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_cell(double number) { return fmt::format("{:.17g}", number); }

}  // namespace carom
