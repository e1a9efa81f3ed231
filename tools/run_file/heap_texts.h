// The texts in a file, read by a process that may die of it.
//
// HDF5 keeps such texts in its global heap, the only part of a file in format 1.10 that describes something and has no
// checksum. The library (1.10.8) believes what stands there: a damaged byte makes it crash, write beyond its memory or
// never return. Attributes stay such text all the same, because it is what h5py reads as str.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/run_file/hdf5.h"

namespace carom::hdf5 {

// By the address of their object and the name of the attribute; of a dataset's own texts the name is empty.
using HeapTexts = std::map<std::pair<haddr_t, std::string>, std::vector<std::string>>;

enum class TextsOf { everything, root };  // the root alone: its own attributes

// Walks through the door (door.h) in a child process of limited time. Throws BadRunFile with what does not belong in
// the file, or the place it did not come past.
HeapTexts read_heap_texts(const std::string& path, Opening opening, TextsOf of);

}  // namespace carom::hdf5
