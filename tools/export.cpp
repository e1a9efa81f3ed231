// carom export: a run for other programs.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/scene.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/law_group.h"
#include "tools/log.h"
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
  bool xdmf = false;
  bool force = false;
};

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
fs::path output_of(const Options& options) {
  if (!options.output.empty()) return options.output;
  fs::path path(options.file);
  return path.replace_filename(path.stem().string() + (options.law.empty() ? "" : "-" + options.law) + ".xdmf");
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

int run(const Options& options) {
  if (!options.xdmf) throw BadInput("export needs a format: --xdmf");
  const RunFileReader file = run_of(options);
  if (!file.finished()) throw BadInput(options.file + ": is not finished; ParaView cannot open it (carom recover)");
  const fs::path output = output_of(options), outlines = fs::path(output).replace_extension(".outlines.bin");
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

}  // namespace

Subcommand export_subcommand() {
  return {"export", "a run for other programs: --xdmf for ParaView", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5", options->file, "run file", true);
            line.option("--law", options->law, "of a comparison: the run with this law");
            line.flag("--xdmf", options->xdmf,
                      "for ParaView: a side file that refers to the run file, with bodies as points (velocity, axis), "
                      "and NAME.outlines.bin with the outlines of their shapes (at most 200 MB: fewer frames)");
            line.option("-o,--output", options->output, "file to write (default: the run's name with .xdmf)");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
