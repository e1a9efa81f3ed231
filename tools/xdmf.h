// A side file for ParaView (XDMF 2): the bodies as points that move, with angle or orientation and velocities. It holds
// no numbers, only places in the run file.

#pragma once

#include <string>

#include "tools/run_file/reader.h"

namespace carom {

struct Xdmf {
  std::string text;
  std::int64_t frames = 0;
  std::int64_t every = 1;  // samples a frame: long runs of many bodies are thinned, as the text grows with both
};

// `run_path` as the side file shall name it. BadRunFile if the run has no poses.
Xdmf xdmf_of(const RunFileReader& run, const std::string& run_path);

}  // namespace carom
