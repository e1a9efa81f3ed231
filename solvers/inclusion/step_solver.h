// A solver for the impacts of a run. How many solutions there are is worth a moment, and a run has many impacts: where
// the search for all of them can take seconds, in space with friction at several contacts, one will do.

#pragma once

#include <memory>

#include "engine/inclusion.h"

namespace carom {

std::unique_ptr<InclusionSolver> solver_for_steps(std::unique_ptr<InclusionSolver> solver);

}  // namespace carom
