// What a run tells: at once to the log, and to its file with the step and the time of each message, as soon as there is
// a file.

#pragma once

#include <string>
#include <vector>

#include "engine/simulation.h"
#include "tools/log.h"
#include "tools/run_file/run_file.h"

namespace carom {

class RunLog {
 public:
  // Before a simulation is known, messages are of the start.
  void follow(const Simulation& simulation) { simulation_ = &simulation; }
  void keep_in(RunFileWriter& writer);

  void tell(LogLevel level, const std::string& text);

 private:
  const Simulation* simulation_ = nullptr;
  RunFileWriter* writer_ = nullptr;
  std::vector<RunMessage> waiting_;  // for a file
};

}  // namespace carom
