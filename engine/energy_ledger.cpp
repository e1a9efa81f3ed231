#include "engine/energy_ledger.h"

namespace carom {

const std::vector<LedgerColumn>& ledger_columns() {
  using Kind = LedgerColumn::Kind;
  static const std::vector<LedgerColumn> columns = {
#define CAROM_ENERGY(name, called) {#name, called, "", Kind::energy, &EnergyLedger::name, nullptr},
#include "engine/ledger.def"
      {"total", "total", "", Kind::energy, nullptr, &EnergyLedger::total},
#define CAROM_WORK(name, called, meaning) {#name, called, meaning, Kind::work, &EnergyLedger::name, nullptr},
#include "engine/ledger.def"
      {"drift", "drift", "what is left: the integrator's own", Kind::work, nullptr, &EnergyLedger::drift}};
  return columns;
}

}  // namespace carom
