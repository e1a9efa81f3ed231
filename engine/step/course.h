// What contacts did in a step, by its impulses and the velocities at its end: whether they go on, stick or slip, and
// whether they jumped; a view.

#pragma once

#include "engine/impact_result.h"
#include "engine/step/impulses.h"

namespace carom {

struct Course {
  const ContactStep& step;
  const PosedStep& posed;
  const StepImpulses& impulses;
  const EndOfStep& end;

  // A contact that ends the step closed, or opens no faster than the forces of a step close it, goes on.
  bool is_sustained(const ActiveContact& active) const;
  // Stops or turns as the forces of many steps would not do it: an impact without collision (Painlevé).
  bool jumps(const ActiveContact& active) const;
  bool something_jams() const;
  // Approaches faster than the forces and the curved path of two steps explain, and the law has not yet told of it.
  bool collides(const ActiveContact& active) const;
  // What the forces of the step do to the bodies of a contact along its row.
  double pushed_by_forces(Index row) const;
  // Along the contacts' own velocities at either end of the step, so that what sticks does no work and an elastic
  // impact returns what it took. What contacts turn under the bodies in between is neither friction nor the law's: it
  // is drift.
  double work_of(Index first_row, Index rows) const;

 private:
  double turning_of(const ActiveContact& active) const;
  bool hardly_opens(const ActiveContact& active) const;
};

State state_of(const ActiveContact& active, const PosedStep& posed, const Vec& Lambda, const Vec& gamma_end);

}  // namespace carom
