// carom recover: what a killed run left, made into a run file.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/run_file.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string part;
  std::string output;
  bool force = false;
};

std::string without_part(const std::string& path) {
  const std::string ending = ".part";
  const bool ends =
      path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
  if (!ends) throw BadInput(path + ": does not end in .part; -o names the run file to write");
  return path.substr(0, path.size() - ending.size());
}

int run(const Options& options) {
  {
    const RunFileReader left(options.part);
    if (left.finished())
      throw BadInput(fmt::format("{}: is finished ({}); nothing to recover", options.part, left.status()));
    if (is_being_written(options.part)) throw BadInput(options.part + ": is still being written");
    if (left.samples() == 0) throw BadInput(options.part + ": was killed before its first rows were written");
  }
  const std::string path = options.output.empty() ? without_part(options.part) : options.output;
  recover_run_file(options.part, path, options.force);

  const RunFileReader saved(path);
  std::cout << fmt::format("{}: {} samples to t = {:g} s, {} impacts, status {}\n", path, saved.samples(),
                           saved.read("time", saved.samples() - 1, 1).front(), saved.impacts(), saved.status());
  // With its own name given back, the file takes the place of what was left.
  if (options.output.empty()) fs::remove(options.part);
  return done;
}

}  // namespace

Subcommand recover_subcommand() {
  return {"recover", "save what a killed run left", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5.part", options->part, "the file a killed run left", true);
            line.option("-o,--output", options->output,
                        "run file to write (default: without .part, which it replaces)");
            line.flag("--force", options->force, "replace a run file that is there");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
