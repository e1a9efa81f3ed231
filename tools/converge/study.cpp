#include "tools/converge/study.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

constexpr double rounds = 2048 * std::numeric_limits<double>::epsilon();  // what many steps make of a value
constexpr double least_order = 0.5, most_order = 8;  // differences that shrink less do not tell a limit
constexpr double regular = 0.5;                      // orders by two differences in a row are no further apart
constexpr std::int64_t most_instants = 2000;         // of the motion that is kept
constexpr std::size_t most_levels = 16;
constexpr int most_attempts = 6;  // to find a step for a tolerance
constexpr double safely = 0.8;    // of an error that is asked for

double distance(const Vec& a, const Vec& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Positions only: velocities jump, and at different times.
double size_of_motion(const WatchedRun& run) {
  double size = 0;
  for (const Vec& q : run.positions)
    if (q.size() > 0) size = std::max(size, q.cwiseAbs().maxCoeff());
  return size;
}

// Largest distance of the runs up to each instant.
std::vector<double> parting(const WatchedRun& a, const WatchedRun& b) {
  const std::size_t count = std::min(a.positions.size(), b.positions.size());
  std::vector<double> largest(count, 0);
  for (std::size_t i = 0; i < count; ++i)
    largest[i] = std::max(i ? largest[i - 1] : 0, a.positions[i].size() ? distance(a.positions[i], b.positions[i]) : 0);
  return largest;
}

// From where on finer steps come no nearer to each other than by the order ½ from one pair of levels to the next;
// errors of captured impacts may be small by chance, so the worst of the coarser pairs counts.
std::optional<double> end_of_convergence(const std::vector<WatchedRun>& levels) {
  if (levels.size() < 3) return std::nullopt;
  const std::size_t last = levels.size() - 1;
  const std::vector<double> fine = parting(levels[last - 1], levels[last]);
  std::vector<double> allowed(fine.size(), rounds * size_of_motion(levels[last]));
  for (std::size_t j = 0; j + 1 < last; ++j) {
    const std::vector<double> coarse = parting(levels[j], levels[j + 1]);
    const double shrinks = std::pow(2, -least_order * static_cast<double>(last - 1 - j));
    for (std::size_t i = 0; i < std::min(fine.size(), coarse.size()); ++i)
      allowed[i] = std::max(allowed[i], shrinks * coarse[i]);
  }
  for (std::size_t i = 0; i < fine.size(); ++i)
    if (fine[i] > allowed[i]) return levels[last].times[i > 0 ? i - 1 : 0];
  return std::nullopt;
}

std::optional<double> first_difference(const WatchedRun& a, const WatchedRun& b) {
  const std::size_t common = common_impacts(a, b);
  if (common == a.impacts.size() && common == b.impacts.size()) return std::nullopt;
  double time = std::numeric_limits<double>::infinity();
  for (const WatchedRun* run : {&a, &b})
    if (common < run->impacts.size()) time = std::min(time, run->impacts[common].time);
  return time;
}

void find_orders(const std::vector<double>& differences, QuantityStudy& study) {
  const std::size_t last = differences.size() - 1;
  study.lowest_order = std::numeric_limits<double>::infinity();
  study.highest_order = -study.lowest_order;
  for (std::size_t j = 0; j < last; ++j) {
    const double order = std::log2(differences[j] / differences[j + 1]);
    study.lowest_order = std::min(study.lowest_order, order);
    study.highest_order = std::max(study.highest_order, order);
  }
  study.order = std::log2(differences.front() / differences.back()) / static_cast<double>(last);
}

}  // namespace

const char* word_of(OrderVerdict verdict) {
  switch (verdict) {
    case OrderVerdict::converges:
      return "converges";
    case OrderVerdict::irregular:
      return "irregular";
    case OrderVerdict::exact:
      return "to rounding";
    case OrderVerdict::none:
      return "does not converge";
    case OrderVerdict::unknown:
      return "too few runs";
  }
  return "";
}

QuantityStudy study_values(std::vector<double> values, double size) {
  QuantityStudy study;
  study.values = std::move(values);
  const std::size_t count = study.values.size();
  study.errors.assign(count, std::numeric_limits<double>::quiet_NaN());
  study.extrapolated = count ? study.values.back() : std::numeric_limits<double>::quiet_NaN();
  if (count < 2 || std::any_of(study.values.begin(), study.values.end(), [](double v) { return std::isnan(v); }))
    return study;
  for (const double value : study.values) size = std::max(size, std::abs(value));
  const double rounded = rounds * size;
  std::vector<double> differences;  // without those of the last ones that are rounding
  for (std::size_t j = 0; j + 1 < count; ++j)
    differences.push_back(std::max(rounded, std::abs(study.values[j + 1] - study.values[j])));
  while (!differences.empty() && differences.back() <= rounded) differences.pop_back();
  if (differences.empty()) {
    study.verdict = OrderVerdict::exact;
    std::fill(study.errors.begin(), study.errors.end(), rounded);
    return study;
  }
  const bool reaches_rounding = differences.size() + 1 < count;
  double p = most_order;  // where the last difference is already rounding
  if (differences.size() >= 2) {
    find_orders(differences, study);
    p = *study.order;
    const bool shrinks = p >= least_order && study.lowest_order > 0;
    study.verdict = p < least_order                                                  ? OrderVerdict::none
                    : shrinks && study.highest_order - study.lowest_order <= regular ? OrderVerdict::converges
                                                                                     : OrderVerdict::irregular;
  } else if (reaches_rounding) {
    study.verdict = OrderVerdict::exact;
  } else {
    return study;
  }
  if (study.verdict == OrderVerdict::none) {
    const double most = *std::max_element(differences.begin(), differences.end());
    std::fill(study.errors.begin(), study.errors.end(), most);
    return study;
  }
  const double last = study.values[count - 1] - study.values[count - 2],
               left = std::pow(2, std::min(p, most_order)) - 1;
  study.extrapolated = study.values.back() + (reaches_rounding ? 0 : last / left);
  for (std::size_t j = 0; j < count; ++j)
    study.errors[j] = std::max(std::abs(study.values[j] - study.extrapolated), rounded);
  // What two orders in a row leave open about the last one.
  if (study.verdict == OrderVerdict::irregular && !reaches_rounding)
    study.errors.back() = std::max(study.errors.back(), std::abs(last) / (std::pow(2, least_order) - 1));
  return study;
}

namespace {

class Refinement {
 public:
  Refinement(Scene& scene, const std::vector<AskedQuantity>& asked, const StudyOptions& options)
      : scene_(scene),
        asked_(asked),
        options_(options),
        first_step_(scene.integrator.step),
        steps_(scene.integrator.step_count()) {
    // All end at the same time, a multiple of the first step.
    scene_.integrator.duration = first_step_ * static_cast<double>(steps_);
    study_.scheme = scene.integrator.scheme;
    study_.law = scene.law.type;
    study_.duration = scene_.integrator.duration;
  }

  Study run() {
    while (study_.levels.size() < options_.levels && refine()) {
    }
    if (options_.tolerance && !study_.stopped) meet(*options_.tolerance);
    return std::move(study_);
  }

 private:
  WatchedRun run_with(double step, std::int64_t every) {
    scene_.integrator.step = step;
    if (options_.begins) options_.begins(step);
    WatchedRun run = watch_run(scene_, asked_, every);
    study_.stopped = study_.stopped || run.stopped;
    return run;
  }

  // One level more. False if that run did not come to its end.
  bool refine() {
    const std::size_t level = study_.levels.size();
    const std::int64_t parts = std::int64_t{1} << level, stride = (steps_ + most_instants - 1) / most_instants;
    WatchedRun run = run_with(first_step_ / static_cast<double>(parts), parts * stride);
    const bool ended = run.why_failed.empty() && !run.stopped;
    if (!ended && !run.stopped) study_.why_failed = fmt::format("with h = {:.6g} s: {}", run.step, run.why_failed);
    if (ended) study_.levels.push_back(std::move(run));
    look();
    // Steps that are too long for a motion fail, and finer ones do not.
    return ended || (!study_.stopped && study_.levels.empty() && halve_first_step());
  }

  bool halve_first_step() {
    if (++coarse_failures_ > 4) return false;
    first_step_ /= 2;
    steps_ *= 2;
    return true;
  }

  void look() {
    const std::vector<WatchedRun>& levels = study_.levels;
    if (levels.empty()) return;
    study_.same_impacts = levels.front().impacts.size();
    for (const WatchedRun& level : levels)
      study_.same_impacts = std::min(study_.same_impacts, common_impacts(level, levels.back()));
    study_.impacts_differ_at =
        levels.size() < 2 ? std::nullopt : first_difference(levels[levels.size() - 2], levels.back());
    study_.converges_until = end_of_convergence(levels);
    study_.quantities.clear();
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      std::vector<double> values;
      for (const WatchedRun& level : levels) values.push_back(level.value(asked_, i, study_.same_impacts));
      const bool is_position = asked_[i].name.starts_with("q.");
      study_.quantities.push_back(study_values(std::move(values), is_position ? size_of_motion(levels.back()) : 0));
    }
  }

  double largest_error() const {
    double most = 0;
    for (const QuantityStudy& quantity : study_.quantities) {
      if (quantity.verdict == OrderVerdict::none || quantity.verdict == OrderVerdict::unknown) return HUGE_VAL;
      most = std::max(most, quantity.errors.back());
    }
    return most;
  }

  // The longest step with which every quantity is that near to what it tends to: expected by the orders, then run.
  void meet(double tolerance) {
    StepForTolerance& found = study_.for_tolerance.emplace();
    found.tolerance = tolerance;
    while (!(largest_error() <= tolerance) && study_.levels.size() < most_levels && refine()) {
    }
    if (study_.stopped) return;
    if (!(largest_error() <= tolerance)) {
      found.why_not = study_.why_failed.empty() ? "what is asked for does not converge so far" : study_.why_failed;
      return;
    }
    double step = expected_step(tolerance);
    for (int attempt = 0; attempt < most_attempts; ++attempt, step *= 0.7) {
      const double whole = study_.duration / std::ceil(study_.duration / step * (1 - 1e-12));
      if (try_step(whole, found) || study_.stopped) return;
    }
    found.step = study_.levels.back().step;
    found.errors = errors_of(study_.levels.back());
  }

  double expected_step(double tolerance) const {
    double step = first_step_;
    for (const QuantityStudy& quantity : study_.quantities) {
      if (!quantity.order || quantity.errors.front() <= tolerance) continue;
      // From the last level that misses it: errors of finer ones are nearest to what the order tells.
      std::size_t level = 0;
      while (level + 1 < quantity.errors.size() && quantity.errors[level + 1] > tolerance) ++level;
      const double part = std::pow(safely * tolerance / quantity.errors[level], 1 / *quantity.order);
      step = std::min(step, study_.levels[level].step * part);
    }
    return step;
  }

  bool try_step(double step, StepForTolerance& found) {
    const WatchedRun run = run_with(step, std::max<std::int64_t>(1, std::llround(study_.duration / step)));
    if (!run.why_failed.empty() || run.stopped) return false;
    found.errors = errors_of(run);
    if (*std::max_element(found.errors.begin(), found.errors.end()) > found.tolerance) return false;
    found.step = step;
    return true;
  }

  std::vector<double> errors_of(const WatchedRun& run) const {
    std::vector<double> errors;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const double error = std::abs(run.value(asked_, i, study_.same_impacts) - study_.quantities[i].extrapolated);
      errors.push_back(std::isnan(error) ? HUGE_VAL : error);
    }
    return errors;
  }

  Scene& scene_;
  const std::vector<AskedQuantity>& asked_;
  const StudyOptions& options_;
  double first_step_;
  std::int64_t steps_;
  int coarse_failures_ = 0;
  Study study_;
};

}  // namespace

Study study_convergence(Scene scene, const std::vector<AskedQuantity>& asked, const StudyOptions& options) {
  return Refinement(scene, asked, options).run();
}

}  // namespace carom
