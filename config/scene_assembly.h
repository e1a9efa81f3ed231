// An assembly made of what a scene describes, or all that keeps it from being made.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/assembly.h"

namespace carom {

// Null if there are mistakes; `tell` gets a sentence about each, which begins with the part that it is of: body 'x':
// ...
std::shared_ptr<const Assembly> make_assembly(const AssemblyDescription& description,
                                              const std::function<void(const std::string&)>& tell);

}  // namespace carom
