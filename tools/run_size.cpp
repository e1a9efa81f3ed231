#include "tools/run_size.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>

#include "tools/log.h"

namespace carom {

namespace fs = std::filesystem;

std::string size_text(double bytes) {
  return bytes < 1e6   ? fmt::format("{:.0f} kB", bytes / 1e3)
         : bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6)
                       : fmt::format("{:.1f} GB", bytes / 1e9);
}

constexpr double large = 1e9;  // bytes: worth a word before they are written

void warn_if_too_large(const std::string& path, std::int64_t bytes_of_samples) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  const double available = static_cast<double>(fs::space(folder.empty() ? "." : folder, error).available);
  const double needed = static_cast<double>(bytes_of_samples);
  if (!error && needed > available) {
    tell_warning(fmt::format("the samples of this run take {}, {} are free; output.every thins them", size_text(needed),
                             size_text(available)));
  } else if (needed > large) {
    tell_note(
        fmt::format("the samples of this run take {}; output.every and output.record thin them", size_text(needed)));
  }
}

}  // namespace carom
