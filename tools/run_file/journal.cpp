#include "tools/run_file/journal.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>

namespace carom {

namespace fs = std::filesystem;
using Page = FileChanges::Page;

namespace {

constexpr std::string_view signature("carom journal 2\n", 16);
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t head_bytes =
    signature.size() + 4 * word;   // lengths before and after, checksum of the rest, pages
constexpr int pages_of_rest = 16;  // that are not changed, the last ones: rows of this run
constexpr std::size_t entry_bytes = word + FileChanges::page_bytes;

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : path_(path), id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (id_ >= 0) ::close(id_);
  }

  explicit operator bool() const { return id_ >= 0; }

  void write(std::uint64_t place, const char* bytes, std::size_t count) const {
    while (count > 0) {
      const ssize_t written = ::pwrite(id_, bytes, count, static_cast<off_t>(place));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      place += static_cast<std::uint64_t>(written);
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  void read(std::uint64_t place, char* bytes, std::size_t count) const {
    while (count > 0) {
      const ssize_t got = ::pread(id_, bytes, count, static_cast<off_t>(place));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      place += static_cast<std::uint64_t>(got);
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
    std::fill_n(bytes, count, '\0');  // beyond the end
  }
  void set_length(std::uint64_t length) const {
    if (::ftruncate(id_, static_cast<off_t>(length)) != 0) fail();
  }
  bool lock() const { return ::flock(id_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }  // or there are no locks

  [[noreturn]] void fail() const {
    throw RunFileError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }

 private:
  std::string path_;
  int id_;
};

// FNV-1a: tells a journal that is whole from one that is not.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return sum;
}

void append(std::string& bytes, std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), word); }

std::uint64_t number_at(std::string_view bytes, std::size_t place) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + place, word);
  return number;
}

std::uint64_t checksum_of_rest(const OpenFile& file, const FileChanges& changes) {
  std::string rest;
  Page page;
  for (std::uint64_t number = changes.length_before / FileChanges::page_bytes; number-- > 0;) {
    if (changes.pages.count(number) > 0) continue;
    file.read(number * FileChanges::page_bytes, page.data(), page.size());
    rest.append(page.data(), page.size());
    if (rest.size() >= pages_of_rest * FileChanges::page_bytes) break;
  }
  return checksum(rest);
}

std::string journal_text(const FileChanges& changes, std::uint64_t rest) {
  std::string bytes(signature);
  bytes.reserve(head_bytes + changes.pages.size() * entry_bytes + word);
  append(bytes, changes.length_before);
  append(bytes, changes.length);
  append(bytes, rest);
  append(bytes, changes.pages.size());
  for (const auto& [number, page] : changes.pages) {
    append(bytes, number);
    bytes.append(page.data(), page.size());
  }
  append(bytes, checksum(bytes));
  return bytes;
}

struct Journal {
  FileChanges changes;
  std::uint64_t rest = 0;  // of the file, to know it by
};

// Nothing if the journal is not whole.
std::optional<Journal> read_journal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < head_bytes + word || bytes.compare(0, signature.size(), signature) != 0) return std::nullopt;
  const std::string_view content(bytes.data(), bytes.size() - word);
  if (number_at(bytes, content.size()) != checksum(content)) return std::nullopt;
  Journal journal;
  FileChanges& changes = journal.changes;
  journal.rest = number_at(bytes, signature.size() + 2 * word);
  changes.length_before = number_at(bytes, signature.size());
  changes.length = number_at(bytes, signature.size() + word);
  for (std::size_t at = head_bytes; at + entry_bytes <= content.size(); at += entry_bytes)
    std::copy_n(bytes.data() + at + word, FileChanges::page_bytes, changes.pages[number_at(bytes, at)].data());
  return journal;
}

enum class Pages { beyond_end, within };  // of the file as it was

void write_pages(const FileChanges& changes, Pages which, const OpenFile& file) {
  for (const auto& [number, page] : changes.pages) {
    const std::uint64_t place = number * FileChanges::page_bytes;
    const Pages lies = place < changes.length_before ? Pages::within : Pages::beyond_end;
    if (lies != which || place >= changes.length) continue;
    file.write(place, page.data(), std::min(FileChanges::page_bytes, changes.length - place));
  }
}

void carry_out(const FileChanges& changes, const OpenFile& file) {
  write_pages(changes, Pages::within, file);
  file.set_length(changes.length);
}

void write_journal(const std::string& path, const FileChanges& changes, const OpenFile& file) {
  const OpenFile journal(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!journal) journal.fail();
  const std::string text = journal_text(changes, checksum_of_rest(file, changes));
  journal.write(0, text.data(), text.size());
}

constexpr std::chrono::milliseconds between_looks{10};
constexpr int most_looks = 500;

// False after five seconds in which a living writer has held it.
bool lock(const OpenFile& file) {
  for (int look = 0; look < most_looks; ++look) {
    if (file.lock()) return true;
    std::this_thread::sleep_for(between_looks);
  }
  return false;
}

}  // namespace

std::string journal_of(const std::string& path) { return path + ".ending"; }

void make_changes(const std::string& path, const FileChanges& changes) {
  const std::string journal = journal_of(path);
  const OpenFile file(path, O_RDWR);
  if (!file) file.fail();
  std::error_code error;
  try {
    write_journal(journal, changes, file);
    write_pages(changes, Pages::beyond_end, file);  // what needs room, before anything that is there changes
  } catch (const RunFileError&) {
    file.set_length(changes.length_before);
    fs::remove(journal, error);
    throw;
  }
  carry_out(changes, file);
  fs::remove(journal, error);
}

void complete_changes(const std::string& path) {
  const std::string journal = journal_of(path);
  std::error_code error;
  if (!path.ends_with(".part") || !fs::exists(journal, error)) return;
  const OpenFile file(path, O_RDWR);
  if (file && !lock(file)) return;
  const std::optional<Journal> found = read_journal(journal);  // gone, if a living writer has come to its end
  if (found && file && checksum_of_rest(file, found->changes) != found->rest)
    throw BadRunFile(fmt::format("{}: is the end of another run than {}; move it away", journal, path));
  if (found) {
    try {
      if (!file) file.fail();
      write_pages(found->changes, Pages::beyond_end, file);
      carry_out(found->changes, file);
    } catch (const RunFileError& e) {
      throw BadRunFile(
          fmt::format("{} (its writer was killed at the end of the run, which {} holds)", e.what(), journal));
    }
  }
  fs::remove(journal, error);
}

}  // namespace carom
