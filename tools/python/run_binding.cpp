// Runs: columns of one kept in memory, without copies, or of a file.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <utility>

#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/python/kept_run.h"
#include "tools/report/report.h"
#include "tools/run_file/columns.h"
#include "tools/run_file/reader.h"
#include "tools/run_page.h"

namespace carom::python {

namespace {

py::dict info(const std::vector<std::int64_t>& shape, std::int64_t rows, const std::vector<std::string>& names,
              const std::vector<std::string>& units, const std::vector<std::string>& directions) {
  using namespace py::literals;
  return py::dict("rows"_a = rows, "shape"_a = shape, "names"_a = names, "units"_a = units,
                  "directions"_a = directions);
}

std::vector<py::ssize_t> full_shape(std::size_t rows, const std::vector<std::int64_t>& shape) {
  std::vector<py::ssize_t> all = {static_cast<py::ssize_t>(rows)};
  all.insert(all.end(), shape.begin(), shape.end());
  return all;
}

// Numpy looks into the recording, which lives as long as any array of it does, and changes nothing.
py::array view(const Column& column, const std::shared_ptr<Recording>& recording) {
  const auto* owner = new std::shared_ptr<Recording>(recording);
  const py::capsule base(owner, [](void* kept) { delete static_cast<std::shared_ptr<Recording>*>(kept); });
  const py::dtype byte =
      type_of_column(column.path) == ColumnType::verdict ? py::dtype::of<bool>() : py::dtype::of<std::uint8_t>();
  const py::dtype types[] = {py::dtype::of<double>(), py::dtype::of<std::int64_t>(), byte};
  const void* data = std::visit([](const auto& list) -> const void* { return list.data(); }, column.values);
  py::array array(types[column.values.index()], full_shape(column.rows(), column.shape), data, base);
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::dict columns_of(const KeptRun& run) {
  py::dict columns;
  for (const Column* column : run.recording->columns())
    columns[py::str(column->path)] = info(column->shape, static_cast<std::int64_t>(column->rows()), column->names,
                                          column->units, column->directions);
  return columns;
}

py::array array_of(const KeptRun& run, const std::string& path) {
  const Column* column = run.recording->find(path);
  if (!column) throw py::key_error(path);
  return view(*column, run.recording);
}

py::dict attributes_of(const KeptRun& run) {
  py::dict attributes;
  attributes["scene"] = run.about.scene;
  attributes["law"] = run.about.law;
  attributes["status"] = run.end.status;
  attributes["step"] = run.about.step;
  attributes["theta"] = run.about.theta;
  attributes["duration"] = run.about.duration;
  attributes["every"] = run.about.every;
  attributes["wall_seconds"] = run.end.wall_seconds;
  attributes["steps"] = run.end.steps;
  attributes["impact_count"] = run.end.counts.impacts;
  attributes["inconsistent_count"] = run.end.counts.inconsistent;
  attributes["energy_created"] = run.end.counts.energy_created;
  attributes["unsolved_count"] = run.end.counts.unsolved;
  attributes["approaching_count"] = run.end.counts.still_approaching;
  attributes["outside_set_count"] = run.end.counts.outside_set;
  for (const auto& [name, value] : run.about.facts) attributes[py::str(name)] = value;
  return attributes;
}

// Handed over: an exception has its run, and a run that had it too would never go.
py::object taken_error(KeptRun& run) {
  const std::exception_ptr error = std::exchange(run.error, nullptr);
  return error ? raised_object(error) : py::none();
}

// ---- files
// -------------------------------------------------------------------------------------------------------------

py::array read_array(const RunFileReader& run, const std::string& path) {
  const DatasetInfo& about = run.dataset(path);
  std::vector<double> values;
  {
    const py::gil_scoped_release released;
    values = run.read(path);
  }
  auto* owner = new std::vector<double>(std::move(values));
  const py::capsule base(owner, [](void* kept) { delete static_cast<std::vector<double>*>(kept); });
  const py::array numbers(py::dtype::of<double>(), full_shape(static_cast<std::size_t>(about.rows), about.shape),
                          owner->data(), base);
  switch (type_of_column(about.path)) {
    case ColumnType::number:
      return numbers;
    case ColumnType::integer:
      return numbers.attr("astype")("int64");
    case ColumnType::verdict:
      return numbers.attr("astype")("bool");
    case ColumnType::state:
      break;
  }
  return numbers.attr("astype")("uint8");
}

std::vector<std::string> divided(const std::string& joined) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < joined.size();) {
    const std::size_t end = std::min(joined.find(", ", begin), joined.size());
    parts.push_back(joined.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

py::dict columns_of_file(const RunFileReader& run) {
  py::dict columns;
  for (const DatasetInfo& about : run.datasets()) {
    // Columns have a row a sample or an impact; these have others.
    const std::string group = about.path.substr(0, about.path.find('/'));
    if (about.is_text || group == "checkpoint" || group == "penetration" || group == "log") continue;
    columns[py::str(about.path)] = info(about.shape, about.rows, about.names, divided(about.units), about.directions);
  }
  return columns;
}

py::dict attributes_of_file(const RunFileReader& run) {
  py::dict attributes;
  for (const char* name : {"scene", "law", "carom_version", "compiler", "flags", "solver"})
    attributes[name] = run.text(name);
  attributes["status"] = run.status();
  for (const char* name : {"step", "theta", "duration", "wall_seconds", "energy_created"})
    attributes[name] = run.number(name);
  for (const char* name : {"every", "steps", "impact_count", "inconsistent_count", "unsolved_count",
                           "approaching_count", "outside_set_count"})
    attributes[name] = static_cast<std::int64_t>(run.number(name));
  return attributes;
}

}  // namespace

void bind_run(py::module_& module) {
  using namespace py::literals;
  module.attr("state_names") = state_names();
  py::class_<KeptRun>(module, "MemoryRun")
      .def("columns", &columns_of)
      .def("array", &array_of)
      .def("attributes", &attributes_of)
      .def("element_names", [](const KeptRun& run) { return run.recording->element_names(); })
      .def("scene_yaml", [](const KeptRun& run) { return run.about.scene_yaml; })
      .def("text", &KeptRun::text)
      .def("save", &KeptRun::save, py::call_guard<py::gil_scoped_release>())
      .def_readonly("notes", &KeptRun::notes)
      .def_property_readonly("status", [](const KeptRun& run) { return run.end.status; })
      .def("take_error", &taken_error);
  py::class_<RunFileReader>(module, "FileRun")
      .def(py::init(
          [](const std::string& path, const std::string& group) { return RunFileReader(ResultFile(path), group); }))
      .def("columns", &columns_of_file)
      .def("array", &read_array)
      .def("attributes", &attributes_of_file)
      .def("element_names",
           [](const RunFileReader& run) {
             return run.find("impacts/element_names") ? run.read_texts("impacts/element_names")
                                                      : std::vector<std::string>{};
           })
      .def("scene_yaml", &RunFileReader::scene_yaml)
      .def("text", [](const RunFileReader& run) { return run_page(summarise(run), read_impacts(run, 20)); })
      .def_property_readonly("status", &RunFileReader::status)
      .def_property_readonly("path", &RunFileReader::path);
  module.def("result_kind", [](const std::string& path) { return std::string(format_name(ResultFile(path).kind())); });
  module.def("write_report", &write_report, py::call_guard<py::gil_scoped_release>());
  module.def("law_groups", [](const std::string& path) { return read_collection(ResultFile(path)).groups; });
}

}  // namespace carom::python
