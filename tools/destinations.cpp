#include "tools/destinations.h"

#include <filesystem>
#include <fstream>

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

void write_whole(const std::string& path, const std::string& text) {
  const std::string beside = path + ".writing";
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(beside, path, error);
  if (!out || error) {
    fs::remove(beside, error);
    throw RunFileError(path + ": cannot be written; is the disk full?");
  }
}

}  // namespace carom
