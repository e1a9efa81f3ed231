// carom sweep: a scene with values that vary, measured at every point, into arrays.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "config/diagnostics.h"
#include "config/sweep_file.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/log.h"
#include "tools/progress.h"
#include "tools/report/report.h"
#include "tools/run_file/destination.h"
#include "tools/stepping.h"
#include "tools/sweep/compute.h"
#include "tools/sweep/destination.h"
#include "tools/sweep/ranks.h"
#include "tools/sweep_summary.h"
#include "tools/workers.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_shards = 100'000;

struct Options {
  std::string file;
  std::string output;
  std::string csv;
  std::string report;
  std::string workers;
  std::string shard;
  std::vector<std::string> sets;
  bool resume = false;
  bool join = false;
  bool quiet = false;
  bool force = false;
};

Shard shard_of(const Options& options) {
  if (options.shard.empty()) return {};
  const std::size_t slash = options.shard.find('/');
  const auto number = whole_number(options.shard.substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : whole_number(options.shard.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > most_shards)
    throw BadInput(fmt::format("--shard needs i/n with i from 1 to n and n up to {}, e.g. 2/8, not '{}'", most_shards,
                               options.shard));
  return {*number - 1, *count};
}

std::string path_of(const Options& options) {
  return options.output.empty() ? fs::path(options.file).stem().string() + ".h5" : options.output;
}

// Takes over what an earlier run has done: the result if it is to be resumed, and what a kill left.
void take_over_earlier(const std::string& path, const Options& options, SweepArrays& arrays) {
  if (options.force) return;
  std::vector<std::string> files = parts_at(path);
  std::error_code error;
  if (fs::exists(path, error)) {
    if (!options.resume)
      throw BadRunFile(path + ": exists already; --resume goes on with it, --force replaces it, -o names another");
    files.push_back(path);
  }
  for (const std::string& file : files) {
    try {
      const SweepArrays found = read_sweep_arrays(file);
      check_same_sweep(found, arrays, file);
      take_over(found, arrays);
    } catch (const BadRunFile& e) {
      throw BadRunFile(fmt::format("{}; --force throws it away", e.what()));
    }
  }
}

std::size_t points_to_do(const SweepArrays& arrays, const Shard& shard) {
  std::size_t count = 0;
  for (std::size_t point = 0; point < arrays.points(); ++point) count += shard.owns(point) && !arrays.done[point];
  return count;
}

void write_csv(const std::string& path, const SweepArrays& arrays) {
  std::ostringstream text;
  write_sweep_csv(text, arrays);
  write_whole({{path, text.str()}});
}

// After the sweep, complete or stopped: the files, and what is to be said.
void conclude(SweepArrays& arrays, const std::string& path, const std::string& status, bool complete,
              const Options& options) {
  arrays.status = status;
  write_sweep_arrays(path, arrays);
  if (!options.csv.empty()) write_csv(options.csv, arrays);
  if (!options.report.empty()) write_report(path, options.report, options.force || options.resume);
  if (!complete) tell_error("interrupted; the same command with --resume goes on");
  if (options.quiet) return;
  std::cout << sweep_page(arrays) << "\n  file    " << path << '\n';
  if (!options.report.empty()) std::cout << "  report  " << options.report << '\n';
}

int join(const Options& options, const SweepFile& sweep) {
  const std::string path = path_of(options);
  check_destination(path, options.force ? Overwrite::file_and_part : Overwrite::nothing);
  SweepArrays arrays = empty_arrays(sweep, prepared_measurements(sweep));
  const std::vector<std::string> shards = shard_paths_at(path);
  if (shards.empty()) throw BadInput(fmt::format("--join: there is no {} beside {}", shard_path(path, {0, 2}), path));
  for (const std::string& shard : shards) {
    const SweepArrays found = read_sweep_arrays(shard);
    check_same_sweep(found, arrays, shard);
    take_over(found, arrays);
  }
  const std::size_t open = arrays.points() - arrays.done_count();
  if (open > 0) {
    throw BadInput(fmt::format("--join: {} of {} points are in none of {}; run the missing shards first", open,
                               arrays.points(), fmt::join(shards, ", ")));
  }
  conclude(arrays, path, "complete", true, options);
  return done;
}

int compute(const Options& options, const SweepFile& sweep, Ranks& ranks) {
  const std::size_t workers = workers_named(options.workers);
  const Shard asked = shard_of(options);
  if (ranks.count() > 1 && !asked.is_whole())
    throw BadInput("--shard is for single processes: mpirun divides by itself");
  const std::string path = asked.is_whole() ? path_of(options) : shard_path(path_of(options), asked);
  check_destination(path, Overwrite::file_and_part);
  const std::vector<Measurement> measurements = prepared_measurements(sweep);
  SweepArrays arrays = empty_arrays(sweep, measurements);
  take_over_earlier(path, options, arrays);

  const Shard shard = asked.is_whole() ? ranks.shard() : asked;
  const bool talks = ranks.is_first() && !options.quiet;
  const std::size_t todo = points_to_do(arrays, shard);
  if (talks && arrays.done_count() > 0)
    tell_note(fmt::format("going on: {} of {} points are done", arrays.done_count(), arrays.points()));

  ranks.begin_work();
  const StopSignals signals;
  ResultStore results(arrays);
  StatusLine line(!talks);
  Journal journal(path, ranks.rank(), tell_warning);
  const bool finished = compute_points(sweep, measurements, shard, workers, results, [&] {
    journal.write_if_due(results);
    line.show(sweep_progress(results.stored(), todo, results.not_ok(), line.seconds()));
  });
  line.clear();
  if (!finished && ranks.count() > 1) journal.write(results);
  ranks.gather(arrays);
  const bool complete = ranks.all_of(finished);
  const std::string status = !complete          ? "interrupted"
                             : asked.is_whole() ? "complete"
                                                : fmt::format("shard {}/{}", asked.number + 1, asked.count);
  if (ranks.is_first()) conclude(arrays, path, status, complete, options);
  ranks.all_of(true);  // the result is in place
  remove_parts(path);
  return complete ? done : interrupted;
}

int run(const Options& options) {
  Ranks ranks;
  try {
    const SweepFile sweep = read_sweep_file(options.file, settings_of(options.sets));
    check_destinations({options.file}, {path_of(options), options.csv, options.report});
    for (const std::string& path : {options.csv, options.report})
      if (!path.empty()) check_file_destination(path, options.force || options.resume);
    if (options.join && !options.shard.empty())
      throw BadInput("--join puts the shards together that --shard has computed: leave one of them out");
    if (options.join) return join(options, sweep);
    return compute(options, sweep, ranks);
  } catch (const std::exception& e) {
    ranks.fail(e.what());
    // Every rank has found the same mistake; one tells.
    if (ranks.is_first()) throw;
    return bad_usage;
  }
}

}  // namespace

Subcommand sweep_subcommand() {
  return {"sweep", "measure a scene at many points: values that vary, into arrays", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("SWEEP", options->file, "sweep (YAML): scene, vary, measures", true);
            line.option("-o,--output", options->output, "result file (default: the sweep file's name with .h5, here)");
            line.option("--csv", options->csv, "the same as a table, one row per point");
            line.option("--report", options->report, "page with maps and slices (HTML)");
            line.option("-j", options->workers, "workers (default: all cores)");
            line.option("--shard", options->shard, "only part i of n, e.g. 2/8, into OUT.shard-2-of-8.h5");
            line.flag("--join", options->join, "make one result of the shards' files");
            line.repeated("--set", options->sets, "override a value of the sweep: vary.friction.count=11");
            line.flag("--resume", options->resume, "continue an interrupted sweep");
            line.flag("-q,--quiet", options->quiet, "no progress, no summary");
            line.flag("--force", options->force, "overwrite an existing file");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
