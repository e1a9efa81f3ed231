// What theorems tell of a scene's law before it runs, in one line.

#pragma once

#include <string>

#include "config/scene.h"

namespace carom {

// "law poisson: guaranteed to create no energy, …", or that it is not. Costs well under a millisecond: only theorems on
// the coefficients of the contacts known in the initial state. Large scenes, those that have no contact
// near and those with a prescribed motion are not judged, which it says.
std::string verdict_before_run(const Scene& scene);

}  // namespace carom
