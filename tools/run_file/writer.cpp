#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "tools/run_file/checkpoint.h"
#include "tools/run_file/columns.h"
#include "tools/run_file/dimensions.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/writer_parts.h"

namespace carom {

using hdf5::Handle;
using Clock = std::chrono::steady_clock;

namespace {

constexpr hsize_t most_chunk_rows = 4096;
constexpr std::size_t most_buffer_bytes = std::size_t{64} << 20;
constexpr hsize_t most_impact_chunk_rows = 1024;
constexpr std::uintmax_t chunks_on_a_full_disk = 64;
constexpr std::size_t most_impact_coordinates = 1000;  // up to so many, the state before an impact is written with it
constexpr std::chrono::duration<double> flush_interval(1.0);
constexpr double flush_share = 0.05;  // of the time, at most, goes into writing chunks that are not full

// A chunk takes its room at once. On a disk that the run will fill it takes a small part of what is free, or the first
// rows would not fit where many of them do.
hsize_t affordable_rows(const std::string& path, const RunDescription& about, hsize_t expected, std::size_t row_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  const std::uintmax_t available =
      fs::space(folder.empty() ? "." : folder, error).available / std::max<std::uintmax_t>(1, about.runs_in_file);
  if (error || expected < available / row_bytes) return most_chunk_rows;
  return std::max<hsize_t>(1, available / chunks_on_a_full_disk / row_bytes);
}

void describe(hid_t dataset, const std::vector<std::string>& names, const std::vector<std::string>& units) {
  hdf5::set_texts(dataset, "names", names);
  if (!units.empty()) hdf5::set_texts(dataset, "units", units);
}

std::vector<std::string> names_of(const std::vector<Coordinate>& coordinates) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : coordinates) names.push_back(coordinate.name);
  return names;
}

void describe(hid_t dataset, const std::vector<Coordinate>& coordinates) {
  std::vector<std::string> units;
  for (const Coordinate& coordinate : coordinates) units.push_back(coordinate.unit());
  describe(dataset, names_of(coordinates), units);
}

}  // namespace

int contact_size(const System& system, const Vec& q, const Vec& u) {
  Contacts contacts;
  system.contacts(q, u, 0, contacts);
  Index tangents = system.poses().size == 7 ? 2 : 1;
  for (const ContactPoint& point : contacts.points) tangents = std::max(tangents, point.tangents);
  return 1 + static_cast<int>(tangents);
}

void WrittenFile::make_readable() {
  hdf5::check(H5Fstart_swmr_write(handle.id()), "cannot be written");
  readable = true;
}

RunFileWriter::Parts::Parts(WrittenFile& run_file, const std::string& run_group, const RunDescription& description,
                            const System& run_system, int contact_column_count, const RunSelection& selection)
    : file(run_file),
      group_name(run_group),
      group(run_group == "/" ? hdf5::open_group(run_file.handle.id(), "/")
                             : hdf5::create_group(run_file.handle.id(), run_group)),
      system(run_system),
      about(description),
      contact_columns(contact_column_count),
      pose_layout(run_system.poses()) {
  hdf5::set_text(group.id(), "format", format_name(ResultKind::run));
  hdf5::set_integer(group.id(), "format_version", result_format_version);
  hdf5::set_text(group.id(), "scene", about.scene);
  hdf5::set_text(group.id(), "law", about.law);
  hdf5::set_text(group.id(), "status", "running");
  hdf5::set_number(group.id(), "step", about.step);
  hdf5::set_number(group.id(), "theta", about.theta);
  hdf5::set_number(group.id(), "duration", about.duration);
  hdf5::set_integer(group.id(), "every", about.every);
  hdf5::set_integer(group.id(), run_mark_name, run_mark);
  for (const auto& [name, value] : about.facts) hdf5::set_text(group.id(), name, value);
  hdf5::write_text(group.id(), "scene_yaml", about.scene_yaml);
  create_samples(selection);
  if (selection.impacts) create_impacts();
  create_log();
  write_names(selection);
  hdf5::tie_extents(group.id(), hdf5::forms_of_run());
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

std::vector<std::string> RunFileWriter::Parts::logged_contact_names() const {
  std::vector<std::string> all;
  for (const std::size_t i : contact_numbers) all.push_back(system.contact_name(i));
  return all;
}

std::vector<std::string> RunFileWriter::Parts::directions() const {
  const std::vector<std::string>& all = direction_names();
  return {all.begin(), all.begin() + contact_columns};
}

std::size_t RunFileWriter::Parts::row_bytes(const RunSelection& selection) const {
  std::size_t numbers = 2;
  if (selection.state) numbers += system.positions().size() + system.velocities().size();
  if (selection.energy) numbers += ledger_columns().size();
  if (selection.poses) numbers += pose_layout.bodies.size() * static_cast<std::size_t>(pose_layout.size);
  numbers += contact_numbers.size() * (2 + 2 * static_cast<std::size_t>(contact_columns));
  return numbers * sizeof(double);
}

void RunFileWriter::Parts::create_samples(const RunSelection& selection) {
  contact_numbers = logged_contacts(selection);
  const auto expected = static_cast<hsize_t>(std::max<std::int64_t>(1, about.expected_samples));
  const auto fitting = std::max<hsize_t>(1, most_buffer_bytes / row_bytes(selection));
  affordable = affordable_rows(file.path, about, expected, row_bytes(selection));
  samples = GrowingTable(std::min({expected, fitting, affordable, most_chunk_rows}));
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
    for (const LedgerColumn& column : ledger_columns())
      energy.push_back(samples.add<double>(group.id(), fmt::format("energy/{}", column.name), {}, "J"));
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
    poses.push_back(samples.add<double>(group.id(), fmt::format("bodies/{}/pose", link_name(body, taken)), {size}, ""));
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
    describe(samples.dataset(contacts[0].gap), logged_contact_names(), {});
    return;
  }
  std::set<std::string> taken;
  for (const std::size_t i : contact_numbers)
    create(fmt::format("contacts/{}/", link_name(system.contact_name(i), taken)), {});
}

void RunFileWriter::Parts::create_impacts() {
  logs_impacts = true;
  const auto expected = static_cast<hsize_t>(std::max<std::int64_t>(0, about.expected_samples));
  const hsize_t chunk = std::min(affordable, std::clamp<hsize_t>(expected / 16, 16, most_impact_chunk_rows));
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
  hdf5::mark_as_utf8(names.dataset(names.add(run, "impacts/element_names", type.id(), {}, "")));
}

// Names of what the columns are, each list once. Those of bodies and contacts only where they share a table.
void RunFileWriter::Parts::write_names(const RunSelection& selection) const {
  const auto write = [&](bool wanted, const char* path, const std::vector<std::string>& all) {
    if (wanted && !all.empty()) hdf5::write_texts(group.id(), path, all);
  };
  write(selection.state, "q_names", names_of(system.positions()));
  write(selection.state, "u_names", names_of(system.velocities()));
  write(!poses.empty(), "pose_names", pose_names(pose_layout.size));
  write(!poses.empty() && pose_layout.bodies.size() > most_groups, "body_names", pose_layout.bodies);
  write(!contacts.empty() || selection.impacts, "directions", directions());
  write(contact_numbers.size() > most_groups, "contact_names", logged_contact_names());
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
    write_if_full(names);
  }
  return found->second;
}

void RunFileWriter::Parts::write_rows() {
  for (GrowingTable* table : tables()) table->write();
}

// An impact is in the file only after its elements and their names.
void RunFileWriter::Parts::flush_impacts() {
  if (names.has_unwritten() || elements.has_unwritten() || impacts.has_unwritten()) {
    names.write();
    elements.write();
    hdf5::check(H5Fflush(file.handle.id(), H5F_SCOPE_LOCAL), "cannot be written");
  }
  if (impacts.has_unwritten()) {
    impacts.write();
    hdf5::check(H5Fflush(file.handle.id(), H5F_SCOPE_LOCAL), "cannot be written");
  }
}

void RunFileWriter::Parts::guarded(const std::function<void()>& write) {
  hdf5::open_library();  // in this thread: the runs of a comparison are written by several
  if (file.is_broken()) throw RunFileError(file.why_broken);
  try {
    write();
  } catch (const RunFileError& e) {
    file.why_broken =
        file.has_samples
            ? fmt::format("{}: {}; what was written before can be read: carom recover {} -o OTHER.h5", file.path,
                          e.what(), file.path)
            : fmt::format("{}: {}; not one sample could be written, so no file is left", file.path, e.what());
    throw RunFileError(file.why_broken);
  }
}

// A full chunk leaves the memory. Readers are told of it by the next flush, in the order that they need.
void RunFileWriter::Parts::write_if_full(GrowingTable& table) {
  if (table.full()) guarded([&] { table.write(); });
}

void RunFileWriter::Parts::flush() {
  const Clock::time_point begin = Clock::now();
  guarded([&] {
    if (!file.readable) {
      write_rows();
      file.make_readable();
    }
    log.write();
    flush_impacts();  // first: all impacts up to the last sample are there
    if (samples.has_unwritten()) {
      samples.write();
      hdf5::check(H5Fflush(file.handle.id(), H5F_SCOPE_LOCAL), "cannot be written");
    }
    file.has_samples = file.has_samples || samples.row_count() > 0;
  });
  last_flush = Clock::now();
  next_flush_after = std::max(std::chrono::duration_cast<Clock::duration>(flush_interval),
                              std::chrono::duration_cast<Clock::duration>((last_flush - begin) / flush_share));
}

void RunFileWriter::Parts::write_out() {
  if (file.readable) {
    flush();
  } else {
    guarded([&] { write_rows(); });
  }
}

// Samples wait: with many datasets a few of their rows cost as much as all.
void RunFileWriter::Parts::write_out_impacts() {
  guarded([&] {
    if (file.readable) return flush_impacts();
    for (GrowingTable* table : {&names, &elements, &impacts}) table->write();
  });
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
  for (std::size_t i = 0; i < p.energy.size(); ++i)
    *p.samples.cell<double>(p.energy[i]) = ledger_columns()[i].of(sample.energy);
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
  // The first at once: from then on there is something to read.
  if (p.samples.full() || (p.file.readable && p.samples.row_count() == 1)) p.write_out();
  p.flush_if_due();
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
    p.write_if_full(p.elements);
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
  if (p.impacts.full()) p.write_out_impacts();
}

void RunFileWriter::flush() { parts_->flush(); }

void RunFileWriter::keep(const SimulationState& state, const SimulationCounts& counts) {
  Parts& p = *parts_;
  if (p.last_kept >= p.last_flush) return;
  p.flush();
  p.last_kept = p.last_flush;
  try {
    write_checkpoint_file(checkpoint_file_of(p.file.path), p.run_mark, state, counts);
  } catch (const RunFileError&) {
    // If the disk is full, the next rows tell of it. A killed run can go on without, if not to the same bits.
  }
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
  for (const RunMessage& message : earlier.log())
    if (message.step <= last_step) log(message);
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
  p.write_out();
}

}  // namespace carom
