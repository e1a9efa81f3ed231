// What can go wrong with a run file, each as one sentence that names the file.

#pragma once

#include <stdexcept>

namespace carom {

// Writing failed: no space, no permission, no such folder.
class RunFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file a user named is not what is needed: not a run file, damaged, without the dataset that was asked for.
class BadRunFile : public RunFileError {
 public:
  using RunFileError::RunFileError;
};

// It is empty, not HDF5, damaged or cut short: nothing in it can be read.
class UnreadableFile : public BadRunFile {
 public:
  using BadRunFile::BadRunFile;
};

}  // namespace carom
