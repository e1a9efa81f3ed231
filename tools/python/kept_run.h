// A scene stepped by a caller with callbacks of its own, into memory or into a run file. However it ends, what was
// recorded until then is kept and the file closed.

#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/scene_run.h"
#include "tools/python/recording.h"
#include "tools/run_file/run_file.h"
#include "tools/stepping.h"

namespace carom {

// A run that has ended.
struct KeptRun {
  std::shared_ptr<const System> system;
  RunDescription about;
  RunSelection selection;
  int contact_size = 2;
  int compression = 0;
  std::shared_ptr<Recording> recording;  // none where it went to a file
  RunEnd end;
  EnergyLedger energy;  // at the end
  double time = 0;
  std::vector<std::string> notes;
  std::exception_ptr error;  // what a callback has thrown

  std::string text() const;
  // The run file that `carom simulate` would have written. Returns a note if not all went as asked.
  std::string save(const std::string& path, bool overwrite) const;
};

// One on its way.
class OpenRun {
 public:
  // Into memory if there is no path.
  OpenRun(Scene scene, const std::string& path, bool overwrite);

  void start();
  // Up to a step; `watch` is called a few times a second.
  SteppingEnd step_until(std::int64_t last_step, const std::function<void()>& watch);
  // After a state that is whole, with a sample of it; a step that a callback has left half way is left out.
  KeptRun finish(const std::string& status, bool is_whole);

  const Simulation& simulation() const { return run_->simulation(); }
  const Scene& scene() const { return run_->scene(); }

 private:
  // Passes everything on, and knows of the last sample.
  class Followed final : public Recorder {
   public:
    void to(Recorder& recorder) { recorder_ = &recorder; }
    void sample(const Sample& sample) override {
      recorder_->sample(sample);
      last_step = sample.step;
    }
    void impact(const ImpactRecord& impact) override { recorder_->impact(impact); }
    std::int64_t last_step = -1;

   private:
    Recorder* recorder_ = nullptr;
  };

  KeptRun kept_;
  std::unique_ptr<SceneRun> run_;
  std::optional<RunFile> file_;
  RunFileWriter* writer_ = nullptr;
  Followed recorder_;
  double wall_seconds_ = 0;
};

// To its end. What `watch` throws stops it between steps, what a callback throws in a step there.
KeptRun run_to_end(Scene scene, const std::string& path, bool overwrite,
                   const std::function<void(const Simulation&)>& watch,
                   const std::function<std::string(std::exception_ptr)>& status_of_thrown);

}  // namespace carom
