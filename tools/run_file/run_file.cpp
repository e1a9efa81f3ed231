#include "tools/run_file/run_file.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "tools/run_file/copy_tree.h"
#include "tools/run_file/growing_table.h"
#include "tools/run_file/reader.h"

namespace carom {

using hdf5::Handle;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

constexpr hsize_t most_chunk_rows = 4096;
constexpr std::size_t most_buffer_bytes = std::size_t{64} << 20;
constexpr hsize_t most_impact_chunk_rows = 1024;
constexpr std::size_t most_impact_coordinates = 1000;  // up to so many, the state before an impact is written with it
constexpr std::chrono::duration<double> flush_interval(1.0);
constexpr double flush_share = 0.05;  // of the time, at most, goes into writing chunks that are not full

std::string part_of(const std::string& path) { return path + ".part"; }

void describe(hid_t dataset, const std::vector<std::string>& names, const std::vector<std::string>& units) {
  hdf5::set_texts(dataset, "names", names);
  if (!units.empty()) hdf5::set_texts(dataset, "units", units);
}

void describe(hid_t dataset, const std::vector<Coordinate>& coordinates) {
  std::vector<std::string> names, units;
  for (const Coordinate& coordinate : coordinates) {
    names.push_back(coordinate.name);
    units.push_back(coordinate.unit);
  }
  describe(dataset, names, units);
}

// An flock on a file, held as long as the object lives. Where a disk has no locks there is nothing to hold.
class FileLock {
 public:
  explicit FileLock(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) ::flock(file_, LOCK_SH | LOCK_NB);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  int file_;
};

}  // namespace

const std::vector<std::string>& energy_names() {
  static const std::vector<std::string> names = {"kinetic",      "potential",    "total", "work_impacts",
                                                 "work_contact", "work_applied", "drift"};
  return names;
}

const std::vector<std::string>& pose_names(Index size) {
  static const std::vector<std::string> planar = {"x", "y", "angle"}, spatial = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  return size == 7 ? spatial : planar;
}

const std::vector<std::string>& pose_units(Index size) {
  static const std::vector<std::string> planar = {"m", "m", "rad"}, spatial = {"m", "m", "m", "1", "1", "1", "1"};
  return size == 7 ? spatial : planar;
}

const std::vector<std::string>& direction_names() {
  static const std::vector<std::string> names = {"normal", "tangential", "tangential_2"};
  return names;
}

const std::vector<std::string>& state_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const State state : {State::open, State::closed, State::stick, State::slip, State::reverse})
      list.emplace_back(name_of(state));
    return list;
  }();
  return names;
}

int contact_size(const System& system, const Vec& q, const Vec& u) {
  Contacts contacts;
  system.contacts(q, u, 0, contacts);
  Index tangents = system.poses().size == 7 ? 2 : 1;
  for (const ContactPoint& point : contacts.points) tangents = std::max(tangents, point.tangents);
  return 1 + static_cast<int>(tangents);
}

bool is_being_written(const std::string& part_path) {
  const int file = ::open(part_path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

void check_destination(const std::string& path, Overwrite overwrite) {
  std::error_code error;
  const fs::path target(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw RunFileError(fmt::format("{}: no such folder: {}", path, folder.string()));
  if (fs::exists(target, error)) {
    if (fs::is_directory(target, error)) throw BadRunFile(path + ": is a folder; name a file in it");
    if (!fs::is_regular_file(target, error)) throw BadRunFile(path + ": is not a file that could be replaced");
    if (overwrite == Overwrite::nothing)
      throw BadRunFile(path + ": exists already; --force replaces it, -o names another");
  }
  const std::string part = part_of(path);
  if (fs::exists(part, error)) {
    if (is_being_written(part)) throw BadRunFile(part + ": another run is being written there; -o names another file");
    if (overwrite != Overwrite::file_and_part) {
      throw BadRunFile(fmt::format(
          "{}: a killed run left this; 'carom recover {}' saves what it holds, --force throws it away", part, part));
    }
  }
  if (::access(folder.c_str(), W_OK) != 0)
    throw RunFileError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

// ---- one run ---------------------------------------------------------------------------------------------------

struct RunFileWriter::Parts {
  Parts(hid_t file, const std::string& group_name, const RunDescription& description, const System& run_system,
        int contact_columns, const RunSelection& selection);

  void create_samples(const RunSelection& selection);
  void create_poses();
  void create_contacts();
  void create_impacts();
  std::size_t row_bytes(const RunSelection& selection) const;
  std::vector<std::string> directions() const;  // of a contact's vectors
  std::vector<std::size_t> logged_contacts(const RunSelection& selection) const;

  void write_contacts(const Sample& sample);
  std::int32_t element_index(const std::string& name);
  void flush_impacts();
  void flush();
  void flush_if_due();

  void write_end(hid_t run) const;  // once the file is open for plain writing
  void write_checkpoint(hid_t run) const;
  void write_long_names(hid_t run) const;

  std::string file_path;
  hid_t file;
  std::string group_name;
  Handle group;
  const System& system;
  RunDescription about;
  int contact_columns;

  GrowingTable samples, impacts, elements, names;
  std::size_t time = 0, step = 0;
  std::optional<std::size_t> q, u;
  std::vector<std::size_t> energy;  // seven columns, in the order of the ledger
  PoseLayout pose_layout;
  std::vector<std::size_t> poses;  // one a body, or one for all
  struct ContactColumns {
    std::size_t gap, velocity, impulse, state;
  };
  std::vector<std::size_t> contact_numbers;  // of the contacts that are logged
  std::vector<ContactColumns> contacts;      // one a logged contact, or one for all

  bool logs_impacts = false;
  bool logs_impact_states = false;
  std::size_t name_width = 64;
  std::size_t longest_name = 0;
  std::unordered_map<std::string, std::int32_t> element_indices;

  Clock::time_point last_flush = Clock::now();
  Clock::duration next_flush_after = std::chrono::duration_cast<Clock::duration>(flush_interval);
  bool broken = false;  // a write failed
  std::optional<RunEnd> end;
};

// Columns of /impacts and /impacts/elements, in the order they are created.
namespace impact_column {
enum : std::size_t {
  time,
  step,
  kinetic_before,
  kinetic_after,
  work,
  kinematic,
  kinetic,
  energetic,
  solutions,
  iterations,
  residual,
  q,
  u
};
}
namespace element_column {
enum : std::size_t { impact, element, velocity_before, velocity_after, impulse, compression, decompression, state };
}

RunFileWriter::Parts::Parts(hid_t file_id, const std::string& run_group, const RunDescription& description,
                            const System& run_system, int contact_column_count, const RunSelection& selection)
    : file(file_id),
      group_name(run_group),
      group(run_group == "/" ? hdf5::open_group(file_id, "/") : hdf5::create_group(file_id, run_group)),
      system(run_system),
      about(description),
      contact_columns(contact_column_count),
      pose_layout(run_system.poses()) {
  hdf5::set_text(group.id(), "format", "carom-run");
  hdf5::set_integer(group.id(), "format_version", 1);
  hdf5::set_text(group.id(), "scene", about.scene);
  hdf5::set_text(group.id(), "law", about.law);
  hdf5::set_text(group.id(), "status", "running");
  hdf5::set_number(group.id(), "step", about.step);
  hdf5::set_number(group.id(), "theta", about.theta);
  hdf5::set_number(group.id(), "duration", about.duration);
  hdf5::set_integer(group.id(), "every", about.every);
  for (const auto& [name, value] : about.facts) hdf5::set_text(group.id(), name, value);
  hdf5::write_text(group.id(), "scene_yaml", about.scene_yaml);
  create_samples(selection);
  if (selection.impacts) create_impacts();
}

std::vector<std::size_t> RunFileWriter::Parts::logged_contacts(const RunSelection& selection) const {
  std::vector<std::size_t> numbers;
  if (!selection.contacts) return numbers;
  for (std::size_t i = 0; i < system.named_contacts(); ++i) {
    const auto& wanted = selection.contact_names;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), system.contact_name(i)) != wanted.end())
      numbers.push_back(i);
  }
  return numbers;
}

std::vector<std::string> RunFileWriter::Parts::directions() const {
  const std::vector<std::string>& all = direction_names();
  return {all.begin(), all.begin() + contact_columns};
}

std::size_t RunFileWriter::Parts::row_bytes(const RunSelection& selection) const {
  std::size_t numbers = 2;
  if (selection.state) numbers += system.positions().size() + system.velocities().size();
  if (selection.energy) numbers += 7;
  if (selection.poses) numbers += pose_layout.bodies.size() * static_cast<std::size_t>(pose_layout.size);
  numbers += contact_numbers.size() * (2 + 2 * static_cast<std::size_t>(contact_columns));
  return numbers * sizeof(double);
}

void RunFileWriter::Parts::create_samples(const RunSelection& selection) {
  contact_numbers = logged_contacts(selection);
  const auto expected = static_cast<hsize_t>(std::max<std::int64_t>(1, about.expected_samples));
  const auto fitting = std::max<hsize_t>(1, most_buffer_bytes / row_bytes(selection));
  samples = GrowingTable(std::min({expected, fitting, most_chunk_rows}));
  time = samples.add<double>(group.id(), "time", {}, "s");
  step = samples.add<std::int64_t>(group.id(), "step", {}, "");
  if (selection.state) {
    const std::vector<Coordinate> positions = system.positions(), velocities = system.velocities();
    if (!positions.empty()) {
      q = samples.add<double>(group.id(), "q", {positions.size()}, "");
      describe(samples.dataset(*q), positions);
    }
    if (!velocities.empty()) {
      u = samples.add<double>(group.id(), "u", {velocities.size()}, "");
      describe(samples.dataset(*u), velocities);
    }
  }
  if (selection.energy) {
    for (const std::string& name : energy_names())
      energy.push_back(samples.add<double>(group.id(), fmt::format("energy/{}", name), {}, "J"));
  }
  if (selection.poses) create_poses();
  create_contacts();
}

void RunFileWriter::Parts::create_poses() {
  const auto size = static_cast<hsize_t>(pose_layout.size);
  const auto& names_of_pose = pose_names(pose_layout.size);
  const auto& units_of_pose = pose_units(pose_layout.size);
  if (pose_layout.bodies.size() > most_groups) {
    poses = {samples.add<double>(group.id(), "bodies/pose", {pose_layout.bodies.size(), size}, "")};
    describe(samples.dataset(poses[0]), pose_layout.bodies, units_of_pose);
    return;
  }
  std::set<std::string> taken;
  for (const std::string& body : pose_layout.bodies) {
    poses.push_back(
        samples.add<double>(group.id(), fmt::format("bodies/{}/pose", hdf5::link_name(body, taken)), {size}, ""));
    describe(samples.dataset(poses.back()), names_of_pose, units_of_pose);
  }
}

void RunFileWriter::Parts::create_contacts() {
  const auto columns = static_cast<hsize_t>(contact_columns);
  const auto create = [&](const std::string& below, const std::vector<hsize_t>& scalar) {
    std::vector<hsize_t> vector = scalar;
    vector.push_back(columns);
    ContactColumns c{};
    c.gap = samples.add<double>(group.id(), below + "gap", scalar, "m");
    c.velocity = samples.add<double>(group.id(), below + "velocity", vector, "m/s");
    c.impulse = samples.add<double>(group.id(), below + "impulse", vector, "N s");
    c.state = samples.add<std::uint8_t>(group.id(), below + "state", scalar, "");
    hdf5::set_texts(samples.dataset(c.state), "states", state_names());
    for (const std::size_t column : {c.velocity, c.impulse})
      hdf5::set_texts(samples.dataset(column), "directions", directions());
    contacts.push_back(c);
  };
  if (contact_numbers.size() > most_groups) {
    create("contacts/", {contact_numbers.size()});
    std::vector<std::string> all;
    for (const std::size_t i : contact_numbers) all.push_back(system.contact_name(i));
    describe(samples.dataset(contacts[0].gap), all, {});
    return;
  }
  std::set<std::string> taken;
  for (const std::size_t i : contact_numbers)
    create(fmt::format("contacts/{}/", hdf5::link_name(system.contact_name(i), taken)), {});
}

void RunFileWriter::Parts::create_impacts() {
  logs_impacts = true;
  const hsize_t chunk = std::clamp<hsize_t>(
      static_cast<hsize_t>(std::max<std::int64_t>(0, about.expected_samples)) / 16, 16, most_impact_chunk_rows);
  impacts = GrowingTable(chunk);
  elements = GrowingTable(chunk);
  names = GrowingTable(std::min<hsize_t>(chunk, 64));
  const hid_t run = group.id();
  impacts.add<double>(run, "impacts/time", {}, "s");
  impacts.add<std::int64_t>(run, "impacts/step", {}, "");
  impacts.add<double>(run, "impacts/kinetic_before", {}, "J");
  impacts.add<double>(run, "impacts/kinetic_after", {}, "J");
  impacts.add<double>(run, "impacts/work", {}, "J");
  for (const char* verdict : {"kinematic", "kinetic", "energetic"})
    impacts.add<std::uint8_t>(run, fmt::format("impacts/{}", verdict), {}, "");
  impacts.add<std::int32_t>(run, "impacts/solutions", {}, "");
  impacts.add<std::int32_t>(run, "impacts/iterations", {}, "");
  impacts.add<double>(run, "impacts/residual", {}, "");
  const std::vector<Coordinate> positions = system.positions(), velocities = system.velocities();
  logs_impact_states = !positions.empty() && positions.size() <= most_impact_coordinates;
  if (logs_impact_states) {
    impacts.add<double>(run, "impacts/q", {positions.size()}, "");
    impacts.add<double>(run, "impacts/u", {velocities.size()}, "");
    describe(impacts.dataset(impact_column::q), positions);
    describe(impacts.dataset(impact_column::u), velocities);
  }

  const std::vector<hsize_t> vector = {static_cast<hsize_t>(contact_columns)};
  elements.add<std::int64_t>(run, "impacts/elements/impact", {}, "");
  elements.add<std::int32_t>(run, "impacts/elements/element", {}, "");
  elements.add<double>(run, "impacts/elements/velocity_before", vector, "m/s");
  elements.add<double>(run, "impacts/elements/velocity_after", vector, "m/s");
  for (const char* phase : {"impulse", "compression", "decompression"})
    elements.add<double>(run, fmt::format("impacts/elements/{}", phase), vector, "N s");
  for (std::size_t column = element_column::velocity_before; column <= element_column::decompression; ++column)
    hdf5::set_texts(elements.dataset(column), "directions", directions());
  const std::size_t state = elements.add<std::uint8_t>(run, "impacts/elements/state", {}, "");
  hdf5::set_texts(elements.dataset(state), "states", state_names());

  // Contacts found on the way bring new names, so these are rows too. Text in a file that is read while it is written
  // has a fixed width; the rare name that is longer is cut until the run is finished.
  for (const std::string& body : pose_layout.bodies) name_width = std::max(name_width, 2 * body.size() + 32);
  const Handle type = hdf5::text_type(name_width);
  names.add(run, "impacts/element_names", type.id(), {}, "");
}

void RunFileWriter::Parts::write_contacts(const Sample& sample) {
  const auto columns = static_cast<std::size_t>(contact_columns);
  const bool one_table = contacts.size() == 1 && contact_numbers.size() > 1;
  for (std::size_t i = 0; i < contact_numbers.size(); ++i) {
    const ContactSample& contact = sample.contacts[contact_numbers[i]];
    const ContactColumns& c = contacts[one_table ? 0 : i];
    const std::size_t place = one_table ? i : 0;
    samples.cell<double>(c.gap)[place] = contact.gap;
    std::copy_n(contact.velocity.data(), columns, samples.cell<double>(c.velocity) + place * columns);
    std::copy_n(contact.impulse.data(), columns, samples.cell<double>(c.impulse) + place * columns);
    samples.cell<std::uint8_t>(c.state)[place] = static_cast<std::uint8_t>(contact.state);
  }
}

std::int32_t RunFileWriter::Parts::element_index(const std::string& name) {
  const auto [found, is_new] = element_indices.try_emplace(name, static_cast<std::int32_t>(element_indices.size()));
  if (is_new) {
    longest_name = std::max(longest_name, name.size());
    names.set_text(0, name);
    names.end_row();
    if (names.full()) flush();
  }
  return found->second;
}

// An impact is in the file only after its elements, and these after their names.
void RunFileWriter::Parts::flush_impacts() {
  if (names.has_unwritten() || elements.has_unwritten() || impacts.has_unwritten()) {
    names.write();
    elements.write();
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "cannot be written");
  }
  if (impacts.has_unwritten()) {
    impacts.write();
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "cannot be written");
  }
}

void RunFileWriter::Parts::flush() {
  const Clock::time_point begin = Clock::now();
  try {
    flush_impacts();  // first: all impacts up to the last sample are there
    if (samples.has_unwritten()) {
      samples.write();
      hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "cannot be written");
    }
  } catch (const RunFileError& e) {
    broken = true;
    throw RunFileError(fmt::format("{}: {}; what was written before can be read: carom recover {} -o OTHER.h5",
                                   file_path, e.what(), file_path));
  }
  last_flush = Clock::now();
  next_flush_after = std::max(std::chrono::duration_cast<Clock::duration>(flush_interval),
                              std::chrono::duration_cast<Clock::duration>((last_flush - begin) / flush_share));
}

void RunFileWriter::Parts::flush_if_due() {
  if (Clock::now() - last_flush >= next_flush_after) flush();
}

RunFileWriter::RunFileWriter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RunFileWriter::~RunFileWriter() = default;

void RunFileWriter::sample(const Sample& sample) {
  Parts& p = *parts_;
  *p.samples.cell<double>(p.time) = sample.time;
  *p.samples.cell<std::int64_t>(p.step) = sample.step;
  if (p.q) std::copy(sample.q->begin(), sample.q->end(), p.samples.cell<double>(*p.q));
  if (p.u) std::copy(sample.u->begin(), sample.u->end(), p.samples.cell<double>(*p.u));
  if (!p.energy.empty()) {
    const EnergyLedger& e = sample.energy;
    const double values[] = {e.kinetic,      e.potential,    e.total(), e.work_impacts,
                             e.work_contact, e.work_applied, e.drift()};
    for (std::size_t i = 0; i < p.energy.size(); ++i) *p.samples.cell<double>(p.energy[i]) = values[i];
  }
  if (!p.poses.empty()) {
    const bool one_table = p.poses.size() == 1 && p.pose_layout.bodies.size() > 1;
    for (std::size_t b = 0; b < p.pose_layout.bodies.size(); ++b) {
      double* out = one_table ? p.samples.cell<double>(p.poses[0]) + b * static_cast<std::size_t>(p.pose_layout.size)
                              : p.samples.cell<double>(p.poses[b]);
      p.system.pose(*sample.q, static_cast<Index>(b), out);
    }
  }
  p.write_contacts(sample);
  p.samples.end_row();
  if (p.samples.full()) {
    p.flush();
  } else {
    p.flush_if_due();
  }
}

void RunFileWriter::impact(const ImpactRecord& impact) {
  Parts& p = *parts_;
  if (!p.logs_impacts) return;
  const auto columns = static_cast<std::size_t>(p.contact_columns);
  const auto number = static_cast<std::int64_t>(p.impacts.row_count());
  for (const ImpactElementRecord& e : impact.elements) {
    namespace column = element_column;
    const std::int32_t name = p.element_index(e.name);
    *p.elements.cell<std::int64_t>(column::impact) = number;
    *p.elements.cell<std::int32_t>(column::element) = name;
    std::copy_n(e.velocity_before.data(), columns, p.elements.cell<double>(column::velocity_before));
    std::copy_n(e.velocity_after.data(), columns, p.elements.cell<double>(column::velocity_after));
    std::copy_n(e.impulse.data(), columns, p.elements.cell<double>(column::impulse));
    std::copy_n(e.compression.data(), columns, p.elements.cell<double>(column::compression));
    std::copy_n(e.decompression.data(), columns, p.elements.cell<double>(column::decompression));
    *p.elements.cell<std::uint8_t>(column::state) = static_cast<std::uint8_t>(e.state);
    p.elements.end_row();
    if (p.elements.full()) p.flush();
  }
  namespace column = impact_column;
  *p.impacts.cell<double>(column::time) = impact.time;
  *p.impacts.cell<std::int64_t>(column::step) = impact.step;
  *p.impacts.cell<double>(column::kinetic_before) = impact.kinetic_before;
  *p.impacts.cell<double>(column::kinetic_after) = impact.kinetic_after;
  *p.impacts.cell<double>(column::work) = impact.work;
  *p.impacts.cell<std::uint8_t>(column::kinematic) = impact.kinematic;
  *p.impacts.cell<std::uint8_t>(column::kinetic) = impact.kinetic;
  *p.impacts.cell<std::uint8_t>(column::energetic) = impact.energetic;
  *p.impacts.cell<std::int32_t>(column::solutions) = impact.solutions;
  *p.impacts.cell<std::int32_t>(column::iterations) = impact.iterations;
  *p.impacts.cell<double>(column::residual) = impact.residual;
  if (p.logs_impact_states) {
    std::copy(impact.q->begin(), impact.q->end(), p.impacts.cell<double>(column::q));
    std::copy(impact.u->begin(), impact.u->end(), p.impacts.cell<double>(column::u));
  }
  p.impacts.end_row();
  if (p.impacts.full()) p.flush();
}

void RunFileWriter::flush() { parts_->flush(); }

void RunFileWriter::finish(RunEnd end) {
  parts_->flush();
  parts_->end = std::move(end);
}

std::int64_t RunFileWriter::bytes_a_sample() const { return static_cast<std::int64_t>(parts_->samples.row_bytes()); }

void RunFileWriter::copy_rows(const RunFileReader& earlier, std::int64_t last_step) {
  Parts& p = *parts_;
  const hid_t source = earlier.group_id();
  const std::vector<double> steps = earlier.read("step");
  std::ptrdiff_t rows = std::upper_bound(steps.begin(), steps.end(), static_cast<double>(last_step)) - steps.begin();
  // The last sample of a finished run is its end, which a longer run passes between two samples.
  if (rows > 0 && std::fmod(steps[static_cast<std::size_t>(rows - 1)], static_cast<double>(p.about.every)) != 0) --rows;
  p.samples.copy_rows(source, static_cast<hsize_t>(rows));
  if (p.logs_impacts) {
    // An impact has the number of the step it happened in, which leads from there to the next sample.
    const std::vector<double> of_step = earlier.read("impacts/step");
    const auto impact_rows =
        std::lower_bound(of_step.begin(), of_step.end(), static_cast<double>(last_step)) - of_step.begin();
    const std::vector<double> of_impact = earlier.read("impacts/elements/impact");
    const auto element_rows =
        std::lower_bound(of_impact.begin(), of_impact.end(), static_cast<double>(impact_rows)) - of_impact.begin();
    double names_used = 0;
    for (const double index : earlier.read("impacts/elements/element", 0, element_rows))
      names_used = std::max(names_used, index + 1);
    std::vector<std::string> names = earlier.read_texts("impacts/element_names");
    names.resize(std::min(names.size(), static_cast<std::size_t>(names_used)));
    for (const std::string& name : names) p.element_index(name);
    p.elements.copy_rows(source, static_cast<hsize_t>(element_rows));
    p.impacts.copy_rows(source, static_cast<hsize_t>(impact_rows));
  }
  p.flush();
}

// ---- the end of a run --------------------------------------------------------------------------------------------

void RunFileWriter::Parts::write_end(hid_t run) const {
  hdf5::set_text(run, "status", end->status);
  hdf5::set_number(run, "wall_seconds", end->wall_seconds);
  hdf5::set_integer(run, "steps", end->steps);
  hdf5::set_integer(run, "samples", static_cast<std::int64_t>(samples.row_count()));
  hdf5::set_integer(run, "impact_count", end->counts.impacts);
  hdf5::set_integer(run, "inconsistent_count", end->counts.inconsistent);
  hdf5::set_number(run, "energy_created", end->counts.energy_created);
  if (longest_name > name_width) write_long_names(run);
  if (end->state) write_checkpoint(run);
}

void RunFileWriter::Parts::write_long_names(hid_t run) const {
  const Handle type = hdf5::text_type(longest_name);
  std::vector<char> bytes(element_indices.size() * longest_name, 0);
  for (const auto& [name, index] : element_indices)
    std::copy(name.begin(), name.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(index) * static_cast<std::ptrdiff_t>(longest_name));
  hdf5::check(H5Ldelete(run, "impacts/element_names", H5P_DEFAULT), "impacts/element_names");
  hdf5::write_values(run, "impacts/element_names", type.id(), {element_indices.size()}, bytes.data());
}

// The members are taken apart by number: one that is added and not stored does not compile.
void RunFileWriter::Parts::write_checkpoint(hid_t run) const {
  const auto& [step_now, time_now, q_now, u_now, ledger, impulses] = *end->state;
  const auto& [kinetic, potential, work_impacts, work_contact, work_applied, initial] = ledger;
  const Handle checkpoint = hdf5::create_group(run, "checkpoint");
  const hid_t to = checkpoint.id();
  hdf5::set_integer(to, "step", step_now);
  hdf5::set_number(to, "time", time_now);
  hdf5::set_number(to, "kinetic", kinetic);
  hdf5::set_number(to, "potential", potential);
  hdf5::set_number(to, "work_impacts", work_impacts);
  hdf5::set_number(to, "work_contact", work_contact);
  hdf5::set_number(to, "work_applied", work_applied);
  hdf5::set_number(to, "initial", initial);
  hdf5::write_values(to, "q", H5T_NATIVE_DOUBLE, {static_cast<hsize_t>(q_now.size())}, q_now.data());
  hdf5::write_values(to, "u", H5T_NATIVE_DOUBLE, {static_cast<hsize_t>(u_now.size())}, u_now.data());

  const hsize_t count = impulses.size();
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> sustained, keeps_gap;
  std::vector<double> values, gaps;
  for (const auto& [key, value, goes_on, keeps, gap] : impulses) {
    keys.push_back(key);
    values.insert(values.end(), value.begin(), value.end());
    sustained.push_back(goes_on);
    keeps_gap.push_back(keeps);
    gaps.push_back(gap);
  }
  const Handle active = hdf5::create_group(to, "contacts");
  hdf5::write_values(active.id(), "key", H5T_NATIVE_UINT64, {count}, keys.data());
  hdf5::write_values(active.id(), "impulse", H5T_NATIVE_DOUBLE, {count, 3}, values.data());
  hdf5::write_values(active.id(), "sustained", H5T_NATIVE_UINT8, {count}, sustained.data());
  hdf5::write_values(active.id(), "keeps_gap", H5T_NATIVE_UINT8, {count}, keeps_gap.data());
  hdf5::write_values(active.id(), "gap", H5T_NATIVE_DOUBLE, {count}, gaps.data());
}

// ---- the file ------------------------------------------------------------------------------------------------------

struct RunFile::Parts {
  std::string path, part;
  RunFileOptions options;
  Handle file;
  std::unique_ptr<FileLock> lock;
  std::vector<std::unique_ptr<RunFileWriter>> runs;
  bool renamed = false;

  bool has_rows() const {
    return std::any_of(runs.begin(), runs.end(), [](const auto& run) {
      return run->parts_->samples.row_count() > 0 || run->parts_->impacts.row_count() > 0;
    });
  }
  bool broken() const {
    return std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run->parts_->broken; });
  }
  bool compress(std::string& note) const;  // into `path`; false if it could not
};

RunFile::RunFile(const std::string& path, const RunFileOptions& options) : parts_(std::make_unique<Parts>()) {
  check_destination(path, options.overwrite);
  hdf5::open_library();
  parts_->path = path;
  parts_->part = part_of(path);
  parts_->options = options;
  std::error_code error;
  fs::remove(parts_->part, error);  // allowed, or not there
  parts_->file = hdf5::create_file(parts_->part);
  parts_->lock = std::make_unique<FileLock>(parts_->part);
}

RunFile::~RunFile() {
  if (parts_->broken()) {
    // Closing would write lengths of datasets whose rows did not make it. What is on the disk is sound: leave it.
    parts_->lock.reset();
    static std::vector<std::unique_ptr<Parts>> abandoned;
    abandoned.push_back(std::move(parts_));
    return;
  }
  const bool keep = parts_->has_rows();
  parts_->runs.clear();
  parts_->file.close();
  std::error_code error;
  if (!parts_->renamed && !keep) fs::remove(parts_->part, error);
}

void RunFile::describe(const CollectionDescription& collection) {
  try {
    const Handle root = hdf5::open_group(parts_->file.id(), "/");
    hdf5::set_text(root.id(), "format", collection.format);
    hdf5::set_integer(root.id(), "format_version", collection.format_version);
    hdf5::set_text(root.id(), "status", "running");
    for (const auto& [name, value] : collection.attributes) hdf5::set_text(root.id(), name, value);
    for (const auto& [name, text] : collection.documents) hdf5::write_text(root.id(), name, text);
  } catch (const RunFileError& e) {
    throw RunFileError(fmt::format("{}: {}", parts_->part, e.what()));
  }
}

RunFileWriter& RunFile::add_run(const std::string& group, const RunDescription& description, const System& system,
                                int contact_columns, const RunSelection& selection) {
  try {
    for (std::size_t end = group.find('/', 1); end != std::string::npos; end = group.find('/', end + 1)) {
      const std::string above = group.substr(0, end);
      if (!hdf5::exists(parts_->file.id(), above)) hdf5::create_group(parts_->file.id(), above);
    }
    auto run = std::make_unique<RunFileWriter::Parts>(parts_->file.id(), group, description, system, contact_columns,
                                                      selection);
    run->file_path = parts_->part;
    parts_->runs.push_back(std::unique_ptr<RunFileWriter>(new RunFileWriter(std::move(run))));
    return *parts_->runs.back();
  } catch (const RunFileError& e) {
    throw RunFileError(fmt::format("{}: {}", parts_->part, e.what()));
  }
}

void RunFile::start() { hdf5::check(H5Fstart_swmr_write(parts_->file.id()), parts_->part + ": cannot be written"); }

const std::string& RunFile::part_path() const { return parts_->part; }

bool RunFile::Parts::compress(std::string& note) const {
  const std::string compressed = path + ".compressed";
  std::error_code error;
  fs::remove(compressed, error);
  try {
    const Handle source = hdf5::open_file(part, H5F_ACC_RDONLY);
    Handle copy = hdf5::create_file(compressed);
    copy_tree(
        source.id(), copy.id(), [](const std::string&, hsize_t rows) { return rows; }, options.compression);
    if (!copy.close()) throw RunFileError(fmt::format("{}: {}", compressed, hdf5::complaint()));
    fs::rename(compressed, path);
    fs::remove(part, error);
    return true;
  } catch (const std::exception& e) {
    fs::remove(compressed, error);
    note = fmt::format("{}: could not be compressed ({}); it is kept uncompressed", path, e.what());
    return false;
  }
}

std::string RunFile::finish(const std::string& status_of_collection) {
  Parts& p = *parts_;
  for (const auto& run : p.runs) {
    RunFileWriter::Parts& parts = *run->parts_;
    for (GrowingTable* table : {&parts.samples, &parts.impacts, &parts.elements, &parts.names}) table->close();
    parts.group.close();
  }
  if (!p.file.close()) throw RunFileError(fmt::format("{}: cannot be written: {}", p.part, hdf5::complaint()));
  p.file = hdf5::open_file(p.part, H5F_ACC_RDWR);
  for (const auto& run : p.runs) {
    if (!run->parts_->end) continue;
    const Handle group = hdf5::open_group(p.file.id(), run->parts_->group_name);
    run->parts_->write_end(group.id());
  }
  if (!status_of_collection.empty())
    hdf5::set_text(hdf5::open_group(p.file.id(), "/").id(), "status", status_of_collection);
  if (!p.file.close()) throw RunFileError(fmt::format("{}: cannot be written: {}", p.part, hdf5::complaint()));

  std::error_code error;
  if (p.options.overwrite == Overwrite::nothing && fs::exists(p.path, error))
    throw RunFileError(fmt::format("{}: appeared while the run was going; the run is in {}", p.path, p.part));
  std::string note;
  if (p.options.compression == 0 || !p.compress(note)) {
    fs::rename(p.part, p.path, error);
    if (error) throw RunFileError(fmt::format("{}: cannot be renamed to {}: {}", p.part, p.path, error.message()));
  }
  p.renamed = true;
  p.lock.reset();
  return note;
}

std::string link_name(const std::string& name, std::set<std::string>& taken) {
  std::string link = name.empty() || name == "." || name == ".." ? "_" : name;
  std::replace(link.begin(), link.end(), '/', '_');
  const std::string stem = link;
  for (int i = 2; !taken.insert(link).second; ++i) link = fmt::format("{}_{}", stem, i);
  return link;
}

}  // namespace carom
