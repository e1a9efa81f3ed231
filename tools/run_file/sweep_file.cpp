#include "tools/run_file/sweep_file.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "engine/grid.h"
#include "tools/run_file/hdf5.h"

namespace carom {

using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

constexpr const char* format_name = "carom-sweep";
constexpr std::int64_t format_version = 1;
constexpr const char* point_axis = "point";  // of a zip or a sample, whose coordinates stand beside it

std::vector<hsize_t> extents_of(const SweepArrays& arrays) {
  const std::vector<std::size_t> shape = arrays.shape();
  return {shape.begin(), shape.end()};
}

void describe(hid_t group, const std::string& name, const std::string& units, const std::string& meaning = "") {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  if (!units.empty()) hdf5::set_text(dataset.id(), "units", units);
  if (!meaning.empty()) hdf5::set_text(dataset.id(), "meaning", meaning);
}

void write_texts(hid_t group, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = hdf5::text_type();
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  hdf5::write_values(group, name, type.id(), {pointers.size()}, pointers.data());
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
    names.push_back(hdf5::link_name(axis.name, taken));
    if (axis.texts.empty()) {
      write_numbers(group.id(), names.back(), axis.numbers);
    } else {
      write_texts(group.id(), names.back(), axis.texts);
    }
    describe(group.id(), names.back(), axis.units);
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
  const std::vector<hsize_t> extents = extents_of(arrays);
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const SweepMeasure& measure : arrays.measures) {
    names.push_back(hdf5::link_name(measure.name, taken));
    hdf5::write_values(group.id(), names.back(), H5T_NATIVE_DOUBLE, extents, measure.values.data());
    describe(group.id(), names.back(), measure.units, measure.meaning);
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
  hdf5::write_values(file, "reason", H5T_NATIVE_INT32, extents_of(arrays), reason.data());
  if (!texts.empty()) write_texts(file, "reasons", texts);
}

void write_all(hid_t file, const SweepArrays& arrays) {
  hdf5::set_text(file, "format", format_name);
  hdf5::set_integer(file, "format_version", format_version);
  hdf5::set_text(file, "carom_version", arrays.carom_version);
  hdf5::set_text(file, "sweep", arrays.name);
  hdf5::set_text(file, "about", arrays.about);
  hdf5::set_text(file, "mode", arrays.mode);
  hdf5::set_text(file, "status", arrays.status);
  hdf5::write_text(file, "scene_yaml", arrays.scene_yaml);
  hdf5::write_text(file, "sweep_yaml", arrays.sweep_yaml);
  write_axes(file, arrays);
  write_measures(file, arrays);
  const std::vector<hsize_t> extents = extents_of(arrays);
  hdf5::write_values(file, "status", H5T_NATIVE_UINT8, extents, arrays.point_status.data());
  hdf5::write_values(file, "done", H5T_NATIVE_UINT8, extents, arrays.done.data());
  const Handle status(H5Dopen2(file, "status", H5P_DEFAULT), H5Dclose, "status");
  hdf5::set_texts(status.id(), "states", point_status_names());
  write_reasons(file, arrays);
}

template <class T>
std::vector<T> read_array(hid_t group, const std::string& name, std::size_t size) {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const std::vector<hsize_t> shape = hdf5::shape_of(dataset.id());
  const auto count = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
  if (count != size) throw BadRunFile(fmt::format("/{} has {} values where {} are needed", name, count, size));
  std::vector<T> values(size);
  hdf5::check(H5Dread(dataset.id(), hdf5::type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

std::vector<hsize_t> shape_at(hid_t group, const std::string& name) {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  return hdf5::shape_of(dataset.id());
}

std::string attribute_of(hid_t group, const std::string& name, const std::string& attribute) {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  return hdf5::text(dataset.id(), attribute);
}

bool is_text(hid_t group, const std::string& name) {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, name);
  return H5Tget_class(type.id()) == H5T_STRING;
}

void read_axes(hid_t file, SweepArrays& arrays) {
  const Handle group = hdf5::open_group(file, "axes");
  for (const std::string& name : hdf5::texts(file, arrays.is_grid() ? "axes" : "coordinates")) {
    SweepAxis axis{name, attribute_of(group.id(), name, "units"), {}, {}};
    if (is_text(group.id(), name)) {
      axis.texts = hdf5::read_texts(group.id(), name);
    } else {
      const std::vector<hsize_t> shape = shape_at(group.id(), name);
      axis.numbers = read_array<double>(group.id(), name, shape.empty() ? 1 : static_cast<std::size_t>(shape[0]));
    }
    arrays.axes.push_back(std::move(axis));
  }
}

void read_measures(hid_t file, SweepArrays& arrays) {
  const Handle group = hdf5::open_group(file, "measures");
  for (const std::string& name : hdf5::texts(file, "measures")) {
    const Handle dataset(H5Dopen2(group.id(), name.c_str(), H5P_DEFAULT), H5Dclose, name);
    arrays.measures.push_back({name, hdf5::text(dataset.id(), "units"), hdf5::text(dataset.id(), "meaning"),
                               hdf5::texts(dataset.id(), "states"),
                               read_array<double>(group.id(), name, arrays.points())});
  }
}

void read_reasons(hid_t file, SweepArrays& arrays) {
  if (!hdf5::exists(file, "reasons")) return;
  const std::vector<std::string> texts = hdf5::read_texts(file, "reasons");
  const auto reason = read_array<std::int32_t>(file, "reason", arrays.points());
  for (std::size_t point = 0; point < reason.size(); ++point) {
    if (reason[point] < 0) continue;
    const auto number = static_cast<std::size_t>(reason[point]);
    if (number >= texts.size()) throw BadRunFile("/reason points beyond /reasons");
    arrays.reasons[point] = texts[number];
  }
}

SweepArrays read_all(hid_t file) {
  SweepArrays arrays;
  if (hdf5::integer(file, "format_version", 0) != format_version)
    throw BadRunFile("is of a format version that this carom does not know");
  arrays.name = hdf5::text(file, "sweep");
  arrays.about = hdf5::text(file, "about");
  arrays.mode = hdf5::text(file, "mode");
  arrays.status = hdf5::text(file, "status");
  arrays.carom_version = hdf5::text(file, "carom_version");
  for (const auto& [name, text] : {std::pair{"scene_yaml", &arrays.scene_yaml}, {"sweep_yaml", &arrays.sweep_yaml}}) {
    const std::vector<std::string> texts = hdf5::read_texts(file, name);
    *text = texts.empty() ? std::string() : texts.front();
  }
  read_axes(file, arrays);
  const std::vector<hsize_t> shape = shape_at(file, "done");
  const std::vector<std::size_t> expected = arrays.shape();
  if (!std::equal(shape.begin(), shape.end(), expected.begin(), expected.end()))
    throw BadRunFile("/done has not the shape of the axes");
  std::size_t points = 1;
  for (const std::size_t extent : expected) points *= extent;
  arrays.done = read_array<std::uint8_t>(file, "done", points);
  arrays.point_status = read_array<std::uint8_t>(file, "status", points);
  const auto known = static_cast<std::uint8_t>(point_status_names().size());
  if (std::any_of(arrays.point_status.begin(), arrays.point_status.end(), [&](std::uint8_t s) { return s >= known; }))
    throw BadRunFile("/status holds numbers that stand for nothing");
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
    hdf5::check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), path + ": cannot be written");
    if (!file.close()) throw RunFileError(path + ": cannot be written: " + hdf5::complaint());
  } catch (const RunFileError&) {
    fs::remove(fresh, error);
    throw;
  }
  fs::rename(fresh, path, error);
  if (!error) return;
  const std::string why = error.message();
  fs::remove(fresh, error);
  throw RunFileError(fmt::format("{}: cannot be written: {}", path, why));
}

SweepArrays read_sweep_arrays(const std::string& path) {
  hdf5::open_library();
  std::error_code error;
  if (!fs::exists(path, error)) throw BadRunFile(path + ": no such file");
  if (fs::is_directory(path, error)) throw BadRunFile(path + ": is a folder, not a file");
  try {
    const Handle file = hdf5::open_file(path, H5F_ACC_RDONLY);
    const std::string format = hdf5::text(file.id(), "format");
    if (format != format_name)
      throw BadRunFile(fmt::format("is not the result of a sweep{}", format == "carom-run" ? " but a run" : ""));
    return read_all(file.id());
  } catch (const RunFileError& e) {
    const std::string what = e.what();
    throw BadRunFile(what.rfind(path, 0) == 0 ? what : path + ": " + what);
  }
}

bool is_sweep_file(const std::string& path) {
  hdf5::open_library();
  try {
    const Handle file = hdf5::open_file(path, H5F_ACC_RDONLY);
    return hdf5::text(file.id(), "format") == format_name;
  } catch (const RunFileError&) {
    return false;
  }
}

}  // namespace carom
