#include "tools/progress.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tools/table.h"

namespace carom {

namespace {

std::string clock_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f}:{:02.0f}", std::floor(seconds / 60), std::fmod(seconds, 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string rate_text(double rate) {
  return rate >= 1e6   ? fmt::format("{:.1f}M", rate / 1e6)
         : rate >= 1e4 ? fmt::format("{:.0f}k", rate / 1e3)
                       : fmt::format("{:.0f}", rate);
}

// The words of a line that is redrawn; a dumb terminal has none.
bool can_redraw() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(terminal && std::string(terminal) == "dumb");
}

}  // namespace

Progress::Progress(bool quiet, std::int64_t first_step, std::int64_t last_step, double duration)
    : shown_(!quiet && can_redraw()), first_step_(first_step), last_step_(last_step), duration_(duration) {}

void Progress::clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

void Progress::update(const SimulationState& state, const SimulationCounts& counts) {
  if (!shown_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double rate = static_cast<double>(state.step - first_step_) / seconds;
  const std::string left = rate > 0 ? clock_text(static_cast<double>(last_step_ - state.step) / rate) : "?";
  std::cerr << fmt::format("\r\033[Kt = {:.4g} of {:.4g} s   {} steps/s   {} impacts   energy {} J   {} left",
                           state.time, duration_, rate_text(rate), counts.impacts, figure(state.energy.total()), left)
            << std::flush;
  drawn_ = true;
}

}  // namespace carom
