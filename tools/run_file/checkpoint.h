// The state a run can be continued from, to the bit: at its end in its group /checkpoint, and while it goes on in a
// file beside the .part, because in that nothing is created any more.

#pragma once

#include "engine/simulation.h"
#include "tools/run_file/readable_file.h"

namespace carom {

void write_checkpoint(hid_t run, const SimulationState& state, const SimulationCounts& counts);

// Throws BadRunFile: parts are missing, do not fit together or are no numbers.
SimulationState read_checkpoint(hid_t run);
SimulationCounts read_counts(hid_t run);  // of the same moment

// By which a run knows the file beside it: no two have the same.
inline constexpr const char* run_mark_name = "run_mark";
std::int64_t new_run_mark();

std::string checkpoint_file_of(const std::string& part_path);

// Takes the place of the one before as a whole. RunFileError if it cannot be written; then none is left.
void write_checkpoint_file(const std::string& path, std::int64_t run_mark, const SimulationState& state,
                           const SimulationCounts& counts);

// Into a run without one, if it is of this run and the samples before it, every so many steps, are all there. Nothing
// if there is no such file, or not a whole one.
void copy_checkpoint(const std::string& path, hid_t run, std::int64_t last_sample, std::int64_t every);

}  // namespace carom
