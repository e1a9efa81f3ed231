// Saving what a killed program left.

#pragma once

#include <string>

#include "tools/run_file/error.h"

namespace carom {

// Turns a .part, one run or a comparison, into a file with status `interrupted`, in place of one that is there.
void recover_run_file(const std::string& part_path, const std::string& path);

}  // namespace carom
