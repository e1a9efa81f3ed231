// Two versions compared by the tables they wrote (--csv).

#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/bench/contest.h"

namespace carom::bench {

struct FormerStanding {
  double carom = 0;
  double times_floor = 0;    // 0: there was no floor
  double times_siconos = 0;  // 0: there was no Siconos
};

// By the name of the work. Throws std::runtime_error if the file is not such a table.
std::map<std::string, FormerStanding> read_standings(const std::string& path);

// What has become faster or slower: times, which depend on the machine and its load, and the ratios within each run,
// which do not.
void show_comparison(const std::map<std::string, FormerStanding>& before, const std::vector<Standing>& now);

}  // namespace carom::bench
