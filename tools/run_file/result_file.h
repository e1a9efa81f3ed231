// A file of results open for reading, of any kind: one run, a comparison of laws, a sweep. What is in it is read by
// reader.h and sweep_file.h. A path opens it; copies share it.

#pragma once

#include <memory>
#include <string>

#include "tools/run_file/error.h"

namespace carom {

namespace hdf5 {
class ReadableFile;
}

enum class ResultKind { run, comparison, sweep };

class ResultFile {
 public:
  // BadRunFile: no such file, not HDF5, damaged.
  ResultFile(const std::string& path);  // NOLINT(google-explicit-constructor)

  const std::string& path() const;
  // By the attributes `format` and `format_version`. BadRunFile: none of carom's, or of a version to come.
  ResultKind kind(const std::string& group = "/") const;

  const hdf5::ReadableFile& opened() const { return *file_; }

 private:
  std::shared_ptr<const hdf5::ReadableFile> file_;
};

bool is_result_of_carom(const std::string& path);  // of any kind and version; BadRunFile as above

// What `format` says of each kind.
const char* format_name(ResultKind kind);
inline constexpr int result_format_version = 1;

}  // namespace carom
