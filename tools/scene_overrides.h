// What options of the command line change in a scene.

#pragma once

#include <string>
#include <vector>

#include "config/document.h"

namespace carom {

// Empty texts change nothing. BadInput where --set gives one of these values too.
std::vector<Setting> scene_overrides(const std::string& law, const std::string& duration, const std::string& step,
                                     const std::vector<std::string>& sets);

}  // namespace carom
