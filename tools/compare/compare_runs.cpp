#include "tools/compare/compare_runs.h"

#include <spdlog/fmt/fmt.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "config/scene_run.h"
#include "engine/thread_team.h"
#include "tools/log.h"
#include "tools/run_description.h"
#include "tools/run_size.h"
#include "tools/stepping.h"

namespace carom {

namespace {

constexpr std::int64_t block_numbers = 1 << 20;  // coordinates kept at once, of all laws together
constexpr std::int64_t least_blocks = 200;       // so that progress is seen

// Keeps the positions of a block of samples and passes everything on to the file. HDF5 takes one caller at a time.
class Track final : public Recorder {
 public:
  Track(RunFileWriter* writer, std::mutex& file) : writer_(writer), file_(file) {}

  void sample(const Sample& sample) override {
    times_.push_back(sample.time);
    positions_.insert(positions_.end(), sample.q->begin(), sample.q->end());
    if (!writer_) return;
    const std::lock_guard lock(file_);
    writer_->sample(sample);
  }
  void impact(const ImpactRecord& impact) override {
    if (!writer_) return;
    const std::lock_guard lock(file_);
    writer_->impact(impact);
  }

  void log(const RunMessage& message) {
    if (!writer_) return;
    const std::lock_guard lock(file_);
    writer_->log(message);
  }

  std::size_t samples() const { return times_.size(); }
  double time(std::size_t sample) const { return times_[sample]; }
  Eigen::Map<const Vec> q(std::size_t sample) const {
    const std::size_t size = positions_.size() / times_.size();
    return {positions_.data() + sample * size, static_cast<Index>(size)};
  }
  void clear() {
    times_.clear();
    positions_.clear();
  }

 private:
  RunFileWriter* writer_;
  std::mutex& file_;
  std::vector<double> times_, positions_;
};

// One law on its way.
struct LawRun {
  LawRun(ComparedRun& told, Scene scene)
      : result(told), run(std::move(scene), [this](const std::string& text) { note(text); }) {}

  void note(const std::string& text) {
    result.notes.push_back(text);
    if (!track) return;
    const SimulationState& state = run.simulation().state();
    track->log({state.time, state.step, name_of(LogLevel::note), text});
  }

  void begin() {
    for (const std::string& text : result.notes) track->log({0, 0, name_of(LogLevel::note), text});
    try {
      run.simulation().start(run.scene().q, run.scene().u);
      track->sample(run.simulation().sample());
    } catch (const SimulationFailure& e) {
      end.reason = SteppingEnd::Reason::failed;
      end.why = e.what();
    }
  }

  bool goes_on() { return end.reason == SteppingEnd::Reason::complete && !run.simulation().finished(); }

  void step_until(std::int64_t step) {
    if (!goes_on()) return;
    const double before = end.wall_seconds;
    end = carom::step_until(step, run.simulation(), *track, run.scene().output.every, {});
    end.wall_seconds += before;
  }

  void finish() {
    const SimulationState& state = run.simulation().state();
    result.ran = true;
    result.status = status_of(end);
    result.time = state.time;
    result.steps = state.step;
    result.energy = state.energy;
    result.counts = run.simulation().counts();
    if (!writer) return;
    RunEnd told{result.status, end.wall_seconds, state.step, result.counts, state.penetrations, {}};
    if (end.reason != SteppingEnd::Reason::failed) told.state = state;
    writer->finish(told);
  }

  ComparedRun& result;
  std::optional<Track> track;  // before the run, which notes on it
  SceneRun run;
  SteppingEnd end;
  RunFileWriter* writer = nullptr;
};

// q and −q are one orientation.
Vec difference(const Vec& a, const Vec& b, const std::vector<Index>& quaternions) {
  Vec difference = (a - b).cwiseAbs();
  for (const Index i : quaternions)
    if (a.segment<4>(i).dot(b.segment<4>(i)) < 0)
      difference.segment<4>(i) = (a.segment<4>(i) + b.segment<4>(i)).cwiseAbs();
  return difference;
}

class RunComparison {
 public:
  RunComparison(std::vector<LawScene> scenes, const std::string& reference) {
    results_.reserve(scenes.size());
    for (LawScene& from : scenes) {
      results_.push_back({.law = from.law, .status = "not run: " + from.why_not, .restitution = from.restitution});
      if (!from.scene) continue;
      runs_.push_back(std::make_unique<LawRun>(results_.back(), std::move(*from.scene)));
      if (from.law == reference) reference_ = runs_.back().get();
    }
  }

  void add_to(RunFile* file, const std::string& path) {
    std::int64_t bytes = 0;
    for (const auto& law : runs_) {
      const Scene& scene = law->run.scene();
      if (file) {
        RunDescription description = description_of(scene);
        description.runs_in_file = runs_.size();
        law->writer = &file->add_run("/laws/" + law->result.law, description, *scene.system, contact_size(scene),
                                     selection_of(scene));
        bytes += law->writer->bytes_a_sample() * sample_count(scene);
      }
      law->track.emplace(law->writer, file_mutex_);
    }
    if (!file) return;
    file->start();
    warn_if_too_large(path, bytes);
  }

  void run(std::size_t workers, Progress& progress) {
    if (workers > 1 && runs_.size() > 1) set_step_threads(1);  // the laws share the cores
    tbb::task_arena arena(static_cast<int>(workers));
    for_each_law(arena, [](LawRun& law) { law.begin(); });
    compare_block();
    std::int64_t step = 0;
    while (std::any_of(runs_.begin(), runs_.end(), [](const auto& law) { return law->goes_on(); })) {
      step += block_steps();
      for_each_law(arena, [step](LawRun& law) { law.step_until(step); });
      compare_block();
      show(progress);
    }
    for (const auto& law : runs_) law->finish();
  }

  std::vector<ComparedRun> results() { return std::move(results_); }

 private:
  template <class Action>
  void for_each_law(tbb::task_arena& arena, const Action& action) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, runs_.size(), 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) action(*runs_[i]);
          },
          tbb::simple_partitioner());
    });
  }

  // All laws have the scene's steps and samples.
  std::int64_t block_steps() const {
    const Scene& scene = runs_.front()->run.scene();
    const std::int64_t numbers = std::max<Index>(1, scene.q.size()) * static_cast<std::int64_t>(runs_.size());
    const std::int64_t samples = std::min(block_numbers / numbers, sample_count(scene) / least_blocks);
    return std::max<std::int64_t>(1, samples) * scene.output.every;
  }

  void compare_block() {
    for (const auto& law : runs_) {
      if (reference_ && law.get() != reference_) compare(law->track.value(), *reference_->track, law->result);
    }
    for (std::size_t i = 0; reference_ && i < reference_->track->samples(); ++i)
      extent_ = std::max(extent_, largest(reference_->track->q(i)));
    for (const auto& law : runs_) law->track->clear();
  }

  void compare(const Track& track, const Track& reference, ComparedRun& result) {
    const std::size_t samples = std::min(track.samples(), reference.samples());
    if (samples == 0) return;
    if (!result.departure) {
      result.departure.emplace();
      result.departure->largest = Vec::Zero(track.q(0).size());
    }
    Departure& departure = *result.departure;
    const std::vector<Index> quaternions = quaternions_in(reference_->run.scene().system->positions());
    double extent = extent_;
    for (std::size_t i = 0; i < samples; ++i) {
      if (track.time(i) != reference.time(i)) break;  // one of them ended early, between two samples
      const Vec apart = difference(track.q(i), reference.q(i), quaternions);
      extent = std::max(extent, largest(reference.q(i)));
      if (!departure.parted && largest(apart) > parting_tolerance * extent) departure.parted = track.time(i);
      if (largest(apart) > largest(departure.largest)) departure.time_of_largest = track.time(i);
      departure.largest = departure.largest.cwiseMax(apart);
      departure.compared_until = track.time(i);
    }
  }

  void show(Progress& progress) const {
    if (!progress.shown()) return;
    std::int64_t impacts = 0, going = 0;
    const SimulationState* last = &runs_.front()->run.simulation().state();
    for (const auto& law : runs_) {
      impacts += law->run.simulation().counts().impacts;
      going += law->goes_on();
      if (law->run.simulation().state().step > last->step) last = &law->run.simulation().state();
    }
    progress.update(last->time, last->step, fmt::format("{} laws   {} impacts", going, impacts));
  }

  std::vector<ComparedRun> results_;
  std::vector<std::unique_ptr<LawRun>> runs_;
  LawRun* reference_ = nullptr;
  double extent_ = 0;  // the largest coordinate of the reference until now
  std::mutex file_mutex_;
};

}  // namespace

std::vector<ComparedRun> compare_runs(std::vector<LawScene> scenes, const std::string& reference, RunFile* file,
                                      const std::string& path, std::size_t workers, Progress& progress) {
  RunComparison comparison(std::move(scenes), reference);
  comparison.add_to(file, path);
  comparison.run(workers, progress);
  return comparison.results();
}

}  // namespace carom
