// Where a command writes: never onto what it reads, nor twice to one place, whatever --force says.

#pragma once

#include <string>
#include <vector>

namespace carom {

bool same_file(const std::string& a, const std::string& b);  // also before it is there

// BadInput if two of the outputs are one file, or one of them is an input. Empty paths are none.
void check_destinations(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

// Writes a text file beside and then in its place, so that what stood there stays until the new one is whole.
// Throws RunFileError.
void write_whole(const std::string& path, const std::string& text);

}  // namespace carom
