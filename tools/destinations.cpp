#include "tools/destinations.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "config/diagnostics.h"
#include "tools/run_file/destination.h"

namespace carom {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

void check_destinations(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const std::string& input : inputs)
      if (!input.empty() && same_file(outputs[i], input))
        throw BadInput(outputs[i] + ": is read, so it cannot be written too; name another file");
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].empty() && same_file(outputs[i], outputs[j]))
        throw BadInput(outputs[i] + ": cannot hold two results; name another file");
  }
}

namespace {

// A new file beside the place of another. What stands there under the same name is somebody's, a link too, and stays.
struct FileBeside {
  std::string path;
  std::FILE* stream = nullptr;
};

FileBeside create_beside(const std::string& path) {
  constexpr int most_names = 9;
  FileBeside file;
  for (int number = 1; number <= most_names && !file.stream; ++number) {
    file.path = path + text_ending + (number > 1 ? std::to_string(number) : "");
    file.stream = std::fopen(file.path.c_str(), "wbx");
    if (!file.stream && errno != EEXIST) break;
  }
  return file;
}

bool write_and_close(const FileBeside& file, const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), file.stream) == text.size() &&
                       std::fflush(file.stream) == 0 && ::fsync(::fileno(file.stream)) == 0;
  return std::fclose(file.stream) == 0 && written;
}

}  // namespace

void write_whole(const std::vector<TextFile>& files) {
  std::vector<std::string> unnamed;  // that are written, and have not their place yet
  std::error_code error;
  const auto fail = [&](const std::string& path) {
    for (const std::string& left : unnamed) fs::remove(left, error);
    throw RunFileError(path + ": cannot be written; is the disk full?");
  };
  for (const TextFile& file : files) {
    const FileBeside beside = create_beside(file.path);
    if (!beside.stream) fail(file.path);
    unnamed.push_back(beside.path);
    if (!write_and_close(beside, file.text)) fail(file.path);
  }
  for (const TextFile& file : files) {
    fs::rename(unnamed.front(), file.path, error);
    if (error) fail(file.path);
    unnamed.erase(unnamed.begin());
  }
}

}  // namespace carom
