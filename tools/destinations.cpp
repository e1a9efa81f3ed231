#include "tools/destinations.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "config/diagnostics.h"
#include "tools/run_file/error.h"

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

std::string beside(const TextFile& file) { return file.path + ".writing"; }

// A new file, never through a link that somebody has put there.
bool write_beside(const TextFile& file) {
  std::error_code error;
  fs::remove(beside(file), error);
  std::FILE* out = std::fopen(beside(file).c_str(), "wbx");
  if (!out) return false;
  const bool written = std::fwrite(file.text.data(), 1, file.text.size(), out) == file.text.size() &&
                       std::fflush(out) == 0 && ::fsync(::fileno(out)) == 0;
  return std::fclose(out) == 0 && written;
}

}  // namespace

void write_whole(const std::vector<TextFile>& files) {
  std::error_code error;
  const auto bad = std::find_if_not(files.begin(), files.end(), write_beside);
  auto unnamed = files.begin();
  if (bad == files.end())
    while (unnamed != files.end() && (fs::rename(beside(*unnamed), unnamed->path, error), !error)) ++unnamed;
  if (unnamed == files.end()) return;
  const std::string failed = bad == files.end() ? unnamed->path : bad->path;
  for (const TextFile& file : files) fs::remove(beside(file), error);
  throw RunFileError(failed + ": cannot be written; is the disk full?");
}

}  // namespace carom
