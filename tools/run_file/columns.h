// Names of the columns and states in a run file.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "engine/linear_algebra.h"

namespace carom {

const std::vector<std::string>& pose_names(Index size);  // of 3 or 7 numbers
const std::vector<std::string>& pose_units(Index size);
const std::vector<std::string>& direction_names();  // of a contact's vectors, at most three
const std::vector<std::string>& state_names();

// The group of a body or contact: its name without what cannot stand in a path, and not taken by another.
std::string link_name(const std::string& name, std::set<std::string>& taken);

// Columns of /impacts, /log and /impacts/elements, in the order they are created.
namespace impact_column {
enum : std::size_t {
  time,
  step,
  kinetic_before,
  kinetic_after,
  work,
  kinematic,
  kinetic,
  energetic,
  solutions,
  iterations,
  residual,
  q,
  u
};
}
namespace log_column {
enum : std::size_t { time, step, level, text };
}
namespace element_column {
enum : std::size_t { impact, element, velocity_before, velocity_after, impulse, compression, decompression, state };
}

}  // namespace carom
