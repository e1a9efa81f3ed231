// What a run file says of the run of a scene.

#pragma once

#include <cstdint>

#include "config/scene.h"
#include "tools/run_file/run_file.h"

namespace carom {

RunDescription description_of(const Scene& scene);
RunSelection selection_of(const Scene& scene);
std::int64_t sample_count(const Scene& scene);  // of the whole run, with those at its start and end
int contact_size(const Scene& scene);

}  // namespace carom
