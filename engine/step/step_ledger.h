// Where the energy of a step went, and the records of its impacts, from what the step found.

#pragma once

#include "engine/energy_ledger.h"
#include "engine/step/course.h"

namespace carom {

class StepLedger {
 public:
  StepLedger(const StepSetting& setting, StepForces& forces) : setting_(setting), forces_(forces) {}

  // The impulses of the step as impacts, where they are, and as sustained contact.
  void book_impulses(const Course& course, SimulationState& state, StepObserver observer);

  // Loads and dampers along the way from the state to u_end, and prescribed motions where joints are driven. `course`
  // is that of a step in contact, or null.
  void book_applied_work(const Place& begin, const Course* course, bool driven, const Vec& u_end,
                         SimulationState& state);

 private:
  bool is_impact(const Course& course, const StepIsland& island) const;
  ImpactRecord record_of(const Course& course, const StepIsland& island, const SimulationState& state) const;
  void add_elements(const Course& course, const StepIsland& island, ImpactRecord& record) const;

  const StepSetting& setting_;
  StepForces& forces_;
  StepIslands jammed_;
  Vec change_;
};

}  // namespace carom
