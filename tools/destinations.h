// Where a command writes: never onto what it reads, nor twice to one place, whatever --force says.

#pragma once

#include <string>
#include <vector>

namespace carom {

bool same_file(const std::string& a, const std::string& b);  // also before it is there

// BadInput if two of the outputs are one file, or one of them is an input. Empty paths are none.
void check_destinations(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

struct TextFile {
  std::string path, text;
};

// Writes text files beside and then in their places, so that what stood there stays until all new ones are whole.
// Throws RunFileError; nothing is left behind then.
void write_whole(const std::vector<TextFile>& files);

}  // namespace carom
