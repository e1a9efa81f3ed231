// Mistakes in an input file: all of them, each with its place, reported at once.

#pragma once

#include <compare>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/suggestion.h"

namespace carom {

// In the file, or an option of the command line that put a value in its place.
struct Place {
  int line = 0;  // from 1; 0 where a mistake concerns the file as a whole
  int column = 0;
  int option = 0;  // from 1, in the order in which they were given; 0: the file

  bool is_known() const { return line > 0 || option > 0; }
  auto operator<=>(const Place&) const = default;
};

struct Mistake {
  Place place;
  std::string path;  // e.g. impact.elements.tip
  std::string message;
};

// What main() catches: the text holds one line a mistake, `file:line:column: path: message`, or `option: message`.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(Place place, const std::string& path, const std::string& message) {
    errors_.push_back({place, path, message});
  }
  void warning(Place place, const std::string& path, const std::string& message) {
    warnings_.push_back({place, path, message});
  }

  void note(Place place, const std::string& path, const std::string& message) {
    notes_.push_back({place, path, message});
  }

  // The place of what an option gives, e.g. `--set law.type=newton`.
  Place add_option(const std::string& given);

  // file:line:column, the file alone where no line is known, or the option.
  std::string text_of(const Place& place) const;

  bool ok() const { return errors_.empty(); }
  std::size_t error_count() const { return errors_.size(); }  // grows while a part has mistakes
  void throw_if_bad();                                        // BadInput with every error, by line
  void leave_out(const std::function<bool(const Mistake&)>& is_no_mistake) { std::erase_if(errors_, is_no_mistake); }
  std::vector<std::string> warnings() const { return lines_of(warnings_); }
  std::vector<std::string> notes() const { return lines_of(notes_); }
  const std::string& file() const { return file_; }
  void begin(const std::string& file);  // anew: the options stay, mistakes are forgotten

 private:
  std::string line_of(const Mistake& mistake) const;
  std::vector<std::string> lines_of(const std::vector<Mistake>& mistakes) const;

  std::string file_;
  std::vector<std::string> options_;
  std::vector<Mistake> errors_;
  std::vector<Mistake> warnings_;
  std::vector<Mistake> notes_;
};

}  // namespace carom
