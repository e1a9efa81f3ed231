#include "tools/run_file/sweep_file.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>

#include "engine/grid.h"
#include "tools/run_file/columns.h"
#include "tools/run_file/readable_file.h"

namespace carom {

using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

constexpr const char* point_axis = "point";  // of a zip or a sample, whose coordinates stand beside it

std::vector<hsize_t> extents_of_arrays(const SweepArrays& arrays) {
  const std::vector<std::size_t> shape = arrays.shape();
  return {shape.begin(), shape.end()};
}

void describe_measure(hid_t group, const std::string& name, const std::string& units, const std::string& meaning = "") {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  if (!units.empty()) hdf5::set_text(dataset.id(), "units", units);
  if (!meaning.empty()) hdf5::set_text(dataset.id(), "meaning", meaning);
}

void write_numbers(hid_t group, const std::string& name, const std::vector<double>& numbers) {
  hdf5::write_values(group, name, H5T_NATIVE_DOUBLE, {numbers.size()}, numbers.data());
}

void write_axes(hid_t file, const SweepArrays& arrays) {
  const Handle group = hdf5::create_group(file, "axes");
  std::set<std::string> taken;
  std::vector<std::string> names;
  if (!arrays.is_grid()) taken.insert(point_axis);
  for (const SweepAxis& axis : arrays.axes) {
    names.push_back(link_name(axis.name, taken));
    if (axis.texts.empty()) {
      write_numbers(group.id(), names.back(), axis.numbers);
    } else {
      hdf5::write_texts(group.id(), names.back(), axis.texts);
    }
    describe_measure(group.id(), names.back(), axis.units);
  }
  hdf5::set_texts(file, "axes", arrays.is_grid() ? names : std::vector<std::string>{point_axis});
  if (arrays.is_grid()) return;
  hdf5::set_texts(file, "coordinates", names);
  std::vector<double> numbers(arrays.points());
  std::iota(numbers.begin(), numbers.end(), 0.0);
  write_numbers(group.id(), point_axis, numbers);
}

void write_measures(hid_t file, const SweepArrays& arrays) {
  const Handle group = hdf5::create_group(file, "measures");
  const std::vector<hsize_t> extents = extents_of_arrays(arrays);
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const SweepMeasure& measure : arrays.measures) {
    names.push_back(link_name(measure.name, taken));
    hdf5::write_values(group.id(), names.back(), H5T_NATIVE_DOUBLE, extents, measure.values.data());
    describe_measure(group.id(), names.back(), measure.units, measure.meaning);
    if (measure.states.empty()) continue;
    const Handle dataset(H5Dopen2(group.id(), names.back().c_str(), H5P_DEFAULT), H5Dclose, names.back());
    hdf5::set_texts(dataset.id(), "states", measure.states);
  }
  hdf5::set_texts(file, "measures", names);
}

// The distinct reasons in the order of the points, and which of them is a point's (−1: none).
void write_reasons(hid_t file, const SweepArrays& arrays) {
  std::vector<std::string> texts;
  std::map<std::string, std::int32_t> numbers;
  std::vector<std::int32_t> reason(arrays.points(), -1);
  for (const auto& [point, text] : arrays.reasons) {
    const auto [known, fresh] = numbers.emplace(text, static_cast<std::int32_t>(texts.size()));
    if (fresh) texts.push_back(text);
    reason[point] = known->second;
  }
  hdf5::write_values(file, "reason", H5T_NATIVE_INT32, extents_of_arrays(arrays), reason.data());
  describe_measure(file, "reason", "", "why a point is not ok: a row of /reasons, counted from 0; -1 where it is ok");
  if (!texts.empty()) hdf5::write_texts(file, "reasons", texts);
}

void write_all(hid_t file, const SweepArrays& arrays) {
  hdf5::set_text(file, "format", format_name(ResultKind::sweep));
  hdf5::set_integer(file, "format_version", result_format_version);
  hdf5::set_text(file, "carom_version", arrays.carom_version);
  hdf5::set_text(file, "sweep", arrays.name);
  hdf5::set_text(file, "about", arrays.about);
  hdf5::set_text(file, "mode", arrays.mode);
  hdf5::set_text(file, "status", arrays.status);
  hdf5::write_text(file, "scene_yaml", arrays.scene_yaml);
  hdf5::write_text(file, "sweep_yaml", arrays.sweep_yaml);
  write_axes(file, arrays);
  write_measures(file, arrays);
  const std::vector<hsize_t> extents = extents_of_arrays(arrays);
  hdf5::write_values(file, "status", H5T_NATIVE_UINT8, extents, arrays.point_status.data());
  hdf5::write_values(file, "done", H5T_NATIVE_UINT8, extents, arrays.done.data());
  const Handle status(H5Dopen2(file, "status", H5P_DEFAULT), H5Dclose, "status");
  hdf5::set_texts(status.id(), "states", point_status_names());
  write_reasons(file, arrays);
}

// ---- reading ---------------------------------------------------------------------------------------------------

// A dataset of the file, by its path.
struct Dataset {
  Dataset(const hdf5::ReadableFile& of, const std::string& at)
      : file(of), path("/" + at), handle(H5Dopen2(of.id(), at.c_str(), H5P_DEFAULT), H5Dclose, "/" + at) {}

  std::vector<hsize_t> shape() const { return hdf5::shape_of(handle.id()); }
  std::string text(const std::string& attribute) const { return file.text(handle.id(), attribute); }
  std::vector<std::string> texts(const std::string& attribute) const { return file.texts(handle.id(), attribute); }
  bool is_text() const {
    const Handle type(H5Dget_type(handle.id()), H5Tclose, path);
    return H5Tget_class(type.id()) == H5T_STRING;
  }
  // All its values, which are to be so many.
  template <class T>
  std::vector<T> values(std::size_t size) const {
    const std::vector<hsize_t> extents = shape();
    const auto count = std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies<>());
    if (count != size) throw BadRunFile(fmt::format("{} has {} values where {} are needed", path, count, size));
    std::vector<T> all(size);
    hdf5::check(H5Dread(handle.id(), hdf5::type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), path);
    return all;
  }

  const hdf5::ReadableFile& file;
  std::string path;
  Handle handle;
};

std::string read_text(const hdf5::ReadableFile& file, const std::string& name) {
  const std::vector<std::string> texts = file.read_texts(file.id(), name);
  return texts.empty() ? std::string() : texts.front();
}

void read_axes(const hdf5::ReadableFile& file, SweepArrays& arrays) {
  for (const std::string& name : file.texts(file.id(), arrays.is_grid() ? "axes" : "coordinates")) {
    const Dataset dataset(file, "axes/" + name);
    SweepAxis axis{name, dataset.text("units"), {}, {}};
    if (dataset.is_text()) {
      axis.texts = file.read_texts(file.id(), "axes/" + name);
    } else {
      const std::vector<hsize_t> shape = dataset.shape();
      axis.numbers = dataset.values<double>(shape.empty() ? 1 : static_cast<std::size_t>(shape[0]));
    }
    arrays.axes.push_back(std::move(axis));
  }
  if (arrays.axes.empty()) throw BadRunFile("the sweep has no axes (damaged)");
  const auto differs = [&](const SweepAxis& axis) { return axis.size() != arrays.axes.front().size(); };
  if (!arrays.is_grid() && std::any_of(arrays.axes.begin(), arrays.axes.end(), differs))
    throw BadRunFile("/axes: the coordinates of the points differ in length (damaged)");
}

void read_measures(const hdf5::ReadableFile& file, SweepArrays& arrays) {
  for (const std::string& name : file.texts(file.id(), "measures")) {
    const Dataset dataset(file, "measures/" + name);
    arrays.measures.push_back({name, dataset.text("units"), dataset.text("meaning"), dataset.texts("states"),
                               dataset.values<double>(arrays.points())});
  }
}

void read_reasons(const hdf5::ReadableFile& file, SweepArrays& arrays) {
  if (!hdf5::exists(file.id(), "reasons")) return;
  const std::vector<std::string> texts = file.read_texts(file.id(), "reasons");
  const auto reason = Dataset(file, "reason").values<std::int32_t>(arrays.points());
  for (std::size_t point = 0; point < reason.size(); ++point) {
    if (reason[point] < 0) continue;
    const auto number = static_cast<std::size_t>(reason[point]);
    if (number >= texts.size()) throw BadRunFile("/reason points beyond /reasons (damaged)");
    arrays.reasons[point] = texts[number];
  }
}

void read_points(const hdf5::ReadableFile& file, SweepArrays& arrays) {
  const Dataset done(file, "done");
  const std::vector<hsize_t> shape = done.shape();
  const std::vector<std::size_t> expected = arrays.shape();
  if (!std::equal(shape.begin(), shape.end(), expected.begin(), expected.end()))
    throw BadRunFile("/done has not the shape of the axes (damaged)");
  const std::size_t points = std::accumulate(expected.begin(), expected.end(), std::size_t{1}, std::multiplies<>());
  arrays.done = done.values<std::uint8_t>(points);
  arrays.point_status = Dataset(file, "status").values<std::uint8_t>(points);
  const auto within = [](const std::vector<std::uint8_t>& values, std::size_t end) {
    return std::all_of(values.begin(), values.end(), [&](std::uint8_t value) { return value < end; });
  };
  if (!within(arrays.done, 2)) throw BadRunFile("/done holds other numbers than 0 and 1 (damaged)");
  if (!within(arrays.point_status, point_status_names().size()))
    throw BadRunFile("/status holds numbers that stand for nothing (damaged)");
}

SweepArrays read_all(const hdf5::ReadableFile& file) {
  SweepArrays arrays;
  arrays.name = file.text(file.id(), "sweep");
  arrays.about = file.text(file.id(), "about");
  arrays.mode = file.text(file.id(), "mode");
  arrays.status = file.text(file.id(), "status");
  arrays.carom_version = file.text(file.id(), "carom_version");
  arrays.scene_yaml = read_text(file, "scene_yaml");
  arrays.sweep_yaml = read_text(file, "sweep_yaml");
  read_axes(file, arrays);
  read_points(file, arrays);
  read_measures(file, arrays);
  read_reasons(file, arrays);
  return arrays;
}

}  // namespace

const std::vector<std::string>& point_status_names() {
  static const std::vector<std::string> names = {"ok", "refused", "failed", "no impact"};
  return names;
}

std::vector<std::size_t> SweepArrays::shape() const {
  if (axes.empty()) return {};
  if (!is_grid()) return {axes.front().size()};
  std::vector<std::size_t> extents;
  for (const SweepAxis& axis : axes) extents.push_back(axis.size());
  return extents;
}

std::size_t SweepArrays::position(std::size_t axis, std::size_t point) const {
  return is_grid() ? grid_position(shape(), axis, point) : point;
}

std::size_t SweepArrays::done_count() const {
  return static_cast<std::size_t>(std::count(done.begin(), done.end(), std::uint8_t{1}));
}

void write_sweep_arrays(const std::string& path, const SweepArrays& arrays) {
  hdf5::open_library();
  const std::string fresh = fmt::format("{}.{}.new", path, ::getpid());
  std::error_code error;
  fs::remove(fresh, error);
  try {
    Handle file = hdf5::create_file(fresh);
    write_all(file.id(), arrays);
    hdf5::check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "cannot be written");
    if (!file.close()) throw RunFileError("cannot be written: " + hdf5::complaint());
  } catch (const RunFileError& e) {
    fs::remove(fresh, error);
    throw RunFileError(fmt::format("{}: {}", path, e.what()));
  }
  fs::rename(fresh, path, error);
  if (!error) return;
  const std::string why = error.message();
  fs::remove(fresh, error);
  throw RunFileError(fmt::format("{}: cannot be written: {}", path, why));
}

SweepArrays read_sweep_arrays(const ResultFile& result) {
  const hdf5::ReadableFile& file = result.opened();
  return file.reading([&] {
    const ResultKind kind = result.kind();
    if (kind != ResultKind::sweep)
      throw BadRunFile(
          fmt::format("is not the result of a sweep but a {}", kind == ResultKind::run ? "run" : "comparison"));
    return read_all(file);
  });
}

}  // namespace carom
