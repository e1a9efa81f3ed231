// carom export: a run for other programs.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/run_file/reader.h"
#include "tools/xdmf.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file;
  std::string output;
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

int run(const Options& options) {
  if (!options.xdmf) throw BadInput("export needs a format: --xdmf");
  const RunFileReader file(options.file);
  if (!file.finished()) throw BadInput(options.file + ": is not finished; ParaView cannot open it (carom recover)");
  const fs::path output =
      options.output.empty() ? fs::path(options.file).replace_extension(".xdmf") : fs::path(options.output);
  if (fs::exists(output) && !options.force)
    throw BadInput(output.string() + ": exists already; --force replaces it, -o names another");
  const Xdmf xdmf = xdmf_of(file, relative_to(options.file, output.string()));
  std::ofstream out(output, std::ios::binary);
  out << xdmf.text;
  out.close();
  if (!out) throw RunFileError(output.string() + ": cannot be written");
  std::cout << fmt::format("{}: {} frames{}; open it in ParaView (Xdmf Reader), with the run file beside it\n",
                           output.string(), xdmf.frames,
                           xdmf.every > 1 ? fmt::format(", one sample in {}", xdmf.every) : "");
  return done;
}

}  // namespace

Subcommand export_subcommand() {
  return {"export", "a run for other programs: --xdmf for ParaView", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5", options->file, "run file", true);
            line.flag("--xdmf", options->xdmf, "a side file for ParaView that refers to the run file");
            line.option("-o,--output", options->output, "file to write (default: the run's name with .xdmf)");
            line.flag("--force", options->force, "replace a file that is there");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
