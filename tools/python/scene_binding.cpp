// Scenes: read, changed by path, shown as the values that they hold, stepped to their end.

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "engine/thread_team.h"
#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/python/kept_run.h"
#include "tools/scene_overrides.h"
#include "tools/workers.h"

namespace carom::python {

std::vector<Setting> SceneChanges::settings() const { return scene_overrides(law, duration, step, sets); }

Scene SceneSource::read(const std::vector<Setting>& more) const {
  SceneOptions options{settings, fix};
  options.overrides.insert(options.overrides.end(), more.begin(), more.end());
  return read_scene_text(text, name, options);
}

namespace {

// One reading tells what is wrong with the file itself, in the words of the command line.
SceneSource source_from_file(const std::string& path) {
  Document::from_file(path);
  std::ifstream in(path, std::ios::binary);
  return {{std::istreambuf_iterator<char>(in), {}}, path, {}};
}

std::string path_of(const Setting& setting) {
  return setting.path_and_value.substr(0, setting.path_and_value.find('='));
}

// The later of two values for one place counts.
SceneSource changed(SceneSource source, const std::vector<std::string>& sets) {
  for (Setting& setting : settings_of(sets)) {
    std::erase_if(source.settings, [&](const Setting& earlier) { return path_of(earlier) == path_of(setting); });
    source.settings.push_back(std::move(setting));
  }
  return source;
}

py::object scalar(const Node& node) {
  const std::string& text = node.text();
  if (node.is_quoted()) return py::str(text);
  if (text == "true" || text == "false") return py::bool_(text == "true");
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
    return py::int_(whole);
  double number = 0;
  if (const auto read = std::from_chars(text.data(), end, number); read.ec == std::errc() && read.ptr == end)
    return py::float_(number);
  return py::str(text);
}

// The values of a document: maps, lists, numbers and words.
py::object values_of(const Node& node) {
  if (node.is_map()) {
    py::dict map;
    for (const auto& [key, value] : node.entries()) map[py::str(key)] = values_of(value);
    return map;
  }
  if (node.is_list()) {
    py::list list;
    for (const Node& item : node.items()) list.append(values_of(item));
    return list;
  }
  return node.is_null() ? py::none() : scalar(node);
}

py::list coordinates_of(const std::vector<Coordinate>& coordinates) {
  py::list list;
  for (const Coordinate& coordinate : coordinates) list.append(py::make_tuple(coordinate.name, coordinate.unit()));
  return list;
}

std::vector<std::string> contact_names(const System& system) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system.named_contacts(); ++i) names.push_back(system.contact_name(i));
  return names;
}

py::dict facts_of(const Scene& scene) {
  py::dict facts;
  facts["name"] = scene.name;
  facts["about"] = scene.about;
  facts["law"] = scene.law.type;
  facts["solver"] = scene.solver;
  facts["yaml"] = scene.effective_yaml;
  facts["warnings"] = scene.warnings;
  facts["notes"] = scene.notes;
  facts["q"] = scene.q;
  facts["u"] = scene.u;
  facts["positions"] = coordinates_of(scene.system->positions());
  facts["velocities"] = coordinates_of(scene.system->velocities());
  facts["bodies"] = scene.system->poses().bodies;
  facts["contacts"] = contact_names(*scene.system);
  facts["step"] = scene.integrator.step;
  facts["duration"] = scene.integrator.duration;
  facts["every"] = scene.output.every;
  return facts;
}

// Signals reach Python only if it is asked for them; `progress` is the caller's own function of a dictionary.
std::function<void(const Simulation&)> watching(const py::object& progress, const Scene& scene) {
  const std::int64_t steps = scene.integrator.step_count();
  const double duration = scene.integrator.duration;
  return [progress, steps, duration](const Simulation& simulation) {
    const py::gil_scoped_acquire held;
    const SimulationState& state = simulation.state();
    using namespace py::literals;
    called_back([&] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress.is_none()) return;
      progress(py::dict("time"_a = state.time, "duration"_a = duration, "step"_a = state.step, "steps"_a = steps,
                        "impacts"_a = simulation.counts().impacts, "energy"_a = state.energy.total()));
    });
  };
}

KeptRun simulate(const SceneSource& source, const SceneChanges& changes, const std::string& file, bool force,
                 std::size_t threads, const py::object& progress) {
  const AtWork at_work;
  Scene scene = source.read(changes.settings());
  const auto watch = watching(progress, scene);
  const py::gil_scoped_release released;
  set_step_threads(static_cast<int>(threads > 0 ? threads : available_workers()));
  return run_to_end(std::move(scene), file, force, watch, status_of_thrown);
}

}  // namespace

void bind_scene(py::module_& module) {
  using namespace py::literals;
  py::class_<SceneChanges>(module, "SceneChanges")
      .def(py::init([](std::string law, std::string duration, std::string step, std::vector<std::string> sets) {
        return SceneChanges{std::move(law), std::move(duration), std::move(step), std::move(sets)};
      }));
  py::class_<SceneSource>(module, "SceneSource")
      .def_static("from_file", &source_from_file)
      .def_static("from_text",
                  [](std::string text, std::string name) {
                    return SceneSource{std::move(text), std::move(name), {}};
                  })
      .def("changed", &changed)
      .def("fixed",
           [](SceneSource source) {
             source.fix = true;
             return source;
           })
      .def("facts", [](const SceneSource& source) { return facts_of(source.read()); })
      .def("values",
           [](const SceneSource& source) {
             const Document document = Document::from_text(source.text, source.name, source.settings);
             return values_of(document.root());
           })
      .def("simulate", &simulate, "changes"_a, "file"_a, "force"_a, "threads"_a, "progress"_a);
}

}  // namespace carom::python
