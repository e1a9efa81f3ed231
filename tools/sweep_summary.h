// What the result of a sweep tells, as text, JSON or CSV.

#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "tools/json.h"
#include "tools/run_file/sweep_file.h"

namespace carom {

// Why points have no value, and how many; the most frequent first.
std::vector<std::pair<std::string, std::size_t>> reasons_of(const SweepArrays& arrays);

std::string sweep_page(const SweepArrays& arrays);
Json sweep_json(const SweepArrays& arrays);

// One row a point that is done: coordinates, measures, status, reason.
void write_sweep_csv(std::ostream& out, const SweepArrays& arrays);

}  // namespace carom
