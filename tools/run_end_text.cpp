#include "tools/run_end_text.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <vector>

#include "tools/table.h"

namespace carom {

std::string run_end_text(const RunDescription& run, const RunEnd& end, const EnergyLedger& energy, double time) {
  std::string text =
      fmt::format("{}, law {}: {}, t = {:.6g} s, {} steps of {:g} s in {:.2f} s\n", run.scene, run.law,
                  end.status.substr(0, end.status.find(':')), time, end.steps, run.step, end.wall_seconds);
  text += fmt::format("  impacts  {}", end.counts.impacts);
  if (end.counts.inconsistent > 0)
    text += ", " + bad(fmt::format("{} of them {} energy ({} J)", end.counts.inconsistent,
                                   end.counts.inconsistent == 1 ? "creates" : "create",
                                   signed_figure(end.counts.energy_created)));
  if (end.counts.still_approaching > 0)
    text += ", " + bad(fmt::format("{} {} a contact approaching", end.counts.still_approaching,
                                   end.counts.still_approaching == 1 ? "leaves" : "leave"));
  if (end.counts.outside_set > 0)
    text += ", " + bad(fmt::format("{} with an impulse outside its set", end.counts.outside_set));
  if (end.counts.unsolved > 0)
    text += ", " + bad(fmt::format("{} {} a solution", end.counts.unsolved,
                                   end.counts.unsolved == 1 ? "step misses" : "steps miss"));
  const double size = energy.size();
  double exchanged = energy.kinetic;
  std::vector<std::string> went;
  for (const LedgerColumn& column : ledger_columns()) {
    if (column.kind != LedgerColumn::Kind::work) continue;
    went.push_back(fmt::format("{} {}", column.called, signed_figure(column.of(energy), size)));
    if (column.entry) exchanged += std::abs(column.of(energy));
  }
  text += fmt::format("\n  energy   {} → {} J: {}\n", figure(energy.initial, size), figure(energy.total(), size),
                      fmt::join(went, ", "));
  if (std::abs(energy.drift()) > 0.1 * exchanged && std::abs(energy.drift()) > 1e-3 * std::abs(energy.initial))
    text += bad("           the drift is the integrator's own error: a smaller step is needed") + "\n";
  return text;
}

}  // namespace carom
