// The door through which every file comes in: the names, types, ranks and sizes that README.md lists, and nothing else.
// No link leads out of the file or back to where it came from, no row lies in another file, no filter is loaded for it,
// no text acts on a terminal, and nothing is larger than what the file can hold. Who has come through can be read
// without looking twice.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/run_file/hdf5.h"

namespace carom::hdf5 {

struct Visitor {
  std::function<void(const std::string& path)> at;  // before anything is done there
  std::function<void(hid_t object, haddr_t address, const std::string& path, bool is_dataset)> object;  // that is sound
};

// Whether files may say of themselves that they have this format ("carom-run", ...).
bool is_known_format(const std::string& format);

// Walks through an open file of this many bytes and this format. Throws BadRunFile with what does not belong there.
void walk_through_door(hid_t file, const std::string& format, std::uint64_t bytes, const Visitor& visitor);

// The attributes of one object: texts, alone or in a list, and numbers.
void check_attributes(hid_t object, const std::string& path, std::uint64_t file_bytes);

// The name of a place in a file, as a sentence can hold it.
std::string shown_place(const std::string& place);

// A text as it was read, from a place that the sentence names.
void check_text(const std::string& text, const std::string& where);

}  // namespace carom::hdf5
