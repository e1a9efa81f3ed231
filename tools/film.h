// Pictures and films of a run: its page draws the frames in a browser without a window, ffmpeg makes a film of them.

#pragma once

#include <string>
#include <vector>

namespace carom {

struct FrameWish {
  std::size_t count = 1;  // evenly spread over the run
  double time = 0;        // of a single one
  std::string view;       // what stands behind the # of a link to the page: zoom=2&turn=...
  int width = 1280, height = 720;
};

// PNG files, as bytes. BadInput: no browser is installed.
std::vector<std::string> frames_of(const std::string& page, const FrameWish& wish);

// An .mp4 or a .gif. BadInput: no ffmpeg is installed.
void write_film(const std::vector<std::string>& frames, int frames_a_second, const std::string& path);

}  // namespace carom
