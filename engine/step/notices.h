// What a step tells the user of a run: each kind of thing once.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace carom {

class Notices {
 public:
  using Note = std::function<void(const std::string&)>;

  Notices(Note note, bool warn_on_failure) : note_(std::move(note)), warn_on_failure_(warn_on_failure) {}

  const Note& note() const { return note_; }
  void tell_once(const std::string& kind, const std::string& text);
  // Ends the run, or counts what was not solved and goes on: on_failure.
  void fail_or_warn(double t, const char* kind, const std::string& why);

  void begin_step() { unsolved_ = 0; }
  std::int64_t unsolved() const { return unsolved_; }  // in this step

 private:
  const Note note_;
  const bool warn_on_failure_;
  std::vector<std::string> told_;
  std::int64_t unsolved_ = 0;
};

}  // namespace carom
