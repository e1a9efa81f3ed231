// Laws as a command line names them: a,b,c or all.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/parameters.h"

namespace carom {

bool names_all_laws(const std::vector<std::string>& names);  // "all" is among them

// Each once, "all" spelled out. BadInput says which names `option` gives that are no laws.
std::vector<std::string> laws_named(const std::string& option, const std::vector<std::string>& names);

// A law that the file configures keeps its parameters.
LawChoice law_choice(const std::string& name, const std::optional<LawChoice>& of_file);

}  // namespace carom
