// carom report: a run, a comparison, a sweep or a raw impact as one HTML page.

#include "tools/report/report.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/file_kind.h"
#include "config/impact_file.h"
#include "tools/command_line.h"
#include "tools/compare/compare_impact.h"
#include "tools/destinations.h"
#include "tools/law_names.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file;
  std::string output;
  bool force = false;
};

// By its name: a file of runs is no YAML.
bool is_raw_problem(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (extension != ".yaml" && extension != ".yml") return false;
  if (is_scene_file(file))
    throw BadInput(file + ": is a scene, which has to be run first: carom compare " + file + " --report " +
                   fs::path(file).replace_extension(".html").string());
  return true;
}

// The impact by every law.
std::size_t write_problem_report(const Options& options, const std::string& output) {
  const ImpactFile file = read_impact_file(options.file, {}, {"all"});
  const std::vector<std::string> laws = laws_named("laws", {"all"});
  const std::string reference = file.law ? file.law->type : laws.front();
  return write_impact_report(compare_impact(0, file, laws, reference, Matching::restitution, "auto"), reference, output,
                             options.force, options.file);
}

int run(const Options& options) {
  const std::string output =
      options.output.empty() ? fs::path(options.file).replace_extension(".html").string() : options.output;
  if (same_file(options.file, output)) throw BadInput(output + ": is the file to be shown");
  const std::size_t bytes = is_raw_problem(options.file) ? write_problem_report(options, output)
                                                         : write_report(options.file, output, options.force);
  std::cout << fmt::format("{}: {:.1f} MB; open it in a browser\n", output, static_cast<double>(bytes) / 1e6);
  return done;
}

}  // namespace

Subcommand report_subcommand() {
  return {"report", "a run, comparison, sweep or raw impact as one HTML page: motion, energy, impacts, maps",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("FILE", options->file, "run, comparison or sweep (HDF5), or raw impact problem (YAML)",
                            true);
            line.option("-o,--output", options->output, "page to write (default: the file's name with .html)");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
