// How deep bodies were in each other, in words.

#pragma once

#include <string>
#include <vector>

#include "engine/penetration.h"

namespace carom {

// The deepest, as a line of a summary; nothing if none were.
std::string penetration_line(const std::vector<Penetration>& all, const System& system);

// Which bodies sink into each other, and the step to use; nothing if none do.
std::string told_of_sinking(const std::vector<Penetration>& all, const System& system, double step);

// "1.1 % of the smaller body"; nothing if it has no thickness.
std::string part_text(const Penetration& one);

}  // namespace carom
