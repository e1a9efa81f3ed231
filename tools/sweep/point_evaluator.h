// One point of a sweep after the other: the values go into the scene, the scene is built, its first impact resolved
// and, if a measure needs it, its motion stepped to the end. Every point stands for itself, so it does not matter who
// computes it, nor after which other one. One evaluator a thread.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/impact_file.h"
#include "config/scene.h"
#include "config/sweep_file.h"
#include "engine/inclusion.h"
#include "tools/run_file/sweep_file.h"
#include "tools/sweep/measurement.h"

namespace carom {

struct PointResult {
  PointStatus status = PointStatus::ok;
  std::string reason;
  std::vector<double> values;  // one a measurement; NaN: missing
  bool stopped = false;        // by a signal: the point is not done
};

class PointEvaluator {
 public:
  PointEvaluator(const SweepFile& sweep, const std::vector<Measurement>& measurements);

  // Valid until the next call.
  const PointResult& evaluate(std::size_t point);

 private:
  void measure_scene(const Scene& scene);
  void measure_impact(double time, const ImpactFile& problem, const InclusionSolver& solver, const System* system);
  void measure_run(const Scene& scene);
  void set_status(PointStatus status, const std::string& reason);  // the first that is not ok stays
  const InclusionSolver& solver_called(const std::string& name);

  const SweepFile& sweep_;
  const std::vector<Measurement>& measurements_;
  bool wants_impact_ = false, wants_run_ = false;
  Document scene_;
  std::map<std::string, std::unique_ptr<InclusionSolver>> solvers_;
  PointResult result_;
};

// Some points, spread over the sweep, tell what there is to measure. BadInput with the places of the axes to blame if
// none of them can be built, and of the measures that do not fit.
std::vector<Measurement> prepared_measurements(const SweepFile& sweep);

}  // namespace carom
