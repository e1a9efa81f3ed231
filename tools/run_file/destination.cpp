#include "tools/run_file/destination.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tools/run_file/checkpoint.h"
#include "tools/run_file/journal.h"
#include "tools/run_file/result_file.h"

namespace carom {

namespace fs = std::filesystem;

std::string part_of(const std::string& path) { return path + ".part"; }

std::string compressed_of(const std::string& path) { return path + ".compressed"; }

std::vector<std::string> files_beside_part(const std::string& part_path) {
  const std::string state = checkpoint_file_of(part_path);
  return {journal_of(part_path), state, state + ".next"};
}

void remove_beside_part(const std::string& part_path) {
  std::error_code error;
  for (const std::string& left : files_beside_part(part_path)) fs::remove(left, error);
}

void remove_part(const std::string& part_path) {
  std::error_code error;
  remove_beside_part(part_path);
  fs::remove(part_path, error);
}

FileLock::FileLock(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ >= 0) ::flock(file_, LOCK_SH | LOCK_NB);
}

FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

bool FileLock::is_at(const std::string& path) const {
  struct stat held {
  }, found{};
  if (file_ < 0 || ::fstat(file_, &held) != 0) return true;
  return ::stat(path.c_str(), &found) == 0 && held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

bool is_being_written(const std::string& part_path) {
  const int file = ::open(part_path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

namespace {

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

// What is written beside a file before it has its name; of a run the longest.
constexpr std::string_view ending_of_text = ".writing9", ending_of_run = ".part.state.next";

// With what is written beside it, which would fail at the end only.
void check_name_length(const std::string& path, std::string_view ending) {
  const std::string name = fs::path(path).filename().string();
  const long most = ::pathconf(folder_of(path).c_str(), _PC_NAME_MAX);
  if (most < 0 || name.size() + ending.size() <= static_cast<std::size_t>(most)) return;
  throw BadRunFile(
      fmt::format("{}: the name is too long: {} bytes, at most {} leave room for what is written beside it ('{}')",
                  path, name.size(), static_cast<std::size_t>(most) - ending.size(), ending));
}

}  // namespace

void check_file_destination(const std::string& path, bool overwrite) {
  std::error_code error;
  const fs::path target(path);
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) throw BadRunFile(fmt::format("{}: no such folder: {}", path, folder.string()));
  check_name_length(path, ending_of_text);
  if (fs::is_symlink(target, error)) {  // a file that takes its place would leave what it leads to as it is
    throw BadRunFile(fmt::format("{}: is a link to {}{}; name the file itself", path,
                                 fs::read_symlink(target, error).string(),
                                 fs::exists(target, error) ? "" : ", which is not there"));
  }
  if (fs::exists(target, error)) {
    if (fs::is_directory(target, error)) throw BadRunFile(path + ": is a folder; name a file in it");
    if (!fs::is_regular_file(target, error)) throw BadRunFile(path + ": is not a file that could be replaced");
    if (!overwrite) throw BadRunFile(path + ": exists already; --force replaces it, another name keeps it");
  }
  if (::access(folder.c_str(), W_OK) != 0)
    throw BadRunFile(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

namespace {

constexpr std::string_view hdf5_signature("\x89HDF\r\n\x1a\n", 8);

// An empty file holds nothing, and of a damaged one nobody can say whose it was: both may go.
bool is_foreign(const std::string& path) {
  std::string head(hdf5_signature.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.gcount() == 0) return false;
  if (head != hdf5_signature) return true;
  try {
    return !is_result_of_carom(path);
  } catch (const RunFileError&) {
    return false;
  }
}

}  // namespace

void check_result_destination(const std::string& path, bool overwrite) {
  check_name_length(path, ending_of_run);
  check_file_destination(path, overwrite);
  std::error_code error;
  if (fs::exists(path, error) && is_foreign(path))
    throw BadRunFile(path + ": is no result of carom, so it is not replaced; name another file");
}

void check_destination(const std::string& path, Overwrite overwrite) {
  if (path.ends_with(".part")) throw BadRunFile(path + ": .part is for runs that are not finished; name another file");
  check_result_destination(path, overwrite != Overwrite::nothing);
  std::error_code error;
  const std::string part = part_of(path);
  if (!fs::exists(part, error)) return;
  if (!fs::is_regular_file(part, error)) throw BadRunFile(part + ": is in the way; -o names another file");
  if (is_being_written(part)) throw BadRunFile(part + ": another run is being written there; -o names another file");
  if (overwrite != Overwrite::file_and_part) {
    throw BadRunFile(fmt::format(
        "{}: a killed run left this; 'carom recover {}' saves what it holds, --force throws it away", part, part));
  }
}

}  // namespace carom
