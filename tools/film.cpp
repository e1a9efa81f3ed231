#include "tools/film.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/diagnostics.h"
#include "tools/run_file/error.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

// As the shell takes it for one word, whatever is in it.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string program_among(const std::vector<std::string>& names, const std::string& remedy) {
  for (const std::string& name : names)
    if (std::system(fmt::format("command -v {} >/dev/null 2>&1", name).c_str()) == 0) return name;
  throw BadInput(remedy);
}

// A folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (fs::temp_directory_path() / "carom-film-XXXXXX").string();
    if (!::mkdtemp(path.data())) throw RunFileError(path + ": no such folder can be made");
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw RunFileError("a browser cannot be started");
  std::string text;
  std::array<char, 1 << 16> block;
  while (const std::size_t bytes = std::fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), bytes);
  ::pclose(pipe);
  return text;
}

// As it stands in a file: address, and what of it means something there.
std::string address_of(const std::string& page) {
  std::string address = "file://";
  for (const char c : fs::absolute(page).string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '.' || c == '-' || c == '_';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

std::string decoded(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

std::vector<std::string> pictures_in(const std::string& document) {
  constexpr std::string_view begin = "data:image/png;base64,";
  std::vector<std::string> pictures;
  for (std::size_t at = document.find(begin); at != std::string::npos; at = document.find(begin, at)) {
    at += begin.size();
    pictures.push_back(decoded(std::string_view(document).substr(at, document.find('<', at) - at)));
  }
  return pictures;
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw RunFileError(path.string() + ": cannot be written");
}

}  // namespace

std::vector<std::string> frames_of(const std::string& page, const FrameWish& wish) {
  const std::string browser =
      program_among({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"},
                    "pictures are drawn by Chromium, which is not installed (Debian: apt-get install chromium)");
  const TemporaryFolder profile;
  const std::string link = fmt::format("{}#{}{}frames={}&size={},{}&t={:.17g}", address_of(page), wish.view,
                                       wish.view.empty() ? "" : "&", wish.count, wish.width, wish.height, wish.time);
  const std::string command = fmt::format(
      "{} --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-background-networking "
      "--disable-component-update --no-first-run --user-data-dir={} --window-size={},{} "
      "--virtual-time-budget=100000000 "
      "--timeout=600000 --dump-dom {} 2>/dev/null",
      browser, quoted(profile.path().string()), wish.width, wish.height, quoted(link));
  std::vector<std::string> pictures = pictures_in(output_of(command));
  if (pictures.size() != wish.count)
    throw RunFileError(fmt::format("{} drew {} of {} pictures", browser, pictures.size(), wish.count));
  return pictures;
}

void write_film(const std::vector<std::string>& frames, int frames_a_second, const std::string& path) {
  const std::string ffmpeg = program_among(
      {"ffmpeg"},
      "films are made by ffmpeg, which is not installed (Debian: apt-get install ffmpeg); --picture needs none");
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < frames.size(); ++i) write_bytes(folder.path() / fmt::format("{:05}.png", i), frames[i]);
  const bool is_gif = path.ends_with(".gif");
  const fs::path made = folder.path() / (is_gif ? "film.gif" : "film.mp4");
  // A GIF has 256 colours, the best for all of its frames; players take only this form of MP4 everywhere.
  const char* form = is_gif ? "-vf 'split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse'"
                            : "-c:v libx264 -pix_fmt yuv420p -crf 20 -movflags +faststart";
  const std::string command =
      fmt::format("{} -loglevel error -y -framerate {} -i {} {} {} >/dev/null 2>&1", ffmpeg, frames_a_second,
                  quoted((folder.path() / "%05d.png").string()), form, quoted(made.string()));
  if (std::system(command.c_str()) != 0) throw RunFileError(path + ": ffmpeg could not make the film");
  std::error_code error;
  fs::copy_file(made, path, fs::copy_options::overwrite_existing, error);
  if (error) throw RunFileError(fmt::format("{}: {}", path, error.message()));
}

}  // namespace carom
