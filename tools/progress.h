// One line on a terminal that says how far a run is.

#pragma once

#include <chrono>
#include <cstdint>

#include "engine/simulation.h"

namespace carom {

class Progress {
 public:
  // Nothing is shown unless stderr is a terminal.
  Progress(bool quiet, std::int64_t first_step, std::int64_t last_step, double duration);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }
  void clear();  // takes the line away, before something else is printed
  void update(const SimulationState& state, const SimulationCounts& counts);

 private:
  bool shown_;
  bool drawn_ = false;
  std::int64_t first_step_, last_step_;
  double duration_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace carom
