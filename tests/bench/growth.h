// Cost against size: chains and piles, with the exponent fitted, as a table, CSV and a plot.

#pragma once

#include <string>

namespace carom::bench {

// Empty paths: not written.
void show_growth(bool chains, bool piles, const std::string& csv_path, const std::string& svg_path);

}  // namespace carom::bench
