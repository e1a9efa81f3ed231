// Laws from outside this folder: from plug-ins, or written in another language.

#pragma once

#include <functional>
#include <memory>

#include "solvers/laws/list.h"

namespace carom {

using LawMaker = std::function<std::unique_ptr<ImpactLaw>(const Parameters&)>;

// From now on one of the list; another that was added under its name goes. Its maker may hold what it needs, and stands
// beside the entry. Not while anything is computed. std::invalid_argument says what it lacks, or that carom has a law
// of that name.
void add_law(LawEntry law, LawMaker make);

}  // namespace carom
