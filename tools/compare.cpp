// carom compare: a scene by several laws, side by side: at its first impact and through time.

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "tools/command_line.h"
#include "tools/compare/comparison.h"
#include "tools/destinations.h"
#include "tools/log.h"
#include "tools/report/report.h"
#include "tools/run_file/destination.h"
#include "tools/stepping.h"
#include "tools/workers.h"

namespace carom {

namespace {

struct Options {
  CompareOptions compared;
  std::string output;
  std::string report;
  std::string jobs;
  bool json = false;
  bool quiet = false;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::file_and_part : Overwrite::nothing; }
};

// The file that a report is made of, if nobody asked for it.
class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / fmt::format("carom-compare-{}.h5", ::getpid())) {}
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
    std::filesystem::remove(path_.string() + ".part", error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void tell_warnings(const ComparedSubject& subject) {
  for (const std::string& warning : subject.scene ? subject.scene->warnings : subject.problem->warnings)
    tell_warning(warning);
  for (const std::string& note : subject.scene ? subject.scene->notes : subject.problem->notes) tell_note(note);
}

int run(const Options& options) {
  const std::size_t workers = workers_named(options.jobs);
  const CompareOptions& compared = options.compared;
  const ComparedSubject subject = read_subject(compared);
  tell_warnings(subject);
  std::optional<TemporaryFile> temporary;
  if (options.output.empty() && !options.report.empty()) temporary.emplace();
  const std::string path = temporary ? temporary->path() : options.output;
  check_destinations({compared.input.name}, {path, options.report});
  if (!path.empty()) check_destination(path, options.overwrite());
  if (!options.report.empty()) check_file_destination(options.report, options.force);
  Comparison comparison = compare_at_impact(compared, subject);
  const StopSignals signals;
  const std::string note =
      compare_through_time(compared, {path, options.overwrite(), workers, options.quiet}, comparison);
  if (!note.empty()) tell_warning(note);

  std::cout << (options.json ? dump(comparison_json(comparison)) : comparison_text(comparison));
  const bool talks = !options.json && !options.quiet;
  if (!options.output.empty() && talks) std::cout << fmt::format("\n  file    {}\n", path);
  if (!options.report.empty()) {
    write_report(path, options.report, options.force, temporary ? compared.input.name : path);
    if (talks) std::cout << fmt::format("{}  report  {}\n", options.output.empty() ? "\n" : "", options.report);
  }
  if (!comparison.was_interrupted()) return done;
  tell_error("interrupted" + (options.output.empty() ? "" : ": the runs until then are in " + path));
  return interrupted;
}

}  // namespace

Subcommand compare_subcommand() {
  return {"compare", "one scene by several laws, side by side: at its first impact and through time",
          [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("FILE", options->compared.input.name, "scene, or raw impact problem (YAML)", true);
            line.list("--laws", options->compared.laws, "laws to compare, a,b,c or all (default)");
            line.repeated("--set", options->compared.sets, "override a value of the file: key=value");
            line.flag("--impact-only", options->compared.impact_only, "only the impact, nothing through time");
            line.option("--match", options->compared.match,
                        "restitution: the same coefficient for every law (default); energy: for each law the one that "
                        "does the reference's work at the impact");
            line.option("--reference", options->compared.reference,
                        "the law that others are compared with (default: the file's)");
            line.flag("--json", options->json, "print JSON");
            line.option("-o,--output", options->output, "file with one run per law (HDF5)");
            line.option("--report", options->report, "page with the motion, the energy and every impact (HTML)");
            line.option("--duration", options->compared.duration, "seconds to simulate (integrator.duration)");
            line.option("--step", options->compared.step, "step size in seconds (integrator.step)");
            line.option("-j,--jobs", options->jobs, "laws stepped at the same time (default: one per core)");
            line.flag("--force", options->force, "overwrite an existing file");
            line.flag("--fix", options->compared.fix, "scene: project the initial state onto joints and contacts");
            line.flag("-q,--quiet", options->quiet, "no progress, no file name");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
