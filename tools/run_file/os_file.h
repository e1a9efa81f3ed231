// A file of the operating system, by its descriptor: whole reads and writes. What fails says why in errno.

#pragma once

#include <cstdint>
#include <string>

namespace carom {

class OsFile {
 public:
  OsFile(const std::string& path, int flags);  // of open(2); it may not be there
  OsFile(const OsFile&) = delete;
  OsFile& operator=(const OsFile&) = delete;
  ~OsFile();

  explicit operator bool() const { return id_ >= 0; }

  bool write(std::uint64_t place, const char* bytes, std::size_t count) const;
  bool read(std::uint64_t place, char* bytes, std::size_t count) const;  // zeros beyond the end
  bool set_length(std::uint64_t length) const;
  bool close();

 private:
  int id_;
};

}  // namespace carom
