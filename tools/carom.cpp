#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <string>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/log.h"
#include "tools/run_file/error.h"

namespace {

// A descriptor that the caller closed would be given to the next file that is opened, and what is told go into it.
bool open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!open_standard_streams()) return carom::failed_running;
  try {
    const int code = carom::run_command_line(argc, argv);
    std::cout.flush();
    if (!std::cout) {
      carom::tell_error("carom: the output could not be written");
      return carom::failed_running;
    }
    return code;
  } catch (const carom::BadInput& e) {
    carom::tell_error(e.what());
    return carom::bad_usage;
  } catch (const carom::BadRunFile& e) {
    carom::tell_error(e.what());
    return carom::bad_usage;
  } catch (const std::exception& e) {
    carom::tell_error(std::string("carom: ") + e.what());
    return carom::failed_running;
  }
}
