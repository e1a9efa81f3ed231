#include "tools/run_file/recovery.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "tools/run_file/checkpoint.h"
#include "tools/run_file/copy_tree.h"
#include "tools/run_file/readable_file.h"
#include "tools/run_file/reader.h"

namespace carom {

using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

// Rows to keep of a dataset, by the run that it belongs to.
hsize_t whole_rows(const std::vector<RunFileReader>& runs, const std::string& dataset, hsize_t rows) {
  for (const RunFileReader& run : runs) {
    const std::string below = run.group() == "/" ? "" : run.group().substr(1) + "/";
    if (dataset.rfind(below, 0) == 0) return static_cast<hsize_t>(run.dataset(dataset.substr(below.size())).rows);
  }
  return rows;
}

// Steps up to the last sample.
std::int64_t last_step(const RunFileReader& run) {
  return run.samples() > 0 ? static_cast<std::int64_t>(run.read("step", run.samples() - 1, 1).front()) : 0;
}

// Killed after its last sample, before it could say so: nothing is missing.
bool has_come_to_its_end(const RunFileReader& run) {
  const IntegratorOptions integrator{.step = run.number("step"), .duration = run.number("duration")};
  return integrator.step > 0 && integrator.duration > 0 && last_step(run) >= integrator.step_count();
}

void copy_whole_rows(const ResultFile& from, const std::string& to, const std::function<void()>& watch) {
  const std::vector<RunFileReader> runs = read_runs(from);
  Handle file = hdf5::create_file(to);
  copy_tree(
      from.opened(), file.id(),
      [&](const std::string& dataset, hsize_t rows) {
        if (watch) watch();
        return whole_rows(runs, dataset, rows);
      },
      0);
  bool all_complete = true;
  for (const RunFileReader& run : runs) {
    if (run.finished()) continue;
    const Handle group = hdf5::open_group(file.id(), run.group());
    const bool complete = has_come_to_its_end(run);
    all_complete = all_complete && complete;
    hdf5::set_text(group.id(), "status", complete ? "complete" : "interrupted");
    hdf5::set_integer(group.id(), "recovered", 1);
    hdf5::set_integer(group.id(), "samples", run.samples());
    if (run.group() == "/" && run.samples() > 0)
      copy_checkpoint(checkpoint_file_of(from.path()), group.id(), last_step(run),
                      std::max<std::int64_t>(1, static_cast<std::int64_t>(run.number("every", 1))));
  }
  if (from.kind() == ResultKind::comparison)
    hdf5::set_text(hdf5::open_group(file.id(), "/").id(), "status", all_complete ? "complete" : "interrupted");
  if (!file.close()) throw RunFileError(fmt::format("cannot be written: {}", hdf5::complaint()));
}

}  // namespace

void recover_run_file(const std::string& part_path, const std::string& path, const std::function<void()>& watch) {
  const std::string temporary = path + ".recovering";
  std::error_code error;
  fs::remove(temporary, error);
  try {
    try {
      copy_whole_rows(part_path, temporary, watch);
    } catch (const BadRunFile&) {
      throw;
    } catch (const RunFileError& e) {
      throw RunFileError(fmt::format("{}: {}", path, e.what()));
    }
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
  fs::rename(temporary, path, error);
  if (error) throw RunFileError(fmt::format("{}: {}", path, error.message()));
}

}  // namespace carom
