// The velocity from which a law gains most at given coefficients, looked for: velocities drawn uniformly and by modes
// (mode_velocities.h), then climbs from the most promising of them (gain_climb.h). Seeded and counted, so that the same
// is found everywhere.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/gain_climb.h"
#include "solvers/certificates/mode_velocities.h"
#include "solvers/certificates/search_effort.h"

namespace carom {

struct SearchCounts {
  int probes;  // for several solutions
  int draws;
  int climbs;
  int trials;    // of each climb
  double units;  // at most, of effort (search_effort.h)
};

class VelocitySearch {
 public:
  VelocitySearch(const LawChoice& law, const ImpactProblem& problem);

  bool possible() const { return function_.size() > 0; }  // impulses can change a motion

  // Seeds are velocities u⁻ that may gain. Where friction allows several solutions, the most gaining one counts: then
  // all are looked at in a second round, which takes long.
  ClimbedPoint run(const std::vector<Vec>& seeds, const SearchCounts& counts, const SearchProgress& progress = {});

  // Uphill from a velocity u⁻ that was best at other coefficients.
  ClimbedPoint again(const Vec& u_minus, int trials, double units);

  // The law's own answer at a point that was found with one solution.
  ClimbedPoint of_every_solution(ClimbedPoint point);

  Vec velocity(const Vec& y) const;
  std::int64_t tried() const { return function_.tried(); }
  double units() const { return function_.units(); }
  bool cut_short() const { return cut_short_; }

 private:
  Vec draw(int k);
  bool has_several_solutions(const SearchCounts& counts);
  void explore(const std::vector<Vec>& seeds, const SearchCounts& counts, const SearchProgress& progress);
  void keep(const ClimbedPoint& point);

  const ImpactProblem& problem_;
  GainFunction function_;
  ModeVelocities modes_;
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
  ClimbedPoint best_;
  bool cut_short_ = false;
};

}  // namespace carom
