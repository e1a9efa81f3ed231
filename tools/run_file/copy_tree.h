// Groups and datasets copied from one file to another, cut to whole rows and compressed on the way.

#pragma once

#include <functional>

#include "tools/run_file/readable_file.h"

namespace carom {

// Rows to keep of the dataset at a path that holds so many.
using RowsToKeep = std::function<hsize_t(const std::string& path, hsize_t rows)>;

// `to` is an empty group. gzip level 0 is none.
void copy_tree(const hdf5::ReadableFile& from, hid_t to, const RowsToKeep& rows_to_keep, int compression);

// Throws RunFileError unless a copy of all rows reads back as its original, bit by bit.
void check_copy(const hdf5::ReadableFile& original, const hdf5::ReadableFile& copy);

}  // namespace carom
