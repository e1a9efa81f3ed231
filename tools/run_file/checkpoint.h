// The state a run can be continued from, in its group /checkpoint.

#pragma once

#include "engine/simulation.h"
#include "tools/run_file/readable_file.h"

namespace carom {

void write_checkpoint(hid_t run, const SimulationState& state);

// Throws BadRunFile: parts are missing, do not fit together or are no numbers.
SimulationState read_checkpoint(hid_t run);

}  // namespace carom
