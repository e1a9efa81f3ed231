// What Python code that is called back has raised, on its way through the stepper to the caller. It is no
// std::exception: nobody who handles failures on the way takes it for one of those.

#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

namespace carom::python {

struct CallbackError {
  pybind11::error_already_set raised;
};

// Calls with Python's lock held; what is raised becomes a CallbackError.
template <class Call>
auto called_back(const Call& call) {
  try {
    return call();
  } catch (const pybind11::error_already_set& e) {
    throw CallbackError{e};
  }
}

// Something is computed. Made with Python's lock held; meanwhile no law is registered.
class AtWork {
 public:
  AtWork();
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  static bool anywhere();
};

// As a run file says it: interrupted, failed: why.
std::string status_of_thrown(std::exception_ptr thrown);

// The exception itself, with its traceback; None if it is none of Python's. With Python's lock held.
pybind11::object raised_object(std::exception_ptr thrown);

}  // namespace carom::python
