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

void copy_whole_rows(const ResultFile& from, const std::string& to) {
  const std::vector<RunFileReader> runs = read_runs(from);
  Handle file = hdf5::create_file(to);
  copy_tree(
      from.opened(), file.id(),
      [&](const std::string& dataset, hsize_t rows) { return whole_rows(runs, dataset, rows); }, 0);
  for (const RunFileReader& run : runs) {
    if (run.finished()) continue;
    const Handle group = hdf5::open_group(file.id(), run.group());
    hdf5::set_text(group.id(), "status", "interrupted");
    hdf5::set_integer(group.id(), "recovered", 1);
    hdf5::set_integer(group.id(), "samples", run.samples());
    if (run.group() == "/" && run.samples() > 0)
      copy_checkpoint(checkpoint_file_of(from.path()), group.id(),
                      static_cast<std::int64_t>(run.read("step", run.samples() - 1, 1).front()),
                      std::max<std::int64_t>(1, static_cast<std::int64_t>(run.number("every", 1))));
  }
  hdf5::set_text(hdf5::open_group(file.id(), "/").id(), "status", "interrupted");
  if (!file.close()) throw RunFileError(fmt::format("cannot be written: {}", hdf5::complaint()));
}

}  // namespace

void recover_run_file(const std::string& part_path, const std::string& path) {
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
  fs::rename(temporary, path, error);
  if (error) throw RunFileError(fmt::format("{}: {}", path, error.message()));
}

}  // namespace carom
