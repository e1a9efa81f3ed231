#include <exception>
#include <iostream>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/run_file/error.h"

int main(int argc, char** argv) {
  try {
    const int code = carom::run_command_line(argc, argv);
    std::cout.flush();
    if (!std::cout) {
      std::cerr << "carom: the output could not be written\n";
      return carom::failed_running;
    }
    return code;
  } catch (const carom::BadInput& e) {
    std::cerr << e.what() << '\n';
    return carom::bad_usage;
  } catch (const carom::BadRunFile& e) {
    std::cerr << e.what() << '\n';
    return carom::bad_usage;
  } catch (const std::exception& e) {
    std::cerr << "carom: " << e.what() << '\n';
    return carom::failed_running;
  }
}
