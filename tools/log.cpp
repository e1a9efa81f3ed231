#include "tools/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>

#include "config/diagnostics.h"
#include "engine/printable.h"
#include "tools/progress.h"
#include "tools/terminal.h"

namespace carom {

namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::detail:
      return spdlog::level::debug;
    case LogLevel::note:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

LogLevel level_of(spdlog::level::level_enum level) {
  return level <= spdlog::level::debug  ? LogLevel::detail
         : level == spdlog::level::info ? LogLevel::note
         : level == spdlog::level::warn ? LogLevel::warning
                                        : LogLevel::error;
}

// The name of the level, in a file as a column; on stderr before what asks for a word. Errors name their place.
class LevelName final : public spdlog::custom_flag_formatter {
 public:
  explicit LevelName(bool is_column) : is_column_(is_column) {}
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const LogLevel level = level_of(message.level);
    const std::string text = is_column_                 ? fmt::format("{:<8}", name_of(level))
                             : level == LogLevel::error ? ""
                                                        : fmt::format("{}:", name_of(level));
    out.append(text.data(), text.data() + text.size());
    if (!is_column_ && !text.empty()) out.push_back(' ');
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<LevelName>(is_column_); }

 private:
  bool is_column_;
};

std::unique_ptr<spdlog::formatter> pattern(const char* text, bool is_column) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelName>('*', is_column).set_pattern(text);
  return formatter;
}

spdlog::sink_ptr stderr_sink(const LogOptions& options) {
  const bool painted = shows_colours(STDERR_FILENO);
  auto sink = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>(painted ? spdlog::color_mode::always
                                                                                : spdlog::color_mode::never);
  sink->set_color(spdlog::level::debug, sink->dark);
  sink->set_color(spdlog::level::info, sink->cyan);
  sink->set_color(spdlog::level::warn, sink->yellow_bold);
  sink->set_formatter(pattern("%^%*%$%v", false));
  sink->set_level(options.quiet ? spdlog::level::warn : options.verbose ? spdlog::level::debug : spdlog::level::info);
  return sink;
}

spdlog::sink_ptr file_sink(const std::string& path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    sink->set_formatter(pattern("%Y-%m-%dT%H:%M:%S.%e%z %* %v", true));
    sink->set_level(spdlog::level::debug);
    return sink;
  } catch (const spdlog::spdlog_ex& e) {
    throw BadInput(fmt::format("--log {}: cannot be written: {}", path, e.what()));
  }
}

std::shared_ptr<spdlog::logger> logger_with(const LogOptions& options) {
  auto logger = std::make_shared<spdlog::logger>("carom", stderr_sink(options));
  if (!options.file.empty()) logger->sinks().push_back(file_sink(options.file));
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::debug);
  return logger;
}

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> one = logger_with({});
  return one;
}

}  // namespace

const char* name_of(LogLevel level) {
  switch (level) {
    case LogLevel::detail:
      return "detail";
    case LogLevel::note:
      return "note";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      break;
  }
  return "error";
}

void open_log(const LogOptions& options) { logger() = logger_with(options); }

void tell(LogLevel level, const std::string& text) {
  StatusLine::clear_drawn();
  logger()->log(level_of(level), "{}", printable(text));
}

}  // namespace carom
