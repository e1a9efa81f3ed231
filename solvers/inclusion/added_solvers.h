// Inclusion solvers from outside this folder, of plug-ins.

#pragma once

#include "engine/open_list.h"
#include "solvers/inclusion/list.h"

namespace carom {

std::string lacking(const SolverEntry& solver);
OpenList<SolverEntry>& solver_list();

}  // namespace carom
