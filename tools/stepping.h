// A simulation run to its end, watched: samples at their steps, progress a few times a second, stopped by a signal.

#pragma once

#include <functional>
#include <string>

#include "engine/simulation.h"

namespace carom {

// While one lives, the first SIGINT, SIGTERM or SIGHUP only asks for a stop; another one, unless it is the same request
// sent twice, ends the program at once.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool stop_asked();
};

// A stop that the program asks for itself, where signals are someone else's (an interpreter's). It holds as long as the
// object lives.
class StopByRequest {
 public:
  StopByRequest() = default;
  ~StopByRequest();
  StopByRequest(const StopByRequest&) = delete;
  StopByRequest& operator=(const StopByRequest&) = delete;

  void ask();

 private:
  bool asked_ = false;
};

struct SteppingEnd {
  enum class Reason { complete, stopped, failed };
  Reason reason = Reason::complete;
  std::string why;  // it failed
  double wall_seconds = 0;
};

std::string status_of(const SteppingEnd& end);  // as a run file says it: complete, interrupted, failed: why

// Steps a started or resumed simulation, with a sample after each step that `every` divides and after the last one,
// also where the run is stopped or fails: the state before the step that failed, whose impacts are not recorded.
// `watch` is called a few times a second.
SteppingEnd step_to_end(Simulation& simulation, Recorder& recorder, std::int64_t every,
                        const std::function<void()>& watch);

// The same up to a step: `complete` means that it was reached.
SteppingEnd step_until(std::int64_t last_step, Simulation& simulation, Recorder& recorder, std::int64_t every,
                       const std::function<void()>& watch);

}  // namespace carom
