#include "tools/workers.h"

#include <spdlog/fmt/fmt.h>
#include <tbb/info.h>

#include <charconv>

#include "config/diagnostics.h"

namespace carom {

namespace {

constexpr std::size_t most_workers = 4096;

}  // namespace

std::size_t available_workers() { return static_cast<std::size_t>(tbb::info::default_concurrency()); }

std::optional<std::size_t> whole_number(const std::string& text) {
  std::size_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::size_t workers_named(const std::string& text) {
  if (text.empty()) return available_workers();
  const std::optional<std::size_t> workers = whole_number(text);
  if (!workers || *workers < 1 || *workers > most_workers)
    throw BadInput(fmt::format("-j needs a number of workers from 1 to {}, not '{}'", most_workers, text));
  return *workers;
}

}  // namespace carom
