// The traces of a scene by every law, as a text file beside this one.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "tests/golden/trace.h"

namespace carom::testing {

// What the bits of a run depend on beside the code: compiler and flags, Eigen, and the mathematical functions of the C
// library, which choose their instructions by the processor.
std::string toolchain();

struct GoldenFile {
  std::string made_with;
  TraceLength length;
  std::map<std::string, std::optional<Trace>> laws;  // none: the law does not take the scene
};

std::optional<GoldenFile> read_golden(const std::string& path);  // none if there is none
void write_golden(const std::string& path, const GoldenFile& golden);

}  // namespace carom::testing
