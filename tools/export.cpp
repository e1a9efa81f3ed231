// carom export: a run for other programs.

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/scene.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/film.h"
#include "tools/law_group.h"
#include "tools/log.h"
#include "tools/report/report.h"
#include "tools/run_file/destination.h"
#include "tools/run_file/reader.h"
#include "tools/xdmf.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file;
  std::string output;
  std::string law;
  std::string time;
  std::string view;
  std::string size = "1280x720";
  std::string seconds = "8";
  bool xdmf = false;
  bool picture = false;
  bool film = false;
  bool force = false;
};

constexpr int frames_a_second = 25;

// The run file as the side file sees it, so that both can be moved together.
std::string relative_to(const std::string& file, const std::string& side_file) {
  std::error_code error;
  const fs::path folder = fs::absolute(side_file, error).parent_path();
  const fs::path relative = fs::relative(fs::absolute(file, error), folder, error);
  return error || relative.empty() ? fs::absolute(file).string() : relative.string();
}

// The run that is exported: the only one of the file, or that of a law.
RunFileReader run_of(const Options& options) {
  const ResultFile file(options.file);
  if (file.kind() == ResultKind::comparison && options.law.empty())
    throw BadInput(options.file + ": holds the runs of several laws; --law NAME chooses one");
  return RunFileReader(file, law_group(file, options.law));
}

// Beside the run, with its name and that of the law.
fs::path output_of(const Options& options, const char* ending) {
  if (!options.output.empty()) return options.output;
  fs::path path(options.file);
  return path.replace_filename(path.stem().string() + (options.law.empty() ? "" : "-" + options.law) + ending);
}

double number_of(const char* option, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    throw BadInput(fmt::format("{} {}: should be a number from {:g} to {:g}", option, text, least, most));
  return value;
}

// Even numbers, which films need.
void take_size(const std::string& text, FrameWish& wish) {
  constexpr double least = 64, most = 4096;
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) throw BadInput(fmt::format("--size {}: should be WIDTHxHEIGHT in pixels", text));
  wish.width = 2 * static_cast<int>(number_of("--size", text.substr(0, cross), least, most) / 2);
  wish.height = 2 * static_cast<int>(number_of("--size", text.substr(cross + 1), least, most) / 2);
}

// The page that draws the frames, as long as they are drawn.
class DrawingPage {
 public:
  explicit DrawingPage(const Options& options)
      : path_(fs::temp_directory_path() / fmt::format("carom-picture-{}.html", ::getpid())) {
    write_report(options.file, path_.string(), true);
  }
  ~DrawingPage() {
    std::error_code error;
    fs::remove(path_, error);
  }
  DrawingPage(const DrawingPage&) = delete;
  DrawingPage& operator=(const DrawingPage&) = delete;

  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string view_of(const Options& options) {
  const std::string laws = options.law.empty() ? "" : "laws=" + options.law;
  return options.view + (!options.view.empty() && !laws.empty() ? "&" : "") + laws;
}

int draw(const Options& options) {
  const fs::path output = output_of(options, options.film ? ".mp4" : ".png");
  const std::string ending = output.extension().string();
  if (options.film ? ending != ".mp4" && ending != ".gif" : ending != ".png")
    throw BadInput(fmt::format("{}: a {} ends in {}", output.string(), options.film ? "film" : "picture",
                               options.film ? ".mp4 or .gif" : ".png"));
  FrameWish wish;
  take_size(options.size, wish);
  wish.view = view_of(options);
  const ResultFile file(options.file);
  const std::vector<RunFileReader> runs = read_runs(file);
  const double last = runs.front().samples() > 0 ? runs.front().read("time", runs.front().samples() - 1, 1).front() : 0;
  wish.time = options.time.empty() ? last : number_of("--at", options.time, 0, last);
  if (options.film)
    wish.count = static_cast<std::size_t>(frames_a_second * number_of("--seconds", options.seconds, 0.1, 120));
  check_destinations({options.file}, {output.string()});
  check_file_destination(output.string(), options.force);
  const std::vector<std::string> frames = frames_of(DrawingPage(options).path(), wish);
  if (options.film) {
    write_film(frames, frames_a_second, output.string());
  } else {
    write_whole({{output.string(), frames.front()}});
  }
  std::cout << fmt::format("{}: {} x {} pixels{}\n", output.string(), wish.width, wish.height,
                           options.film ? fmt::format(", {} frames", frames.size()) : "");
  return done;
}

// The scene in the file, for what its bodies look like; none, with the reason on stderr, if it cannot be built.
std::optional<Scene> scene_of(const RunFileReader& run) {
  try {
    return read_scene_text(run.scene_yaml(), run.path() + ":/scene_yaml");
  } catch (const BadInput& e) {
    tell_warning(fmt::format("points only, without outlines and velocities: {}", e.what()));
    return std::nullopt;
  }
}

int export_xdmf(const Options& options) {
  const RunFileReader file = run_of(options);
  if (!file.finished()) throw BadInput(options.file + ": is not finished; ParaView cannot open it (carom recover)");
  const fs::path output = output_of(options, ".xdmf"), outlines = fs::path(output).replace_extension(".outlines.bin");
  check_destinations({options.file}, {output.string(), outlines.string()});
  for (const fs::path& path : {output, outlines}) check_file_destination(path.string(), options.force);
  const std::optional<Scene> scene = scene_of(file);
  const Xdmf xdmf = xdmf_of(file, scene ? scene->system.get() : nullptr, relative_to(options.file, output.string()),
                            outlines.filename().string());
  std::vector<TextFile> files = {{output.string(), xdmf.text}};
  if (!xdmf.outlines.empty()) files.push_back({outlines.string(), xdmf.outlines});
  write_whole(files);
  std::cout << fmt::format("{}: {} frames{}; open it in ParaView (XDMF Reader), with the run file{} beside it\n",
                           output.string(), xdmf.frames,
                           xdmf.every > 1 ? fmt::format(", one sample in {}", xdmf.every) : "",
                           xdmf.outlines.empty() ? "" : " and " + outlines.filename().string());
  return done;
}

int run(const Options& options) {
  if (options.xdmf + options.picture + options.film != 1)
    throw BadInput("export needs one format: --xdmf, --picture or --film");
  return options.xdmf ? export_xdmf(options) : draw(options);
}

}  // namespace

Subcommand export_subcommand() {
  return {"export", "a run for other programs: --xdmf for ParaView, --picture and --film", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5", options->file, "run file", true);
            line.option("--law", options->law, "of a comparison: the run with this law");
            line.flag("--xdmf", options->xdmf,
                      "for ParaView: a side file that refers to the run file, with bodies as points (velocity, axis), "
                      "and NAME.outlines.bin with the outlines of their shapes (at most 200 MB: fewer frames)");
            line.flag("--picture", options->picture, "a PNG of one moment, as the page of the run draws it (Chromium)");
            line.flag("--film", options->film, "an .mp4 or a .gif of the whole run (Chromium and ffmpeg)");
            line.option("--at", options->time, "picture: the moment in seconds (default: the end)");
            line.option("--seconds", options->seconds, "film: how long it plays (default: 8)");
            line.option("--size", options->size, "picture, film: WIDTHxHEIGHT in pixels (default: 1280x720)");
            line.option("--view", options->view,
                        "picture, film: from where, as a page keeps it in its link: zoom=2&turn=-0.6,0.3&follow=BODY");
            line.option("-o,--output", options->output,
                        "file to write (default: the run's name with the format's ending)");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
