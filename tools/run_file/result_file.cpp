#include "tools/run_file/result_file.h"

#include <spdlog/fmt/fmt.h>

#include "tools/run_file/readable_file.h"

namespace carom {

const char* format_name(ResultKind kind) {
  switch (kind) {
    case ResultKind::run:
      return "carom-run";
    case ResultKind::comparison:
      return "carom-compare";
    case ResultKind::sweep:
      return "carom-sweep";
  }
  return "";
}

ResultFile::ResultFile(const std::string& path) : file_(std::make_shared<const hdf5::ReadableFile>(path)) {}

const std::string& ResultFile::path() const { return file_->path(); }

bool is_result_of_carom(const std::string& path) {
  const hdf5::ReadableFile file(path, hdf5::TextsOf::root);
  return file.reading([&] {
    const hdf5::Handle root = hdf5::open_group(file.id(), "/");
    return file.text(root.id(), "format").rfind("carom-", 0) == 0;
  });
}

ResultKind ResultFile::kind(const std::string& name) const {
  return file_->reading([&] {
    const hdf5::Handle group = hdf5::open_group(file_->id(), name);
    const std::string format = file_->text(group.id(), "format");
    for (const ResultKind kind : {ResultKind::run, ResultKind::comparison, ResultKind::sweep}) {
      if (format != format_name(kind)) continue;
      const std::int64_t version = hdf5::integer(group.id(), "format_version", 0);
      if (version != result_format_version)
        throw BadRunFile(
            fmt::format("has format version {}; this carom reads version {}", version, result_format_version));
      return kind;
    }
    throw BadRunFile(fmt::format("is HDF5, but not a run, comparison or sweep of carom ({})",
                                 format.empty() ? "no attribute format" : fmt::format("format = \"{}\"", format)));
  });
}

}  // namespace carom
