#include "tools/progress.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <string>

#include "tools/table.h"
#include "tools/terminal.h"

namespace carom {

namespace {

StatusLine* drawn_line = nullptr;

}  // namespace

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

StatusLine::StatusLine(bool quiet) : shown_(!quiet && can_redraw(STDERR_FILENO)) {}

void StatusLine::clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
  if (drawn_line == this) drawn_line = nullptr;
}

void StatusLine::clear_drawn() {
  if (drawn_line) drawn_line->clear();
}

void StatusLine::show(const std::string& text) {
  if (!shown_) return;
  std::cerr << "\r\033[K" << text << std::flush;
  drawn_ = true;
  drawn_line = this;
}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Progress::Progress(bool quiet, std::int64_t first_step, std::int64_t last_step, double duration)
    : line_(quiet), first_step_(first_step), last_step_(last_step), duration_(duration) {}

void Progress::restart(std::int64_t first_step, std::int64_t last_step, double duration) {
  line_.restart();
  first_step_ = first_step;
  last_step_ = last_step;
  duration_ = duration;
}

void Progress::update(const SimulationState& state, const SimulationCounts& counts) {
  if (!shown()) return;
  update(state.time, state.step, fmt::format("{} impacts   energy {} J", counts.impacts, figure(state.energy.total())));
}

void Progress::update(double time, std::int64_t step, const std::string& more) {
  if (!shown()) return;
  const double rate = static_cast<double>(step - first_step_) / line_.seconds();
  const std::string left = rate > 0 ? clock_text(static_cast<double>(last_step_ - step) / rate) : "?";
  line_.show(
      fmt::format("t = {:.4g} of {:.4g} s   {} steps/s   {}   {} left", time, duration_, rate_text(rate), more, left));
}

std::string sweep_progress(std::size_t done, std::size_t todo, std::size_t not_ok, double seconds) {
  const double rate = static_cast<double>(done) / seconds;
  const std::string left = done > 0 ? clock_text(static_cast<double>(todo - done) / rate) : "?";
  const std::string without = not_ok > 0 ? fmt::format("   {} without a result", not_ok) : "";
  return fmt::format("{} of {} points   {} points/s{}   {} left", done, todo, rate_text(rate), without, left);
}

}  // namespace carom
