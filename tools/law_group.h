// The run of one law in a file.

#pragma once

#include <string>

#include "tools/run_file/result_file.h"

namespace carom {

// The group of the run that --law names in a comparison; "/" if it names none. BadInput says which laws there are.
std::string law_group(const ResultFile& file, const std::string& law);

}  // namespace carom
