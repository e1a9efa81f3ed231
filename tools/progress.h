// One line on a terminal that says how far a run or a sweep is.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/simulation.h"

namespace carom {

// A line that is drawn again and again. Nothing is shown unless stderr is a terminal.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool shown() const { return shown_; }
  void clear();               // takes the line away, before something else is printed
  static void clear_drawn();  // whichever is on the terminal
  void show(const std::string& text);
  void restart() { begin_ = std::chrono::steady_clock::now(); }
  double seconds() const;  // since it began

 private:
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string clock_text(double seconds);  // "12 s", "3:20", "1.5 h"
std::string rate_text(double rate);      // "870", "24k", "1.2M"

class Progress {
 public:
  Progress(bool quiet, std::int64_t first_step, std::int64_t last_step, double duration);

  void restart(std::int64_t first_step, std::int64_t last_step, double duration);
  bool shown() const { return line_.shown(); }
  void clear() { line_.clear(); }
  void update(const SimulationState& state, const SimulationCounts& counts);
  void update(double time, std::int64_t step, const std::string& more);  // what is told beside time, speed and rest

 private:
  StatusLine line_;
  std::int64_t first_step_, last_step_;
  double duration_;
};

// How far a sweep is: points done in this run, those to do, and those among them that were refused or failed.
std::string sweep_progress(std::size_t done, std::size_t todo, std::size_t not_ok, double seconds);

}  // namespace carom
