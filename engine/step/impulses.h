// The impulses of a step: kept from the step before, followed from there, or asked for.

#pragma once

#include <memory>
#include <string>

#include "engine/island_impact.h"
#include "engine/step/end_of_step.h"
#include "engine/step/notices.h"
#include "engine/step/step_inclusion.h"
#include "engine/tolerant_solver.h"

namespace carom {

struct StepImpulses {
  Vec Lambda;
  int iterations = 0;
  double residual = 0;
  int solutions = 1;
};

class Impulses {
 public:
  // `impact` poses the impacts of islands, of which reasons are told.
  Impulses(const StepSetting& setting, const InclusionSolver& solver, const TolerantSolver& tolerant,
           StepInclusion& inclusion, EndOfStep& end, IslandImpact& impact, const StepForces& forces, Notices& notices);

  void begin() { started_for_ = 0; }
  // From those of the step before.
  void start(const ContactStep& step, const PosedStep& posed);
  // On top of the free velocity, to the end of the step. Forces that answer to them do so through A, exactly if they
  // are linear. `anew`: the first pass of a step. False where contacts swing and that has no solution, or one that
  // cannot last.
  bool solve(const ContactStep& step, PosedStep& posed, bool anew);

  const StepImpulses& found() const { return found_; }
  void tell_what_they_miss(double t) { notices_.go_on_with(t, found_.residual); }
  void go_back_to(const ContactStep& step, const StepImpulses& earlier);  // of the same step
  void start_again(const ContactStep& step);                              // contacts, from those of the step before

 private:
  enum class Kept { none, impulses, with_velocities };  // which are then known at the end of the step

  Kept look_at_kept(const ContactStep& step, PosedStep& posed);
  bool they_last(const ContactStep& step, const PosedStep& posed, double enough);
  bool find_lasting(PosedStep& posed);
  void start_from_found(double wanted_part);
  bool follow(const ContactStep& step, PosedStep& posed);
  bool ask_solver(const ContactStep& step, PosedStep& posed);
  bool start_is_nearer(const PosedStep& posed, const InclusionOutcome& outcome);
  bool leave_sliding_that_cannot_last(const ContactStep& step, PosedStep& posed);
  void take(const InclusionSolution& solution);
  void refuse(const ContactStep& step, const PosedStep& posed, const InclusionOutcome& outcome);
  std::string why_unsolved(const ContactStep& step, const InclusionOutcome& outcome);

  const StepSetting& setting_;
  const InclusionSolver& solver_;
  const TolerantSolver& tolerant_solver_;
  StepInclusion& inclusion_;
  EndOfStep& end_;
  IslandImpact& impact_;
  const StepForces& forces_;
  Notices& notices_;
  const std::unique_ptr<InclusionFollower> follower_;
  StepImpulses found_;
  Vec start_;  // the impulses that are demanded to be started from
  Demand demand_;
  std::uint64_t started_for_ = 0;  // the active set
  Vec xi_, response_;
};

}  // namespace carom
