// What the program tells beside its results: on stderr, and with times in a file where --log names one. Numerics tell
// nothing themselves; they are handed a function.

#pragma once

#include <string>

namespace carom {

enum class LogLevel { detail, note, warning, error };
const char* name_of(LogLevel level);

struct LogOptions {
  bool quiet = false;     // only warnings and errors
  bool verbose = false;   // details too
  std::string file = {};  // gets everything, behind what it holds already
};

// BadInput if the file cannot be written. Without it, notes and more go to stderr.
void open_log(const LogOptions& options);

// One message, without a line break at its end. A line that is drawn on the terminal goes before it.
void tell(LogLevel level, const std::string& text);
inline void tell_detail(const std::string& text) { tell(LogLevel::detail, text); }
inline void tell_note(const std::string& text) { tell(LogLevel::note, text); }
inline void tell_warning(const std::string& text) { tell(LogLevel::warning, text); }
inline void tell_error(const std::string& text) { tell(LogLevel::error, text); }

}  // namespace carom
