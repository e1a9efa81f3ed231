#include "tools/stepping.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <limits>

#include "tools/command_line.h"
#include "tools/run_file/error.h"

namespace carom {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::rep nobody_asked = -1;
std::atomic<Clock::rep> asked_at = nobody_asked;
static_assert(std::atomic<Clock::rep>::is_always_lock_free, "or a signal handler may not use it");

// timeout, mpirun and terminals send one request to the program and again to its group: what follows within this time
// is the same request.
constexpr std::chrono::milliseconds same_request{300};

void ask_for_stop(int) {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep first = nobody_asked;
  if (asked_at.compare_exchange_strong(first, now)) return;
  if (Clock::duration(now - first) > same_request) ::_exit(interrupted);
}

// Calls at most a few times a second, without reading the clock at every step.
class Metronome {
 public:
  bool beat() {
    if (++steps_ < stride_) return false;
    steps_ = 0;
    const Clock::duration passed = Clock::now() - last_look_;
    last_look_ += passed;
    if (passed < shortest) stride_ = std::min<std::int64_t>(2 * stride_, most_steps);
    if (passed > longest) stride_ = std::max<std::int64_t>(1, stride_ / 4);
    if (last_look_ - last_beat_ < interval) return false;
    last_beat_ = last_look_;
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds shortest{10}, longest{60}, interval{200};
  static constexpr std::int64_t most_steps = 1 << 20;
  std::int64_t stride_ = 1, steps_ = 0;
  Clock::time_point last_look_ = Clock::now(), last_beat_ = last_look_;
};

// Holds the impacts of a step back until the step is whole: one that fails is taken back, and its impacts with it.
class WholeSteps final : public Recorder {
 public:
  explicit WholeSteps(Recorder& recorder) : recorder_(recorder) {}

  void sample(const Sample& sample) override { recorder_.sample(sample); }
  void impact(const ImpactRecord& impact) override {
    if (count_ == held_.size()) held_.emplace_back();
    Held& held = held_[count_++];
    held.record = impact;
    held.q = *impact.q;
    held.u = *impact.u;
  }
  void pass_on() {
    for (std::size_t i = 0; i < count_; ++i) {
      Held& held = held_[i];
      held.record.q = &held.q;
      held.record.u = &held.u;
      recorder_.impact(held.record);
    }
    count_ = 0;
  }

 private:
  struct Held {
    ImpactRecord record;
    Vec q, u;
  };
  Recorder& recorder_;
  std::vector<Held> held_;  // room stays from step to step
  std::size_t count_ = 0;
};

SteppingEnd failure(const SimulationFailure& why) { return {SteppingEnd::Reason::failed, why.what()}; }

}  // namespace

StopSignals::StopSignals() {
  asked_at = nobody_asked;
  std::signal(SIGINT, ask_for_stop);
  std::signal(SIGTERM, ask_for_stop);
  if (std::signal(SIGHUP, ask_for_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // under nohup
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told of as a full disk is
}

StopSignals::~StopSignals() {
  if (stop_asked()) return;  // the program ends with this; until it has, the same request may arrive again
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

bool StopSignals::stop_asked() { return asked_at != nobody_asked; }

void StopByRequest::ask() {
  asked_ = true;
  asked_at = Clock::now().time_since_epoch().count();
}

StopByRequest::~StopByRequest() {
  if (asked_) asked_at = nobody_asked;
}

std::string status_of(const SteppingEnd& end) {
  switch (end.reason) {
    case SteppingEnd::Reason::complete:
      return "complete";
    case SteppingEnd::Reason::stopped:
      return "interrupted";
    case SteppingEnd::Reason::failed:
      break;
  }
  return "failed: " + end.why;
}

SteppingEnd step_to_end(Simulation& simulation, Recorder& recorder, std::int64_t every,
                        const std::function<void()>& watch) {
  return step_until(std::numeric_limits<std::int64_t>::max(), simulation, recorder, every, watch);
}

SteppingEnd step_until(std::int64_t last_step, Simulation& simulation, Recorder& recorder, std::int64_t every,
                       const std::function<void()>& watch) {
  const auto begin = std::chrono::steady_clock::now();
  SteppingEnd end;
  Metronome metronome;
  SimulationState sampled = simulation.state();
  bool has_sample = sampled.step % every == 0;
  WholeSteps whole_steps(recorder);
  std::int64_t last_whole = sampled.step;
  try {
    while (!simulation.finished() && simulation.state().step < last_step) {
      if (StopSignals::stop_asked()) {
        end.reason = SteppingEnd::Reason::stopped;
        break;
      }
      last_whole = simulation.state().step;
      simulation.step(&whole_steps);
      whole_steps.pass_on();
      has_sample = simulation.state().step % every == 0 || simulation.finished();
      if (has_sample) {
        recorder.sample(simulation.sample());
        sampled = simulation.state();
      }
      if (watch && metronome.beat()) watch();
    }
  } catch (const InconsistentImpact& e) {
    whole_steps.pass_on();  // it is what the run stops for
    end = failure(e);
    has_sample = false;
  } catch (const RunFileError&) {
    throw;                             // there is no file to end
  } catch (const std::exception& e) {  // also what a law from outside throws
    end = {SteppingEnd::Reason::failed, e.what()};
    simulation.return_to(last_whole, sampled);
  }
  if (end.reason != SteppingEnd::Reason::complete && !has_sample) recorder.sample(simulation.sample());
  end.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return end;
}

}  // namespace carom
