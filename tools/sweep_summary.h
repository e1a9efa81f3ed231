// What the result of a sweep tells, as text, JSON or CSV.

#pragma once

#include <iosfwd>
#include <string>

#include "tools/json.h"
#include "tools/run_file/sweep_file.h"

namespace carom {

std::string sweep_page(const SweepArrays& arrays);
Json sweep_json(const SweepArrays& arrays);

// One row a point that is done: coordinates, measures, status, reason.
void write_sweep_csv(std::ostream& out, const SweepArrays& arrays);

}  // namespace carom
