// A file that the library changes, with the changes held back: it reads what it has written, and the file stays as it
// is.

#pragma once

#include "tools/run_file/hdf5.h"
#include "tools/run_file/journal.h"

namespace carom::hdf5 {

// Open for writing. `changes` takes what is written, and must outlive the handle.
Handle open_held(const std::string& path, FileChanges& changes);

}  // namespace carom::hdf5
