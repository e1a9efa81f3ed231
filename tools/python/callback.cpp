#include "tools/python/callback.h"

#include <atomic>

namespace carom::python {

namespace py = pybind11;

namespace {

std::atomic<int> at_work = 0;

}  // namespace

AtWork::AtWork() { ++at_work; }
AtWork::~AtWork() { --at_work; }
bool AtWork::anywhere() { return at_work > 0; }

std::string status_of_thrown(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const CallbackError& e) {
    const py::gil_scoped_acquire held;
    if (e.raised.matches(PyExc_KeyboardInterrupt)) return "interrupted";
    const std::string what = py::str(e.raised.value());
    const std::string type = py::str(e.raised.type().attr("__name__"));
    return "failed: " + type + (what.empty() ? "" : ": " + what);
  } catch (const std::exception& e) {
    return std::string("failed: ") + e.what();
  }
}

py::object raised_object(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const CallbackError& e) {
    if (e.raised.trace()) PyException_SetTraceback(e.raised.value().ptr(), e.raised.trace().ptr());
    return e.raised.value();
  } catch (const std::exception&) {
    return py::none();
  }
}

}  // namespace carom::python
