// The files of published/, built into the program.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carom {

std::vector<std::pair<std::string, std::string>> published_data();  // name, text

}  // namespace carom
