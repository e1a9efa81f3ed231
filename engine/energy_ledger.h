// Where the energy is and where it went. The sum closes by construction: what impacts, sustained contact and
// applied forces do not explain is the integrator's own drift,
//
//   drift = (T + V) − (T + V)₀ − W_impacts − W_contact − W_applied.
//
// The entries are those of ledger.def; whoever writes, reads, measures or shows the ledger goes through
// ledger_columns().

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {

struct EnergyLedger {
#define CAROM_ENERGY(name, called) double name = 0;
#define CAROM_WORK(name, called, meaning) double name = 0;
#include "engine/ledger.def"
  double initial = 0;  // total() at the start

  double total() const {
    double sum = 0;
#define CAROM_ENERGY(name, called) sum += name;
#include "engine/ledger.def"
    return sum;
  }
  double drift() const {
    double rest = total() - initial;
#define CAROM_WORK(name, called, meaning) rest -= name;
#include "engine/ledger.def"
    return rest;
  }
  double size() const {  // what rounding is measured by
    double largest = std::abs(initial);
#define CAROM_ENERGY(name, called) largest = std::max(largest, std::abs(name));
#define CAROM_WORK(name, called, meaning) largest = std::max(largest, std::abs(name));
#include "engine/ledger.def"
    return largest;
  }
};

// A figure of the ledger as it is logged: an entry, or what follows from the entries.
struct LedgerColumn {
  enum class Kind { energy, work };

  const char* name;
  const char* called;
  const char* meaning;
  Kind kind;
  double EnergyLedger::*entry;          // null where it follows,
  double (EnergyLedger::*sum)() const;  // from this

  double of(const EnergyLedger& ledger) const { return entry ? ledger.*entry : (ledger.*sum)(); }
};

// Energies and their total, then works and the drift.
const std::vector<LedgerColumn>& ledger_columns();

}  // namespace carom
