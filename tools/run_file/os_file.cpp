#include "tools/run_file/os_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace carom {

OsFile::OsFile(const std::string& path, int flags) : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

OsFile::~OsFile() { close(); }

bool OsFile::write(std::uint64_t place, const char* bytes, std::size_t count) const {
  while (count > 0) {
    const ssize_t written = ::pwrite(id_, bytes, count, static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    place += static_cast<std::uint64_t>(written);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool OsFile::read(std::uint64_t place, char* bytes, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(id_, bytes, count, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    place += static_cast<std::uint64_t>(got);
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  std::fill_n(bytes, count, '\0');
  return true;
}

bool OsFile::set_length(std::uint64_t length) const { return ::ftruncate(id_, static_cast<off_t>(length)) == 0; }

bool OsFile::close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }

}  // namespace carom
