// What the page draws of a system.

#pragma once

#include <string>
#include <vector>

#include "engine/system.h"
#include "tools/json.h"

namespace carom {

// Bodies that are drawn: all, or every n-th of many.
std::vector<Index> drawn_bodies(const System& system);

// Shapes, lines, joints and the points whose paths can be followed; bodies by their place in `bodies`.
Json drawing_data(const System& system, const std::vector<Index>& bodies);

}  // namespace carom
