// Laws compared and checked, scenes swept: what the subcommands of these names print as JSON and as tables.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <exception>

#include "tools/check_impacts.h"
#include "tools/compare/comparison.h"
#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/stepping.h"
#include "tools/sweep/compute.h"
#include "tools/sweep_summary.h"
#include "tools/watched_work.h"
#include "tools/workers.h"

namespace carom::python {

namespace {

// In another thread, without Python's lock. Ctrl-C asks the work to stop, and is raised once it has.
void work_until_interrupted(const std::function<void()>& work) {
  const AtWork at_work;
  const py::gil_scoped_release released;
  StopByRequest stop;
  std::exception_ptr raised;
  const auto watch = [&] {
    const py::gil_scoped_acquire held;
    if (raised || PyErr_CheckSignals() == 0) return;
    raised = std::make_exception_ptr(CallbackError{py::error_already_set()});
    stop.ask();
  };
  try {
    work_watched(work, watch);
  } catch (...) {
    if (!raised) throw;
  }
  if (raised) std::rethrow_exception(raised);
}

std::size_t workers_of(std::size_t asked) { return asked > 0 ? asked : available_workers(); }

// Its text with what was set, as a file of that name.
InputFile input_of(const SceneSource& source) { return {source.name, source.text, source.settings}; }

std::vector<std::string> warnings_of(const ComparedSubject& subject) {
  return subject.scene ? subject.scene->warnings : subject.problem->warnings;
}

py::dict compare(const SceneSource& source, const std::vector<std::string>& laws, const std::string& match,
                 const std::string& reference, const SceneChanges& changes, bool impact_only, const std::string& output,
                 bool overwrite, std::size_t workers) {
  CompareOptions options{.input = input_of(source),
                         .laws = laws,
                         .sets = changes.sets,
                         .match = match,
                         .reference = reference,
                         .duration = changes.duration,
                         .step = changes.step,
                         .impact_only = impact_only,
                         .fix = source.fix};
  std::string json, text, note;
  std::vector<std::string> warnings;
  work_until_interrupted([&] {
    Comparison comparison = compare_at_impact(options, read_subject(options));
    warnings = warnings_of(comparison.subject);
    const ComparedRuns how{output, overwrite ? Overwrite::file_and_part : Overwrite::nothing, workers_of(workers),
                           true};
    note = compare_through_time(options, how, comparison);
    json = dump(comparison_json(comparison));
    text = comparison_text(comparison);
  });
  if (!note.empty()) warnings.push_back(note);
  using namespace py::literals;
  return py::dict("json"_a = json, "text"_a = text, "warnings"_a = warnings);
}

py::dict check(const SceneSource& source, const std::vector<std::string>& laws, const std::string& duration,
               const std::vector<std::string>& ranges) {
  const CheckOptions options{.input = input_of(source),
                             .duration = duration,
                             .laws = laws,
                             .ranges = ranges,
                             .details = true,
                             .fix = source.fix};
  std::string json, text;
  std::vector<std::string> warnings;
  work_until_interrupted([&] {
    const CheckedFile checked = check_impacts(
        options, [](const CheckedFile&) {}, [](const std::string&) {});
    warnings = checked.warnings;
    json = dump(checked_json(checked));
    for (const CheckedImpact& impact : checked.impacts) text += check_text(impact, false);
    text += text_of(checked.configurations);
  });
  using namespace py::literals;
  return py::dict("json"_a = json, "text"_a = text, "warnings"_a = warnings);
}

SweepArrays sweep(const std::optional<std::string>& text, const std::string& name, std::size_t workers) {
  std::optional<SweepArrays> arrays;
  work_until_interrupted([&] {
    const SweepFile file = text ? read_sweep_text(*text, name) : read_sweep_file(name);
    const std::vector<Measurement> measurements = prepared_measurements(file);
    arrays = empty_arrays(file, measurements);
    ResultStore results(*arrays);
    compute_points(file, measurements, Shard{}, workers_of(workers), results, [] {});
    arrays->status = "complete";
  });
  return std::move(*arrays);
}

std::vector<py::ssize_t> extents(const std::vector<std::size_t>& shape) { return {shape.begin(), shape.end()}; }

py::array numbers(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  return py::array_t<double>(extents(shape), values.data());
}

py::dict axes_of(const SweepArrays& arrays) {
  py::dict axes;
  for (const SweepAxis& axis : arrays.axes) {
    const py::object values =
        axis.texts.empty() ? py::object(numbers(axis.numbers, {axis.numbers.size()})) : py::cast(axis.texts);
    axes[py::str(axis.name)] = py::make_tuple(values, axis.units);
  }
  return axes;
}

py::dict measures_of(const SweepArrays& arrays) {
  py::dict measures;
  for (const SweepMeasure& measure : arrays.measures)
    measures[py::str(measure.name)] =
        py::make_tuple(numbers(measure.values, arrays.shape()), measure.units, measure.meaning, measure.states);
  return measures;
}

}  // namespace

void bind_study(py::module_& module) {
  module.def("compare", &compare);
  module.def("check", &check);
  module.def("sweep", &sweep);
  module.attr("point_status") = point_status_names();
  py::class_<SweepArrays>(module, "SweepArrays")
      .def_static("read", [](const std::string& path) { return read_sweep_arrays(ResultFile(path)); })
      .def_readonly("name", &SweepArrays::name)
      .def_readonly("about", &SweepArrays::about)
      .def_readonly("mode", &SweepArrays::mode)
      .def_readonly("reasons", &SweepArrays::reasons)
      .def_readonly("scene_yaml", &SweepArrays::scene_yaml)
      .def_readonly("sweep_yaml", &SweepArrays::sweep_yaml)
      .def("axes", &axes_of)
      .def("measures", &measures_of)
      .def("status",
           [](const SweepArrays& arrays) {
             return py::array_t<std::uint8_t>(extents(arrays.shape()), arrays.point_status.data());
           })
      .def("text", [](const SweepArrays& arrays) { return sweep_page(arrays); })
      .def("save", [](const SweepArrays& arrays, const std::string& path, bool overwrite) {
        check_result_destination(path, overwrite);
        write_sweep_arrays(path, arrays);
      });
}

}  // namespace carom::python
