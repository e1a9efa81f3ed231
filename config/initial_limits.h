// What no initial state may be, although each number of it is one.

#pragma once

#include <string>
#include <vector>

#include "config/scene.h"
#include "config/scene_draft.h"

namespace carom {

// Sentences about coordinates so large, or that change so much within a step, that their digits are used up.
std::vector<std::string> coordinates_without_digits(const Scene& scene);

// Springs that push although their ends are at one point: in which direction, nobody has said. At their places.
void refuse_undirected_springs(const Assembly& assembly, const std::vector<Spring>& springs, const SceneDraft& draft,
                               Diagnostics& diagnostics);

}  // namespace carom
