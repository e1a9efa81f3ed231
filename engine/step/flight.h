// Motion without active contacts: the implicit θ-step, with the joints met at its end, and how velocities within it
// answer to impulses.
//
// Joints (θ = ½): the impulse Bλ acts as two kicks, one at either end of the step, the first chosen such that
// g_B(q_{k+1}) = 0, the second such that Bᵀu_{k+1} = b (as in RATTLE: Andersen 1983; Hairer, Lubich & Wanner 2006,
// VII.1.4). The step is symmetric in time, so a free pendulum's energy does not drift.

#pragma once

#include <cstdint>
#include <span>

#include "engine/active_contact.h"
#include "engine/step/place.h"

namespace carom {

// Where a flight leads.
struct Flown {
  Vec u;              // at its end, before the joints' second kick
  Vec q;              // at its end, on the joints
  Vec u_kicked;       // at its beginning, with the joints' first kick; only where there are joints
  Vec joint_impulse;  // of that kick
};

// A with the joints where a flight ends: the second kick belongs to the velocity that contacts see.
struct EndResponse {
  ConstrainedMass A;
  Rows B;
  Vec b;
  // The same as long as A and B are; 0 where they are the constant mass alone.
  std::uint64_t version = 0;
};

class Flight {
 public:
  Flight(const StepSetting& setting, StepForces& forces) : setting_(setting), forces_(forces) {}

  // As if nothing touched. Valid until the next one.
  Flown& fly(const Place& begin, const SimulationState& state);
  const Flown& flown() const { return flown_; }

  // u_k with what forces at the beginning, and the impulses of the step before, change in it: where the step will lead,
  // to second order in h. The implicit step takes one pass less from there; where the mass is constant that pass costs
  // no more than this.
  void predict(const Place& begin, const SimulationState& state, std::span<const ActiveContact> active, Vec& u);

  // A = M + hθC + h²θ²K where forces answer to motion at the beginning of the step, M where they do not.
  void find_response(const Place& begin, const SimulationState& state);
  // The same with the mass of another place, and the joints where the flight ends.
  EndResponse& end_response(const MassMatrix& M, double t_end);

 private:
  Flown& fly_steadily(const Place& begin, const SimulationState& state);
  void close_joints(const Place& begin, const SimulationState& state, Vec& delta);
  void find_joint_misses(const SimulationState& state);
  void refuse_what_contradicts(double t, const Rows& B);
  [[noreturn]] void fail_to_converge(double t) const;

  const StepSetting& setting_;
  StepForces& forces_;
  Flown flown_;
  EndResponse end_;

  std::uint64_t changes_ = 0;  // of the response
  ForceGradient gradient_;
  ConstrainedMass stiff_;                // A and B, if forces have gradients
  ConstrainedMass* response_ = nullptr;  // that, or the manifold of the beginning
  Rows B_theta_;
  Vec b_theta_, displacement_;
  Vec gap_, miss_, shift_, kick_, residual_;  // by joints
};

}  // namespace carom
