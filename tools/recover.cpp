// carom recover: what a killed run left, made into a run file.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/log.h"
#include "tools/run_file/destination.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/recovery.h"
#include "tools/stopped.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string part;
  std::string output;
  bool force = false;
};

constexpr std::string_view part_ending = ".part";

std::string without_part(const std::string& path) {
  const bool ends = path.size() > part_ending.size() && path.ends_with(part_ending);
  if (!ends) throw BadInput(path + ": does not end in .part; -o names the run file to write");
  return path.substr(0, path.size() - part_ending.size());
}

// A run that ended, or one that never began, can leave files of its own beside a .part that is not there.
void refuse_leftovers(const std::string& part) {
  std::error_code error;
  if (fs::exists(part, error)) return;
  std::vector<std::string> left = files_beside_part(part);
  if (part.ends_with(part_ending)) left.push_back(compressed_of(without_part(part)));
  std::erase_if(left, [&](const std::string& path) { return !fs::exists(path, error); });
  if (!left.empty())
    throw BadInput(fmt::format("{}: no such file; without it there is nothing to save in {}, which can be removed",
                               part, fmt::join(left, ", ")));
}

std::vector<RunFileReader> runs_left_in(const std::string& part) {
  constexpr const char* remedy = "; nothing of it can be saved: remove it, or run the scene again with --force";
  try {
    std::vector<RunFileReader> left = read_runs(part);
    if (is_being_written(part)) throw BadInput(part + ": is still being written");
    if (std::all_of(left.begin(), left.end(), [](const RunFileReader& run) { return run.samples() == 0; }))
      throw BadInput(part + ": was killed before its first rows were written" + remedy);
    return left;
  } catch (const UnreadableFile& e) {
    if (!part.ends_with(part_ending) || is_being_written(part)) throw;
    throw UnreadableFile(e.what() + std::string(remedy));
  }
}

// Whether it is whole and lacks only its name: killed after the last write. Readers are gone when this returns, so
// that the file can be replaced.
bool is_whole(const std::string& part) {
  refuse_leftovers(part);
  const std::vector<RunFileReader> left = runs_left_in(part);
  return std::all_of(left.begin(), left.end(), [](const RunFileReader& run) { return run.finished(); });
}

int recover(const Options& options) {
  const bool whole = is_whole(options.part);
  const std::string path = options.output.empty() ? without_part(options.part) : options.output;
  check_destinations({options.part}, {path});
  check_result_destination(path, options.force);
  // With its own name given back, the file takes the place of what was left.
  const bool in_place = options.output.empty();
  std::error_code error;
  if (!whole) {
    recover_run_file(options.part, path, stop_if_asked);
    if (in_place) remove_part(options.part);
  } else if (in_place) {
    fs::remove(compressed_of(path), error);  // killed while it was compressed
    remove_beside_part(options.part);
    fs::rename(options.part, path, error);
  } else {
    fs::copy_file(options.part, path, fs::copy_options::overwrite_existing, error);
  }
  if (error) throw RunFileError(fmt::format("{}: {}", path, error.message()));

  for (const RunFileReader& saved : read_runs(path)) {
    const std::string where = saved.group() == "/" ? path : path + " " + saved.group();
    const double end = saved.samples() > 0 ? saved.read("time", saved.samples() - 1, 1).front() : 0;
    std::cout << fmt::format("{}: {} samples to t = {:g} s, {} impacts, status {}\n", where, saved.samples(), end,
                             saved.impacts(), saved.status());
  }
  return done;
}

int run(const Options& options) {
  const StopSignals signals;
  try {
    return recover(options);
  } catch (const Stopped&) {
    tell_error(fmt::format("interrupted; {} is as it was", options.part));
    return interrupted;
  }
}

}  // namespace

Subcommand recover_subcommand() {
  return {"recover", "save what a killed run left", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5.part", options->part, "the file a killed run left", true);
            line.option("-o,--output", options->output,
                        "run file to write (default: without .part, which it replaces)");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
