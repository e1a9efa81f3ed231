// What is guaranteed of laws before anything runs: at a raw problem, at the first impact of a scene, or at every impact
// of a run.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/check_report.h"
#include "tools/critical_configuration.h"
#include "tools/critical_friction.h"
#include "tools/input_file.h"
#include "tools/json.h"

namespace carom {

struct CheckOptions {
  InputFile input;
  std::string run = {};  // RUN.h5, in place of the input
  std::string duration = {};
  std::vector<std::string> laws = {};
  std::vector<std::string> sets = {};
  std::vector<std::string> ranges = {};
  bool details = false;  // every condition, with its figures
  bool fix = false;
};

struct CheckedFile {
  std::vector<std::string> warnings, notes;
  std::vector<CheckedImpact> impacts;
  std::vector<CriticalConfiguration> configurations;
  std::vector<CriticalFriction> critical_friction;  // along a run
  bool of_run = false;
};

// BadInput with every mistake. `begun` is told of the warnings before the search, `progress` how far it is.
CheckedFile check_impacts(const CheckOptions& options, const std::function<void(const CheckedFile&)>& begun,
                          const std::function<void(const std::string&)>& progress);
Json checked_json(const CheckedFile& checked);

}  // namespace carom
