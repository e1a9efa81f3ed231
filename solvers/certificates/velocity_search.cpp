#include "solvers/certificates/velocity_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {

namespace {

constexpr double share_of_draws = 0.4;   // of the units, for looking around
constexpr double share_of_probes = 0.1;  // for several solutions
constexpr int most_unanswered = 40;      // that an impact has no solution takes long to find out
constexpr double same_start = 0.95;      // cosine above which two starts lead to the same place
constexpr int all_solutions_draws = 600, all_solutions_climbs = 10, all_solutions_trials = 300;
constexpr int draws_between_reports = 200;
constexpr int short_climbs = 5;  // how much shorter than whole ones

// The best of the drawn velocities: half by their gain, half by their work relative to the jump, none twice.
std::vector<Vec> promising(std::vector<std::pair<Gain, Vec>> drawn, std::size_t count) {
  std::vector<Vec> starts;
  const auto take = [&](auto order, std::size_t most) {
    std::stable_sort(drawn.begin(), drawn.end(), order);
    for (std::size_t k = 0; k < drawn.size() && starts.size() < most; ++k) {
      const auto& [look, y] = drawn[k];
      if (look.merit == -HUGE_VAL) continue;
      if (std::none_of(starts.begin(), starts.end(), [&](const Vec& other) { return other.dot(y) > same_start; }))
        starts.push_back(y);
    }
  };
  take([](const auto& a, const auto& b) { return a.first.gain > b.first.gain; }, count / 2);
  take([](const auto& a, const auto& b) { return a.first.merit > b.first.merit; }, count);
  return starts;
}

}  // namespace

VelocitySearch::VelocitySearch(const LawChoice& law, const ImpactProblem& problem)
    : problem_(problem), function_(law, problem, reachable_motions(problem)), modes_(problem) {}

ClimbedPoint VelocitySearch::run(const std::vector<Vec>& seeds, const SearchCounts& counts,
                                 const SearchProgress& progress) {
  best_.gain = -HUGE_VAL;
  explore(seeds, counts, progress);
  if (!has_several_solutions(counts)) return best_;
  function_.look_at(Solutions::every);
  explore(seeds, {0, all_solutions_draws, all_solutions_climbs, all_solutions_trials, 0.5 * counts.units}, progress);
  return best_;
}

ClimbedPoint VelocitySearch::again(const Vec& u_minus, int trials, double units) {
  return climb(function_, function_.direction(u_minus), trials, function_.units() + units, engine_);
}

ClimbedPoint VelocitySearch::of_every_solution(ClimbedPoint point) {
  function_.look_at(Solutions::every);
  if (point.y.size() > 0) point.gain = function_.gain(point.y);
  return point;
}

Vec VelocitySearch::velocity(const Vec& y) const { return with_energy_of(problem_, function_.velocity(y)); }

// Every other one uniform, the others by modes.
Vec VelocitySearch::draw(int k) {
  if (k % 2 == 1) return function_.direction(problem_.from_white(modes_.draw(engine_)));
  Vec y(function_.size());
  for (double& x : y) x = normal_(engine_);
  return y;
}

bool VelocitySearch::has_several_solutions(const SearchCounts& counts) {
  const double last = function_.units() + share_of_probes * counts.units;
  for (int k = 0; k < counts.probes && function_.units() < last; ++k)
    if (function_.has_several_solutions(draw(k))) return true;
  return false;
}

void VelocitySearch::explore(const std::vector<Vec>& seeds, const SearchCounts& counts,
                             const SearchProgress& progress) {
  const double first = function_.units(), last = first + counts.units;
  const double last_draw = first + share_of_draws * counts.units;
  const auto report = [&] {
    if (progress) progress((function_.units() - first) / counts.units);
  };
  for (const Vec& u : seeds)
    if (const Vec y = function_.direction(u); y.norm() > 0) keep({y.normalized(), function_.gain(y.normalized())});
  std::vector<std::pair<Gain, Vec>> drawn;
  int unanswered = 0, k = 0;
  for (; k < counts.draws && unanswered < most_unanswered && function_.units() < last_draw; ++k) {
    if (k % draws_between_reports == 0) report();
    const Vec y = draw(k);
    if (!(y.norm() > 0)) continue;
    drawn.emplace_back(function_.look(y.normalized()), y.normalized());
    unanswered += drawn.back().first.gain == -HUGE_VAL;
    keep({drawn.back().second, drawn.back().first.gain});
  }
  cut_short_ = cut_short_ || k < counts.draws;
  std::vector<Vec> starts = promising(std::move(drawn), static_cast<std::size_t>(counts.climbs));
  if (best_.y.size() > 0) starts.insert(starts.begin(), best_.y);
  // A little way from every start; from the highest points of these, all the way.
  std::vector<ClimbedPoint> reached;
  for (const Vec& y : starts) {
    report();
    if (function_.units() >= last) break;
    reached.push_back(climb(function_, y, counts.trials / short_climbs, last, engine_));
    keep(reached.back());
  }
  std::stable_sort(reached.begin(), reached.end(),
                   [](const ClimbedPoint& a, const ClimbedPoint& b) { return a.gain > b.gain; });
  for (const ClimbedPoint& point : reached) {
    report();
    if (function_.units() < last && point.gain > -HUGE_VAL)
      keep(climb(function_, point.y, counts.trials, last, engine_));
  }
  cut_short_ = cut_short_ || function_.units() >= last;
}

void VelocitySearch::keep(const ClimbedPoint& point) {
  if (point.gain > best_.gain) best_ = point;
}

}  // namespace carom
