// Searches end by their own counts; on systems where one impact takes long they end here, and say so. Processor time,
// so that what is found does not hang on what else the machine does.

#pragma once

#include <ctime>

namespace carom {

class CpuBudget {
 public:
  explicit CpuBudget(double seconds)
      : end_(std::clock() + static_cast<std::clock_t>(seconds * static_cast<double>(CLOCKS_PER_SEC))) {}

  bool spent() const { return std::clock() >= end_; }

 private:
  std::clock_t end_;
};

}  // namespace carom
