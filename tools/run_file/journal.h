// Changes of a file that are made as a whole or not at all, wherever their writer is killed: they go into a journal
// beside the file first and only then into the file. A journal that is whole is carried out by whoever opens the file
// next; one that was cut off tells that nothing has been changed yet. It knows its file by what it does not change of
// it.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "tools/run_file/error.h"

namespace carom {

struct FileChanges {
  static constexpr std::uint64_t page_bytes = 4096;
  using Page = std::array<char, page_bytes>;

  std::uint64_t length_before = 0, length = 0;  // of the file
  std::map<std::uint64_t, Page> pages = {};     // by number
};

std::string journal_of(const std::string& path);

// RunFileError if they cannot be made: the file is as before, or has a journal that is carried out later.
void make_changes(const std::string& path, const FileChanges& changes);

// Carries out what a killed writer has left in the journal of a file; waits for one that lives. BadRunFile if the file
// cannot be written, or the journal is that of another file.
void complete_changes(const std::string& path);

}  // namespace carom
