// carom report: a run, a comparison or a sweep as one HTML page.

#include "tools/report/report.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/destinations.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file;
  std::string output;
  bool force = false;
};

int run(const Options& options) {
  const std::string output =
      options.output.empty() ? fs::path(options.file).replace_extension(".html").string() : options.output;
  if (same_file(options.file, output)) throw BadInput(output + ": is the file to be shown");
  const std::size_t bytes = write_report(options.file, output, options.force);
  std::cout << fmt::format("{}: {:.1f} MB; open it in a browser\n", output, static_cast<double>(bytes) / 1e6);
  return done;
}

}  // namespace

Subcommand report_subcommand() {
  return {"report", "a run, comparison or sweep as one HTML page: motion, energy, impacts, maps",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("FILE.h5", options->file, "run, comparison or sweep", true);
            line.option("-o,--output", options->output, "page to write (default: the file's name with .html)");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
