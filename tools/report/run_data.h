// A run, or several of one scene with different laws, as the page takes them.

#pragma once

#include <vector>

#include "tools/json.h"
#include "tools/run_file/reader.h"

namespace carom {

// The drawing is that of the first run; each run has its motion, energy, contacts and impacts.
Json runs_data(const std::vector<RunFileReader>& runs);

}  // namespace carom
