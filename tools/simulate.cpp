// carom simulate: a scene through time, into a run file.

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/scene_run.h"
#include "engine/thread_team.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/log.h"
#include "tools/penetration_text.h"
#include "tools/progress.h"
#include "tools/regained_state.h"
#include "tools/run_description.h"
#include "tools/run_end_text.h"
#include "tools/run_file/reader.h"
#include "tools/run_file/run_file.h"
#include "tools/run_json.h"
#include "tools/run_log.h"
#include "tools/run_size.h"
#include "tools/scene_overrides.h"
#include "tools/stepping.h"
#include "tools/verdict_before_run.h"
#include "tools/workers.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string scene;
  std::string output;
  std::string law;
  std::vector<std::string> sets;
  std::string duration;
  std::string step;
  std::string resume;
  std::string threads;
  bool json = false;
  bool quiet = false;
  bool force = false;
  bool fix = false;

  bool is_from_stdin() const { return scene == "-"; }
};

// Where a run goes on from.
struct Earlier {
  RunFileReader file;
  Checkpoint checkpoint;
};

std::vector<Setting> overrides(const Options& options) {
  return scene_overrides(options.law, options.duration, options.step, options.sets);
}

void check_resume_options(const Options& options) {
  if (!options.scene.empty())
    throw BadInput("--resume takes the scene from the run file; leave " + options.scene + " out");
  if (!options.law.empty() || !options.step.empty() || !options.sets.empty() || options.fix)
    throw BadInput("--resume goes on with the same scene: only --duration can be changed");
}

Earlier open_earlier(const std::string& path) {
  RunFileReader file(path);
  if (!file.finished()) {
    throw BadInput(is_being_written(path)
                       ? path + ": is still being written"
                       : fmt::format("{}: was killed; 'carom recover {}' makes a run file of it first", path, path));
  }
  if (file.status().rfind("failed", 0) == 0)
    throw BadInput(fmt::format("{}: cannot go on, it {}", path, file.status()));
  std::optional<Checkpoint> checkpoint = file.checkpoint();
  if (!checkpoint) throw BadInput(path + ": holds no state to go on from (killed, and output without state or energy)");
  return {std::move(file), std::move(*checkpoint)};
}

Scene scene_of(const Options& options, const Earlier* earlier) {
  if (!earlier) return read_scene(options.scene, {overrides(options), options.fix});
  // The state comes from the checkpoint, so what there is to fix in the initial one does not matter.
  Scene scene = read_scene_text(earlier->file.scene_yaml(), earlier->file.path(), {overrides(options), true, true});
  const SimulationState& state = earlier->checkpoint.state;
  if (state.q.size() != scene.q.size() || state.u.size() != scene.u.size())
    throw BadInput(earlier->file.path() + ": its state does not fit its scene");
  scene.name = earlier->file.text("scene");
  return scene;
}

SimulationCounts sum(const SimulationCounts& a, const SimulationCounts& b) {
  return {a.impacts + b.impacts,   a.inconsistent + b.inconsistent,           a.energy_created + b.energy_created,
          a.unsolved + b.unsolved, a.still_approaching + b.still_approaching, a.outside_set + b.outside_set};
}

std::string file_line(const std::string& path) {
  std::error_code error;
  return fmt::format("  file     {} ({})\n", path, size_text(static_cast<double>(fs::file_size(path, error))));
}

int exit_code_of(const SteppingEnd& end) {
  switch (end.reason) {
    case SteppingEnd::Reason::complete:
      return done;
    case SteppingEnd::Reason::stopped:
      return interrupted;
    case SteppingEnd::Reason::failed:
      break;
  }
  return failed_running;
}

// What tells one run of a scene from another, if nobody gave the file a name: the same command run again replaces what
// it wrote.
std::string command_of(const Options& options) {
  std::string command = "carom simulate " + options.scene;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", name, value);
  };
  add("--law", options.law);
  add("--duration", options.duration);
  add("--step", options.step);
  for (const std::string& set : options.sets) add("--set", set);
  return command + (options.fix ? " --fix" : "");
}

bool is_named_by_default(const Options& options) { return options.output.empty() && options.resume.empty(); }

bool was_written_by(const std::string& command, const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return false;
  try {
    const RunFileReader run(path);
    return run.status() == "complete" && run.text("command") == command;
  } catch (const BadRunFile&) {
    return false;
  }
}

Overwrite what_may_be_replaced(const Options& options, const std::string& path) {
  if (options.force) return Overwrite::file_and_part;
  if (!options.resume.empty() && same_file(path, options.resume)) return Overwrite::file;
  if (!is_named_by_default(options) || !was_written_by(command_of(options), path)) return Overwrite::nothing;
  tell_note(fmt::format("{}, which the same command wrote before, is replaced; -o NAME keeps runs apart", path));
  return Overwrite::file;
}

// Takes the steps again that lead to the impulses of closed contacts, where the file does not hold them.
Regained repeat_steps(Simulation& simulation, const Scene& scene, const Earlier& earlier, Progress& progress,
                      RunLog& log) {
  const SimulationState& last = earlier.checkpoint.state;
  const std::optional<SimulationState> from = state_to_repeat_from(scene, earlier.file, last.step);
  if (!from) return Regained::no;
  if (from->step < last.step)
    log.tell(LogLevel::note,
             fmt::format("steps from t = {:g} to {:g} s are taken again, for what the killed run did not write",
                         from->time, last.time));
  progress.restart(from->step, last.step, last.time);
  const auto watch = [&] { progress.update(simulation.state(), earlier.checkpoint.counts); };
  const Regained regained = regain_state(simulation, *from, last, watch);
  progress.clear();
  progress.restart(last.step, scene.integrator.step_count(), scene.integrator.duration);
  return regained;
}

// False if it was stopped on the way.
bool resume(Simulation& simulation, const Scene& scene, const Earlier& earlier, Progress& progress, RunLog& log) {
  const SimulationState& state = earlier.checkpoint.state;
  if (!earlier.checkpoint.exact) {
    const Regained regained = repeat_steps(simulation, scene, earlier, progress, log);
    if (regained != Regained::no) return regained == Regained::yes;
    log.tell(LogLevel::note, fmt::format("going on from the last sample, t = {:g} s; where contacts were closed the "
                                         "figures may differ from those of an uninterrupted run",
                                         state.time));
  }
  simulation.resume(state);
  return true;
}

// What a run is stepped with.
struct Watch {
  Progress& progress;
  RunLog& log;
};

void tell_end(const SteppingEnd& stepped, const RunEnd& end, const Scene& scene, const std::string& path, RunLog& log) {
  const std::string sinking = told_of_sinking(end.penetrations, *scene.system, scene.integrator.step);
  if (!sinking.empty()) log.tell(LogLevel::warning, sinking);
  if (stepped.reason == SteppingEnd::Reason::failed)
    log.tell(LogLevel::error, fmt::format("{}: {}", scene.name, stepped.why));
  if (stepped.reason == SteppingEnd::Reason::stopped)
    tell_error(fmt::format("interrupted; 'carom simulate --resume {}' goes on", path));
}

std::string end_text(const Scene& scene, const RunEnd& end, const SimulationState& state, const std::string& path) {
  return run_end_text(description_of(scene), end, state.energy, state.time) +
         penetration_line(end.penetrations, *scene.system) + file_line(path);
}

int run_scene(SceneRun& run, const Options& options, const std::string& path, RunFile& file, RunFileWriter& writer,
              const Earlier* earlier, const Watch& watched) {
  Progress& progress = watched.progress;
  Simulation& simulation = run.simulation();
  const SimulationCounts before = earlier ? earlier->checkpoint.counts : SimulationCounts{};
  if (earlier) {
    writer.copy_rows(earlier->file, earlier->checkpoint.state.step);
  } else {
    run.start();
    writer.sample(simulation.sample());
  }
  watched.log.keep_in(writer);

  const auto watch = [&] {
    const SimulationCounts counts = sum(before, simulation.counts());
    if (progress.shown()) progress.update(simulation.state(), counts);
    writer.keep(simulation.state(), counts);
  };
  const SteppingEnd stepped = step_to_end(simulation, writer, run.scene().output.every, watch);
  progress.clear();

  const SimulationState& state = simulation.state();
  RunEnd end;
  end.status = status_of(stepped);
  end.wall_seconds = stepped.wall_seconds + (earlier ? earlier->file.number("wall_seconds") : 0);
  end.steps = state.step;
  end.counts = sum(before, simulation.counts());
  end.penetrations = state.penetrations;
  if (stepped.reason != SteppingEnd::Reason::failed) end.state = state;
  tell_end(stepped, end, run.scene(), path, watched.log);
  writer.finish(end);
  const std::string note = file.finish();
  if (!note.empty()) tell_warning(note);
  tell_detail(fmt::format("{} holds {} steps taken in {:.3g} s", path, end.steps, end.wall_seconds));
  if (options.json) {
    std::cout << dump(run_json(summarise(RunFileReader(path)), {}));
  } else if (!options.quiet) {
    std::cout << end_text(run.scene(), end, state, path);
  }
  return exit_code_of(stepped);
}

int run(const Options& options) {
  set_step_threads(static_cast<int>(workers_named(options.threads)));
  std::optional<Earlier> earlier;
  if (!options.resume.empty()) {
    check_resume_options(options);
    earlier.emplace(open_earlier(options.resume));
  } else if (options.scene.empty()) {
    throw BadInput("simulate needs a scene (YAML), or --resume RUN.h5");
  }
  if (options.is_from_stdin() && options.output.empty())
    throw BadInput("a scene from standard input has no name: -o RUN.h5 names the run file");
  Scene scene = scene_of(options, earlier ? &*earlier : nullptr);
  RunLog log;
  // A run that goes on was told those of its scene when it began.
  for (const std::string& warning : scene.warnings)
    if (!earlier || warning.starts_with("--")) log.tell(LogLevel::warning, warning);
  for (const std::string& note : scene.notes) log.tell(LogLevel::note, note);

  const std::string path = !options.output.empty() ? options.output
                           : earlier               ? options.resume
                                                   : fs::path(options.scene).stem().string() + ".h5";
  const std::int64_t last_step = scene.integrator.step_count();
  if (earlier && earlier->checkpoint.state.step >= last_step) {
    throw BadInput(fmt::format("{}: has come to its end at t = {:g} s; --duration gives it a later one", options.resume,
                               earlier->checkpoint.state.time));
  }
  RunFileOptions file_options;
  file_options.compression = scene.output.compression;
  check_destinations({options.scene}, {path});
  file_options.overwrite = what_may_be_replaced(options, path);
  check_destination(path, file_options.overwrite);

  const std::string verdict = options.quiet ? "" : verdict_before_run(scene);
  if (!verdict.empty()) log.tell(LogLevel::note, verdict);

  Progress progress(options.quiet || options.json, earlier ? earlier->checkpoint.state.step : 0, last_step,
                    scene.integrator.duration);
  SceneRun scene_run(std::move(scene), [&](const std::string& note) { log.tell(LogLevel::note, note); });
  log.follow(scene_run.simulation());
  const StopSignals signals;
  if (earlier && !resume(scene_run.simulation(), scene_run.scene(), *earlier, progress, log)) {
    tell_error(fmt::format("interrupted; {} is as it was", options.resume));
    return interrupted;
  }
  RunFile file(path, file_options);
  const Scene& of_run = scene_run.scene();
  RunDescription description = description_of(of_run);
  if (is_named_by_default(options)) description.facts.emplace_back("command", command_of(options));
  RunFileWriter& writer = file.add_run("/", description, *of_run.system, contact_size(of_run), selection_of(of_run));
  file.start();
  warn_if_too_large(path, writer.bytes_a_sample() * sample_count(of_run));
  tell_detail(fmt::format("{}: {} coordinates, {} steps of {:g} s by {}, law {}, solver {}", of_run.name,
                          of_run.q.size(), last_step, of_run.integrator.step, of_run.integrator.scheme, of_run.law.type,
                          of_run.solver));
  return run_scene(scene_run, options, path, file, writer, earlier ? &*earlier : nullptr, {progress, log});
}

}  // namespace

Subcommand simulate_subcommand() {
  return {"simulate", "step a scene through time and write a run file", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("SCENE", options->scene,
                            "scene (YAML): bodies or a model, law, integrator, output; - reads standard input", false);
            line.option("-o,--output", options->output,
                        "run file (default: the name of the scene's file with .h5, here)");
            line.option("--law", options->law, "another law than the scene's, with its default parameters");
            line.repeated("--set", options->sets, "override a value of the scene: key=value, e.g. law.type=poisson");
            line.option("--duration", options->duration, "seconds to simulate (integrator.duration)");
            line.option("--step", options->step, "step size in seconds (integrator.step)");
            line.option("-j", options->threads,
                        "threads for large steps (default: all cores); any number gives the same bits");
            line.flag("--json", options->json, "print how the run ended as JSON, as carom inspect --json does");
            line.flag("-q,--quiet", options->quiet, "no progress, no notes, no summary");
            line.flag("--force", options->force, "overwrite an existing file; what the same command wrote needs none");
            line.flag("--fix", options->fix, "project the initial state onto joints and contacts");
            line.option("--resume", options->resume, "continue an interrupted run (RUN.h5)");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom
