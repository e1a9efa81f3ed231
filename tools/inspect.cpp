// carom inspect: what a run file tells, as text, JSON or CSV, and the scene that ran.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/csv.h"
#include "tools/json.h"
#include "tools/law_group.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/sweep_file.h"
#include "tools/run_json.h"
#include "tools/run_page.h"
#include "tools/run_summary.h"
#include "tools/sweep_summary.h"
#include "tools/table.h"

namespace carom {

namespace {

constexpr std::int64_t first_impacts = 20;

struct Options {
  std::string file;
  std::string law;
  bool impacts = false;
  bool json = false;
  bool scene = false;
  std::vector<std::string> csv;
};

// ---- CSV -------------------------------------------------------------------------------------------------------

// One header a number: path, then what its extents run over, by name where there is one.
std::vector<std::string> headers(const DatasetInfo& info) {
  std::vector<std::string> list = {info.path};
  for (std::size_t extent = 0; extent < info.shape.size(); ++extent) {
    const auto size = static_cast<std::size_t>(info.shape[extent]);
    const bool last = extent + 1 == info.shape.size();
    const auto& names = extent == 0 && info.names.size() == size ? info.names
                        : last && info.directions.size() == size ? info.directions
                                                                 : std::vector<std::string>{};
    std::vector<std::string> longer;
    for (const std::string& head : list) {
      for (std::size_t i = 0; i < size; ++i)
        longer.push_back(head + "." + (names.empty() ? std::to_string(i) : names[i]));
    }
    list = std::move(longer);
  }
  return list;
}

void print_csv(const RunFileReader& run, const std::vector<std::string>& paths) {
  std::vector<const DatasetInfo*> columns;
  std::vector<std::string> head;
  for (const std::string& path : paths) {
    columns.push_back(&run.dataset(path));
    if (columns.back()->is_text) throw BadInput(fmt::format("--csv: /{} is text", columns.back()->path));
    if (columns.back()->rows != columns.front()->rows) {
      throw BadInput(fmt::format("--csv: /{} has {} rows, /{} has {}; print them one at a time", columns.front()->path,
                                 columns.front()->rows, columns.back()->path, columns.back()->rows));
    }
    for (const std::string& name : headers(*columns.back())) head.push_back(csv_cell(name));
  }
  std::cout << fmt::format("{}\n", fmt::join(head, ","));
  constexpr std::int64_t block = 4096;
  for (std::int64_t first = 0; first < columns.front()->rows && std::cout; first += block) {
    const std::int64_t rows = std::min(block, columns.front()->rows - first);
    std::vector<std::vector<double>> values;
    for (const DatasetInfo* column : columns) values.push_back(run.read(column->path, first, rows));
    fmt::memory_buffer text;
    for (std::int64_t row = 0; row < rows; ++row) {
      const char* comma = "";
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::int64_t width = columns[c]->width();
        for (std::int64_t i = 0; i < width; ++i) {
          fmt::format_to(std::back_inserter(text), "{}{}", comma, values[c][static_cast<std::size_t>(row * width + i)]);
          comma = ",";
        }
      }
      text.push_back('\n');
    }
    std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

// ---- a file of several laws ------------------------------------------------------------------------------------

std::string collection_page(const RunCollection& collection, const std::vector<RunSummary>& runs) {
  const bool went_well = collection.status == "complete";
  std::string text =
      fmt::format("{}   {} laws compared, reference {}, the same {}   {}\n\n", collection.scene, runs.size(),
                  collection.reference, collection.match, went_well ? good(collection.status) : bad(collection.status));
  if (runs.empty()) return text + "  the impact alone, in /impact_json\n";
  Table table({"law", "impacts", "energy at end / J", "created / J", "until t / s", "status"});
  for (const RunSummary& run : runs)
    table.add({run.law, run.has_impacts ? std::to_string(run.impacts) : "—",
               run.energy ? figure(run.energy->columns.back().last) : "—",
               run.creating_energy > 0 ? bad(figure(run.energy_created)) : "0", fmt::format("{:g}", run.last_time),
               run.status == "complete" ? good(run.status) : bad(run.status)});
  return text + table.text() + "\n  --law NAME shows one of them\n";
}

Json collection_json(const std::string& file, const RunCollection& collection, const std::vector<RunSummary>& runs) {
  Json json = {{"file", file},
               {"format", format_name(ResultKind::comparison)},
               {"scene", collection.scene},
               {"reference", collection.reference},
               {"match", collection.match},
               {"status", collection.status},
               {"runs", Json::array()}};
  for (const RunSummary& run : runs) json["runs"].push_back(run_json(run, {}));
  return json;
}

int show_collection(const Options& options, const ResultFile& file) {
  const RunCollection collection = read_collection(file);
  if (!options.csv.empty() || options.impacts || options.scene)
    throw BadInput(options.file +
                   ": holds the runs of several laws; --law NAME chooses one for --csv, --impacts and --scene");
  std::vector<RunSummary> runs;
  for (const RunFileReader& run : read_runs(file)) runs.push_back(summarise(run));
  std::cout << (options.json ? dump(collection_json(options.file, collection, runs))
                             : collection_page(collection, runs));
  return done;
}

int print_sweep(const Options& options, const ResultFile& file) {
  if (options.impacts || !options.csv.empty())
    throw BadInput(options.file + ": is the result of a sweep, without impacts and columns; carom sweep has --csv");
  if (!options.law.empty())
    throw BadInput(options.file + ": is the result of a sweep, not runs of several laws; leave --law out");
  if (options.scene) throw BadInput(options.file + ": is the result of a sweep; its scene is the text /scene_yaml");
  const SweepArrays arrays = read_sweep_arrays(file);
  std::cout << (options.json ? dump(sweep_json(arrays)) : sweep_page(arrays));
  return done;
}

int run(const Options& options) {
  const ResultFile file(options.file);
  if (file.kind() == ResultKind::sweep) return print_sweep(options, file);
  if (file.kind() == ResultKind::comparison && options.law.empty()) return show_collection(options, file);
  const RunFileReader one_run(file, law_group(file, options.law));
  if (options.scene) {
    if (options.json || options.impacts || !options.csv.empty())
      throw BadInput("--scene prints YAML only: leave --json, --impacts and --csv out");
    std::cout << one_run.scene_yaml();
    return done;
  }
  if (!options.csv.empty()) {
    if (options.json || options.impacts) throw BadInput("--csv prints datasets only: leave --json and --impacts out");
    print_csv(one_run, options.csv);
    return done;
  }
  const RunSummary summary = summarise(one_run);
  const std::vector<ImpactSummary> impacts =
      read_impacts(one_run, options.impacts || options.json ? summary.impacts : first_impacts);
  std::cout << (options.json ? dump(run_json(summary, impacts)) : run_page(summary, impacts));
  return done;
}

}  // namespace

Subcommand inspect_subcommand() {
  return {"inspect", "what a run file tells: status, energy and where it went, impacts, contacts",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("RUN.h5", options->file, "run file", true);
            line.option("--law", options->law, "of a comparison: the run with this law");
            line.flag("--impacts", options->impacts, "all impacts, not only the first 20");
            line.flag("--json", options->json, "print JSON");
            line.list("--csv", options->csv, "print datasets as CSV, e.g. time,q or /time,/energy/total");
            line.flag("--scene", options->scene, "print the scene that ran (YAML), with the state that --fix found");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
