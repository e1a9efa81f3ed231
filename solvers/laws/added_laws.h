// Laws from outside this folder: of plug-ins, or written in another language.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/open_list.h"
#include "solvers/laws/list.h"

namespace carom {

std::string lacking(const LawEntry& law);
OpenList<LawEntry>& law_list();

// Of a law whose maker is no plain function and may hold what it needs, in place of the entry's own.
using LawMaker = std::function<std::unique_ptr<ImpactLaw>(const Parameters&)>;
void add_law(LawEntry law, LawMaker make, const std::string& origin);

}  // namespace carom
