// What answers to the impulses of a step in contact: forces that depend on position and velocity, beyond what A knows,
// lever arms of contacts that turn with the bodies, and joints. Newton's method on
//
//   M(q_θ)(v − u_k − Δ) = hF(q_θ, u_θ) + W̄Λ + Bλ,   Δ the jump of a split impact,
//
// with the inclusion, along W̃, solved anew in each pass (W̄: mean_directions.h).

#pragma once

#include "engine/step/flight.h"
#include "engine/step/impulses.h"

namespace carom {

class Agreement {
 public:
  Agreement(const StepSetting& setting, StepForces& forces, Flight& flight, Impulses& impulses, EndOfStep& end,
            Notices& notices)
      : setting_(setting), forces_(forces), flight_(flight), impulses_(impulses), end_(end), notices_(notices) {}

  // Impulses, and the free velocity they belong to, with which all of them agree.
  void find(const ContactStep& step, PosedStep& posed);

 private:
  // Forces are met together with the contacts, and there was no flight to know them from.
  bool meets_forces(const ContactStep& step) const { return !step.departure.has_flown && !setting_.constant; }
  void expect(const ContactStep& step);
  void expect_end(const ContactStep& step);
  void leave_swinging(const ContactStep& step, PosedStep& posed);
  bool passes_agree(const ContactStep& step, PosedStep& posed);
  void keep_if_best(double missed, const ContactStep& step);
  void go_on_with_best(const ContactStep& step);
  double begin_passes(const ContactStep& step, double& speed);
  const Vec& correction(const ContactStep& step);
  const Vec& turning(const ContactStep& step);
  void turn_joint_reactions(const ContactStep& step, Vec& momentum);

  const StepSetting& setting_;
  StepForces& forces_;
  Flight& flight_;
  Impulses& impulses_;
  EndOfStep& end_;
  Notices& notices_;
  Vec u_jumped_;    // at the beginning of the step, with the jump of a split impact
  Vec u_followed_;  // the end velocity with which the forces in u_free were taken
  Vec u_straight_;  // u_free of a flight before contacts that swing are followed
  // The pass that forces and impulses came nearest in, and by what part of the speed they still differed there.
  struct Pass {
    double missed = 0;
    Vec u_free;
    StepImpulses impulses;
  } best_;
  Vec turning_, pushed_, joint_reaction_;
};

}  // namespace carom
