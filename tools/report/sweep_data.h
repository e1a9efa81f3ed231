// A sweep as the page takes it.

#pragma once

#include "tools/json.h"
#include "tools/run_file/sweep_file.h"

namespace carom {

// Axes with their values, measures as arrays of the grid's shape; those beyond a million numbers are left out.
Json sweep_data(const SweepArrays& arrays);

}  // namespace carom
