// Convergence of a run, from the same run at h, h/2, h/4, ...: of every quantity its observed order, the value it tends
// to and its error at every step,
//
//   dⱼ = v(h/2ʲ⁺¹) − v(h/2ʲ) ~ h^p,    v* = v_K + d_{K−1}/(2^p − 1),
//
// and from when on there is none: where the impacts differ, or the motion of finer steps comes no nearer to each other.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/converge/watched_run.h"

namespace carom {

enum class OrderVerdict { converges, irregular, exact, none, unknown };
const char* word_of(OrderVerdict verdict);

struct QuantityStudy {
  std::vector<double> values;  // one a level; NaN where there is none
  OrderVerdict verdict = OrderVerdict::unknown;
  std::optional<double> order;                 // by all differences
  double lowest_order = 0, highest_order = 0;  // by two in a row
  double extrapolated = 0;
  std::vector<double> errors;  // one a level, estimated
};

struct StepForTolerance {
  double tolerance = 0;
  std::optional<double> step;  // that meets it
  std::vector<double> errors;  // with it, against the extrapolated values
  std::string why_not;         // there is none
};

struct Study {
  std::string scheme, law;
  double duration = 0;
  std::vector<WatchedRun> levels;
  std::vector<QuantityStudy> quantities;
  std::size_t same_impacts = 0;             // of the same contacts in all levels
  std::optional<double> impacts_differ_at;  // of the two finest
  std::optional<double> converges_until;    // nothing: to the end
  std::optional<StepForTolerance> for_tolerance;
  std::string why_failed;  // no run at all
  bool stopped = false;
};

struct StudyOptions {
  std::size_t levels = 5;
  std::optional<double> tolerance;
  std::function<void(double step)> begins;  // the run with it
};

// Of a scene from its own step on. Never throws for what a run does.
Study study_convergence(Scene scene, const std::vector<AskedQuantity>& asked, const StudyOptions& options);

// From values at h, h/2, ...; `size`: of what rounds.
QuantityStudy study_values(std::vector<double> values, double size);

}  // namespace carom
