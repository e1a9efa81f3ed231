// What a step tells the user of a run: each kind of thing once.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace carom {

class Notices {
 public:
  using Note = std::function<void(const std::string&)>;

  Notices(Note note, const IntegratorOptions& options)
      : note_(std::move(note)), tolerance_(options.tolerance), warn_on_failure_(options.warn_on_failure) {}

  const Note& note() const { return note_; }
  void tell_once(const std::string& kind, const std::string& text);
  // Ends the run, or counts the step as unsolved and goes on: on_failure.
  void fail_or_warn(double t, const char* kind, const std::string& why);
  // The step goes on without a solution of what was posed, and is counted; the first of a kind is told.
  void go_on(double t, const char* kind, const std::string& why);
  // The same with impulses of this residual, where it is above the tolerance.
  void go_on_with(double t, double residual);

  void begin_step() { is_unsolved_ = false; }
  bool is_unsolved() const { return is_unsolved_; }  // this step

 private:
  const Note note_;
  const double tolerance_;
  const bool warn_on_failure_;
  std::vector<std::string> told_;
  bool is_unsolved_ = false;
};

}  // namespace carom
