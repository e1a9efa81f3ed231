// How a run ended, in a few lines: what a user wants to know at once; the rest is in the file. Why it failed is told as
// the error it is.

#pragma once

#include <string>

#include "engine/energy_ledger.h"
#include "tools/run_file/run_file.h"

namespace carom {

std::string run_end_text(const RunDescription& run, const RunEnd& end, const EnergyLedger& energy, double time);

}  // namespace carom
