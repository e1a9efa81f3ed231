#include "tools/run_file/run_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "tools/run_file/copy_tree.h"
#include "tools/run_file/held_file.h"
#include "tools/run_file/result_file.h"
#include "tools/run_file/writer_parts.h"

namespace carom {

using hdf5::Handle;
namespace fs = std::filesystem;

struct RunFile::Parts {
  std::string path;
  RunFileOptions options;
  WrittenFile part;
  std::unique_ptr<FileLock> lock;
  std::vector<std::unique_ptr<RunFileWriter>> runs;
  bool renamed = false;
  bool is_abandoned = false;  // its end could not be written: nothing more reaches it

  bool has_rows() const {
    return std::any_of(runs.begin(), runs.end(), [](const auto& run) {
      return run->parts_->samples.row_count() > 0 || run->parts_->impacts.row_count() > 0;
    });
  }
  std::size_t dataset_count() const {
    std::size_t count = 0;
    for (const auto& run : runs)
      for (const GrowingTable* table : run->parts_->tables()) count += table->column_count();
    return count;
  }
  bool compress(std::string& note) const;  // into `path`; false if it could not
  void write_ends(const std::string& status_of_collection);
};

namespace {

// Making a file readable costs as much again as creating its datasets, and slows its end; with so many it takes about a
// tenth of a second. A run of more that ends within a second is spared it.
constexpr std::size_t most_readable_at_once = 500;

constexpr std::size_t small_cache_bytes = std::size_t{1} << 16;

// As it closes a file, the library looks through its whole cache for each thing that it takes from there: with what
// describes thousands of datasets that is most of the time. A cache that has become small is emptied in order, with the
// next thing that is looked at.
void empty_cache(const Handle& file) {
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  hdf5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
  hdf5::check(H5Fget_mdc_config(file.id(), &cache), "cache");
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = small_cache_bytes;
  hdf5::check(H5Fset_mdc_config(file.id(), &cache), "cache");
  hdf5::open_group(file.id(), "/");
}

}  // namespace

RunFile::RunFile(const std::string& path, const RunFileOptions& options) : parts_(std::make_unique<Parts>()) {
  check_destination(path, options.overwrite);
  hdf5::open_library();
  parts_->path = path;
  parts_->part.path = part_of(path);
  parts_->options = options;
  // What another run has put there since the look at it is not removed: creating fails.
  if (options.overwrite == Overwrite::file_and_part) remove_part(parts_->part.path);
  parts_->part.handle = hdf5::create_file(parts_->part.path);
  parts_->lock = std::make_unique<FileLock>(parts_->part.path);
}

RunFile::~RunFile() {
  if (parts_->is_abandoned) {
    parts_->lock.reset();
    static_cast<void>(parts_.release());
    return;
  }
  if (parts_->part.is_broken()) {
    // Closing would write lengths of datasets whose rows did not make it, also at the end of the program. What is on
    // the disk is sound: leave it, unless nothing is in it.
    if (!parts_->part.has_samples) remove_part(parts_->part.path);
    parts_->lock.reset();
    static_cast<void>(parts_.release());
    return;
  }
  const bool keep = parts_->has_rows();
  parts_->runs.clear();
  parts_->part.handle.close();
  if (!parts_->renamed && !keep) remove_part(parts_->part.path);
}

void RunFile::describe(const CollectionDescription& collection) {
  try {
    const Handle root = hdf5::open_group(parts_->part.handle.id(), "/");
    hdf5::set_text(root.id(), "format", format_name(ResultKind::comparison));
    hdf5::set_integer(root.id(), "format_version", result_format_version);
    hdf5::set_text(root.id(), "status", "running");
    for (const auto& [name, value] : collection.attributes) hdf5::set_text(root.id(), name, value);
    for (const auto& [name, text] : collection.documents) hdf5::write_text(root.id(), name, text);
  } catch (const RunFileError& e) {
    throw RunFileError(fmt::format("{}: {}", parts_->part.path, e.what()));
  }
}

RunFileWriter& RunFile::add_run(const std::string& group, const RunDescription& description, const System& system,
                                int contact_columns, const RunSelection& selection) {
  try {
    for (std::size_t end = group.find('/', 1); end != std::string::npos; end = group.find('/', end + 1)) {
      const std::string above = group.substr(0, end);
      if (!hdf5::exists(parts_->part.handle.id(), above)) hdf5::create_group(parts_->part.handle.id(), above);
    }
    auto run =
        std::make_unique<RunFileWriter::Parts>(parts_->part, group, description, system, contact_columns, selection);
    parts_->runs.push_back(std::unique_ptr<RunFileWriter>(new RunFileWriter(std::move(run))));
    return *parts_->runs.back();
  } catch (const RunFileError& e) {
    throw RunFileError(fmt::format("{}: {}", parts_->part.path, e.what()));
  }
}

void RunFile::start() {
  if (parts_->dataset_count() > most_readable_at_once) return;  // with the first flush that is due
  try {
    parts_->part.make_readable();
  } catch (const RunFileError& e) {
    throw RunFileError(fmt::format("{}: {}", parts_->part.path, e.what()));
  }
}

bool RunFile::Parts::compress(std::string& note) const {
  const std::string compressed = compressed_of(path);
  std::error_code error;
  fs::remove(compressed, error);
  try {
    const hdf5::ReadableFile source(part.path);
    Handle copy = hdf5::create_file(compressed);
    copy_tree(
        source, copy.id(), [](const std::string&, hsize_t rows) { return rows; }, options.compression);
    if (!copy.close()) throw RunFileError(fmt::format("{}: {}", compressed, hdf5::complaint()));
    // A write that failed as a dataset was closed is told by nobody: what was written has to read back.
    check_copy(source, hdf5::ReadableFile(compressed));
    fs::rename(compressed, path);
    remove_part(part.path);
    return true;
  } catch (const std::exception& e) {
    fs::remove(compressed, error);
    note = fmt::format("{}: could not be compressed ({}); it is kept uncompressed", path, e.what());
    return false;
  }
}

// What is written then changes descriptions of data that are there: all of it or nothing.
void RunFile::Parts::write_ends(const std::string& status_of_collection) {
  FileChanges changes;
  Handle file = hdf5::open_held(part.path, changes);
  for (const auto& run : runs) {
    if (!run->parts_->end) continue;
    const Handle group = hdf5::open_group(file.id(), run->parts_->group_name);
    run->parts_->write_end(group.id());
  }
  if (!status_of_collection.empty())
    hdf5::set_text(hdf5::open_group(file.id(), "/").id(), "status", status_of_collection);
  if (!file.close()) throw RunFileError(hdf5::complaint());
  make_changes(part.path, changes);
}

std::string RunFile::finish(const std::string& status_of_collection) {
  Parts& p = *parts_;
  const bool has_many = p.dataset_count() > most_readable_at_once;
  try {
    for (const auto& run : p.runs) {
      for (GrowingTable* table : run->parts_->tables()) table->close();
      if (!run->parts_->group.close()) throw RunFileError("cannot be written: " + hdf5::complaint());
    }
    if (has_many) empty_cache(p.part.handle);
    if (!p.part.handle.close()) throw RunFileError("cannot be written: " + hdf5::complaint());
  } catch (const RunFileError& e) {
    p.is_abandoned = true;
    throw RunFileError(fmt::format("{}: {}", p.part.path, e.what()));
  }
  try {
    p.write_ends(status_of_collection);
  } catch (const std::exception& e) {
    throw RunFileError(fmt::format("{}: the end cannot be written: {}", p.part.path, e.what()));
  }

  std::error_code error;
  if (!p.lock->is_at(p.part.path))
    throw RunFileError(fmt::format("{}: another run took its place while this one was going; it is lost", p.part.path));
  if (p.options.overwrite == Overwrite::nothing && fs::exists(p.path, error))
    throw RunFileError(fmt::format("{}: appeared while the run was going; the run is in {}", p.path, p.part.path));
  std::string note;
  if (p.options.compression == 0 || !p.compress(note)) {
    remove_beside_part(p.part.path);
    fs::rename(p.part.path, p.path, error);
    if (error) throw RunFileError(fmt::format("{}: cannot be renamed to {}: {}", p.part.path, p.path, error.message()));
  }
  p.renamed = true;
  p.lock.reset();
  return note;
}

}  // namespace carom
