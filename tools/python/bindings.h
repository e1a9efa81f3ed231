// The parts of the module, each in its file, and what they share.

#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "config/document.h"
#include "config/scene.h"

namespace carom::python {

namespace py = pybind11;

void bind_scene(py::module_& module);
void bind_run(py::module_& module);
void bind_stepper(py::module_& module);
void bind_law(py::module_& module);
void bind_impact(py::module_& module);
void bind_study(py::module_& module);

// A scene as the package holds it: its text, and what was set on it since.
struct SceneSource {
  std::string text;
  std::string name;  // of its file; what messages begin with
  std::vector<Setting> settings;
  bool fix = false;

  Scene read(const std::vector<Setting>& more = {}) const;
};

// What a run changes in its scene.
struct SceneChanges {
  std::string law, duration, step;  // as their options would give them; empty: as the scene says
  std::vector<std::string> sets;    // path=value

  std::vector<Setting> settings() const;
};

}  // namespace carom::python
