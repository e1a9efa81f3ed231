// The same scene stepped with several laws at once, and how far each departs from one of them.
//
// All laws go through time together, a block of samples at a time, so that trajectories can be compared without being
// kept. A law's run is its own from system to solver: the number of workers changes no bit of it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/scene.h"
#include "tools/progress.h"
#include "tools/run_file/run_file.h"

namespace carom {

// Two trajectories have parted at the first sample at which a coordinate differs by more than this, relative to the
// largest coordinate that the reference has had until then.
inline constexpr double parting_tolerance = 1e-9;

// From the reference, sample by sample, as long as both were there.
struct Departure {
  std::optional<double> parted;  // when; nothing: they never did
  Vec largest;                   // |Δq| of every coordinate, over all samples
  double time_of_largest = 0;    // of the largest of these
  double compared_until = 0;
};

// A scene with a law, or why the law cannot have it.
struct LawScene {
  std::string law;
  std::optional<Scene> scene;
  std::string why_not = {};
  std::optional<double> restitution = {};  // in place of the contacts' own
};

struct ComparedRun {
  std::string law;
  std::string status;  // complete, interrupted, failed: why; not run: why
  bool ran = false;    // the rest is known
  std::optional<double> restitution = {};
  double time = 0;
  std::int64_t steps = 0;
  EnergyLedger energy = {};
  SimulationCounts counts = {};
  std::vector<std::string> notes = {};
  std::optional<Departure> departure = {};  // none of the reference itself, nor where one of both did not run
};

// In the order of the scenes. Each law's run goes to the group /laws/NAME of the file, if there is one; the caller
// finishes the file.
std::vector<ComparedRun> compare_runs(std::vector<LawScene> scenes, const std::string& reference, RunFile* file,
                                      const std::string& path, std::size_t workers, Progress& progress);

}  // namespace carom
