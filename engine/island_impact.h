// The impact of one island at frozen position: a problem of the coordinates and elements of the island alone, posed and
// resolved in the storage of the one before.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/impact_law.h"
#include "engine/step_islands.h"

namespace carom {

class IslandImpact {
 public:
  // `several` resolves what `law` refuses; it may be null.
  IslandImpact(const System& system, const ImpactLaw& law, const ImpactLaw* several, const InclusionSolver& solver)
      : system_(system), law_(law), several_(several), solver_(solver) {}

  // From the velocity u of the whole system.
  void pose(const StepIsland& island, const StepElements& step, const Vec& u);
  const ImpactProblem& problem() const { return problem_; }

  // Of the problem as posed; the outcome is valid until the next one.
  const LawOutcome& resolve();
  bool is_by_several() const { return is_by_several_; }  // the last outcome
  bool happens(const ImpactResult& result) const;

 private:
  void pose_mass(const StepIsland& island, const MassMatrix& M, const Vec& u);
  void add_row(const Rows& rows, Index row, Rows& to) const;

  const System& system_;
  const ImpactLaw& law_;
  const ImpactLaw* several_;
  const InclusionSolver& solver_;

  ImpactProblem problem_;
  std::vector<std::uint64_t> named_;  // what its elements are called after
  MassMatrix mass_;
  std::vector<Index> blocks_;  // their sizes
  std::vector<Index> place_;   // in the island, of each coordinate of the system that is in it
  Rows W_, B_;
  Vec velocity_;
  LawOutcome answer_, answer_of_several_;
  bool is_by_several_ = false;
};

}  // namespace carom
