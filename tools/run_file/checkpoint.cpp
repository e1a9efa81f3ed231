#include "tools/run_file/checkpoint.h"

#include <filesystem>
#include <random>

namespace carom {

using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

constexpr hsize_t penetration_figures = 5;  // depth, time, size, lasted, deep_since

void write_penetrations(hid_t checkpoint, const std::vector<Penetration>& penetrations) {
  const hsize_t count = penetrations.size();
  std::vector<std::uint64_t> keys;
  std::vector<double> figures;
  std::vector<std::int64_t> steps;
  for (const auto& [key, depth, time, size, lasted, deep_since, deep_at] : penetrations) {
    keys.push_back(key);
    figures.insert(figures.end(), {depth, time, size, lasted, deep_since});
    steps.push_back(deep_at);
  }
  const Handle group = hdf5::create_group(checkpoint, "penetrations");
  hdf5::write_values(group.id(), "key", H5T_NATIVE_UINT64, {count}, keys.data());
  hdf5::write_values(group.id(), "figures", H5T_NATIVE_DOUBLE, {count, penetration_figures}, figures.data());
  hdf5::write_values(group.id(), "deep_at", H5T_NATIVE_INT64, {count}, steps.data());
}

}  // namespace

// The members are taken apart by number: one that is added and not stored does not compile.
void write_checkpoint(hid_t run, const SimulationState& state, const SimulationCounts& counts) {
  const auto& [step_now, time_now, q_now, u_now, ledger, impulses, penetrations] = state;
  const Handle checkpoint = hdf5::create_group(run, "checkpoint");
  const hid_t to = checkpoint.id();
  hdf5::set_integer(to, "step", step_now);
  hdf5::set_number(to, "time", time_now);
  for (const LedgerColumn& column : ledger_columns())
    if (column.entry) hdf5::set_number(to, column.name, column.of(ledger));
  hdf5::set_number(to, "initial", ledger.initial);
  const auto& [impacts, inconsistent, created, unsolved, approaching, outside_set] = counts;
  hdf5::set_integer(to, "impact_count", impacts);
  hdf5::set_integer(to, "inconsistent_count", inconsistent);
  hdf5::set_number(to, "energy_created", created);
  hdf5::set_integer(to, "unsolved_count", unsolved);
  hdf5::set_integer(to, "approaching_count", approaching);
  hdf5::set_integer(to, "outside_set_count", outside_set);
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
  write_penetrations(to, penetrations);
}

namespace {

// A dataset of `width` numbers a row, whole.
template <class T>
std::vector<T> read_table(hid_t group, const std::string& name, hsize_t width) {
  const std::string path = "/checkpoint/" + name;
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, path);
  const std::vector<hsize_t> shape = hdf5::shape_of(dataset.id());
  if (shape.empty() || (shape.size() > 1 ? shape[1] : 1) != width || shape.size() > 2)
    throw BadRunFile(path + " has not the form of a checkpoint (damaged)");
  std::vector<T> values(static_cast<std::size_t>(shape[0] * width));
  hdf5::read_rows(dataset.id(), hdf5::type_of<T>(), 0, shape[0], values.data(), path);
  return values;
}

Vec read_vector(hid_t group, const std::string& name) {
  const std::vector<double> values = read_table<double>(group, name, 1);
  return Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
}

std::vector<SimulationState::Impulse> read_impulses(hid_t checkpoint) {
  const auto keys = read_table<std::uint64_t>(checkpoint, "contacts/key", 1);
  const auto values = read_table<double>(checkpoint, "contacts/impulse", 3);
  const auto sustained = read_table<std::uint8_t>(checkpoint, "contacts/sustained", 1);
  const auto keeps_gap = read_table<std::uint8_t>(checkpoint, "contacts/keeps_gap", 1);
  const auto gaps = read_table<double>(checkpoint, "contacts/gap", 1);
  const std::size_t count = keys.size();
  if (values.size() != 3 * count || sustained.size() != count || keeps_gap.size() != count || gaps.size() != count)
    throw BadRunFile("/checkpoint/contacts: the datasets differ in length (damaged)");
  std::vector<SimulationState::Impulse> impulses;
  for (std::size_t i = 0; i < count; ++i)
    impulses.push_back(
        {keys[i], Eigen::Vector3d(values.data() + 3 * i), sustained[i] != 0, keeps_gap[i] != 0, gaps[i]});
  return impulses;
}

std::vector<Penetration> read_penetrations(hid_t checkpoint) {
  if (!hdf5::exists(checkpoint, "penetrations")) return {};
  const auto keys = read_table<std::uint64_t>(checkpoint, "penetrations/key", 1);
  const auto figures = read_table<double>(checkpoint, "penetrations/figures", penetration_figures);
  const auto steps = read_table<std::int64_t>(checkpoint, "penetrations/deep_at", 1);
  if (figures.size() != penetration_figures * keys.size() || steps.size() != keys.size())
    throw BadRunFile("/checkpoint/penetrations: the datasets differ in length (damaged)");
  std::vector<Penetration> penetrations;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double* of = figures.data() + penetration_figures * i;
    penetrations.push_back({keys[i], of[0], of[1], of[2], of[3], of[4], steps[i]});
  }
  return penetrations;
}

}  // namespace

SimulationState read_checkpoint(hid_t run) {
  const Handle checkpoint = hdf5::open_group(run, "checkpoint");
  const hid_t from = checkpoint.id();
  const auto get = [&](const char* name) { return hdf5::number(from, name, 0); };
  SimulationState state;
  state.step = hdf5::integer(from, "step", 0);
  state.time = get("time");
  for (const LedgerColumn& column : ledger_columns())
    if (column.entry) state.energy.*column.entry = get(column.name);
  state.energy.initial = get("initial");
  state.q = read_vector(from, "q");
  state.u = read_vector(from, "u");
  state.impulses = read_impulses(from);
  state.penetrations = read_penetrations(from);
  return state;
}

SimulationCounts read_counts(hid_t run) {
  const Handle checkpoint = hdf5::open_group(run, "checkpoint");
  const auto count = [&](const char* name) { return hdf5::integer(checkpoint.id(), name, 0); };
  return {count("impact_count"),   count("inconsistent_count"), hdf5::number(checkpoint.id(), "energy_created", 0),
          count("unsolved_count"), count("approaching_count"),  count("outside_set_count")};
}

std::int64_t new_run_mark() {
  std::random_device random;
  return std::uniform_int_distribution<std::int64_t>()(random);
}

namespace {
constexpr const char* state_format = "carom-state";
}

std::string checkpoint_file_of(const std::string& part_path) { return part_path + ".state"; }

void write_checkpoint_file(const std::string& path, std::int64_t run_mark, const SimulationState& state,
                           const SimulationCounts& counts) {
  const std::string next = path + ".next";
  std::error_code error;
  fs::remove(next, error);
  try {
    Handle file = hdf5::create_file(next);
    const Handle root = hdf5::open_group(file.id(), "/");
    hdf5::set_text(root.id(), "format", state_format);
    hdf5::set_integer(root.id(), run_mark_name, run_mark);
    write_checkpoint(root.id(), state, counts);
    if (!file.close()) throw RunFileError(hdf5::complaint());
    fs::rename(next, path);
  } catch (const std::exception& e) {
    for (const std::string& left : {next, path}) fs::remove(left, error);
    throw RunFileError(path + ": " + e.what());
  }
}

void copy_checkpoint(const std::string& path, hid_t run, std::int64_t last_sample, std::int64_t every) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  try {
    const hdf5::ReadableFile file(path);
    const Handle root = hdf5::open_group(file.id(), "/");
    if (file.text(root.id(), "format") != state_format) return;
    if (hdf5::integer(root.id(), run_mark_name, -1) != hdf5::integer(run, run_mark_name, -2)) return;
    const SimulationState state = read_checkpoint(file.id());
    if (state.step - state.step % every <= last_sample) write_checkpoint(run, state, read_counts(file.id()));
  } catch (const RunFileError&) {
    // The samples alone are enough to go on from, if not to the same bits.
  }
}

}  // namespace carom
