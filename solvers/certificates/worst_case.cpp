#include "solvers/certificates/worst_case.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "solvers/certificates/gain_climb.h"
#include "solvers/certificates/island.h"
#include "solvers/certificates/mode_velocities.h"
#include "solvers/certificates/newton_routh_worst.h"
#include "solvers/certificates/newton_worst.h"
#include "solvers/certificates/poisson_worst.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr std::int64_t most_faces = 600000;  // of all pieces together, some seconds
constexpr std::int64_t few_faces = 20000;    // at one of many settings of the coefficients
constexpr double as_found = 1e-6;            // relative

constexpr double seconds = 2;  // of processor time, at most
constexpr double seconds_of_probes = 0.2;
constexpr double share_of_draws = 0.4;  // of them for looking around
constexpr int most_unanswered = 40;     // that an impact has no solution takes long to find out
constexpr double same_start = 0.95;     // cosine above which two starts lead to the same place

struct Effort {
  int probes, draws, climbs, trials;  // trials of each climb
};
constexpr Effort thorough = {60, 4000, 40, 1500};
constexpr Effort all_solutions = {0, 600, 10, 300};
constexpr Effort quick = {0, 160, 4, 300};  // at one of many settings of the coefficients
constexpr int retried = 150;                // trials of a climb after a step of the coefficients
constexpr int settings_drawn = 24;
constexpr std::size_t settings_refined = 3;
constexpr double first_setting_step = 0.25, last_setting_step = 1e-3;  // as shares of the ranges

using WorstOfIsland = WorstVelocity (*)(const ContactIsland&, std::int64_t most_faces);

WorstOfIsland worst_of_island(const std::string& law) {
  if (law == "newton") return newton_worst;
  if (law == "poisson") return poisson_worst;
  if (law == "newton-routh") return newton_routh_worst;
  return nullptr;
}

// By pieces, for the laws whose modes are known in advance. Over islands, whose work and energy add up: the worst
// of one is the worst of all. A law that does not confirm what was found leaves it a bound.
WorstCase worst_by_pieces(const LawChoice& law, const ImpactProblem& problem, std::int64_t faces) {
  WorstCase worst;
  worst.u_minus = problem.u_minus();
  worst.elements = problem.elements();
  const auto worst_of = worst_of_island(law.type);
  if (!worst_of) return worst;
  double bound = 0;
  for (const ContactIsland& island : contact_islands(problem)) {
    const WorstVelocity found = worst_of(island, faces);
    bound = std::max(bound, found.bound);
    if (!(found.gain > worst.gain)) continue;
    const std::optional<Vec> u = slowest_velocity(problem, island.rows, found.gamma);
    if (!u) continue;
    worst.gain = found.gain;
    worst.u_minus = with_energy_of(problem, *u);
  }
  if (bound < HUGE_VAL) worst.bound = bound;
  const double confirmed = worst.gain > 0 ? LawTrial(law, problem).gain(worst.u_minus) : 0;
  worst.exact = bound == worst.gain && std::abs(confirmed - worst.gain) <= as_found * (1 + worst.gain);
  worst.gain = confirmed;
  return worst;
}

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

// The worst velocity at fixed coefficients.
class VelocitySearch {
 public:
  VelocitySearch(const LawChoice& law, const ImpactProblem& problem)
      : problem_(problem), function_(law, problem, reachable_motions(problem)), modes_(problem) {}

  bool possible() const { return function_.size() > 0; }

  // Seeds are velocities u⁻ that may gain. Where friction allows several solutions, the most gaining one counts: then
  // all are looked at in a second round, which takes long.
  ClimbedPoint run(const std::vector<Vec>& seeds, const Effort& effort, double time) {
    best_.gain = -HUGE_VAL;
    explore(seeds, effort, time);
    if (!has_several_solutions(effort.probes)) return best_;
    function_.look_at(Solutions::every);
    explore(seeds, all_solutions, 0.5 * time);
    return best_;
  }

  // Uphill from a direction that was best at other coefficients.
  ClimbedPoint again(const Vec& y, const CpuBudget& all) { return climb(function_, y, retried, all, engine_); }

  // The law's own answer at a point that was found with one solution.
  ClimbedPoint of_every_solution(ClimbedPoint point) {
    function_.look_at(Solutions::every);
    if (point.y.size() > 0) point.gain = function_.gain(point.y);
    return point;
  }

  Vec velocity(const Vec& y) const { return with_energy_of(problem_, function_.velocity(y)); }
  std::int64_t tried() const { return function_.tried(); }
  bool cut_short() const { return cut_short_; }

 private:
  // Every other one uniform, the others by modes.
  Vec draw(int k) {
    if (k % 2 == 1) return function_.direction(problem_.from_white(modes_.draw(engine_)));
    Vec y(function_.size());
    for (double& x : y) x = normal_(engine_);
    return y;
  }

  bool has_several_solutions(int probes) {
    const CpuBudget budget(seconds_of_probes);
    for (int k = 0; k < probes && !budget.spent(); ++k)
      if (function_.has_several_solutions(draw(k))) return true;
    return false;
  }

  void explore(const std::vector<Vec>& seeds, const Effort& effort, double time) {
    const CpuBudget draws(share_of_draws * time), all(time);
    for (const Vec& u : seeds) consider(function_.direction(u));
    std::vector<std::pair<Gain, Vec>> drawn;
    int unanswered = 0;
    for (int k = 0; k < effort.draws && unanswered < most_unanswered && !draws.spent(); ++k) {
      const Vec y = draw(k);
      if (!(y.norm() > 0)) continue;
      drawn.emplace_back(function_.look(y.normalized()), y.normalized());
      unanswered += drawn.back().first.gain == -HUGE_VAL;
      keep({drawn.back().second, drawn.back().first.gain});
    }
    cut_short_ = cut_short_ || static_cast<int>(drawn.size()) < effort.draws;
    std::vector<Vec> starts = promising(std::move(drawn), static_cast<std::size_t>(effort.climbs));
    if (best_.y.size() > 0) starts.insert(starts.begin(), best_.y);
    for (const Vec& y : starts) {
      if (!all.spent()) keep(climb(function_, y, effort.trials, all, engine_));
    }
    cut_short_ = cut_short_ || all.spent();
  }

  void consider(const Vec& y) {
    if (y.norm() > 0) keep({y.normalized(), function_.gain(y.normalized())});
  }

  void keep(const ClimbedPoint& point) {
    if (point.gain > best_.gain) best_ = point;
  }

  const ImpactProblem& problem_;
  GainFunction function_;
  ModeVelocities modes_;
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
  ClimbedPoint best_;
  bool cut_short_ = false;
};

WorstCase searched(const LawChoice& law, const ImpactProblem& problem, std::vector<Vec> seeds) {
  WorstCase worst;
  worst.u_minus = problem.u_minus();
  worst.elements = problem.elements();
  VelocitySearch search(law, problem);
  worst.exact = !search.possible();
  if (worst.exact) return worst;
  seeds.push_back(problem.u_minus());
  const ClimbedPoint found = search.of_every_solution(search.run(seeds, thorough, seconds));
  worst.tried = search.tried();
  worst.cut_short = search.cut_short();
  worst.gain = found.gain;
  if (found.y.size() > 0) worst.u_minus = search.velocity(found.y);
  return worst;
}

// Coefficients and velocity together.
class RangeSearch {
 public:
  RangeSearch(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges)
      : law_(law), problem_(problem), knobs_(knobs_of(problem, ranges)), budget_(seconds) {}

  WorstCase run(const std::vector<Vec>& seeds) {
    std::vector<Setting> settings;
    for (int k = 0; k < settings_drawn && !budget_.spent(); ++k) {
      const Vec shares = drawn(k);
      if (const auto found = worst_at(shares, seeds)) settings.push_back({shares, *found});
    }
    std::stable_sort(settings.begin(), settings.end(),
                     [](const Setting& a, const Setting& b) { return a.worst.gain > b.worst.gain; });
    settings.resize(std::min(settings.size(), settings_refined));
    for (Setting& setting : settings) refine(setting);
    const auto most = std::max_element(settings.begin(), settings.end(),
                                       [](const Setting& a, const Setting& b) { return a.worst.gain < b.worst.gain; });
    WorstCase worst;
    worst.u_minus = problem_.u_minus();
    worst.elements = problem_.elements();
    if (most != settings.end()) worst = most->worst;
    worst.exact = false;
    worst.bound.reset();  // of one setting
    worst.tried = tried_;
    worst.coefficients_varied = true;
    worst.cut_short = budget_.spent();
    return worst;
  }

 private:
  struct Setting {
    Vec shares;  // 0 … 1 of every range
    WorstCase worst;
  };

  // Corners of the ranges first, all of them where they are few; then anything.
  Vec drawn(int k) {
    Vec shares(static_cast<Index>(knobs_.size()));
    const bool few = knobs_.size() <= 4;
    std::uniform_real_distribution<double> share;
    std::uniform_int_distribution<int> end(0, 1);
    for (Index i = 0; i < shares.size(); ++i) {
      if (few && k < (1 << knobs_.size())) {
        shares(i) = k >> i & 1;
      } else {
        shares(i) = !few && k < settings_drawn / 2 ? end(engine_) : share(engine_);
      }
    }
    return shares;
  }

  std::optional<ImpactProblem> problem_at(const Vec& shares) const {
    std::vector<Element> elements = turned(problem_.elements(), knobs_, shares);
    for (const LawComplaint& complaint : check_data(law_, elements, nullptr))
      if (!complaint.warning) return std::nullopt;
    return ImpactProblem::on_manifold(problem_.M(), problem_.u_minus(), std::move(elements));
  }

  // From nothing, or uphill from a velocity.
  std::optional<WorstCase> worst_at(const Vec& shares, const std::vector<Vec>& seeds, const Vec* near = nullptr) {
    const std::optional<ImpactProblem> problem = problem_at(shares);
    if (!problem) return std::nullopt;
    if (WorstCase by_pieces = worst_by_pieces(law_, *problem, few_faces); by_pieces.exact) {
      ++tried_;
      return by_pieces;
    }
    VelocitySearch search(law_, *problem);
    if (!search.possible()) return std::nullopt;
    const GainFunction direction(law_, *problem, reachable_motions(*problem));
    const ClimbedPoint found =
        near ? search.again(direction.direction(*near), budget_) : search.run(seeds, quick, seconds / settings_drawn);
    tried_ += search.tried();
    if (found.y.size() == 0) return std::nullopt;
    WorstCase worst;
    worst.gain = found.gain;
    worst.u_minus = search.velocity(found.y);
    worst.elements = problem->elements();
    return worst;
  }

  void refine(Setting& setting) {
    for (double step = first_setting_step; step > last_setting_step; step /= 2) {
      for (bool improved = true; improved && !budget_.spent();) {
        improved = false;
        for (Index k = 0; k < setting.shares.size(); ++k) {
          for (double side : {-step, step}) {
            Vec shares = setting.shares;
            shares(k) = std::clamp(shares(k) + side, 0.0, 1.0);
            if (shares(k) == setting.shares(k) || budget_.spent()) continue;
            const std::optional<WorstCase> found = worst_at(shares, {}, &setting.worst.u_minus);
            if (!found || !(found->gain > setting.worst.gain)) continue;
            setting = {shares, *found};
            improved = true;
          }
        }
      }
    }
  }

  const LawChoice& law_;
  const ImpactProblem& problem_;
  std::vector<Knob> knobs_;
  CpuBudget budget_;
  std::mt19937_64 engine_{1};
  std::int64_t tried_ = 0;
};

}  // namespace

WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
                     const std::vector<Vec>& seeds) {
  if (!ranges.empty()) return RangeSearch(law, problem, ranges).run(seeds);
  const WorstCase by_pieces = worst_by_pieces(law, problem, most_faces);
  if (by_pieces.exact) return by_pieces;
  std::vector<Vec> all_seeds = seeds;
  all_seeds.push_back(by_pieces.u_minus);
  WorstCase worst = searched(law, problem, std::move(all_seeds));
  worst.bound = by_pieces.bound;
  return worst;
}

}  // namespace carom
