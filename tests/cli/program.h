// Runs the carom program as a user does.

#pragma once

#include <string>
#include <vector>

namespace carom::testing {

struct Run {
  int code = -1;
  std::string out, err;
};

Run run_carom(const std::string& arguments, const std::string& before = "");  // what the shell does before it
// Starts carom in the background, waits until a file is there (or carom has ended) and runs `then`, in which the
// shell's $p is carom. Returns carom's exit code, 128 + the number of the signal that ended it.
int run_carom_until(const std::string& file, const std::string& arguments, const std::string& then);
void refused(const std::string& arguments, const std::string& says);  // checks that they are, as bad usage

std::string write_file(const std::string& name, const std::string& text);  // in a temporary folder; returns the path
std::string free_path(const std::string& name);  // there, and nothing is at it, nor an unfinished run

std::vector<std::vector<double>> rows_of(const std::string& csv);  // without its head

extern const std::string ball_scene;  // a disk that falls on a rough floor, one second of it
std::string ball_file();

}  // namespace carom::testing
