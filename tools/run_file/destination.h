// Where files are written: whether they may be, the name of a run while it grows, and who writes it.

#pragma once

#include <string>
#include <vector>

#include "tools/run_file/error.h"

namespace carom {

enum class Overwrite { nothing, file, file_and_part };  // what may be replaced

std::string part_of(const std::string& path);                              // RUN.h5.part, while RUN.h5 is written
std::string compressed_of(const std::string& path);                        // the same, while it is compressed
std::vector<std::string> files_beside_part(const std::string& part_path);  // what its writer keeps there
void remove_beside_part(const std::string& part_path);
void remove_part(const std::string& part_path);  // with that

// Whether a file could be written there, found out before anything is computed. Throws BadRunFile: it is there already,
// no such folder, not writable, a link to nothing, a name too long.
void check_file_destination(const std::string& path, bool overwrite);

// The same for a file of results, which takes the place of nothing else: a scene or a drawing stays where it is.
void check_result_destination(const std::string& path, bool overwrite);

// The same for a run, which needs its .part too.
void check_destination(const std::string& path, Overwrite overwrite);

// Of the name under which a text is written before it has its place; a number can follow.
inline constexpr const char* text_ending = ".writing";

// Whether another process writes this .part now.
bool is_being_written(const std::string& part_path);

// An flock on a file, held as long as the object lives. Where a disk has no locks there is nothing to hold.
class FileLock {
 public:
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  bool is_at(const std::string& path) const;  // whether the path leads to the file that is held, as far as is known

 private:
  int file_;
};

}  // namespace carom
