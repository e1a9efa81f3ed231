// A killed run leaves a file that can be read and recovered. The writer is killed at every one of its writes to the
// disk, by counting them, and at random moments by a signal.

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "tests/run_file/falling_bodies.h"
#include "tools/run_file/journal.h"
#include "tools/run_file/recovery.h"

namespace {

long writes_until_death = -1, writes_until_failure = -1;

bool fails_now() {
  if (writes_until_death > 0 && --writes_until_death == 0) ::_exit(9);
  const bool fails = writes_until_failure > 0 && --writes_until_failure == 0;
  if (fails) errno = EIO;
  return fails;
}

}  // namespace

// Stand before the C library's: the HDF5 library writes by one of these.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t count, off_t place) {
  static const auto next = reinterpret_cast<decltype(&pwrite)>(::dlsym(RTLD_NEXT, "pwrite"));
  if (fails_now()) return -1;
  return next(file, bytes, count, place);
}
extern "C" ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t place) {
  static const auto next = reinterpret_cast<decltype(&pwrite64)>(::dlsym(RTLD_NEXT, "pwrite64"));
  if (fails_now()) return -1;
  return next(file, bytes, count, place);
}

using namespace carom;
using namespace carom::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t never = 1'000'000'000;

// Writes in a child until it dies; small chunks, so that there are many of them, and flushes in between.
// Returns the exit code, or −signal.
int write_until(const std::string& path, const FallingBodies& system, long writes, std::int64_t steps,
                std::chrono::microseconds signal_after = {}) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 0;
    try {
      writes_until_death = writes;
      RunFile file(path);
      RunFileWriter& run = file.add_run("/", description_of(40), system, 2);
      file.start();
      for (std::int64_t step = 0; step < steps; step += 17) {
        record(run, system, step, std::min(step + 17, steps));
        run.flush();
      }
      run.finish({.status = "complete"});
      file.finish();
    } catch (const std::exception&) {
      code = 1;
    }
    ::_exit(code);
  }
  if (signal_after.count() > 0) {
    ::usleep(static_cast<useconds_t>(signal_after.count()));
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// What a kill left: nothing, a part that was not begun, or whole rows. Returns the rows that can be recovered.
std::int64_t recovered_rows(const std::string& path, const FallingBodies& system) {
  const std::string part = path + ".part";
  if (fs::exists(path)) return check_rows(RunFileReader(path), system);
  if (!fs::exists(part)) return 0;
  bool whole = false;
  try {
    whole = RunFileReader(part).finished();  // it lacks only its name
    recover_run_file(part, path);
  } catch (const BadRunFile&) {
    return -1;  // killed before it was readable
  }
  const RunFileReader run(path);
  CHECK(run.status() == (whole ? "complete" : "interrupted"));
  return check_rows(run, system);
}

}  // namespace

TEST_CASE("killed at any write, the rows flushed before can be recovered") {
  const FallingBodies system(1);
  const std::int64_t steps = 400;
  std::int64_t most = -1;
  bool begun = false;
  long writes = 1;
  for (int code = 9; code == 9; writes += 1 + writes / 40) {
    CAPTURE(writes);
    const std::string path = path_in_folder("killed.h5");
    code = write_until(path, system, writes, steps);
    REQUIRE((code == 9 || code == 0));
    const std::int64_t rows = recovered_rows(path, system);
    if (begun) CHECK(rows >= most);  // what was there at an earlier write is there at a later one
    begun = begun || rows >= 0;
    most = std::max(most, rows);
    fs::remove(path);
    fs::remove(path + ".part");
  }
  CHECK(most == steps);
  CHECK(writes > 100);  // the count is of real writes
}

TEST_CASE("killed at any of the writes that end a run") {
  const FallingBodies system(1);
  const std::int64_t steps = 60;
  const auto path_after = [&](long writes) {
    const std::string path = path_in_folder("ending.h5");
    write_until(path, system, writes, steps);
    return path;
  };
  long last = 1;  // that it does not live through
  for (long stride = 512; stride > 0; stride /= 2)
    while (!fs::exists(path_after(last + stride))) last += stride;
  REQUIRE(last > 40);
  std::int64_t most = 0;
  int journals = 0, torn = 0;
  for (long writes = last - 30; writes <= last; ++writes) {
    CAPTURE(writes);
    const std::string path = path_after(writes), journal = path + ".part.ending";
    if (fs::exists(journal)) {
      ++journals;
      // With the journal taken away the file is what its writer left: the old, or neither the old nor the new.
      fs::copy_file(path + ".part", path + ".torn.part");
      try {
        RunFileReader(path + ".torn.part");
      } catch (const BadRunFile&) {
        ++torn;
      }
    }
    const std::int64_t rows = recovered_rows(path, system);
    CHECK(!fs::exists(journal));
    CHECK(rows >= most);
    most = std::max(most, rows);
  }
  CHECK(most == steps);
  CHECK(journals > 3);
  CHECK(torn > 0);  // so that there is something to survive
}

namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the end of a run is there as a whole or not at all, wherever its journal was cut off") {
  const std::string path = path_in_folder("cut.part"), journal = journal_of(path);
  const std::string before(3 * FileChanges::page_bytes, 'a');
  FileChanges changes{.length_before = before.size(), .length = 4 * FileChanges::page_bytes};
  for (const std::uint64_t number : {0, 2, 3}) changes.pages[number].fill('b');
  std::ofstream(path, std::ios::binary) << before;
  // A writer that dies with its second write, after the journal.
  const pid_t child = ::fork();
  if (child == 0) {
    writes_until_death = 2;
    make_changes(path, changes);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WEXITSTATUS(status) == 9);
  const std::string whole = contents(journal);
  std::string after = before + before.substr(0, FileChanges::page_bytes);
  for (const std::uint64_t number : {0, 2, 3})
    std::fill_n(after.begin() + static_cast<std::ptrdiff_t>(number * FileChanges::page_bytes), FileChanges::page_bytes,
                'b');
  for (std::size_t length = 0; length <= whole.size(); length += length + 997 > whole.size() ? 1 : 997) {
    CAPTURE(length);
    std::ofstream(path, std::ios::binary) << before;
    std::ofstream(journal, std::ios::binary) << whole.substr(0, length);
    complete_changes(path);
    CHECK(contents(path) == (length == whole.size() ? after : before));
    CHECK(!fs::exists(journal));
  }
  std::ofstream(path, std::ios::binary) << before;
  make_changes(path, changes);
  CHECK(contents(path) == after);

  const std::string other(before.size(), 'c');
  std::ofstream(path, std::ios::binary) << other;
  std::ofstream(journal, std::ios::binary) << whole;
  CHECK_THROWS_AS(complete_changes(path), BadRunFile);  // it is another file's
  CHECK(contents(path) == other);
  CHECK(contents(journal) == whole);
}

TEST_CASE("one write fails: the run ends with a sentence, and every row that is left is one that was written") {
  const FallingBodies system(1);
  const std::int64_t steps = 120;
  const std::string path = path_in_folder("failed.h5");
  int failed = 0;
  for (long writes = 1;; writes += 1 + writes / 40) {
    CAPTURE(writes);
    fs::remove(path + ".part");
    writes_until_failure = writes;  // of the child
    const int code = write_until(path, system, -1, steps);
    writes_until_failure = -1;
    if (code == 0) break;
    ++failed;
    CHECK(code == 1);
    CHECK(!fs::exists(path));
    CHECK(recovered_rows(path, system) <= steps);
    fs::remove(path);
  }
  CHECK(failed > 60);
  CHECK(recovered_rows(path, system) == steps);
}

TEST_CASE("a file of many datasets, killed at some of its writes") {
  const FallingBodies system(1, 150);
  const std::int64_t steps = 60;
  std::int64_t most = -1;
  bool begun = false;
  for (long writes = 1, code = 9; code == 9; writes += 1 + writes / 4) {
    CAPTURE(writes);
    const std::string path = path_in_folder("many.h5");
    code = write_until(path, system, writes, steps);
    const std::int64_t rows = recovered_rows(path, system);
    if (begun) CHECK(rows >= most);
    begun = begun || rows >= 0;
    most = std::max(most, rows);
  }
  CHECK(begun);
  CHECK(most == steps);
}

TEST_CASE("killed by a signal at random moments") {
  const FallingBodies system(3, 2);
  std::mt19937 random(4);
  for (int i = 0; i < 12; ++i) {
    const std::string path = path_in_folder("signal.h5");
    CHECK(write_until(path, system, -1, never,
                      std::chrono::microseconds(std::uniform_int_distribution(2'000, 120'000)(random))) == -SIGKILL);
    recovered_rows(path, system);
    fs::remove(path);
    fs::remove(path + ".part");
  }
}

namespace {

// What a run of a hundred steps left that was killed after so many, before it could say how it ended.
std::string part_after(std::int64_t steps, const FallingBodies& system) {
  const std::string path = path_in_folder("ending.h5");
  RunDescription description = description_of(100);
  description.duration = 100 * description.step;
  RunFile file(path);
  RunFileWriter& run = file.add_run("/", description, system, 2);
  file.start();
  record(run, system, 0, steps + 1);
  run.flush();
  return path + ".part";
}

}  // namespace

TEST_CASE("killed after its last sample, a run is recovered as complete") {
  const FallingBodies system(1);
  for (const std::int64_t steps : {99, 100}) {
    const std::string path = path_in_folder("ended.h5");
    recover_run_file(part_after(steps, system), path);
    CHECK(RunFileReader(path).status() == (steps == 100 ? "complete" : "interrupted"));
    CHECK(check_rows(RunFileReader(path), system) == steps + 1);
  }
}

TEST_CASE("a recovery that is stopped leaves the .part and nothing else") {
  const FallingBodies system(1);
  const std::string part = part_after(50, system), path = path_in_folder("stopped.h5"), before = contents(part);
  CHECK_THROWS_AS(recover_run_file(part, path, [] { throw std::runtime_error("asked"); }), std::runtime_error);
  for (const char* ending : {"", ".recovering"}) CHECK(!fs::exists(path + ending));
  CHECK(contents(part) == before);
}

namespace {

// A disk of so many kB in the folder, or none if it cannot be mounted.
std::shared_ptr<void> small_disk(const std::string& folder, int kilobytes) {
  fs::create_directories(folder);
  const std::string size = "size=" + std::to_string(kilobytes) + "k";
  if (::geteuid() != 0 || ::mount("none", folder.c_str(), "tmpfs", 0, size.c_str()) != 0) {
    MESSAGE("skipped: a small disk can be mounted by root only");
    return nullptr;
  }
  return {new std::string(folder), [](std::string* mounted) {
            ::umount(mounted->c_str());
            delete mounted;
          }};
}

// What a program says that writes rows until the disk is full, and then ends.
std::string complaint_of_full_disk(const std::string& path, const FallingBodies& system) {
  const std::string told = path_in_folder("told.txt");
  const pid_t child = ::fork();  // so that the library, which cannot close such a file, ends with the child
  if (child == 0) {
    try {
      RunFile file(path);
      RunFileWriter& run = file.add_run("/", description_of(100), system, 2);
      file.start();
      record(run, system, 0, never);
    } catch (const RunFileError& e) {
      std::ofstream(told) << e.what();
    }
    std::_Exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  std::ifstream in(told);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a full disk ends the run with a sentence, and the rows before it can be recovered elsewhere") {
  const std::string disk = path_in_folder("disk");
  const std::shared_ptr<void> mounted = small_disk(disk, 300);
  if (!mounted) return;
  const FallingBodies system(2);
  CHECK(complaint_of_full_disk(disk + "/full.h5", system).find("No space left on device") != std::string::npos);
  const std::string path = path_in_folder("saved.h5");
  recover_run_file(disk + "/full.h5.part", path);
  CHECK(check_rows(RunFileReader(path), system) > 100);
}

TEST_CASE("a disk that takes hardly anything is left with a file that holds rows, or with none") {
  const std::string disk = path_in_folder("disk");
  const FallingBodies system(2);
  int empty = 0;
  for (int kilobytes = 4; kilobytes <= 100; kilobytes += 4) {
    CAPTURE(kilobytes);
    const std::shared_ptr<void> mounted = small_disk(disk, kilobytes);
    if (!mounted) return;
    const std::string told = complaint_of_full_disk(disk + "/full.h5", system);
    CAPTURE(told);
    CHECK(told.find("No space left on device") != std::string::npos);
    if (fs::is_empty(disk)) {
      ++empty;
      continue;
    }
    const std::string path = path_in_folder("saved.h5");
    recover_run_file(disk + "/full.h5.part", path);
    CHECK(check_rows(RunFileReader(path), system) > 0);
  }
  CHECK(empty > 0);
}

TEST_CASE("an end for which there is no room leaves the file as it was") {
  const std::string disk = path_in_folder("disk");
  const std::string before(2 * FileChanges::page_bytes, 'a');
  FileChanges changes{.length_before = before.size(), .length = 6 * FileChanges::page_bytes};
  for (const std::uint64_t number : {0, 2, 3, 4, 5}) changes.pages[number].fill('b');
  for (const int kilobytes : {16, 44}) {  // not for the journal; for it, but not for the new pages beside it
    CAPTURE(kilobytes);
    const std::shared_ptr<void> mounted = small_disk(disk, kilobytes);
    if (!mounted) return;
    const std::string path = disk + "/run.h5.part";
    std::ofstream(path, std::ios::binary) << before;
    CHECK_THROWS_WITH_AS(make_changes(path, changes), doctest::Contains("No space left on device"), RunFileError);
    CHECK(contents(path) == before);
    CHECK(!fs::exists(journal_of(path)));
  }
}
