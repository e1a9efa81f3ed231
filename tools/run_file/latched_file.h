// A file that takes no write after one that failed. The library goes on writing then, and a later page would tell of
// rows that an earlier one was to hold; so the file stays as the moment of the failure left it, as a kill would.

#pragma once

#include "tools/run_file/byte_store.h"
#include "tools/run_file/os_file.h"

namespace carom::hdf5 {

class LatchedFile final : public ByteStore {
 public:
  explicit LatchedFile(const std::string& path);  // RunFileError: is there already, or cannot be created

  bool read(std::uint64_t place, char* bytes, std::size_t count) override;
  bool write(Bytes what, std::uint64_t place, const char* bytes, std::size_t count) override;
  std::uint64_t length() const override { return length_; }
  bool set_length(std::uint64_t length) override;
  bool close() override;  // false as well if anything failed before
  std::string failure() const override { return failure_; }

 private:
  bool latch(bool done);

  OsFile file_;
  std::uint64_t length_ = 0;
  std::string failure_;
};

}  // namespace carom::hdf5
