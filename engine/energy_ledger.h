// Where the energy is and where it went. The sum closes by construction: what impacts, sustained contact and
// applied forces do not explain is the integrator's own drift,
//
//   drift = (T + V) − (T + V)₀ − W_impacts − W_contact − W_applied.

#pragma once

namespace carom {

struct EnergyLedger {
  double kinetic = 0, potential = 0;
  double work_impacts = 0;  // of impacts: collisions, and contacts that jam (Painlevé)
  double work_contact = 0;  // of contacts that stay closed: mostly friction
  double work_applied = 0;  // of loads, dampers and prescribed motions
  double initial = 0;       // T + V at the start

  double total() const { return kinetic + potential; }
  double drift() const { return total() - initial - work_impacts - work_contact - work_applied; }
};

}  // namespace carom
