// A sweep as the page takes it.

#pragma once

#include "tools/json.h"
#include "tools/run_file/result_file.h"

namespace carom {

// Axes with their values, measures as arrays of the grid's shape. BadRunFile if they do not fit together.
Json sweep_data(const ResultFile& file);

}  // namespace carom
