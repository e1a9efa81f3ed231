// _carom: what the package `carom` is made of. Everything here calls what the subcommands call; how it looks to a user
// is in carom/*.py.

#include <pybind11/stl.h>

#include "config/diagnostics.h"
#include "config/plugin_file.h"
#include "engine/simulation.h"
#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/run_file/error.h"
#include "tools/version.h"

namespace py = pybind11;

PYBIND11_MODULE(_carom, module) {
  using namespace carom;
  module.attr("__version__") = version();

  // The latest that is registered is asked first.
  py::register_exception<std::runtime_error>(module, "Error", PyExc_RuntimeError);
  const py::object error = module.attr("Error");
  py::register_exception<SimulationFailure>(module, "RunFailed", error);
  py::register_exception<BadInput>(module, "InputError", py::make_tuple(error, py::handle(PyExc_ValueError)));
  py::register_exception<RunFileError>(module, "FileError", py::make_tuple(error, py::handle(PyExc_OSError)));

  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const python::CallbackError& e) {
      py::error_already_set raised = e.raised;
      raised.restore();
    }
  });

  module.def("load_plugin", [](const std::string& path) {
    if (python::AtWork::anywhere()) throw std::runtime_error("no plug-in is loaded while something is computed");
    load_plugin(path);
  });
  module.def("plugins_of_environment", &plugins_of_environment);

  python::bind_scene(module);
  python::bind_run(module);
  python::bind_stepper(module);
  python::bind_law(module);
  python::bind_impact(module);
  python::bind_study(module);
}
