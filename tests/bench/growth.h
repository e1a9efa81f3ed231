// Cost against size: chains and piles, with the exponent fitted, as a table, CSV and a plot.

#pragma once

#include <string>

namespace carom::bench {

// Empty paths: not written. `full` goes to the largest sizes.
void show_growth(bool chains, bool piles, bool full, const std::string& csv_path, const std::string& svg_path);

}  // namespace carom::bench
