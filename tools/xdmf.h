// A side file for ParaView (XDMF 2): the bodies as points that move, with angle or orientation, from places in the run
// file; and beside it a file of bytes with what the run file does not hold: outlines and vectors.

#pragma once

#include <string>

#include "engine/system.h"
#include "tools/run_file/reader.h"

namespace carom {

struct Xdmf {
  std::string text;
  std::string outlines;  // the bytes; empty without a system or without its state
  std::int64_t frames = 0;
  std::int64_t every = 1;  // samples a frame: long runs of many bodies are thinned, as both files grow with them
};

// Both files as the side file shall name them. The system, if it is known, gives outlines. BadRunFile if the run has
// neither poses nor the state that gives outlines.
Xdmf xdmf_of(const RunFileReader& run, const System* system, const std::string& run_path,
             const std::string& outlines_path);

}  // namespace carom
