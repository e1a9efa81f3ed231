#include "tools/run_file/reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "tools/run_file/copy_tree.h"
#include "tools/run_file/run_file.h"

namespace carom {

using hdf5::Handle;
using hdf5::open_any;
namespace fs = std::filesystem;

namespace {

// Which rows a dataset shares with others.
enum class Kind { sample, impact, element, name, whole };

Kind kind_of(const std::string& path) {
  const auto below = [&](const char* group) { return path.rfind(group, 0) == 0; };
  if (path == "scene_yaml" || below("checkpoint/")) return Kind::whole;
  if (path == "impacts/element_names") return Kind::name;
  if (below("impacts/elements/")) return Kind::element;
  if (below("impacts/")) return Kind::impact;
  return Kind::sample;
}

}  // namespace

std::int64_t DatasetInfo::width() const {
  std::int64_t numbers = 1;
  for (const std::int64_t extent : shape) numbers *= extent;
  return numbers;
}

struct RunFileReader::Parts {
  std::string path, group_name;
  Handle file, group;
  std::vector<DatasetInfo> datasets;
  std::int64_t samples = 0, impacts = 0;

  void list(hid_t at, const std::string& below);
  void cut_to_shortest();
  std::int64_t whole_elements(std::int64_t rows, std::int64_t names) const;
  std::vector<double> read(const DatasetInfo& info, std::int64_t first, std::int64_t count) const;
  const DatasetInfo* find(const std::string& wanted) const;
};

void RunFileReader::Parts::list(hid_t at, const std::string& below) {
  for (const std::string& name : hdf5::children(at)) {
    if (hdf5::is_group(at, name)) {
      const Handle inner = hdf5::open_group(at, name);
      if (!hdf5::has_attribute(inner.id(), "format")) list(inner.id(), below + name + "/");  // else another run
      continue;
    }
    const Handle dataset(H5Dopen2(at, name.c_str(), H5P_DEFAULT), H5Dclose, below + name);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, below + name);
    DatasetInfo info;
    info.path = below + name;
    const std::vector<hsize_t> shape = hdf5::shape_of(dataset.id());
    info.rows = shape.empty() ? 1 : static_cast<std::int64_t>(hdf5::rows_in_chunks(dataset.id(), shape[0]));
    for (std::size_t i = 1; i < shape.size(); ++i) info.shape.push_back(static_cast<std::int64_t>(shape[i]));
    info.is_text = H5Tget_class(type.id()) == H5T_STRING;
    info.names = hdf5::texts(dataset.id(), "names");
    info.directions = hdf5::texts(dataset.id(), "directions");
    info.units = fmt::format("{}", fmt::join(hdf5::texts(dataset.id(), "units"), ", "));
    datasets.push_back(std::move(info));
  }
}

const DatasetInfo* RunFileReader::Parts::find(const std::string& wanted) const {
  const std::string path_wanted = wanted.substr(std::min(wanted.size(), wanted.find_first_not_of('/')));
  for (const DatasetInfo& info : datasets) {
    if (info.path == path_wanted) return &info;
  }
  return nullptr;
}

// Elements of impacts that are there, with names that are there.
std::int64_t RunFileReader::Parts::whole_elements(std::int64_t rows, std::int64_t names) const {
  const DatasetInfo* impact = find("impacts/elements/impact");
  const DatasetInfo* element = find("impacts/elements/element");
  if (!impact || !element) return rows;
  const std::vector<double> of_impact = read(*impact, 0, rows), name = read(*element, 0, rows);
  std::int64_t whole = 0;
  while (whole < rows && of_impact[static_cast<std::size_t>(whole)] < static_cast<double>(impacts) &&
         name[static_cast<std::size_t>(whole)] < static_cast<double>(names))
    ++whole;
  return whole;
}

void RunFileReader::Parts::cut_to_shortest() {
  constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
  std::array<std::int64_t, 5> shortest;
  shortest.fill(endless);
  for (const DatasetInfo& info : datasets) {
    std::int64_t& rows = shortest[static_cast<std::size_t>(kind_of(info.path))];
    rows = std::min(rows, info.rows);
  }
  for (std::int64_t& rows : shortest) rows = rows == endless ? 0 : rows;
  samples = shortest[static_cast<std::size_t>(Kind::sample)];
  impacts = shortest[static_cast<std::size_t>(Kind::impact)];
  std::int64_t& elements = shortest[static_cast<std::size_t>(Kind::element)];
  elements = whole_elements(elements, shortest[static_cast<std::size_t>(Kind::name)]);
  for (DatasetInfo& info : datasets) {
    const Kind kind = kind_of(info.path);
    if (kind != Kind::whole) info.rows = shortest[static_cast<std::size_t>(kind)];
  }
}

std::vector<double> RunFileReader::Parts::read(const DatasetInfo& info, std::int64_t first, std::int64_t count) const {
  if (info.is_text) throw BadRunFile(fmt::format("{}: /{} is text", path, info.path));
  const std::int64_t rows = count < 0 ? info.rows - first : std::min(count, info.rows - first);
  if (rows <= 0) return {};
  std::vector<double> values(static_cast<std::size_t>(rows * info.width()));
  try {
    const Handle dataset(H5Dopen2(group.id(), info.path.c_str(), H5P_DEFAULT), H5Dclose, info.path);
    hdf5::read_rows(dataset.id(), H5T_NATIVE_DOUBLE, static_cast<hsize_t>(first), static_cast<hsize_t>(rows),
                    values.data());
  } catch (const RunFileError& e) {
    throw BadRunFile(fmt::format("{}: /{}: {} (damaged or cut short)", path, info.path, e.what()));
  }
  return values;
}

RunFileReader::RunFileReader(const std::string& path, const std::string& group) : parts_(std::make_unique<Parts>()) {
  hdf5::open_library();
  parts_->path = path;
  parts_->group_name = group;
  parts_->file = open_any(path);
  try {
    if (group != "/" && !hdf5::exists(parts_->file.id(), group))
      throw BadRunFile(fmt::format("{}: has no run {}", path, group));
    parts_->group = hdf5::open_group(parts_->file.id(), group);
    const std::string format = hdf5::text(parts_->group.id(), "format");
    if (format == "carom-compare")
      throw BadRunFile(path +
                       ": holds the runs of several laws; 'carom inspect' shows them, with --law NAME one of them");
    if (format != "carom-run")
      throw BadRunFile(path + ": is HDF5, but not a run of carom (no attribute format = \"carom-run\")");
    const std::int64_t version = hdf5::integer(parts_->group.id(), "format_version", 0);
    if (version != 1)
      throw BadRunFile(fmt::format("{}: has format version {}; this carom reads version 1", path, version));
    parts_->list(parts_->group.id(), "");
    parts_->cut_to_shortest();
  } catch (const BadRunFile&) {
    throw;
  } catch (const RunFileError& e) {
    throw BadRunFile(fmt::format("{}: {} (damaged or cut short)", path, e.what()));
  }
}

RunFileReader::RunFileReader(RunFileReader&&) noexcept = default;
RunFileReader::~RunFileReader() = default;

const std::string& RunFileReader::path() const { return parts_->path; }
const std::string& RunFileReader::group() const { return parts_->group_name; }
std::string RunFileReader::status() const { return text("status"); }
std::string RunFileReader::text(const std::string& attribute) const {
  return hdf5::text(parts_->group.id(), attribute);
}
double RunFileReader::number(const std::string& attribute, double otherwise) const {
  return hdf5::number(parts_->group.id(), attribute, otherwise);
}
std::string RunFileReader::scene_yaml() const {
  const std::vector<std::string> texts = read_texts("scene_yaml");
  return texts.empty() ? std::string{} : texts.front();
}
std::int64_t RunFileReader::samples() const { return parts_->samples; }
std::int64_t RunFileReader::impacts() const { return parts_->impacts; }
const std::vector<DatasetInfo>& RunFileReader::datasets() const { return parts_->datasets; }
const DatasetInfo* RunFileReader::find(const std::string& path) const { return parts_->find(path); }

const DatasetInfo& RunFileReader::dataset(const std::string& path) const {
  if (const DatasetInfo* info = find(path)) return *info;
  std::vector<std::string> paths;
  for (const DatasetInfo& info : parts_->datasets) paths.push_back("/" + info.path);
  constexpr std::size_t most_shown = 60;
  const std::size_t more = paths.size() > most_shown ? paths.size() - most_shown : 0;
  if (more > 0) paths.resize(most_shown);
  throw BadRunFile(fmt::format("{}: has no dataset '{}'; it has {}{}", parts_->path, path, fmt::join(paths, " "),
                               more > 0 ? fmt::format(" and {} more", more) : ""));
}

std::vector<double> RunFileReader::read(const std::string& path, std::int64_t first, std::int64_t count) const {
  return parts_->read(dataset(path), first, count);
}

std::vector<std::string> RunFileReader::read_texts(const std::string& path) const {
  const DatasetInfo& info = dataset(path);
  if (!info.is_text) throw BadRunFile(fmt::format("{}: /{} is not text", parts_->path, info.path));
  std::vector<std::string> values = hdf5::read_texts(parts_->group.id(), info.path);
  values.resize(std::min(values.size(), static_cast<std::size_t>(info.rows)));
  return values;
}

namespace {

Vec to_vec(const std::vector<double>& values) {
  return Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

std::optional<Checkpoint> RunFileReader::checkpoint() const {
  Checkpoint c;
  SimulationState& s = c.state;
  const hid_t run = parts_->group.id();
  if (hdf5::exists(run, "checkpoint")) {
    const Handle group = hdf5::open_group(run, "checkpoint");
    const auto get = [&](const char* name) { return hdf5::number(group.id(), name, 0); };
    s.step = hdf5::integer(group.id(), "step", 0);
    s.time = get("time");
    s.energy = {get("kinetic"),      get("potential"),    get("work_impacts"),
                get("work_contact"), get("work_applied"), get("initial")};
    s.q = to_vec(read("checkpoint/q"));
    s.u = to_vec(read("checkpoint/u"));
    const DatasetInfo& keys = dataset("checkpoint/contacts/key");
    std::vector<std::uint64_t> key(static_cast<std::size_t>(keys.rows));
    const Handle key_data(H5Dopen2(run, keys.path.c_str(), H5P_DEFAULT), H5Dclose, keys.path);
    hdf5::read_rows(key_data.id(), H5T_NATIVE_UINT64, 0, key.size(), key.data());
    const std::vector<double> impulse = read("checkpoint/contacts/impulse"),
                              sustained = read("checkpoint/contacts/sustained"),
                              keeps_gap = read("checkpoint/contacts/keeps_gap"), gap = read("checkpoint/contacts/gap");
    for (std::size_t i = 0; i < key.size(); ++i) {
      s.impulses.push_back(
          {key[i], Eigen::Vector3d(impulse.data() + 3 * i), sustained.at(i) != 0, keeps_gap.at(i) != 0, gap.at(i)});
    }
    c.counts.impacts = hdf5::integer(run, "impact_count", 0);
    c.counts.inconsistent = hdf5::integer(run, "inconsistent_count", 0);
    c.counts.energy_created = hdf5::number(run, "energy_created", 0);
    return c;
  }
  if (samples() == 0 || !find("q") || !find("u") || !find("energy/total")) return std::nullopt;
  const std::int64_t last = samples() - 1;
  const auto at_last = [&](const char* path) { return read(path, last, 1)[0]; };
  c.exact = false;
  s.step = static_cast<std::int64_t>(at_last("step"));
  s.time = at_last("time");
  s.q = to_vec(read("q", last, 1));
  s.u = to_vec(read("u", last, 1));
  s.energy = {at_last("energy/kinetic"),      at_last("energy/potential"),    at_last("energy/work_impacts"),
              at_last("energy/work_contact"), at_last("energy/work_applied"), read("energy/total", 0, 1)[0]};
  if (find("impacts/step")) {
    const std::vector<double> steps = read("impacts/step"), energetic = read("impacts/energetic"),
                              work = read("impacts/work");
    for (std::size_t i = 0; i < steps.size() && steps[i] < static_cast<double>(s.step); ++i) {
      ++c.counts.impacts;
      if (energetic[i] != 0) continue;
      ++c.counts.inconsistent;
      c.counts.energy_created += work[i];
    }
  }
  return c;
}

std::int64_t RunFileReader::group_id() const { return parts_->group.id(); }

namespace {

void find_runs(hid_t at, const std::string& path, std::vector<std::string>& groups) {
  for (const std::string& name : hdf5::children(at)) {
    if (!hdf5::is_group(at, name)) continue;
    const Handle inner = hdf5::open_group(at, name);
    if (hdf5::text(inner.id(), "format") == "carom-run") {
      groups.push_back(path + "/" + name);
    } else {
      find_runs(inner.id(), path + "/" + name, groups);
    }
  }
}

}  // namespace

std::optional<RunCollection> read_collection(const std::string& path) {
  hdf5::open_library();
  const Handle file = open_any(path);
  try {
    const Handle root = hdf5::open_group(file.id(), "/");
    RunCollection collection;
    collection.format = hdf5::text(root.id(), "format");
    if (collection.format != "carom-compare") return std::nullopt;
    collection.scene = hdf5::text(root.id(), "scene");
    collection.reference = hdf5::text(root.id(), "reference");
    collection.match = hdf5::text(root.id(), "match");
    collection.status = hdf5::text(root.id(), "status");
    find_runs(root.id(), "", collection.groups);
    return collection;
  } catch (const RunFileError& e) {
    throw BadRunFile(fmt::format("{}: {} (damaged or cut short)", path, e.what()));
  }
}

std::vector<RunFileReader> read_runs(const std::string& path) {
  std::vector<RunFileReader> runs;
  if (const std::optional<RunCollection> collection = read_collection(path)) {
    for (const std::string& group : collection->groups) runs.emplace_back(path, group);
  } else {
    runs.emplace_back(path);
  }
  return runs;
}

namespace {

// Rows to keep of a dataset, by the run that it belongs to.
hsize_t whole_rows(const std::vector<RunFileReader>& runs, const std::string& dataset, hsize_t rows) {
  for (const RunFileReader& run : runs) {
    const std::string below = run.group() == "/" ? "" : run.group().substr(1) + "/";
    if (dataset.rfind(below, 0) == 0) return static_cast<hsize_t>(run.dataset(dataset.substr(below.size())).rows);
  }
  return rows;
}

void copy_whole_rows(const std::string& from, const std::string& to) {
  const std::vector<RunFileReader> runs = read_runs(from);
  const Handle source = open_any(from);
  Handle file = hdf5::create_file(to);
  copy_tree(
      source.id(), file.id(), [&](const std::string& dataset, hsize_t rows) { return whole_rows(runs, dataset, rows); },
      0);
  for (const RunFileReader& run : runs) {
    if (run.finished()) continue;
    const Handle group = hdf5::open_group(file.id(), run.group());
    hdf5::set_text(group.id(), "status", "interrupted");
    hdf5::set_integer(group.id(), "recovered", 1);
    hdf5::set_integer(group.id(), "samples", run.samples());
  }
  hdf5::set_text(hdf5::open_group(file.id(), "/").id(), "status", "interrupted");
}

}  // namespace

void recover_run_file(const std::string& part_path, const std::string& path, bool overwrite) {
  const std::string temporary = path + ".recovering";
  std::error_code error;
  fs::remove(temporary, error);
  try {
    copy_whole_rows(part_path, temporary);
  } catch (const BadRunFile&) {
    fs::remove(temporary, error);
    throw;
  } catch (const RunFileError& e) {
    fs::remove(temporary, error);
    throw RunFileError(fmt::format("{}: {}", path, e.what()));
  }
  if (!overwrite && fs::exists(path, error)) throw BadRunFile(path + ": exists already");
  fs::rename(temporary, path, error);
  if (error) throw RunFileError(fmt::format("{}: {}", path, error.message()));
}

}  // namespace carom
