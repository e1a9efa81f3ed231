// Published single-impact results, recomputed: the data in published/*.yaml (one file a source) against ours.

#pragma once

#include <string>
#include <vector>

namespace carom {

struct PublishedCheck {
  std::string source;
  std::string claim;
  std::string quantity;
  std::string printed;
  std::string expected;  // what the print should be, where it is wrong; otherwise the same
  std::string ours;
  bool agrees = false;         // ours and the expected value
  bool print_is_right = true;  // ours and the printed value
  std::string note;
  double within = 0;        // where the print's inputs are rounded: what they leave open, more than its last digit
  bool is_formula = false;  // the source prints a formula, evaluated at parameters of our own
};

// Every row of the shipped data.
std::vector<PublishedCheck> check_published();

// The rows of one file in the same form.
std::vector<PublishedCheck> check_published(const std::string& text, const std::string& name);

}  // namespace carom
