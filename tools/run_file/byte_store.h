// Where the bytes of a file of the library go to and come from: what stands between it and the disk.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/run_file/hdf5.h"

namespace carom::hdf5 {

// False from a function: it failed, and `failure` says why.
class ByteStore {
 public:
  enum class Bytes { rows, description };  // values of datasets; what says where they are

  virtual ~ByteStore() = default;
  virtual bool read(std::uint64_t place, char* bytes, std::size_t count) = 0;
  virtual bool write(Bytes what, std::uint64_t place, const char* bytes, std::size_t count) = 0;
  virtual std::uint64_t length() const = 0;
  virtual bool set_length(std::uint64_t length) = 0;
  virtual bool close() = 0;
  virtual std::string failure() const = 0;
};

// A file of the library over a store, which lives as long as it. Closing it fails if anything failed before.
Handle create_through(const std::shared_ptr<ByteStore>& store, const std::string& name);

Handle file_creation();  // the properties with which all files are created (hdf5.cpp)

}  // namespace carom::hdf5
