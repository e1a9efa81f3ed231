// Saving what a killed program left.

#pragma once

#include <functional>
#include <string>

#include "tools/run_file/error.h"

namespace carom {

// Turns a .part, one run or a comparison, into a file in place of one that is there, with status `complete` where the
// last sample is the end of the run, else `interrupted`. `watch` is called now and then; if it throws, nothing is left.
void recover_run_file(const std::string& part_path, const std::string& path, const std::function<void()>& watch = {});

}  // namespace carom
