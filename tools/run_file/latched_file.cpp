#include "tools/run_file/latched_file.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace carom::hdf5 {

LatchedFile::LatchedFile(const std::string& path) : file_(path, O_RDWR | O_CREAT | O_EXCL) {
  if (!file_) throw RunFileError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
}

bool LatchedFile::latch(bool done) {
  if (!done && failure_.empty()) failure_ = std::strerror(errno);
  return done;
}

bool LatchedFile::read(std::uint64_t place, char* bytes, std::size_t count) {
  return latch(file_.read(place, bytes, count));
}

bool LatchedFile::write(Bytes, std::uint64_t place, const char* bytes, std::size_t count) {
  if (!failure_.empty()) return false;
  length_ = std::max(length_, place + count);
  return latch(file_.write(place, bytes, count));
}

bool LatchedFile::set_length(std::uint64_t length) {
  if (!failure_.empty()) return false;
  length_ = length;
  return latch(file_.set_length(length));
}

bool LatchedFile::close() { return latch(file_.close()) && failure_.empty(); }

}  // namespace carom::hdf5
