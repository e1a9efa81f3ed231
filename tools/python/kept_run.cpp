#include "tools/python/kept_run.h"

#include <limits>

#include "tools/run_description.h"
#include "tools/run_end_text.h"

namespace carom {

namespace {

RunFileOptions file_options(int compression, bool overwrite) {
  return {overwrite ? Overwrite::file_and_part : Overwrite::nothing, compression};
}

KeptRun described(const Scene& scene) {
  KeptRun run;
  run.system = scene.system;
  run.about = description_of(scene);
  run.selection = selection_of(scene);
  run.contact_size = contact_size(scene);
  run.compression = scene.output.compression;
  return run;
}

}  // namespace

std::string KeptRun::text() const { return run_end_text(about, end, energy, time); }

std::string KeptRun::save(const std::string& path, bool overwrite) const {
  const RunFileOptions options = file_options(compression, overwrite);
  check_destination(path, options.overwrite);
  RunFile file(path, options);
  RunFileWriter& writer = file.add_run("/", about, *system, contact_size, selection);
  file.start();
  recording->replay(writer);
  writer.finish(end);
  return file.finish();
}

OpenRun::OpenRun(Scene scene, const std::string& path, bool overwrite) : kept_(described(scene)) {
  const RunFileOptions options = file_options(kept_.compression, overwrite);
  if (!path.empty()) check_destination(path, options.overwrite);
  run_ = std::make_unique<SceneRun>(std::move(scene), [this](const std::string& note) { kept_.notes.push_back(note); });
  if (path.empty()) {
    kept_.recording = std::make_shared<Recording>(kept_.system, kept_.contact_size, kept_.selection);
    recorder_.to(*kept_.recording);
    return;
  }
  file_.emplace(path, options);
  writer_ = &file_->add_run("/", kept_.about, *kept_.system, kept_.contact_size, kept_.selection);
  file_->start();
  recorder_.to(*writer_);
}

void OpenRun::start() {
  run_->start();
  recorder_.sample(simulation().sample());
}

SteppingEnd OpenRun::step_until(std::int64_t last_step, const std::function<void()>& watch) {
  const auto watched = [&] {
    if (writer_) writer_->keep(simulation().state(), simulation().counts());
    watch();
  };
  const SteppingEnd end = carom::step_until(last_step, run_->simulation(), recorder_, scene().output.every, watched);
  wall_seconds_ += end.wall_seconds;
  return end;
}

KeptRun OpenRun::finish(const std::string& status, bool is_whole) {
  const SimulationState& state = simulation().state();
  if (is_whole && recorder_.last_step < state.step) recorder_.sample(simulation().sample());
  kept_.end.status = status;
  kept_.end.wall_seconds = wall_seconds_;
  kept_.end.steps = state.step;
  kept_.end.counts = simulation().counts();
  kept_.end.penetrations = state.penetrations;
  if (is_whole) kept_.end.state = state;
  kept_.energy = state.energy;
  kept_.time = state.time;
  if (file_) {
    writer_->finish(kept_.end);
    const std::string note = file_->finish();
    if (!note.empty()) kept_.notes.push_back(note);
    file_.reset();
  }
  return std::move(kept_);
}

KeptRun run_to_end(Scene scene, const std::string& path, bool overwrite,
                   const std::function<void(const Simulation&)>& watch,
                   const std::function<std::string(std::exception_ptr)>& status_of_thrown) {
  OpenRun run(std::move(scene), path, overwrite);
  run.start();
  bool between_steps = false;
  const auto watched = [&] {
    between_steps = true;
    watch(run.simulation());
    between_steps = false;
  };
  std::exception_ptr thrown;
  try {
    const SteppingEnd end = run.step_until(std::numeric_limits<std::int64_t>::max(), watched);
    return run.finish(status_of(end), end.reason != SteppingEnd::Reason::failed);
  } catch (const RunFileError&) {
    throw;  // there is no file to close
  } catch (...) {
    thrown = std::current_exception();
  }
  KeptRun kept = run.finish(status_of_thrown(thrown), between_steps);
  kept.error = thrown;
  return kept;
}

}  // namespace carom
