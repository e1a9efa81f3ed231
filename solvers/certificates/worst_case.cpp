#include "solvers/certificates/worst_case.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "solvers/certificates/exact_worst_case.h"
#include "solvers/certificates/velocity_search.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr std::int64_t most_faces = 600000;      // of all pieces together, some seconds
constexpr std::int64_t few_faces = 20000;        // at one of many settings of the coefficients
constexpr double most_worst_case_units = 60000;  // of effort (search_effort.h), less than a second

constexpr int settings_drawn = 24;
constexpr std::size_t settings_refined = 3;
constexpr double first_setting_step = 0.25, last_setting_step = 1e-3;  // as shares of the ranges
constexpr int retried = 150;  // trials of a climb after a step of the coefficients

constexpr SearchCounts thorough = {60, 4000, 40, 1500, most_worst_case_units};
constexpr SearchCounts quick = {0, 160, 4, 300, most_worst_case_units / settings_drawn};  // at one of many settings

WorstCase searched(const LawChoice& law, const ImpactProblem& problem, std::vector<Vec> seeds,
                   const SearchProgress& progress) {
  WorstCase worst;
  worst.u_minus = problem.u_minus();
  worst.elements = problem.elements();
  VelocitySearch search(law, problem);
  worst.exact = !search.possible();
  if (worst.exact) return worst;
  seeds.push_back(problem.u_minus());
  const ClimbedPoint found = search.of_every_solution(search.run(seeds, thorough, progress));
  worst.tried = search.tried();
  worst.cut_short = search.cut_short();
  worst.gain = found.gain;
  if (found.y.size() > 0) worst.u_minus = search.velocity(found.y);
  return worst;
}

// Coefficients and velocity together.
class RangeSearch {
 public:
  RangeSearch(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
              const SearchProgress& progress)
      : law_(law), problem_(problem), progress_(progress), knobs_(knobs_of(law, problem, ranges)) {}

  WorstCase run(const std::vector<Vec>& seeds) {
    std::vector<Setting> settings;
    for (int k = 0; k < settings_drawn && !spent(); ++k) {
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
    worst.cut_short = spent();
    return worst;
  }

 private:
  bool spent() const { return units_ >= most_worst_case_units; }

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
    if (progress_) progress_(units_ / most_worst_case_units);
    const std::optional<ImpactProblem> problem = problem_at(shares);
    if (!problem) return std::nullopt;
    const WorstCase computed = exact_worst_case(law_, *problem, few_faces);
    units_ += units_of_face * static_cast<double>(computed.faces);
    if (computed.exact) {
      ++tried_;
      return computed;
    }
    VelocitySearch search(law_, *problem);
    if (!search.possible()) return std::nullopt;
    const ClimbedPoint found =
        near ? search.again(*near, retried, most_worst_case_units - units_) : search.run(seeds, quick);
    units_ += search.units();
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
      for (bool improved = true; improved && !spent();) {
        improved = false;
        for (Index k = 0; k < setting.shares.size(); ++k) {
          for (double side : {-step, step}) {
            Vec shares = setting.shares;
            shares(k) = std::clamp(shares(k) + side, 0.0, 1.0);
            if (shares(k) == setting.shares(k) || spent()) continue;
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
  const SearchProgress& progress_;
  std::vector<Knob> knobs_;
  double units_ = 0;
  std::mt19937_64 engine_{1};
  std::int64_t tried_ = 0;
};

}  // namespace

WorstCase worst_case(const LawChoice& law, const ImpactProblem& problem, const CoefficientRanges& ranges,
                     const std::vector<Vec>& seeds, const SearchProgress& progress) {
  if (!ranges.empty()) {
    const std::optional<WorstCase> computed = exact_worst_case_within(law, problem, ranges, most_faces);
    if (computed && computed->exact) return *computed;
    WorstCase worst = RangeSearch(law, problem, ranges, progress).run(seeds);
    if (computed && computed->gain > worst.gain) worst = *computed;
    if (computed) worst.bound = computed->bound;
    return worst;
  }
  const WorstCase computed = exact_worst_case(law, problem, most_faces);
  if (computed.exact) return computed;
  std::vector<Vec> all_seeds = seeds;
  all_seeds.push_back(computed.u_minus);
  WorstCase worst = searched(law, problem, std::move(all_seeds), progress);
  worst.bound = computed.bound;
  return worst;
}

}  // namespace carom
