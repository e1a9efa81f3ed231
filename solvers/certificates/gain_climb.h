// Uphill on the gain of a law, (T⁺ − T⁻)/T⁻ as a function of the velocity before the impact.
//
// Laws are positively homogeneous, so only the direction of u⁻ counts; and most are linear on cones of velocities, one
// a mode. With v⁺ = Jv on a cone (white coordinates, J by differences, which are exact there) the gain is the quotient
// vᵀJᵀJv/vᵀv − 1. It rises all the way from v to the top eigenvector of JᵀJ, or to where the path leaves the cone.
// There two cones meet; their maps agree on the facet n·v = 0 between them, so that J − J' = a nᵀ tells n. If the gain
// rises beyond, the climb goes on there; if not, along the facet. Where a law is not linear on cones (springs, turning
// slip) or jumps, shrinking random steps finish.

#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "engine/impact_problem.h"
#include "engine/parameters.h"
#include "solvers/certificates/law_trial.h"

namespace carom {

// An orthonormal basis (columns, in white coordinates) of the motions that impulses can change. Any other motion adds
// to T⁻ alone.
Mat reachable_motions(const ImpactProblem& problem);

// The law at fixed coefficients. Directions are unit vectors y in a basis of the reachable motions.
struct Gain {
  double gain = 0;   // (T⁺ − T⁻)/T⁻; −∞ without a solution
  double merit = 0;  // the same relative to the energy of the jump, ½|v⁺ − v⁻|²; −∞ if nothing happens
};

class GainFunction {
 public:
  GainFunction(const LawChoice& law, const ImpactProblem& problem, const Mat& motions);

  std::optional<Vec> after(const Vec& y);  // of the solution that keeps most energy, among those that are looked at
  Gain look(const Vec& y);
  double gain(const Vec& y) { return look(y).gain; }

  // One solution is looked at, unless all are asked for.
  void look_at(Solutions wanted) { wanted_ = wanted; }
  bool has_several_solutions(const Vec& y);

  Index size() const { return motions_.cols(); }
  Vec velocity(const Vec& y) const { return problem_.from_white(motions_ * y); }
  Vec direction(const Vec& u) const { return motions_.transpose() * problem_.to_white(u); }
  std::int64_t tried() const { return tried_; }
  double units() const { return trial_.units(); }  // of effort so far

 private:
  const ImpactProblem& problem_;
  Mat motions_;
  LawTrial trial_;
  Solutions wanted_ = Solutions::one;
  std::int64_t tried_ = 0;
};

struct ClimbedPoint {
  Vec y;
  double gain = 0;
};

// As far as it leads within so many trials, and until the function has taken so many units in all.
ClimbedPoint climb(GainFunction& law, const Vec& from, int most_trials, double last_unit, std::mt19937_64& engine);

}  // namespace carom
