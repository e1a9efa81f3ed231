// What contacts carry over from a step to the next: their impulses, whether they go on, and the gap they keep.

#pragma once

#include "engine/step/course.h"

namespace carom {

class Memory {
 public:
  void begin();
  // Into the state, unless contacts that all go on have nothing new to tell but their impulses: those until asked.
  void remember(const Course& course, SimulationState& state);
  // Into the state: contacts that an impact leaves closed go on, others leave. `u_minus` was their velocity before it.
  void remember_impact(const ActiveSet& active, const Rows& W, const Vec& u_minus, SimulationState& state);
  // A contact that leaves goes on from here as well as those that did.
  void hold(const ActiveSet& active, std::uint64_t key, SimulationState& state);
  void tell(SimulationState& state, const Vec& Lambda) {  // those
    if (!impulses_are_told_) write(state, Lambda);
  }

  // Frictionless contacts along directions that never change, under constant forces: all there are went on in the last
  // two steps.
  bool all_sustained() const { return all_sustained_; }

 private:
  void write(SimulationState& state, const Vec& Lambda);
  template <class GoesOn>
  void write_going_on(const ActiveSet& active, SimulationState& state, const GoesOn& goes_on);

  std::uint64_t remembered_ = 0;  // the active set whose contacts the state tells of
  bool all_sustained_ = false;
  bool impulses_are_told_ = true;
};

}  // namespace carom
