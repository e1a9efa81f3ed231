#include "tools/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace carom {

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool can_redraw(int stream) { return isatty(stream) && environment("TERM") != "dumb"; }

bool shows_colours(int stream) { return can_redraw(stream) && environment("NO_COLOR").empty(); }

}  // namespace carom
