// carom converge: a scene at h, h/2, h/4, ...: order and error of what it ends with, and how that answers to what it
// starts from.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "engine/scheme.h"
#include "engine/suggestion.h"
#include "tools/command_line.h"
#include "tools/converge/told.h"
#include "tools/destinations.h"
#include "tools/law_names.h"
#include "tools/progress.h"
#include "tools/run_file/destination.h"
#include "tools/scene_overrides.h"
#include "tools/stepping.h"
#include "tools/workers.h"

namespace carom {

namespace {

constexpr std::size_t least_levels = 3, most_levels = 16;

struct Options {
  std::string file;
  std::vector<std::string> of, schemes, laws, sets, sensitivity;
  std::string duration, step, levels, tolerance, report;
  bool json = false, quiet = false, force = false;
};

std::size_t levels_of(const Options& options) {
  if (options.levels.empty()) return StudyOptions{}.levels;
  const auto number = whole_number(options.levels);
  if (!number || *number < least_levels || *number > most_levels)
    throw BadInput(fmt::format("--levels needs a number of steps from {} to {}, not '{}'", least_levels, most_levels,
                               options.levels));
  return *number;
}

std::optional<double> tolerance_of(const Options& options) {
  if (options.tolerance.empty()) return std::nullopt;
  const std::string& text = options.tolerance;
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw BadInput(fmt::format("--tolerance needs an error above 0, e.g. 1e-6, not '{}'", text));
  return value;
}

void check_schemes(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const SchemeEntry& scheme : schemes()) known.emplace_back(scheme.name);
  for (const std::string& name : names)
    if (!find_scheme(name))
      throw BadInput(fmt::format("--scheme: there is no scheme '{}'{}; there are {}", name, suggestion(name, known),
                                 fmt::join(known, ", ")));
}

// The scene's own where none is named.
Document document_with(const Options& options, const std::string& scheme, const std::string& law) {
  std::vector<Setting> settings = scene_overrides(law, options.duration, options.step, options.sets);
  if (!scheme.empty()) settings.emplace_back("integrator.scheme=" + scheme, "--scheme " + scheme);
  return Document::from_file(options.file, settings);
}

std::vector<std::string> or_own(std::vector<std::string> names) {
  if (names.empty()) names.emplace_back();
  return names;
}

Study study_of(const Scene& scene, const Options& options, const std::vector<AskedQuantity>& asked, StatusLine& line) {
  StudyOptions how;
  how.levels = levels_of(options);
  how.tolerance = tolerance_of(options);
  how.begins = [&](double step) {
    line.show(fmt::format("{}, {}: h = {:.4g} s", scene.integrator.scheme, scene.law.type, step));
  };
  return study_convergence(scene, asked, how);
}

void find_derivatives(const Options& options, StatusLine& line, Convergence& found) {
  if (options.sensitivity.empty()) return;
  line.show("derivatives");
  const Document document = document_with(options, options.schemes.empty() ? "" : options.schemes.front(),
                                          options.laws.empty() ? "" : options.laws.front());
  const Scene scene = read_scene(document.copy());
  found.sensitivity_scheme = scene.integrator.scheme;
  found.sensitivity_law = scene.law.type;
  found.sensitivities = find_sensitivities(document, options.sensitivity, found.asked);
  found.sensitivity_captures = find_scheme(scene.integrator.scheme)->captures_impacts &&
                               std::any_of(found.sensitivities.begin(), found.sensitivities.end(),
                                           [](const Sensitivity& by) { return by.impacts > 0; });
}

void tell(const Options& options, const Convergence& found) {
  if (!options.report.empty()) write_whole({{options.report, convergence_page(found)}});
  if (options.json) {
    std::cout << dump(convergence_json(found)) << '\n';
  } else {
    std::cout << convergence_text(found);
    if (!options.report.empty()) std::cout << "\n  report  " << options.report << '\n';
  }
}

int run(const Options& options) {
  check_schemes(options.schemes);
  const std::vector<std::string> laws = laws_named("--law", options.laws);
  check_destinations({options.file}, {options.report});
  if (!options.report.empty()) check_file_destination(options.report, options.force);
  // Mistakes of every scene are told before the first run.
  std::vector<Scene> scenes;
  for (const std::string& scheme : or_own(options.schemes))
    for (const std::string& law : or_own(laws)) scenes.push_back(read_scene(document_with(options, scheme, law)));
  Convergence found;
  found.file = options.file;
  found.scene = scenes.front().name.empty() ? std::filesystem::path(options.file).stem().string() : scenes.front().name;
  found.asked = quantities_of(options.of, *scenes.front().system);
  levels_of(options), tolerance_of(options);

  const StopSignals signals;
  StatusLine line(options.quiet || options.json);
  bool any_ran = false;
  for (const Scene& scene : scenes) {
    if (StopSignals::stop_asked()) break;
    found.studies.push_back(study_of(scene, options, found.asked, line));
    any_ran = any_ran || !found.studies.back().levels.empty();
  }
  if (!StopSignals::stop_asked()) find_derivatives(options, line, found);
  line.clear();
  tell(options, found);
  return StopSignals::stop_asked() ? interrupted : any_ran ? done : failed_running;
}

}  // namespace

Subcommand converge_subcommand() {
  return {
      "converge", "order and error of a scene's end over h, h/2, h/4, ..., and its derivatives", [](CommandLine& line) {
        auto options = std::make_shared<Options>();
        line.positional("SCENE", options->file, "scene (YAML)", true);
        line.list("--of", options->of,
                  "q.NAME, u.NAME, energy/total, impact_time, impact_time.3, impacts, ... (default: q, energy/total, "
                  "impact_time)");
        line.list("--scheme", options->schemes, "schemes to compare (default: the scene's)");
        line.list("--law", options->laws, "laws to compare (default: the scene's)");
        line.repeated("--set", options->sets, "override a value: law.type=poisson");
        line.option("--duration", options->duration, "seconds instead of the scene's");
        line.option("--step", options->step, "the longest step (default: the scene's)");
        line.option("--levels", options->levels, "how many steps, each half of the one before (default: 5)");
        line.option("--tolerance", options->tolerance, "find the step with errors up to this, in SI units");
        line.list("--sensitivity", options->sensitivity,
                  "derivatives with respect to these: keys as --set has them, or q.NAME, u.NAME of the initial state");
        line.option("--report", options->report, "page with log-log plots (HTML)");
        line.flag("--json", options->json, "JSON on stdout");
        line.flag("--quiet", options->quiet, "no progress");
        line.flag("--force", options->force, "overwrite an existing page");
        return [options] { return run(*options); };
      }};
}

}  // namespace carom
