// Runs the carom program as a user does.

#pragma once

#include <string>

namespace carom::testing {

struct Run {
  int code = -1;
  std::string out, err;
};

Run run_carom(const std::string& arguments);
std::string write_file(const std::string& name, const std::string& text);  // in a temporary folder; returns the path

}  // namespace carom::testing
