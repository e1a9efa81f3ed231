#include "tools/run_file/reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/suggestion.h"
#include "tools/run_file/checkpoint.h"
#include "tools/run_file/forms.h"

namespace carom {

using hdf5::Handle;

namespace {

// Which rows a dataset shares with others.
enum class Kind { sample, impact, element, name, message, whole };
constexpr std::size_t kinds = 6;

Kind kind_of(const std::string& path) {
  const hdf5::Form* form = hdf5::form_at(path, hdf5::forms_of_run());
  const std::string rows = form && !form->extents.empty() ? form->extents.front() : "";
  if (rows == "time") return Kind::sample;
  if (rows == "impacts/time") return Kind::impact;
  if (rows == "impacts/elements/impact") return Kind::element;
  if (rows == "log/time") return Kind::message;
  return rows == "impacts/element_names" ? Kind::name : Kind::whole;
}

}  // namespace

std::int64_t DatasetInfo::width() const {
  std::int64_t numbers = 1;
  for (const std::int64_t extent : shape) numbers *= extent;
  return numbers;
}

struct RunFileReader::Parts {
  explicit Parts(const ResultFile& result_file) : result(result_file), file(result_file.opened()) {}

  ResultFile result;
  const hdf5::ReadableFile& file;
  std::string group_name;
  Handle group;
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
    info.rows =
        shape.empty() ? 1 : static_cast<std::int64_t>(hdf5::rows_in_chunks(dataset.id(), shape[0], "/" + info.path));
    for (std::size_t i = 1; i < shape.size(); ++i) info.shape.push_back(static_cast<std::int64_t>(shape[i]));
    info.is_text = H5Tget_class(type.id()) == H5T_STRING;
    info.names = file.texts(dataset.id(), "names");
    info.directions = file.texts(dataset.id(), "directions");
    info.units = fmt::format("{}", fmt::join(file.texts(dataset.id(), "units"), ", "));
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
  const auto names_one_of = [](double number, std::int64_t count) {
    return number >= 0 && number < static_cast<double>(count);
  };
  std::int64_t whole = 0;
  while (whole < rows && names_one_of(of_impact[static_cast<std::size_t>(whole)], impacts) &&
         names_one_of(name[static_cast<std::size_t>(whole)], names))
    ++whole;
  return whole;
}

void RunFileReader::Parts::cut_to_shortest() {
  constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
  std::array<std::int64_t, kinds> shortest;
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
  if (info.is_text) throw BadRunFile(fmt::format("{}: /{} is text", file.path(), info.path));
  const std::int64_t rows = count < 0 ? info.rows - first : std::min(count, info.rows - first);
  if (rows <= 0) return {};
  std::vector<double> values(static_cast<std::size_t>(rows * info.width()));
  file.reading([&] {
    const Handle dataset(H5Dopen2(group.id(), info.path.c_str(), H5P_DEFAULT), H5Dclose, "/" + info.path);
    hdf5::read_rows(dataset.id(), H5T_NATIVE_DOUBLE, static_cast<hsize_t>(first), static_cast<hsize_t>(rows),
                    values.data(), "/" + info.path);
  });
  return values;
}

RunFileReader::RunFileReader(const ResultFile& result, const std::string& group)
    : parts_(std::make_unique<Parts>(result)) {
  parts_->group_name = group;
  const hdf5::ReadableFile& file = parts_->file;
  file.reading([&] {
    if (group != "/" && !hdf5::exists(file.id(), group)) throw BadRunFile(fmt::format("has no run {}", group));
    const ResultKind kind = result.kind(group);
    if (kind == ResultKind::comparison)
      throw BadRunFile("holds the runs of several laws; 'carom inspect' shows them, with --law NAME one of them");
    if (kind == ResultKind::sweep) throw BadRunFile("is the result of a sweep, not a run");
    parts_->group = hdf5::open_group(file.id(), group);
    parts_->list(parts_->group.id(), "");
    parts_->cut_to_shortest();
  });
}

RunFileReader::RunFileReader(RunFileReader&&) noexcept = default;
RunFileReader::~RunFileReader() = default;

const std::string& RunFileReader::path() const { return parts_->file.path(); }
const std::string& RunFileReader::group() const { return parts_->group_name; }
std::string RunFileReader::status() const { return text("status"); }
std::string RunFileReader::text(const std::string& attribute) const {
  return parts_->file.reading([&] { return parts_->file.text(parts_->group.id(), attribute); });
}
double RunFileReader::number(const std::string& attribute, double otherwise) const {
  return parts_->file.reading([&] { return hdf5::number(parts_->group.id(), attribute, otherwise); });
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
  const std::string near = suggestion(path, paths);
  constexpr std::size_t most_shown = 60;
  const std::size_t more = paths.size() > most_shown ? paths.size() - most_shown : 0;
  if (more > 0) paths.resize(most_shown);
  throw BadRunFile(fmt::format("{}: has no dataset '{}'{}; it has {}{}", this->path(), path, near,
                               fmt::join(paths, " "), more > 0 ? fmt::format(" and {} more", more) : ""));
}

std::vector<double> RunFileReader::read(const std::string& path, std::int64_t first, std::int64_t count) const {
  return parts_->read(dataset(path), first, count);
}

std::vector<std::string> RunFileReader::read_texts(const std::string& path) const {
  const DatasetInfo& info = dataset(path);
  if (!info.is_text) throw BadRunFile(fmt::format("{}: /{} is not text", this->path(), info.path));
  std::vector<std::string> values =
      parts_->file.reading([&] { return parts_->file.read_texts(parts_->group.id(), info.path); });
  values.resize(std::min(values.size(), static_cast<std::size_t>(info.rows)));
  return values;
}

std::vector<RunMessage> RunFileReader::log() const {
  if (!find("log/time")) return {};  // of an earlier version
  const std::vector<double> times = read("log/time"), steps = read("log/step");
  const std::vector<std::string> levels = read_texts("log/level"), texts = read_texts("log/text");
  std::vector<RunMessage> messages;
  for (std::size_t i = 0; i < std::min(levels.size(), texts.size()); ++i)
    messages.push_back({times[i], static_cast<std::int64_t>(steps[i]), levels[i], texts[i]});
  return messages;
}

namespace {

Vec to_vec(const std::vector<double>& values) {
  return Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
}

// Impacts in steps before this one.
SimulationCounts counts_until(const RunFileReader& run, std::int64_t step) {
  SimulationCounts counts;
  if (!run.find("impacts/step")) return counts;
  const std::vector<double> steps = run.read("impacts/step"), energetic = run.read("impacts/energetic"),
                            work = run.read("impacts/work"), kinematic = run.read("impacts/kinematic"),
                            kinetic = run.read("impacts/kinetic");
  for (std::size_t i = 0; i < steps.size() && steps[i] < static_cast<double>(step); ++i) {
    ++counts.impacts;
    if (kinematic[i] == 0) ++counts.still_approaching;
    if (kinetic[i] == 0) ++counts.outside_set;
    if (energetic[i] != 0) continue;
    ++counts.inconsistent;
    counts.energy_created += work[i];
  }
  return counts;
}

}  // namespace

std::optional<SimulationState> RunFileReader::state_at(std::int64_t sample) const {
  if (sample < 0 || sample >= samples() || !find("q") || !find("u") || !find("energy/total")) return std::nullopt;
  const auto number_at = [&](const std::string& name) { return read(name, sample, 1)[0]; };
  SimulationState state;
  state.step = static_cast<std::int64_t>(number_at("step"));
  state.time = number_at("time");
  state.q = to_vec(read("q", sample, 1));
  state.u = to_vec(read("u", sample, 1));
  for (const LedgerColumn& column : ledger_columns())
    if (column.entry) state.energy.*column.entry = number_at(std::string("energy/") + column.name);
  state.energy.initial = read("energy/total", 0, 1)[0];
  return state;
}

std::optional<Checkpoint> RunFileReader::checkpoint() const {
  const hid_t run = parts_->group.id();
  std::optional<Checkpoint> found = parts_->file.reading([&] {
    if (hdf5::exists(run, "checkpoint")) return std::optional(Checkpoint{read_checkpoint(run), read_counts(run)});
    std::optional<SimulationState> last = state_at(samples() - 1);
    if (!last) return std::optional<Checkpoint>();
    const SimulationCounts counts = counts_until(*this, last->step);
    return std::optional(Checkpoint{std::move(*last), counts, false});
  });
  if (found && !(found->state.q.allFinite() && found->state.u.allFinite() && std::isfinite(found->state.time)))
    throw BadRunFile(path() + ": the state to go on from is not finite (damaged)");
  return found;
}

std::int64_t RunFileReader::group_id() const { return parts_->group.id(); }

namespace {

std::vector<std::string> groups_of_runs(hid_t file) {
  std::vector<std::string> groups;
  if (!hdf5::exists(file, hdf5::laws_group)) return groups;
  for (const std::string& name : hdf5::children(hdf5::open_group(file, hdf5::laws_group).id()))
    groups.push_back(fmt::format("/{}/{}", hdf5::laws_group, name));
  return groups;
}

std::string document(const hdf5::ReadableFile& file, const std::string& name) {
  if (!hdf5::exists(file.id(), name)) return {};
  const std::vector<std::string> texts = file.read_texts(file.id(), name);
  return texts.empty() ? std::string{} : texts.front();
}

}  // namespace

RunCollection read_collection(const ResultFile& result) {
  const hdf5::ReadableFile& file = result.opened();
  return file.reading([&] {
    if (result.kind() != ResultKind::comparison) throw BadRunFile("is not a comparison of laws");
    RunCollection collection;
    collection.scene = file.text(file.id(), "scene");
    collection.reference = file.text(file.id(), "reference");
    collection.match = file.text(file.id(), "match");
    collection.status = file.text(file.id(), "status");
    collection.impact_json = document(file, "impact_json");
    collection.match_json = document(file, "match_json");
    collection.groups = groups_of_runs(file.id());
    return collection;
  });
}

std::vector<RunFileReader> read_runs(const ResultFile& file) {
  std::vector<RunFileReader> runs;
  if (file.kind() != ResultKind::comparison) {
    runs.emplace_back(file);
    return runs;
  }
  for (const std::string& group : read_collection(file).groups) runs.emplace_back(file, group);
  return runs;
}

}  // namespace carom
